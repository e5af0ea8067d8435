from datetime import timedelta

import pytest
import time_machine
from django.core.management import get_commands
from django.db import OperationalError
from django.utils import timezone

from annotation.actions import assignments, jobs
from annotation.management.jobs.kinds import kinds
from annotation.models import Campaign, Enrollment, Job
from config.management.commands.work import ask_for_updates, one_round, repeat
from tests.factories import make_campaign, make_enrollment, make_response, make_task


class Rounds:
    """Work that fails in the rounds that are named, and a wait that keeps the pauses."""

    def __init__(self, total: int, failing: tuple[int, ...] = (), error: Exception | None = None):
        self.total, self.failing = total, failing
        self.error = error or OperationalError("the server has gone away\nDETAIL: more")
        self.done = 0
        self.pauses: list[float] = []

    def work(self) -> None:
        self.done += 1
        if self.done in self.failing:
            raise self.error

    def wait(self, seconds: float) -> bool:
        self.pauses.append(seconds)
        return len(self.pauses) == self.total


def test_it_works_at_once_and_then_after_each_pause():
    rounds = Rounds(3)
    repeat(rounds.work, rounds.wait, 60)
    assert rounds.done == 3
    assert rounds.pauses == [60, 60, 60]


def test_database_that_is_away_is_tried_after_growing_pauses_that_have_an_end(caplog):
    rounds = Rounds(10, failing=tuple(range(1, 9)))
    repeat(rounds.work, rounds.wait, 60)
    assert rounds.pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    assert "The database can't be used (the server has gone away); next try in 1 s" in caplog.text
    assert "The database is back after 8 failed rounds" in caplog.text


def test_pauses_start_small_again_after_a_good_round():
    rounds = Rounds(5, failing=(1, 2, 4))
    repeat(rounds.work, rounds.wait, 60)
    assert rounds.pauses == [1, 2, 60, 1, 60]


def test_mistake_in_the_program_ends_the_loop():
    rounds = Rounds(5, failing=(2,), error=KeyError("x"))
    with pytest.raises(KeyError):
        repeat(rounds.work, rounds.wait, 60)
    assert rounds.done == 2


@pytest.mark.django_db(transaction=True)  # it drops connections that are inside a transaction
def test_round_ends_leases_that_are_over():
    campaign = make_campaign(redundancy=1)
    task = make_task(campaign)
    enrollment = make_enrollment(campaign)
    lease = assignments.claim_next(enrollment.key).assignment
    lease.expires_at = timezone.now() - timedelta(seconds=1)
    lease.save(update_fields=["expires_at"])

    one_round()

    lease.refresh_from_db()
    task.demand.refresh_from_db()
    assert lease.state == "expired"
    assert (task.demand.open, task.demand.leased) == (1, 0)


@pytest.mark.django_db(transaction=True)
def test_round_puts_back_what_was_promised_to_workers_who_left(django_assert_num_queries):
    campaign = make_campaign(pay_mills=150, redundancy=1)
    for _ in range(3):
        make_task(campaign)
    with time_machine.travel("2026-11-21 10:00Z", tick=False) as travel:
        enrollment = make_enrollment(campaign)
        claimed = assignments.claim_next(enrollment.key)
        while claimed and (lease := claimed.assignment):
            claimed = assignments.submit(enrollment.key, lease.key, {"mentions": []}).next
        assert (
            promised(campaign) > 2_000
        )  # the pay of twenty tasks at once, for three that are done

        travel.shift(timedelta(minutes=campaign.lease_minutes))
        one_round()
        assert promised(campaign) > 2_000  # they may be reading

        travel.shift(timedelta(minutes=1))
        one_round()
        assert promised(campaign) == 0
        campaign.refresh_from_db()
        assert campaign.committed_mills == 450

        with django_assert_num_queries(1):
            assignments.sweep_allowances()


def promised(campaign):
    campaign.refresh_from_db()
    return campaign.committed_mills - Enrollment.objects.get().earned_mills


# --- The jobs that the loop asks for itself -----------------------------------------------------


@pytest.fixture
def clock():
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def asked(settings):
    """How many jobs the loop asks for when it is its time; they are done at once."""
    settings.WORK_JOBS = ["refresh_consensus"]

    def ask() -> int:
        ask_for_updates()
        number = 0
        while job := jobs.claim():
            jobs.finish(job, {})
            number += 1
        return number

    return ask


@pytest.mark.django_db
def test_consensus_is_brought_up_to_date_where_answers_have_come_in(asked, clock):
    task = make_task(make_campaign())
    assert asked() == 1
    clock.shift(timedelta(minutes=6))
    assert asked() == 0
    make_response(task, None, {"tags": ["O"] * 7})
    assert asked() == 1
    clock.shift(timedelta(minutes=6))
    assert asked() == 1  # answers of the last minutes are looked for again: they may come late
    clock.shift(timedelta(minutes=6))
    assert asked() == 0
    clock.shift(timedelta(hours=1))
    assert asked() == 1
    assert Job.objects.count() <= 2  # they would be a thousand a day


@pytest.mark.django_db
def test_job_of_the_loop_that_is_at_work_is_not_asked_for_again(settings):
    settings.WORK_JOBS = ["refresh_consensus"]
    ask_for_updates()
    jobs.claim()
    ask_for_updates()
    assert [job.state for job in Job.objects.all()] == ["running"]


@pytest.mark.django_db
def test_redundancy_is_looked_at_only_where_a_campaign_has_a_target(settings):
    settings.WORK_JOBS = ["adjust_redundancy"]
    campaign = make_campaign()
    ask_for_updates()
    assert not Job.objects.exists()
    for fields in ({"target_confidence": 0.9, "state": "closed"}, {"state": "open"}):
        assert not Job.objects.exists()
        Campaign.objects.filter(pk=campaign.pk).update(**fields)
        ask_for_updates()
    assert Job.objects.get().kind == "adjust_redundancy"


def test_every_job_of_the_loop_is_one_and_every_step_of_the_night_is_a_command(settings):
    assert set(settings.WORK_JOBS) <= kinds().keys()
    assert {step.split()[0] for step in settings.NIGHT_STEPS} <= get_commands().keys()
