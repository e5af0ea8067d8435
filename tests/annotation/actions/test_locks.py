"""One command at a time."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import locks
from annotation.models import CommandLock

pytestmark = pytest.mark.django_db


def held_by(holder, seconds_ago=0):
    return CommandLock.objects.create(
        name="x", token=uuid.uuid4(), holder=holder,
        beat_at=timezone.now() - timedelta(seconds=seconds_ago),
    )  # fmt: skip


def ended_process():
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return f"{socket.gethostname()}:{child.pid}"


def test_it_is_held_for_the_block_and_given_back():
    with locks.hold("x"):
        assert CommandLock.objects.get().name == "x"
    assert not CommandLock.objects.exists()


def test_it_is_given_back_when_the_block_fails():
    with pytest.raises(ZeroDivisionError), locks.hold("x"):
        _ = 1 / 0
    assert not CommandLock.objects.exists()


def test_a_second_holder_is_told_who_is_at_it():
    with locks.hold("x"), pytest.raises(locks.Held, match=rf"{os.getpid()}"), locks.hold("x"):
        pass


def test_locks_of_other_names_do_not_wait():
    with locks.hold("x"), locks.hold("y"):
        assert CommandLock.objects.count() == 2


def test_the_lock_of_a_process_that_is_gone_is_taken_over():
    held_by(ended_process())
    with locks.hold("x"):
        assert CommandLock.objects.get().holder.endswith(f":{os.getpid()}")


def test_a_holder_on_another_machine_is_left_while_it_beats_and_taken_over_when_it_stopped():
    held_by("elsewhere:1", seconds_ago=60)
    with pytest.raises(locks.Held), locks.hold("x"):
        pass
    CommandLock.objects.update(beat_at=timezone.now() - locks.STALE)
    with locks.hold("x"):
        pass


@pytest.mark.django_db(transaction=True)
def test_it_beats_while_the_work_goes_on(monkeypatch):
    beaten = []
    monkeypatch.setattr(locks, "BEAT_SECONDS", 0.001)
    monkeypatch.setattr(locks, "_beat", lambda name, token, stop: beaten.append(name))
    with locks.hold("x"):
        pass
    assert beaten == ["x"]
