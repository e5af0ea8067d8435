from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from annotation.actions import assignments
from annotation.management.commands.work import one_round, repeat
from tests.factories import make_campaign, make_enrollment, make_task


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
