"""A run's facts as they are stored, and rows of other versions."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, CoreferenceFacts, LiveFacts, RunFacts, Share
from aggregation.models.facts import CalibrationFacts
from tests.aggregation.crowds import choice_campaign, choice_task

# As the version before the dataclass wrote them: names and shapes of the JSON stay.
ENTITY = {
    "tasks": 2,
    "answers": 4,
    "workers": 2,
    "labels": 36,
    "iterations": 3,
    "converged": False,
    "objective": [-12.5, -11.25, -11.0],
    "seconds": 0.012,
    "clamped": False,
    "live": {
        "how": "fit",
        "why": "",
        "counted": 4,
        "until": "2026-11-20T08:15:30.250000+00:00",
        "answers": 1,
        "tasks": 1,
    },
    "agreement": [["Krippendorff's alpha", 0.8, 0.7, 0.9], ["F1", None, None, None]],
    "note": "bsc stood in for touchstone: too few words.",
    "gold": {
        "shares": [["P", 0.5, 0.25, 0.75], ["R", None, None, None]],
        "relaxed": [["relaxed F1", 0.75, None, None]],
        "units": 3,
        "unit": "sentence",
        "documents": 2,
        "cross_entropy": 0.125,
        "calibration_error": None,
        "bins": [[5, 0.55, 0.6], [7, 0.95, 1.0]],
        "judgments": 12,
        "unknown_units": 1,
        "types": [["PER", 4, 3, [["P", 1.0, 0.5, 1.0], ["R", 0.75, None, None]]]],
    },
    "confidence": [0, 0, 0, 0, 0, 0, 0, 1, 0, 1],
    "usual": {"misses": 0.05},
    "coreference": {
        "mentions": 6,
        "entities": 4,
        "same": 0.25,
        "agreement": [["Krippendorff's alpha of coreferent pairs", 1.0, None, None]],
        "gold": [["coreference: B³ F1", 0.9, None, None]],
    },
}
CHOICE = {
    "tasks": 2,
    "answers": 4,
    "workers": 2,
    "labels": 4,
    "iterations": 0,
    "converged": True,
    "objective": [],
    "seconds": 0.0,
    "clamped": False,
    "live": {**ENTITY["live"], "how": "vote"},
    "agreement": [],
    "shown": 3,
    "chosen": {"no": 1, "yes": 1},
    "confidence": [0, 0, 0, 0, 0, 1, 0, 0, 0, 1],
    "usual": {},
}
LINKING = {
    **{name: value for name, value in CHOICE.items() if name not in ("shown", "chosen")},
    "clusters": {
        "mentions": 9, "clusters": 4, "alone": 2, "largest": 4, "pairs": 11, "same": 0.3,
    },
}  # fmt: skip

NEWER = {"inputs", "calibration", "note", "expected_errors"}  # names of a run of choices


@pytest.mark.parametrize("stored", [ENTITY, CHOICE, LINKING])
def test_what_older_versions_stored_is_read_and_written_as_it_was(stored):
    assert RunFacts.from_json(stored).to_json() == stored


def test_facts_have_their_types():
    facts = RunFacts.from_json(ENTITY)
    assert facts.live == LiveFacts(
        until=datetime(2026, 11, 20, 8, 15, 30, 250_000, tzinfo=UTC),
        how="fit",
        counted=4,
        answers=1,
        tasks=1,
    )
    assert facts.agreement == (
        Share("Krippendorff's alpha", 0.8, (0.7, 0.9)),
        Share("F1", None),
    )
    assert facts.gold.bins == ((5, 0.55, 0.6), (7, 0.95, 1.0))
    assert facts.coreference.gold == (Share("coreference: B³ F1", 0.9),)
    assert RunFacts.from_json(LINKING).clusters.alone == 2


def test_missing_keys_are_defaults_and_unknown_ones_are_passed_over():
    assert RunFacts.from_json({}) == RunFacts()
    found = RunFacts.from_json(
        {
            "answers": 15,
            "live": None,
            "coreference": {"entities": 2, "of tomorrow": 1},
            "clusters": {"mentions": 3},
            "gold": {"units": 2},
            "of tomorrow": [1],
        }
    )
    assert (found.answers, found.live, found.gold.shares) == (15, None, ())
    assert found.coreference == CoreferenceFacts(entities=2)
    assert found.clusters.alone == 0


@pytest.mark.django_db
def test_what_a_later_version_stored_survives_a_change():
    run = AggregationRun.objects.create(
        campaign=choice_campaign(), method="majority", diagnostics={**CHOICE, "of tomorrow": 1}
    )
    run.facts = replace(run.facts, answers=5)
    run.save(update_fields=["diagnostics"])
    run.refresh_from_db()
    assert run.diagnostics == {**CHOICE, "of tomorrow": 1, "answers": 5}


def test_calibration_comes_back_as_it_was():
    facts = RunFacts(
        calibration=CalibrationFacts(
            rho=0.3, without_gold=0.1, answers_each=4.5, gold=12, error=0.04, is_checked=True
        )
    )
    assert RunFacts.from_json(facts.to_json()) == facts


@pytest.mark.django_db
def test_a_run_stores_the_names_that_it_always_did():
    campaign = choice_campaign()
    choice_task(campaign, "no", "no", "yes")
    run = aggregate(campaign, "majority")
    run.refresh_from_db()
    assert run.diagnostics.keys() == CHOICE.keys() - {"shown"} | NEWER
