import uuid

import pytest
from django.utils import timezone

from aggregation import queries
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.models import GoldQuestion
from tests.aggregation.crowds import GOLD, tagged_task
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
NOTHING = "O O O O O O O O O"


def test_latest_run_is_the_complete_one_that_finished_last(django_assert_num_queries):
    campaign = make_campaign()
    tagged_task(campaign, NAMES)
    assert queries.latest_run(campaign) is None
    vote, model = aggregate(campaign, "mv-token"), aggregate(campaign, "dawid-skene")
    AggregationRun.objects.create(campaign=campaign, method="mv-token", state="failed")

    with django_assert_num_queries(1):
        assert queries.latest_run(campaign).key == model.key
    found = queries.latest_run(campaign, "mv-token")
    assert found.key == vote.key
    assert found.classes == tuple(vote.classes)
    assert found.finished_at == vote.finished_at
    assert queries.latest_run(campaign, "mv-seq") is None
    assert queries.latest_run(make_campaign()) is None


def test_run_by_key_finds_runs_of_its_campaign_in_any_state():
    campaign = make_campaign()
    run = AggregationRun.objects.create(campaign=campaign, method="mv-token", error="no luck")
    assert queries.run_by_key(campaign, run.key).error == "no luck"
    assert queries.run_by_key(make_campaign(), run.key) is None
    assert queries.run_by_key(campaign, uuid.uuid4()) is None


def rows(campaign):
    return list(queries.scored_tasks(aggregate(campaign, "mv-token").key))


def test_gold_is_what_came_with_the_document():
    campaign = make_campaign()
    with_gold = tagged_task(campaign, NAMES, gold=NOTHING)
    without = tagged_task(campaign, NAMES)
    first, second = rows(campaign)

    assert (first.task, first.document) == (with_gold.external_id, with_gold.document.external_id)
    assert first.gold == {"tags": NOTHING.split()}
    assert first.sentences == [[0, 5], [5, 9]]
    assert second.task == without.external_id
    assert second.gold is None


def test_gold_question_of_the_task_comes_first_unless_it_was_retired():
    campaign = make_campaign()
    task = tagged_task(campaign, NAMES, gold=NOTHING)
    asked = GoldQuestion.objects.create(task=task, answer={"tags": GOLD}, drawn="random")
    assert rows(campaign)[0].gold == {"tags": GOLD}
    asked.retired_at = timezone.now()
    asked.save()
    assert rows(campaign)[0].gold == {"tags": NOTHING.split()}


def test_rows_come_in_one_query(django_assert_num_queries):
    campaign = make_campaign()
    for _ in range(4):
        tagged_task(campaign, NAMES, gold=NAMES)
    run = aggregate(campaign, "mv-token")
    with django_assert_num_queries(1):
        assert len(list(queries.scored_tasks(run.key))) == 4


def test_gold_without_answers_is_listed():
    campaign = make_campaign()
    tagged_task(campaign, NAMES, gold=NAMES)
    tagged_task(campaign)
    silent = tagged_task(campaign, gold=NAMES)
    run = aggregate(campaign, "mv-token")
    assert queries.gold_without_consensus(campaign, run.key) == [silent.document.external_id]
