"""One command at a time: a row that is held while the work goes on."""

from __future__ import annotations

import os
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import IntegrityError, close_old_connections, connection, transaction
from django.utils import timezone

from annotation.models import CommandLock
from annotation.sentences import CodedError

BEAT_SECONDS = 20
STALE = timedelta(seconds=120)


class Held(CodedError):
    """Another process is at this work now."""


@contextmanager
def hold(name: str) -> Iterator[None]:
    """Hold the lock `name` for the length of the block; Held if somebody else does.

    A thread beats while the block runs. A holder whose process is gone from this machine, or
    that has not beaten for two minutes, is taken over: its work is repeated, never waited for.
    """
    token = _take(name)
    stop = threading.Event()
    beat = threading.Thread(target=_beat, args=(name, token, stop), daemon=True)
    # A second connection can't see a test's transaction, and would wait for it on SQLite.
    beats = not connection.in_atomic_block
    if beats:
        beat.start()
    try:
        yield
    finally:
        stop.set()
        if beats:
            beat.join()
        CommandLock.objects.filter(name=name, token=token).delete()


def _take(name: str) -> uuid.UUID:
    token, now = uuid.uuid4(), timezone.now()
    holder = f"{socket.gethostname()}:{os.getpid()}"
    try:
        with transaction.atomic():
            CommandLock.objects.create(name=name, token=token, holder=holder, beat_at=now)
        return token
    except IntegrityError:
        pass
    held = CommandLock.objects.filter(name=name).first()
    if held is None:  # given back in between
        return _take(name)
    if held.beat_at > now - STALE and may_be_alive(held.holder):
        raise Held("lock.held", name=name, holder=held.holder, at=held.beat_at)
    # Conditional on the token: of two that take over at once, one wins.
    taken = CommandLock.objects.filter(name=name, token=held.token).update(
        token=token, holder=holder, beat_at=now
    )
    if not taken:
        raise Held("lock.taken", name=name)
    return token


def is_held(name: str) -> bool:
    held = CommandLock.objects.filter(name=name, beat_at__gt=timezone.now() - STALE).first()
    return held is not None and may_be_alive(held.holder)


def may_be_alive(holder: str) -> bool:
    host, _, pid = holder.rpartition(":")
    if host != socket.gethostname():
        return True
    if int(pid) == os.getpid():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _beat(name: str, token: uuid.UUID, stop: threading.Event) -> None:
    """Runs in its own thread, and so on its own connection."""
    try:
        while not stop.wait(BEAT_SECONDS):
            try:
                close_old_connections()
                CommandLock.objects.filter(name=name, token=token).update(beat_at=timezone.now())
            except Exception:  # a missed beat is made up for by the next one
                continue
    finally:
        connection.close()
