from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.management.commands import refresh_consensus
from aggregation.models import AggregationRun
from annotation.actions import locks
from tests.aggregation.crowds import choice, choice_campaign, choice_task, make_workers
from tests.factories import make_campaign, make_enrollment, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    made, workers = choice_campaign(), make_workers(2)
    for _ in range(12):
        choice_task(made, "yes", "no", workers=workers)
    return made


def answer(campaign, number=1):
    for task in campaign.tasks.all()[:number]:
        make_response(task, None, choice("no"))


def told(capsys, **options):
    call_command("refresh_consensus", **options)
    return capsys.readouterr().out


def test_it_works_and_twice(campaign, capsys):
    aggregate(campaign, "dawid-skene")
    answer(campaign, 2)
    slug = campaign.slug
    assert told(capsys) == f"{slug}: 2 answers to 2 tasks; 2 since the run of dawid-skene\n"
    assert told(capsys) == f"{slug}: nothing new\n"
    answer(campaign)
    assert told(capsys) == f"{slug}: a new run of dawid-skene: 27 answers to 12 tasks\n"


def test_reasons_are_told(campaign, capsys):
    slug = campaign.slug
    empty = make_campaign().slug
    assert told(capsys, campaign=empty) == f"{empty}: it has no answers yet\n"
    aggregate(campaign, "weighted-majority")
    answer(campaign)
    assert told(capsys) == (
        f"{slug}: 1 answer waits for a new run: the method judges all answers together\n"
    )
    with locks.hold(f"aggregate:{slug}"):
        assert told(capsys) == f"{slug}: it is being aggregated now, and is left alone\n"


def test_the_loop_hears_of_changes_alone(campaign, capsys):
    aggregate(campaign, "weighted-majority")
    assert told(capsys, verbosity=0) == ""
    answer(campaign)
    assert told(capsys, verbosity=0) == ""
    answer(campaign, 3)
    assert "a new run" in told(capsys, verbosity=0)


def test_only_open_campaigns_that_have_a_run(campaign, capsys):
    closed, drafted = choice_campaign(), choice_campaign()
    for other, state in ((closed, "closed"), (drafted, "open")):
        choice_task(other, "yes")
        other.state = state
        other.save(update_fields=["state"])
    aggregate(closed, "majority")
    aggregate(campaign, "majority")
    assert told(capsys) == f"{campaign.slug}: nothing new\n"
    assert told(capsys, campaign=closed.slug) == f"{closed.slug}: nothing new\n"


def test_first_run_comes_with_a_tenth_of_the_tasks_or_an_hour_after_the_first_answer(capsys):
    made = choice_campaign()
    with time_machine.travel("2026-11-20 10:00Z", tick=False) as clock:
        choice_task(made, "yes")
        for _ in range(10):
            choice_task(made)
        make_enrollment(made, submitted=1)
        waits = f"{made.slug}: too few of its tasks have an answer yet\n"
        assert told(capsys) == waits
        clock.shift(timedelta(minutes=59))
        assert told(capsys) == waits
        clock.shift(timedelta(minutes=1))
        assert told(capsys).startswith(f"{made.slug}: a new run of ")
        assert told(capsys) == f"{made.slug}: nothing new\n"

        other = choice_campaign()
        for number in range(20):
            choice_task(other, *["yes"] * (number < 2))
        assert told(capsys, campaign=other.slug).startswith(f"{other.slug}: a new run of ")


def test_first_run_that_failed_is_tried_again_after_an_hour(campaign, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("aggregation.actions.runs.infer_units", None)
        with pytest.raises(CommandError, match="not refreshed"):
            told(capsys, campaign=campaign.slug)
    assert told(capsys, campaign=campaign.slug).endswith("the last aggregation failed\n")
    AggregationRun.objects.update(started_at=timezone.now() - timedelta(minutes=61))
    assert "a new run of" in told(capsys, campaign=campaign.slug)


def test_answers_after_pause_and_before_close_are_added(campaign, capsys):
    aggregate(campaign, "majority")
    worker = make_enrollment(campaign, submitted=1, seen_at=timezone.now())
    for state in ("paused", "closed"):
        answer(campaign)
        campaign.state = state
        campaign.save(update_fields=["state"])
        assert "1 answer to 1 task" in told(capsys)
    worker.seen_at = timezone.now() - timedelta(days=2)
    worker.save(update_fields=["seen_at"])
    assert told(capsys) == ""


def test_unknown_campaign():
    with pytest.raises(CommandError, match="no campaign 'x'"):
        call_command("refresh_consensus", campaign="x")


@pytest.mark.parametrize("error", [ValueError("odd"), RuntimeError("odd")])
def test_one_that_fails_does_not_keep_the_others_back(campaign, capsys, caplog, monkeypatch, error):
    bad = make_campaign(interface="choice", options=campaign.options)
    choice_task(bad, "yes")
    for each in (bad, campaign):
        aggregate(each, "majority")
    right = refresh_consensus.refresh

    def broken(each):
        if each == bad:
            raise error
        return right(each)

    monkeypatch.setattr(refresh_consensus, "refresh", broken)
    with pytest.raises(CommandError, match=rf"was not refreshed of: {bad.slug}\.$"):
        call_command("refresh_consensus")
    streams = capsys.readouterr()
    assert streams.out == f"{campaign.slug}: nothing new\n"
    assert "odd" in streams.err + caplog.text
