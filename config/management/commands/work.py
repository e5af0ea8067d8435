import logging
import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import Error, close_old_connections, connections
from django.utils import timezone

from annotation.actions import jobs, locks
from annotation.actions.assignments import expire_overdue, sweep_allowances
from annotation.actions.night import end_broken_off
from annotation.actions.rollups import OVERLAP, update_rollups
from annotation.management.jobs.kinds import kind_of
from annotation.management.jobs.runner import Runner
from annotation.models import Job, NightStep, Project, Response, WebhookDelivery

LOOK_EVERY = 1.0  # seconds from one look at the jobs to the next
EVERY = 60.0  # seconds from one round to the next
FIRST_PAUSE = 1.0  # after the first failure; doubled with each that follows, up to EVERY
IDLE = timedelta(hours=1)  # the loop's own jobs are asked for so often in any case
log = logging.getLogger("touchstone.work")


class Command(BaseCommand):
    help = (
        "The loop beside the web server. It does the jobs that pages ask for, each in a process "
        "of its own. Each minute it ends the leases that are over, so that their tasks are "
        "offered to others, puts the money that idle workers hold back into the budgets, and "
        "counts what has come in, for the campaigns' pages; where answers have come in, it brings "
        "each consensus up to date. TERM or Ctrl-C stops it: jobs that are at work are done by "
        "the next."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--every", type=float, default=EVERY, help="seconds from one round to the next (60)"
        )

    def handle(self, *, every: float, **options: Any) -> None:
        stop = Stop()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop.set)
        runner = Runner(settings.JOBS_AT_ONCE)
        rounds = Clock(every)

        def work() -> None:
            if rounds.is_due():
                one_round()
                ask_for_night()
                ask_for_updates()
                rounds.done()
            ask_for_deliveries()
            runner.look()

        try:
            repeat(work, stop.wait, min(LOOK_EVERY, every))
        finally:
            runner.stop()


class Stop:
    """Told by a signal, waited for by the loop.

    A pipe, and no threading.Event: a handler runs in the midst of what the main thread does, also
    of a wait that holds the event's lock, and would wait for that lock for ever.
    """

    def __init__(self) -> None:
        self._told, self._tell = os.pipe()
        os.set_blocking(self._tell, False)

    def set(self, *signal_and_frame: Any) -> None:
        with suppress(BlockingIOError):  # it is full: it was told thousands of times
            os.write(self._tell, b".")

    def wait(self, seconds: float) -> bool:
        """Whether it was told, at once or within so many seconds."""
        return bool(select.select([self._told], [], [], seconds)[0])

    def close(self) -> None:
        os.close(self._told)
        os.close(self._tell)


class Clock:
    """When the next round is due."""

    def __init__(self, every: float):
        self.every = every
        self._due = time.monotonic()

    def is_due(self) -> bool:
        return time.monotonic() >= self._due

    def done(self) -> None:
        self._due = time.monotonic() + self.every


def one_round() -> None:
    close_old_connections()  # one that has broken, or has got too old, is opened anew
    ended = expire_overdue()
    if ended:
        log.info("%d leases ended", ended)
    sweep_allowances()
    update_rollups()
    if not locks.is_held("night"):
        end_broken_off()


def ask_for_night() -> None:
    """Once after each time that it is NIGHT_HOUR, however late; a new installation waits for its
    first."""
    if settings.NIGHT_HOUR is None:
        return
    now = timezone.localtime()
    due = now.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0)
    if due > now:
        due -= timedelta(days=1)
    if not Project.objects.filter(created_at__lt=due).exists():
        return
    asked = Job.objects.filter(kind="night", created_at__gte=due)
    if not asked.exists() and not NightStep.objects.filter(night__gte=due).exists():
        jobs.enqueue("night")


def ask_for_updates() -> None:
    """The loop's own jobs, where answers have come in since each last began. Of those that are
    done the last alone is kept."""
    for kind in settings.WORK_JOBS:
        own = Job.objects.filter(kind=kind, asked_by=None, project=None)
        if own.unfinished().exists() or not kind_of(kind).is_needed():
            continue
        last = own.order_by("-id").first()
        if _answers_since(last.started_at if last else None, timezone.now()):
            jobs.enqueue(kind)
            if last is not None:
                own.ended().filter(pk__lt=last.pk).delete()


def ask_for_deliveries() -> None:
    """As soon as an event is to be told to a webhook. Of the jobs that are done the last is kept.
    Two queries at most, where nothing waits one along an index."""
    if not WebhookDelivery.objects.due(timezone.now()).exists():
        return
    own = Job.objects.filter(kind="send_webhooks", project=None)
    if not own.unfinished().exists():
        asked = jobs.enqueue("send_webhooks")
        own.ended().filter(pk__lt=asked.pk).delete()


def _answers_since(began: datetime | None, now: datetime) -> bool:
    if began is None or now - began > IDLE:
        return True
    return Response.objects.filter(received_at__gte=began - OVERLAP).exists()


def repeat(work: Callable[[], None], wait: Callable[[float], bool], every: float) -> None:
    """Do `work` every so many seconds, until `wait` says that it was told to stop.

    A database that has gone away is tried again after growing pauses. Another error than the
    database's is a mistake in the program and ends the loop.
    """
    failures = 0
    while True:
        try:
            work()
            if failures:
                log.warning("The database is back after %d failed rounds", failures)
            failures, pause = 0, every
        except Error as error:
            connections.close_all()
            pause = min(max(every, EVERY), FIRST_PAUSE * 2 ** min(failures, 10))
            failures += 1
            reason = str(error).strip().partition("\n")[0]
            log.warning("The database can't be used (%s); next try in %.0f s", reason, pause)
        if wait(pause):
            return
