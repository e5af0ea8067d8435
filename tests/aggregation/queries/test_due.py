"""Which campaigns the night aggregates."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from aggregation.actions import runs
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from aggregation.queries.due import nightly
from annotation.models import Campaign, Enrollment, Task
from tests.aggregation.crowds import choice, choice_campaign
from tests.factories import make_response, make_task, make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock():
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


def with_tasks(number: int, **fields) -> tuple[Campaign, list[Task]]:
    campaign = choice_campaign()
    Campaign.objects.filter(pk=campaign.pk).update(**fields)
    campaign.refresh_from_db()
    return campaign, [make_task(campaign, demand={"wanted": 9}) for _ in range(number)]


def answer(task: Task) -> None:
    """As the engine counts it."""
    worker = make_worker()
    make_response(task, worker, choice("yes"))
    Enrollment.objects.filter(campaign=task.campaign, worker=worker).update(submitted=1)


def test_the_night_leaves_what_was_chosen_for_a_campaign_that_is_over(clock):
    campaign, tasks = with_tasks(3)
    answer(tasks[0])
    assert [*nightly(timezone.now())] == [campaign]
    clock.shift(timedelta(seconds=1))
    first = aggregate(campaign, "mace", parameters={"restarts": 1})
    assert [*nightly(timezone.now())] == [campaign]  # as long as it is open
    Campaign.objects.update(state="closed")
    assert [*nightly(timezone.now())] == []
    clock.shift(timedelta(seconds=1))
    answer(tasks[1])
    assert [*nightly(timezone.now())] == [campaign]
    AggregationRun.objects.create(
        campaign=campaign, method="mace", state="complete", as_of=first.started_at,
        started_at=timezone.now(), finished_at=timezone.now(),
    )  # fmt: skip
    assert [*nightly(timezone.now())] == [campaign]  # made again from older answers
    clock.shift(timedelta(days=8))
    assert [*nightly(timezone.now())] == []


def test_answer_that_comes_while_a_run_reads_is_not_taken_for_read(clock, monkeypatch):
    """A large campaign is read for seconds, after which the run is stored."""
    campaign, tasks = with_tasks(2)
    clock.shift(-timedelta(hours=1))
    answer(tasks[0])

    def slow(asked):
        if not AggregationRun.objects.exists():
            clock.shift(timedelta(seconds=1))
            answer(tasks[1])
            clock.shift(timedelta(seconds=1))
        return read(asked)

    read = runs.inputs_of
    monkeypatch.setattr(runs, "inputs_of", slow)
    run = aggregate(campaign, "majority")
    assert run.facts.answers == 1
    Campaign.objects.update(state="paused")
    assert [*nightly(timezone.now())] == [campaign]
