from datetime import timedelta

import numpy as np
import pytest
import time_machine
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregation import arrays
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.algorithms.sequences.span_confidences import judged_spans
from aggregation.arrays import fits
from aggregation.methods.registry import METHODS, methods_for
from aggregation.models import AggregationRun, Consensus
from annotation.actions import locks
from annotation.actions.projects import label_numbers
from annotation.interfaces import Material, interface
from annotation.models import Assignment, Campaign, Correction, GoldQuestion
from tests.aggregation.crowds import (
    choice,
    choice_campaign,
    choice_task,
    make_workers,
    read,
    tagged_task,
)
from tests.factories import make_campaign, make_response, make_task

pytestmark = pytest.mark.django_db

ADA = "B-PER I-PER O O O B-LOC O O O"
BOB = "O O O B-PER O B-LOC O O O"
NOTHING = "O O O O O O O O O"
LEARNING = [name for name, method in METHODS.items() if method.follows == "fit"]
ENTITY, CHOICE = methods_for("entity"), methods_for("choice")


def entity(tasks=12, answers=2):
    """A campaign, its workers, of whom the last says nothing yet, and its tasks. Of 24 answers two
    more are no reason for a new run, and three are."""
    campaign, workers = make_campaign(), make_workers(answers + 1)
    made = [tagged_task(campaign, *[ADA] * answers, workers=workers) for _ in range(tasks)]
    return campaign, workers, made


def choices(tasks=12, answers=2):
    campaign, workers = choice_campaign(), make_workers(answers + 1)
    made = [choice_task(campaign, *["yes", "no"][:answers], workers=workers) for _ in range(tasks)]
    return campaign, workers, made


def consensus(run, task):
    return Consensus.objects.get(run=run, task=task)


def live(run):
    return AggregationRun.objects.get(pk=run.pk).diagnostics["live"]


def posterior(row, run):
    return np.frombuffer(row.probabilities, "<f2").reshape(-1, len(run.classes)).astype(float)


# --- What is refreshed --------------------------------------------------------------------------


def test_it_works():
    campaign, (*_, cem), (first, second, *_) = entity()
    run = aggregate(campaign, "bsc-seq")
    before, other = consensus(run, first), consensus(run, second)
    make_response(first, cem, read(NOTHING))

    done = refresh(campaign)

    assert (done.outcome, done.answers, done.tasks, done.since) == ("refreshed", 1, 1, 1)
    row = consensus(run, first)
    assert row.pk == before.pk
    assert (before.answers, before.refreshed_at) == (2, None)
    assert row.answers == 3
    assert row.refreshed_at is not None
    assert bytes(row.probabilities) != bytes(before.probabilities)
    untouched = consensus(run, second)
    assert (untouched.refreshed_at, bytes(untouched.probabilities)) == (
        None,
        bytes(other.probabilities),
    )
    assert (live(run)["answers"], live(run)["tasks"]) == (1, 1)
    assert campaign.aggregation_runs.count() == 1


@pytest.mark.parametrize("method", LEARNING)
def test_every_method_that_learns_judges_as_its_fit_would(method):
    campaign, (*_, cem), (first, *_) = entity()
    run = aggregate(campaign, method)
    make_response(first, cem, read(BOB))
    assert refresh(campaign).outcome == "refreshed"

    kept = AggregationRun.objects.values_list("fitted", flat=True).get()
    fit = fits.unpacked(method, run.parameters, bytes(kept))
    crowd = arrays.load_sequences(
        campaign, numbering=arrays.Numbering(tuple(run.classes), fit.workers)
    )
    data = crowd.sequences if METHODS[method].takes == "sequences" else crowd.labels
    posteriors, chosen = fit.fitted.judge(data)
    temperature = run.facts.spans.temperature
    expected, spans = judged_spans(fit.fitted, crowd.sequences, chosen, None, temperature)
    if temperature == 1.0:
        np.testing.assert_allclose(expected, posteriors, atol=1e-6)
    row = consensus(run, first)
    np.testing.assert_allclose(posterior(row, run), expected[: crowd.starts[1]], atol=1e-3)
    own = spans.start < crowd.starts[1]
    assert row.confidences == {"spans": pytest.approx(spans.sure[own], abs=1e-6)}
    assert row.expected_errors == pytest.approx(
        spans.expected(
            np.repeat(np.arange(len(crowd.tasks)), np.diff(crowd.starts)), len(crowd.tasks)
        ).wrong()[0]
    )


@pytest.mark.parametrize("method", CHOICE)
def test_choices_too(method):
    campaign, (*_, cem), (first, *_) = choices()
    run = aggregate(campaign, method)
    make_response(first, cem, choice("no"))
    done = refresh(campaign)
    if METHODS[method].follows:
        assert done.outcome == "refreshed"
        assert consensus(run, first).answers == 3
        assert posterior(consensus(run, first), run)[0, 1] > 0.5  # two say no, one yes
        assert refresh(campaign).outcome == "nothing new"
    else:
        assert (done.outcome, done.answers) == ("waiting", 1)
        assert done.reason == "the method judges all answers together"
        assert consensus(run, first).answers == 2


@pytest.mark.parametrize("method", [name for name in ENTITY if METHODS[name].follows == "vote"])
def test_votes_are_counted_anew(method):
    campaign, (*_, cem), (first, second, *_) = entity()
    run = aggregate(campaign, method)
    make_response(first, cem, read(NOTHING))
    make_response(second, cem, read(ADA))
    assert (refresh(campaign).outcome, refresh(campaign).outcome) == ("refreshed", "nothing new")
    refreshed = [consensus(run, task) for task in (first, second)]

    again = aggregate(campaign, method)
    for row in refreshed:
        other = consensus(again, row.task)
        assert row.answer == other.answer
        assert (bytes(row.probabilities), row.confidence, row.answers) == (
            bytes(other.probabilities), other.confidence, other.answers,
        )  # fmt: skip


def test_how_sure_single_answers_are_is_not_known():
    campaign, workers, tasks = choices(tasks=30, answers=1)
    empty = choice_task(campaign)
    choice_task(campaign, "no", workers=workers)
    run = aggregate(campaign, "hierarchical-dawid-skene")
    rows = Consensus.objects.filter(run=run)
    assert sorted(row.answer["choice"] for row in rows) == ["no", *["yes"] * 30]
    assert {(row.confidence, row.expected_errors) for row in rows} == {(None, None)}
    facts = AggregationRun.objects.get(pk=run.pk).facts
    assert (facts.expected_errors, facts.expected_quality, sum(facts.confidence)) == (None, None, 0)
    assert not facts.calibration.is_known
    make_response(empty, workers[0], choice("no"))
    make_response(tasks[0], workers[1], choice("yes"))
    assert refresh(campaign).outcome == "refreshed"
    for task, chosen in ((empty, "no"), (tasks[0], "yes")):
        row = consensus(run, task)
        assert (row.answer["choice"], row.confidence) == (chosen, None)
    known = aggregate(campaign, "hierarchical-dawid-skene")
    assert consensus(known, tasks[0]).confidence > 0.5


def test_a_corrected_answer_is_followed():
    """Its number of answers says nothing of it."""
    campaign, workers, (first, *_) = choices()
    run = aggregate(campaign, "majority")
    given = first.assignments.get(worker=workers[0]).response
    kind, project = interface("choice"), campaign.project
    material = Material(schema=project.schema, options=campaign.options)
    for name, outcome in (("no", "refreshed"), (None, "nothing new")):
        if name is not None:
            numbers = label_numbers(project.pk, kind.label_names(choice(name), material))
            judgments = kind.judge(choice(name), material, numbers)
            Correction.objects.create(
                response=given, answer=choice(name), judgments=judgments, at=timezone.now()
            )
        assert refresh(campaign).outcome == outcome
    assert consensus(run, first).answer["choice"] == "no"


def test_task_that_had_no_answers_gets_its_row():
    campaign, (ann, *_), _ = entity()
    run = aggregate(campaign, "bsc-seq")
    new = tagged_task(campaign, ADA, workers=[ann])
    assert refresh(campaign).tasks == 1
    assert consensus(run, new).answers == 1
    assert consensus(run, new).answer["mentions"]
    assert sum(AggregationRun.objects.get().diagnostics["confidence"]) == 13


def test_new_worker_and_new_words():
    campaign, _, _ = entity()
    run = aggregate(campaign, "bsc-seq")
    new = tagged_task(campaign, "B-PER O", text="Żółć jaźń", sentences=[[0, 2]])
    assert refresh(campaign).outcome == "refreshed"
    found = posterior(consensus(run, new), run)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=2e-3)
    assert run.reliabilities.count() == 2  # what workers are worth stays as it was


def test_words_that_nobody_labelled_stay_without_probabilities():
    campaign, (*_, cem), _ = entity()
    run = aggregate(campaign, "dawid-skene")
    new = tagged_task(campaign, "B-PER ? O O O ? O O O", workers=[cem])
    refresh(campaign)
    assert np.isnan(posterior(consensus(run, new), run)).any(axis=1).nonzero()[0].tolist() == [1, 5]


def test_choice_that_no_run_has_seen_asks_for_a_new_run():
    campaign, (*_, cem), (first, *_) = choices()
    aggregate(campaign, "dawid-skene", seed=3, parameters={"diagonal": 2})
    make_response(first, cem, choice("maybe"))
    assert refresh(campaign).outcome == "new run"
    newest = campaign.aggregation_runs.first()
    assert newest.classes == ["yes", "no", "maybe"]
    assert (newest.seed, newest.parameters["diagonal"]) == (3, 2)
    assert refresh(campaign).outcome == "nothing new"


def test_clamped_gold_stays_clamped():
    campaign, (ann, ben, cem) = choice_campaign(), make_workers(3)
    for _ in range(12):
        choice_task(campaign, "yes", "no", workers=[ann, ben])
    known = choice_task(campaign, "yes", "yes", workers=[ann, ben], gold="no")
    asked = make_task(campaign, kind=1)
    GoldQuestion.objects.create(task=asked, answer=choice("yes"))
    make_response(asked, ann, choice("yes"))
    run = aggregate(campaign, "dawid-skene", clamp_gold=True)
    assert live(run)["counted"] == 26  # of 27 answers
    make_response(known, cem, choice("yes"))

    assert refresh(campaign).outcome == "refreshed"
    assert posterior(consensus(run, known), run)[0].tolist() == [0, 1]

    for _ in range(3):
        choice_task(campaign, "no", workers=[ann])
    assert refresh(campaign).outcome == "new run"
    newest = campaign.aggregation_runs.first()
    assert newest.diagnostics["clamped"]
    assert posterior(consensus(newest, known), newest)[0].tolist() == [0, 1]


# --- What counts --------------------------------------------------------------------------------


def test_late_answers_gold_and_other_campaigns_are_nothing_new():
    campaign, (*_, cem), (first, *_) = entity()
    aggregate(campaign, "bsc-seq")
    make_response(first, cem, read(NOTHING), state="late")
    make_response(make_task(campaign, first.document, kind=1, external_id="g"), cem, read(ADA))
    tagged_task(make_campaign(campaign.project), NOTHING)
    assert refresh(campaign).outcome == "nothing new"


def test_answer_that_counts_no_more_is_taken_out():
    """Nothing does so by itself; a repair by hand may."""
    campaign, (*_, cem), (first, *_) = entity()
    run = aggregate(campaign, "mv-token")
    alone = tagged_task(campaign, ADA, workers=[cem])
    make_response(first, cem, read(NOTHING))
    assert refresh(campaign).answers == 2
    Assignment.objects.filter(worker=cem).update(state="late")

    done = refresh(campaign)
    assert (done.outcome, done.answers, done.since) == ("refreshed", -2, 0)
    assert consensus(run, first).answers == 2
    assert not Consensus.objects.filter(task=alone).exists()
    assert sum(AggregationRun.objects.get().diagnostics["confidence"]) == 12


def test_answers_are_counted_once_however_often_it_runs():
    campaign, (*_, cem), (first, second, *_) = entity(tasks=30)
    run = aggregate(campaign, "bsc-cv")
    for task in (first, second):
        make_response(task, cem, read(BOB))
        assert refresh(campaign).answers == 1
        assert refresh(campaign).outcome == "nothing new"
    tagged_task(campaign, ADA, workers=[cem])
    make_response(first, None, read(BOB))
    refresh(campaign)
    assert (live(run)["answers"], live(run)["tasks"]) == (4, 3)


def test_answer_seen_by_the_run_is_not_new_though_it_came_just_before():
    campaign, _, _ = entity()
    run = aggregate(campaign, "bsc-seq")
    assert refresh(campaign).outcome == "nothing new"
    assert not Consensus.objects.exclude(refreshed_at=None).exists()
    assert live(run) == run.diagnostics["live"]


def test_answer_whose_transaction_ended_late_is_found():
    campaign, (*_, cem), (first, second, *_) = entity(tasks=30)
    aggregate(campaign, "bsc-seq")
    make_response(first, cem, read(ADA))
    refresh(campaign)
    with time_machine.travel(timezone.now() - timedelta(minutes=4)):
        make_response(second, cem, read(ADA))
    assert refresh(campaign).answers == 1


def test_long_quiet_is_not_read_again_and_again():
    campaign, _, _ = entity()
    run = aggregate(campaign, "bsc-seq")
    run.diagnostics["live"]["until"] = (timezone.now() - timedelta(days=3)).isoformat()
    run.save(update_fields=["diagnostics"])
    # All of its answers are in the window; none of them is new.
    assert refresh(campaign).outcome == "nothing new"
    assert live(run)["until"] > (timezone.now() - timedelta(minutes=1)).isoformat()


# --- A new run ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["bsc-seq", "mv-token", "hmm-crowd"])
def test_more_than_a_tenth_makes_a_new_run(method):
    campaign, (*_, cem), tasks = entity()  # 24 answers
    aggregate(campaign, method, seed=5)
    for i, task in enumerate(tasks[:3]):
        assert campaign.aggregation_runs.count() == 1
        make_response(task, cem, read(ADA))
        outcome = refresh(campaign).outcome
        assert outcome == ("new run" if i == 2 else "waiting" if method == "hmm-crowd"
                           else "refreshed")  # fmt: skip
    newest = campaign.aggregation_runs.first()
    assert (newest.method, newest.seed, newest.diagnostics["answers"]) == (method, 5, 27)
    assert live(newest)["answers"] == 0
    assert refresh(campaign).outcome == "nothing new"


def finished(run, ago, took=timedelta(seconds=1)):
    """As if the run had ended so long ago, and begun before that; its fit was short."""
    run.finished_at = timezone.now() - ago
    run.started_at = run.finished_at - took
    run.save(update_fields=["finished_at", "started_at"])


def test_a_run_that_cant_follow_answers_is_followed_by_one_an_hour_at_most():
    campaign, (*_, cem), (first, *_) = entity()
    run = aggregate(campaign, "hmm-crowd")
    finished(run, timedelta(hours=2))
    assert refresh(campaign).outcome == "nothing new"  # nothing waits
    make_response(first, cem, read(ADA))
    finished(run, timedelta(minutes=50))
    assert (refresh(campaign).outcome, refresh(campaign).answers) == ("waiting", 1)
    finished(run, timedelta(minutes=70))
    assert refresh(campaign).outcome == "new run"
    newest = campaign.aggregation_runs.first()
    assert consensus(newest, first).answers == 3
    assert refresh(campaign).outcome == "nothing new"


def test_a_run_that_took_long_is_given_a_rest():
    """Its reading and writing count. What it has learnt judges the new answers meanwhile."""
    campaign, (*_, cem), tasks = entity()
    run, minute = aggregate(campaign, "bsc-seq"), timedelta(minutes=1)
    assert run.diagnostics["seconds"] < 30
    finished(run, timedelta(minutes=18), took=minute)
    for task in tasks[:3]:
        make_response(task, cem, read(ADA))
    done = refresh(campaign)
    assert (done.outcome, done.answers) == ("refreshed", 3)
    make_response(tasks[3], cem, read("B-ORG O O O O O O O O"))
    done = refresh(campaign)
    assert (done.outcome, done.reason) == (
        "waiting", "The run does not know 'B-ORG', which answers hold now.",
    )  # fmt: skip
    finished(AggregationRun.objects.get(), timedelta(minutes=21), took=minute)
    assert refresh(campaign).outcome == "new run"


def test_a_run_that_took_long_and_cant_follow_rests_too():
    campaign, (*_, cem), tasks = entity()
    run = aggregate(campaign, "hmm-crowd")
    for task in tasks[:3]:
        make_response(task, cem, read(ADA))
    finished(run, timedelta(hours=2), took=timedelta(minutes=10))
    assert refresh(campaign).outcome == "waiting"
    finished(run, timedelta(hours=4), took=timedelta(minutes=10))
    assert refresh(campaign).outcome == "new run"


def test_run_that_failed_is_not_tried_again_each_minute():
    campaign, (*_, cem), tasks = entity()
    aggregate(campaign, "bsc-seq")
    for task in tasks[:3]:
        make_response(task, cem, read(ADA))
    AggregationRun.objects.create(
        campaign=campaign, method="bsc-seq", state="failed", error="The disk is full."
    )
    done = refresh(campaign)
    assert (done.outcome, done.reason) == (
        "waiting",
        "the last aggregation failed: The disk is full.",
    )
    old = timezone.now() - timedelta(hours=2)
    AggregationRun.objects.filter(state="failed").update(started_at=old)
    assert refresh(campaign).outcome == "new run"


# --- What can't be refreshed --------------------------------------------------------------------


def test_campaign_without_a_run_is_told():
    campaign = make_campaign()
    assert refresh(campaign).reason == "it has no answers yet"


def test_run_of_an_earlier_version_is_told():
    campaign, (*_, cem), (first, *_) = entity()
    run = aggregate(campaign, "bsc-seq")
    del run.diagnostics["live"]
    run.save(update_fields=["diagnostics"])
    Consensus.objects.update(answers=None)
    make_response(first, cem, read(ADA))
    done = refresh(campaign)
    assert done.outcome == "waiting"
    assert "aggregate it again" in done.reason


def test_fit_that_is_too_large_is_not_kept(monkeypatch):
    campaign, (*_, cem), tasks = entity()
    monkeypatch.setattr(fits, "LARGEST", 100)
    run = aggregate(campaign, "bsc-seq")
    assert AggregationRun.objects.values_list("fitted", flat=True).get(pk=run.pk) is None
    make_response(tasks[0], cem, read(ADA))
    done = refresh(campaign)
    assert (done.outcome, done.answers) == ("waiting", 1)
    assert done.reason == "what the method has learnt is more than 32 MiB"
    for task in tasks[1:3]:
        make_response(task, cem, read(ADA))
    assert refresh(campaign).outcome == "new run"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", None])
def test_fit_that_can_not_be_read_is_told(data):
    campaign, (*_, cem), (first, *_) = entity()
    run = aggregate(campaign, "bsc-seq")
    AggregationRun.objects.update(fitted=data)
    make_response(first, cem, read(ADA))
    done = refresh(campaign)
    assert done.outcome == "waiting"
    assert done.reason.startswith("What bsc-seq has learnt can't be read")
    assert consensus(run, first).answers == 2


# --- Races and accidents ------------------------------------------------------------------------


def test_one_at_a_time():
    campaign, (*_, cem), (first, *_) = entity()
    aggregate(campaign, "bsc-seq")
    make_response(first, cem, read(ADA))
    with locks.hold(f"aggregate:{campaign.slug}"):
        assert refresh(campaign).outcome == "busy"
    assert refresh(campaign).outcome == "refreshed"


def test_answer_that_comes_before_the_reading_is_counted_with_it(monkeypatch):
    campaign, (*_, cem), (first, *_) = entity(tasks=20)
    run = aggregate(campaign, "bsc-seq")
    make_response(first, cem, read(ADA))
    load, more = arrays.load_sequences, [None]

    def late(*arguments, **options):
        if more:
            make_response(first, more.pop(), read(ADA))
        return load(*arguments, **options)

    monkeypatch.setattr(arrays, "load_sequences", late)
    assert refresh(campaign).answers == 2
    assert consensus(run, first).answers == 4
    assert refresh(campaign).outcome == "nothing new"


def test_answer_that_comes_after_the_reading_is_found_the_next_time(monkeypatch):
    campaign, (*_, cem), (first, *_) = entity(tasks=20)
    run = aggregate(campaign, "bsc-seq")
    make_response(first, cem, read(ADA))
    write, more = arrays.save_refreshed, [None]

    def late(rows):
        if more:
            make_response(first, more.pop(), read(ADA))
        write(rows)

    monkeypatch.setattr(arrays, "save_refreshed", late)
    assert (refresh(campaign).answers, consensus(run, first).answers) == (1, 3)
    assert (refresh(campaign).answers, consensus(run, first).answers) == (1, 4)
    assert live(run)["answers"] == 2


def test_broken_off_it_leaves_nothing_half(monkeypatch):
    campaign, (*_, cem), (first, *_) = entity()
    run = aggregate(campaign, "bsc-seq")
    make_response(first, cem, read(ADA))
    write = arrays.save_refreshed

    def broken(rows):
        write(rows)
        raise OperationalError("the server has gone away")

    with monkeypatch.context() as patched:
        patched.setattr(arrays, "save_refreshed", broken)
        with pytest.raises(OperationalError):
            refresh(campaign)
    assert consensus(run, first).answers == 2
    assert live(run)["answers"] == 0
    assert refresh(campaign).answers == 1


def test_who_lost_the_lock_meanwhile_writes_nothing(monkeypatch):
    """Their lock was stale, and another has refreshed in their place."""
    campaign, (*_, cem), (first, *_) = entity()
    run = aggregate(campaign, "bsc-seq")
    make_response(first, cem, read(ADA))
    consensus_of, others = arrays.consensus_of, [True]

    def slow(*arguments, **options):
        if others:
            others.pop()
            with monkeypatch.context() as patched:
                patched.setattr(locks, "may_be_alive", lambda holder: False)
                assert refresh(campaign).outcome == "refreshed"
        return consensus_of(*arguments, **options)

    monkeypatch.setattr(arrays, "consensus_of", slow)
    assert refresh(campaign).outcome == "busy"
    assert (live(run)["answers"], live(run)["tasks"]) == (1, 1)


# --- What it costs ------------------------------------------------------------------------------


def test_number_of_queries_does_not_grow_with_the_tasks():
    campaign, (*_, cem), tasks = entity(tasks=60)
    aggregate(campaign, "bsc-seq")
    counts = []
    for some in (tasks[:1], tasks[1:11]):
        for task in some:
            make_response(task, cem, read(ADA))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert refresh(campaign).tasks == len(some)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 27


def test_when_nothing_came_it_takes_no_lock_and_two_queries(django_assert_num_queries):
    campaign, _, _ = entity()
    run = aggregate(campaign, "bsc-seq")
    with django_assert_num_queries(4):  # the run's own answers may still have been on their way
        assert refresh(campaign).outcome == "nothing new"
    run.diagnostics["live"]["until"] = (timezone.now() + timedelta(minutes=10)).isoformat()
    run.save(update_fields=["diagnostics"])
    with django_assert_num_queries(2):
        assert refresh(campaign).outcome == "nothing new"


def test_pages_and_lists_never_load_what_was_learnt():
    campaign, _, _ = entity(tasks=2)
    run = aggregate(campaign, "bsc-seq")
    with CaptureQueriesContext(connection) as queries:
        found = [
            AggregationRun.objects.get(pk=run.pk),
            campaign.aggregation_runs.first(),
            Consensus.objects.first().run,
        ]
        run.refresh_from_db()
    assert all("fitted" in row.get_deferred_fields() for row in found)
    assert all('"fitted"' not in query["sql"] for query in queries.captured_queries)


# --- What workers were unsure of ----------------------------------------------------------------


@pytest.mark.parametrize("method", ["dawid-skene", "majority"])
def test_doubts_that_are_left_out_from_now_on_make_a_new_run(method):
    campaign, (*_, cem), (first, *_) = choices()
    make_response(first, cem, choice("no") | {"doubts": [{"at": None, "note": ""}]})
    run = aggregate(campaign, method)
    assert refresh(campaign).outcome == "nothing new"

    campaign.doubts = Campaign.Doubts.LEFT_OUT
    campaign.save()
    assert refresh(campaign).outcome == "new run"
    latest = campaign.aggregation_runs.first()
    assert latest.facts.labels == run.facts.labels - 1
    assert consensus(latest, first).answers == consensus(run, first).answers == 3
    assert refresh(campaign).outcome == "nothing new"


def test_doubts_of_an_answer_that_comes_later_are_left_out_too():
    campaign, (*_, cem), (first, *_) = choices()
    campaign.doubts = Campaign.Doubts.LEFT_OUT
    campaign.save()
    run = aggregate(campaign, "majority")
    before = consensus(run, first)
    make_response(first, cem, choice("no") | {"doubts": [{"at": None, "note": ""}]})
    assert refresh(campaign).outcome == "refreshed"
    assert consensus(run, first).answers == 3
    assert consensus(run, first).confidence == before.confidence
    assert refresh(campaign).outcome == "nothing new"
