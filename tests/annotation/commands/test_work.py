from datetime import timedelta

import pytest
import time_machine
from django.core.management import get_commands
from django.db import OperationalError
from django.utils import timezone

from annotation.actions import assignments
from annotation.management.commands import work
from annotation.management.commands.work import Beside, one_round, repeat
from annotation.models import Enrollment
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


# --- What runs beside the loop ------------------------------------------------------------------


class Process:
    """One that goes on until it is told how it ended."""

    def __init__(self, command, **options):
        self.command, self.returncode, self.ended_by = command, None, ""

    def poll(self):
        return self.returncode

    def terminate(self):
        self.ended_by = "TERM"

    def wait(self):
        self.returncode = -15


@pytest.fixture
def opened(monkeypatch):
    found = []

    def open_process(command, **options):
        found.append(Process(command, **options))
        return found[-1]

    monkeypatch.setattr(work.subprocess, "Popen", open_process)
    return found


@pytest.fixture
def clock():
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


@pytest.mark.django_db
def test_commands_start_where_answers_have_come_in_and_one_at_a_time(opened, clock):
    beside, task = Beside(["refresh_consensus"]), make_task(make_campaign())
    beside.start()
    assert opened[0].command[1:] == [
        str(work.settings.BASE_DIR / "manage.py"), "refresh_consensus", "--verbosity", "0",
    ]  # fmt: skip
    make_response(task, None, {"tags": ["O"] * 7})
    beside.start()
    assert len(opened) == 1  # it is at work still
    opened[0].returncode = 0
    beside.start()
    assert len(opened) == 2
    opened[1].returncode = 0
    clock.shift(timedelta(minutes=6))
    beside.start()  # answers of the last minutes are looked for again: they may have come late
    assert len(opened) == 3
    opened[2].returncode = 0
    clock.shift(timedelta(minutes=6))
    beside.start()
    assert len(opened) == 3
    clock.shift(timedelta(hours=1))
    beside.start()
    assert len(opened) == 4


@pytest.mark.django_db
def test_command_that_failed_is_told_and_started_again(opened, caplog):
    beside = Beside(["refresh_consensus"])
    beside.start()
    opened[0].returncode = 1
    make_response(make_task(make_campaign()), None, {"tags": ["O"] * 7})
    beside.start()
    assert "refresh_consensus ended with 1" in caplog.text
    assert len(opened) == 2


@pytest.mark.django_db
def test_commands_end_with_the_loop(opened):
    beside = Beside(["one", "other"])
    beside.stop()
    beside.start()
    opened[0].returncode = 0
    beside.stop()
    assert [process.ended_by for process in opened][1] == "TERM"


def test_every_command_of_the_loop_is_one():
    assert set(work.settings.WORK_COMMANDS) <= get_commands().keys()
