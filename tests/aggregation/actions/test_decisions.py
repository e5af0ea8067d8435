"""What people decide stands above what runs infer."""

import json

import pytest

from aggregation.actions import decisions
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.models import Adjudication, AggregationRun, Consensus
from aggregation.queries import latest_run
from aggregation.queries.exports import consensus as exported
from annotation.models import AuditEntry, Demand, GoldQuestion
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db

ADA = "B-PER I-PER O O O B-LOC O O O"
CUT = "O B-PER O O O B-LOC O O O"


def choices(*answers):
    campaign, workers = choice_campaign(), make_workers(3)
    for _ in range(4):
        choice_task(campaign, "yes", "yes", "no", workers=workers)
    return campaign, choice_task(campaign, *(answers or ("yes", "yes", "no")), workers=workers)


def no():
    return {"choice": "no", "unsure": False, "value": None, "note": ""}


def stored(task):
    return Consensus.objects.filter(task=task).latest("run__id")


def test_a_decision_stands_at_once_and_in_every_later_run():
    campaign, task = choices()
    anna = make_member(campaign.project, "reviewer").user
    aggregate(campaign, "dawid-skene")
    before = stored(task)
    assert before.answer["choice"] == "yes"
    row = decisions.decide(task, no(), version=0, user=anna)
    now = stored(task)
    assert (now.answer["choice"], now.confidence, now.expected_errors) == ("no", 1.0, 0.0)
    assert now.inferred["answer"]["choice"] == "yes"
    facts = AggregationRun.objects.get().facts
    assert facts.chosen == {"yes": 4, "no": 1}
    assert sum(facts.confidence) == 5

    again = aggregate(campaign, "majority")
    assert not again.is_repeated
    assert stored(task).run == again
    assert stored(task).answer["choice"] == "no"
    assert AuditEntry.objects.get(action="decide").user == anna
    assert row.name == anna.username


def test_workers_are_judged_by_what_was_decided():
    campaign, task = choices()
    first = aggregate(campaign, "dawid-skene")
    decisions.decide(task, no(), version=0)
    second = aggregate(campaign, "dawid-skene")
    worth = [
        list(run.reliabilities.order_by("worker").values_list("accuracy", flat=True))
        for run in (first, second)
    ]
    assert worth[1][0] < worth[0][0]
    assert worth[1][2] > worth[0][2]


def test_equal_decisions_are_the_same_run():
    campaign, task = choices()
    decisions.decide(task, no(), version=0)
    first = aggregate(campaign, "majority")
    assert aggregate(campaign, "majority").pk == first.pk


def test_whoever_saw_another_version_overwrites_nothing():
    campaign, task = choices()
    anna, ben = (make_member(campaign.project, "reviewer").user for _ in range(2))
    aggregate(campaign, "majority")
    row = decisions.decide(task, no(), version=0, user=anna)
    with pytest.raises(decisions.OtherVersion, match=f"{anna.username} decided this task"):
        decisions.decide(task, no() | {"choice": "yes"}, version=0, user=ben)
    assert Adjudication.objects.get().answer["choice"] == "no"
    decisions.take_back(task, version=row.version, user=anna)
    with pytest.raises(decisions.OtherVersion, match="was taken back"):
        decisions.decide(task, no(), version=row.version, user=ben)
    again = decisions.decide(task, no(), version=0, user=ben)
    assert again.version != row.version


def test_taken_back_the_run_says_again_what_it_said():
    campaign, task = choices()
    aggregate(campaign, "dawid-skene")
    before, facts = stored(task), AggregationRun.objects.get().facts
    row = decisions.decide(task, no(), version=0)
    decisions.take_back(task, version=row.version)
    now = stored(task)
    assert (now.answer, now.confidence, now.expected_errors) == (
        before.answer, before.confidence, before.expected_errors,
    )  # fmt: skip
    assert now.inferred is None
    left = AggregationRun.objects.get().facts
    assert left.confidence == facts.confidence
    assert left.expected_errors == pytest.approx(facts.expected_errors)
    with pytest.raises(decisions.CannotDecide, match="nothing to take back"):
        decisions.take_back(task, version=0)


def test_names_are_decided_one_place_after_the_other():
    campaign = make_campaign()
    task = tagged_task(campaign, ADA, ADA, CUT)
    aggregate(campaign, "bsc-seq")
    row = decisions.decide_part(task, (0, 2), [(1, 2, "PER")], version=0, is_complete=False)
    text = task.document.text
    names = [(text[m["start"] : m["end"]], m["type"]) for m in stored(task).answer["mentions"]]
    assert len(names) == 2
    assert names[0][1] == "PER"
    assert " " not in names[0][0]
    row = decisions.decide_part(task, (5, 6), [], version=row.version, is_complete=True)
    assert len(stored(task).answer["mentions"]) == 1
    assert row.is_complete
    assert row.parts == [[0, 2], [5, 6]]
    row = decisions.take_back(task, version=row.version)
    assert len(stored(task).answer["mentions"]) == 2
    assert row.parts == [[0, 2]]
    aggregate(campaign, "majority")
    now = stored(task).answer["mentions"]
    assert [m["start"] for m in now] == [task.document.tokens[1][0], task.document.tokens[5][0]]


def test_refreshing_keeps_what_was_decided():
    from tests.factories import make_response

    campaign, task = choices()
    aggregate(campaign, "majority")
    decisions.decide(task, no(), version=0)
    make_response(task, make_workers(1)[0], no() | {"choice": "yes"})
    assert refresh(campaign).outcome in ("refreshed", "new run")
    assert stored(task).answer["choice"] == "no"
    assert stored(task).answers == 4


def test_files_say_who_decided():
    campaign = make_campaign()
    task = tagged_task(campaign, ADA, ADA, CUT)
    aggregate(campaign, "bsc-seq")
    anna = make_member(campaign.project, "reviewer").user
    decisions.decide_part(task, (0, 2), [(1, 2, "PER")], version=0, is_complete=True, user=anna)
    (row,) = exported(campaign, latest_run(campaign))
    assert row.facts["decided"] == f"decided by {anna.username}"
    assert row.facts["token_confidence"][:2] == [1.0, 1.0]
    assert len(row.facts["span_confidence"]) == len(row.answer["mentions"])
    json.dumps(row.facts)


def test_a_decision_becomes_gold_of_a_copy():
    campaign, task = choices()
    aggregate(campaign, "majority")
    row = decisions.decide(task, no(), version=0)
    copy = decisions.make_gold(row)
    assert copy.external_id == f"{task.external_id}~2"
    question = GoldQuestion.objects.get(task=copy)
    assert question.answer["choice"] == "no"
    assert Demand.objects.get(task=copy).kind == Demand.Kind.HIDDEN
    assert Demand.objects.get(task=task).kind == Demand.Kind.PLAIN
    row.refresh_from_db()
    with pytest.raises(decisions.CannotDecide, match="gold question already"):
        decisions.make_gold(row)
    with pytest.raises(decisions.CannotDecide, match="gold question"):
        decisions.decide(copy, no(), version=0)


def test_half_a_document_is_no_gold():
    campaign = make_campaign()
    task = tagged_task(campaign, ADA, CUT)
    row = decisions.decide_part(task, (0, 2), [], version=0, is_complete=False)
    with pytest.raises(decisions.CannotDecide, match="nobody has decided"):
        decisions.make_gold(row)


def test_queries_do_not_grow_with_the_decisions(django_assert_max_num_queries):
    campaign, workers = choice_campaign(), make_workers(3)
    tasks = [choice_task(campaign, "yes", "yes", "no", workers=workers) for _ in range(12)]
    run = aggregate(campaign, "majority")
    for task in tasks:
        decisions.decide(task, no(), version=0)
    with django_assert_max_num_queries(6):
        assert len(decisions.lay_over(run)) == len(tasks)
