"""No run is stored twice, and a run can be made again from its row, to the byte."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from aggregation import arrays
from aggregation.actions import runs
from aggregation.actions.refresh import refresh
from aggregation.actions.repeat import CannotRepeat, repeat
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.actions.gold import correct_gold, retire_gold
from annotation.models import Assignment, Campaign, GoldQuestion, ImportedAnswer, Task
from tests.aggregation.actions.test_coreference import BABBAGE, LONDON, RIGHT, grouped, make
from tests.aggregation.actions.test_gold_start import gold_task
from tests.aggregation.actions.test_linking import block, linking_campaign, sort
from tests.aggregation.actions.test_relations import pair, related, relation_campaign
from tests.aggregation.crowds import choice, choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_response

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
ONE = "O O O B-PER O O O O O"
WITH_GOLD = {"start": "gold"}


def tags() -> Campaign:
    campaign, workers = make_campaign(), make_workers(3)
    tagged_task(campaign, NAMES, NAMES, ONE, workers=workers, gold=NAMES)
    tagged_task(campaign, NAMES, ONE, ONE, workers=workers)
    return campaign


def many_tags() -> Campaign:
    """One answer more is less than a tenth."""
    campaign, workers = make_campaign(), make_workers(3)
    for _ in range(4):
        tagged_task(campaign, NAMES, NAMES, ONE, workers=workers)
    return campaign


def entities() -> Campaign:
    campaign, workers = make_campaign(), make_workers(3)
    wrong = grouped([LONDON], [BABBAGE], links={0: "Q9"})
    make(campaign, RIGHT, RIGHT, wrong, workers=workers, gold=RIGHT)
    make(campaign, RIGHT, wrong, wrong, workers=workers)
    return campaign


def choices() -> Campaign:
    campaign, workers = choice_campaign(), make_workers(3)
    for names in ("yes yes no", "no no maybe", "maybe yes no"):
        choice_task(campaign, *names.split(), workers=workers, gold="yes")
    gold_task(campaign, workers, choice("yes"), *map(choice, ("yes", "no", "yes")))
    return campaign


def relations() -> Campaign:
    campaign, workers = relation_campaign(), make_workers(3)
    pair(campaign, workers, related("founded", subject_ok=True), "none", "founded")
    pair(campaign, workers, "works_for", related("none", object_ok=False), "works_for")
    return campaign


def piles() -> Campaign:
    campaign, workers = linking_campaign(), make_workers(3)
    sort(block(campaign, "a b c d"), workers, "a b=Q1 | c d", "a b | c | d=Q2", "a | b c d")
    sort(block(campaign, "c d e"), workers, "c d e", "c d | e", "c | ?d | e")
    return campaign


CASES: list[tuple[Callable[[], Campaign], str, dict[str, Any]]] = [
    (tags, "bsc-seq", {}),
    (entities, "mv-token", {}),
    (entities, "dawid-skene", {}),
    (choices, "dawid-skene", WITH_GOLD),
    (choices, "mace", {"parameters": {"restarts": 2}}),
    (relations, "one-coin", {}),
    (piles, "correlation-clustering", {}),
]


def add_answers(campaign: Campaign) -> None:
    """An answer of somebody else to each plain task, as the first one's worker gave it."""
    (late,) = make_workers(1)
    for task in Task.objects.plain().filter(campaign=campaign):
        first = Assignment.objects.filter(task=task).order_by("pk")[0]
        make_response(task, late, first.response.answer)


def result(run: AggregationRun) -> list[Any]:
    """All that a run stores, byte by byte."""
    rows = [
        (row.task_id, row.answer, row.confidence, bytes(row.probabilities), row.confidences,
         row.answers)
        for row in run.consensus.order_by("task")
    ]  # fmt: skip
    workers = [
        (row.worker_id, row.judged, row.accuracy, row.low, row.high, row.parameters)
        for row in run.reliabilities.order_by("worker")
    ]
    run = AggregationRun.objects.defer(None).get(pk=run.pk)
    facts = {name: value for name, value in run.diagnostics.items() if name != "seconds"}
    fitted = bytes(run.fitted) if run.fitted is not None else None
    return [run.input_digest, run.classes, facts, fitted, rows, workers]


@pytest.mark.parametrize(("make_case", "method", "options"), CASES)
def test_a_run_is_made_again_to_the_byte_after_more_answers_came(make_case, method, options):
    options = {"parameters": options} if options is WITH_GOLD else options
    campaign = make_case()
    first = aggregate(campaign, method, seed=4, **options)
    before = result(first)

    add_answers(campaign)
    if method == "dawid-skene" and campaign.interface == "choice":
        question = GoldQuestion.objects.get()
        make_response(question.task, make_workers(1)[0], choice("yes"))
    other = aggregate(campaign, method, seed=4, **options)
    assert other.pk != first.pk
    assert result(other) != before

    again = repeat(first, first.facts.live.until)
    assert again.pk not in (first.pk, other.pk)
    assert result(again) == before
    assert AggregationRun.objects.complete().latest_first().first() == other


def test_what_refreshing_changed_is_made_again_as_it_was():
    campaign = many_tags()
    first = aggregate(campaign, "bsc-seq")
    before = result(first)
    make_response(Task.objects.first(), make_workers(1)[0], {"tags": ONE.split()})
    assert refresh(campaign).outcome == "refreshed"
    assert result(first) != before
    assert result(repeat(first, first.facts.live.until)) == before


# --- No run twice ---------------------------------------------------------------------------------


@pytest.mark.parametrize("make_case", [tags, entities, choices, relations, piles])
def test_the_same_is_not_stored_again_but_named(make_case):
    campaign = make_case()
    method = "correlation-clustering" if make_case is piles else "dawid-skene"
    first = aggregate(campaign, method)
    assert not first.is_repeated
    second = aggregate(campaign, method)
    assert (second, second.is_repeated) == (first, True)
    assert AggregationRun.objects.count() == 1


def answered(campaign: Campaign) -> None:
    add_answers(campaign)


def counts_no_more(campaign: Campaign) -> None:
    Assignment.objects.filter(pk=Assignment.objects.order_by("pk")[0].pk).update(state="late")


def gold_corrected(campaign: Campaign) -> None:
    correct_gold(GoldQuestion.objects.get(), choice("no"))


def gold_retired(campaign: Campaign) -> None:
    retire_gold(GoldQuestion.objects.get(), "It leaked.")


def gold_imported(campaign: Campaign) -> None:
    task = Task.objects.plain().first()
    ImportedAnswer.objects.filter(document=task.document).update(answer=choice("maybe"))


def schema_changed(campaign: Campaign) -> None:
    campaign.project.schema = {**campaign.project.schema, "nested": True}
    campaign.project.save(update_fields=["schema"])


def choices_changed(campaign: Campaign) -> None:
    campaign.options = {**campaign.options, "choices": ["no", "yes", "maybe"]}
    campaign.save(update_fields=["options"])


def text_changed(campaign: Campaign) -> None:
    document = Task.objects.plain().first().document
    document.sentences = [[0, 1], *document.sentences[1:]]
    document.save(update_fields=["sentences"])


CHANGES = {
    answered: "it read 9 answers .*, and these are 12",
    counts_no_more: "it read 9 answers .*, and these are 8",
    gold_corrected: "the gold has changed",
    gold_retired: "the gold has changed .*; the answers to hidden gold are others",
    gold_imported: "the gold has changed",
    schema_changed: "the project's schema or the campaign's options have changed",
    choices_changed: "the project's schema or the campaign's options have changed",
    text_changed: "the answered tasks or their documents have changed",
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_it_reads_makes_another_run_and_is_named_where_it_has_to_be_the_same(change):
    campaign = choices()
    first = aggregate(campaign, "dawid-skene", parameters=WITH_GOLD)
    change(campaign)
    campaign = Campaign.objects.select_related("project").get()

    with pytest.raises(CannotRepeat, match=CHANGES[change]):
        repeat(first, timezone.now())
    assert AggregationRun.objects.count() == 1  # nothing is left behind

    second = aggregate(campaign, "dawid-skene", parameters=WITH_GOLD)
    assert (second.is_repeated, AggregationRun.objects.count()) == (False, 2)


def test_another_setting_seed_method_or_version_makes_another_run(monkeypatch):
    campaign = choices()
    first = aggregate(campaign, "dawid-skene")
    for arguments in ({"seed": 1}, {"parameters": {"max_iter": 7}}, {"clamp_gold": True}):
        assert not aggregate(campaign, "dawid-skene", **arguments).is_repeated
    assert not aggregate(campaign, "majority").is_repeated
    monkeypatch.setattr(runs, "code_version", lambda: "0.0.1")
    assert not aggregate(campaign, "majority").is_repeated
    assert aggregate(campaign, "majority").is_repeated
    assert AggregationRun.objects.count() == 6
    latest = AggregationRun.objects.latest("pk")
    with pytest.raises(CannotRepeat, match=r"by version 0\.0\.1, and this is .*that version"):
        repeat(latest, first.facts.live.until)


def test_a_run_that_took_answers_in_since_is_not_named_for_the_same():
    campaign = many_tags()
    first = aggregate(campaign, "bsc-seq")
    late = make_response(Task.objects.first(), make_workers(1)[0], {"tags": ONE.split()})
    assert refresh(campaign).outcome == "refreshed"
    Assignment.objects.filter(response=late).update(state="late")
    second = aggregate(campaign, "bsc-seq")
    assert (second.input_digest, second.is_repeated) == (first.input_digest, False)


def test_a_run_that_counted_doubts_is_not_made_again_without_them():
    campaign = choices()
    run = aggregate(campaign, "majority")
    campaign.doubts = Campaign.Doubts.LEFT_OUT
    campaign.save()
    with pytest.raises(CannotRepeat, match="now counts, or leaves out, what workers marked"):
        repeat(AggregationRun.objects.get(pk=run.pk), timezone.now())


def test_runs_of_older_versions_cannot_be_made_again():
    run = aggregate(tags(), "mv-token")
    run.diagnostics.pop("inputs")
    with pytest.raises(CannotRepeat, match="does not know what it read"):
        repeat(run, timezone.now())
    run.state = "failed"
    with pytest.raises(CannotRepeat, match=r"is failed\. Only a complete one"):
        repeat(run, timezone.now())


def test_an_answer_that_came_in_while_answers_were_read_is_read_too(monkeypatch):
    """Its time had been taken before, and its transaction ended in between."""
    campaign = tags()
    read, others = arrays.inputs_of, iter(["before"])

    def inputs_of(*arguments: Any, **options: Any) -> dict[str, str]:
        return read(*arguments, **options) | {"answers": next(others, "after")}

    monkeypatch.setattr(runs.arrays, "inputs_of", inputs_of)
    run = aggregate(campaign, "mv-token")
    assert run.facts.inputs["answers"] == "after"
    assert run.consensus.count() == 2

    others = map(str, range(9))
    with pytest.raises(ValueError, match="were changed while they were read, 3 times"):
        aggregate(campaign, "mv-seg")
    assert AggregationRun.objects.latest("pk").state == "failed"


def test_queries_are_a_fixed_number(django_assert_num_queries):
    campaign = choices()
    for _ in range(2):
        with django_assert_num_queries(12):
            arrays.inputs_of(campaign, clamp=False, from_gold=True, until=timezone.now())
        add_answers(campaign)
