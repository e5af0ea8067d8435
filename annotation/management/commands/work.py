import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import Error, close_old_connections, connections
from django.utils import timezone

from annotation.actions.assignments import expire_overdue, sweep_allowances
from annotation.actions.rollups import OVERLAP, update_rollups
from annotation.models import Response

EVERY = 60.0  # seconds
FIRST_PAUSE = 1.0  # after the first failure; doubled with each that follows, up to EVERY
IDLE = timedelta(hours=1)  # what runs beside the loop is started so often in any case
log = logging.getLogger("touchstone.work")


class Command(BaseCommand):
    help = (
        "The loop beside the web server: each minute it ends the leases that are over, so that "
        "their tasks are offered to others, puts the money that idle workers hold back into the "
        "budgets, and counts what has come in, for the campaigns' pages. "
        "Where answers have come in, it starts what brings each consensus up to date. TERM or "
        "Ctrl-C stops it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--every", type=float, default=EVERY, help="seconds from one round to the next (60)"
        )

    def handle(self, *, every: float, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        beside = Beside(settings.WORK_COMMANDS)

        def work() -> None:
            one_round()
            beside.start()

        try:
            repeat(work, stop.wait, every)
        finally:
            beside.stop()


class Beside:
    """Commands that start where answers have come in, each in a process of its own: leases must
    not wait for them, and what they load must not stay. One that is at work still is left alone."""

    def __init__(self, commands: Sequence[str]):
        self._running: dict[str, subprocess.Popen[bytes] | None] = dict.fromkeys(commands)
        self._began: dict[str, datetime] = {}

    def start(self) -> None:
        for name, process in self._running.items():
            if process is not None:
                if process.poll() is None:
                    continue
                if process.returncode:
                    log.warning("%s ended with %d", name, process.returncode)
                self._running[name] = None
            now = timezone.now()
            if _answers_since(self._began.get(name), now):
                self._began[name] = now
                self._running[name] = self._opened(name)

    def stop(self) -> None:
        """What they were at is done again by the next."""
        for process in filter(None, self._running.values()):
            process.terminate()
            process.wait()

    def _opened(self, name: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), name, "--verbosity", "0"]
        return subprocess.Popen(command, start_new_session=True)  # Ctrl-C is for the loop alone


def _answers_since(began: datetime | None, now: datetime) -> bool:
    if began is None or now - began > IDLE:
        return True
    return Response.objects.filter(received_at__gte=began - OVERLAP).exists()


def one_round() -> None:
    close_old_connections()  # one that has broken, or has got too old, is opened anew
    ended = expire_overdue()
    if ended:
        log.info("%d leases ended", ended)
    sweep_allowances()
    update_rollups()


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
            pause = min(every, FIRST_PAUSE * 2 ** min(failures, 10))
            failures += 1
            reason = str(error).strip().partition("\n")[0]
            log.warning("The database can't be used (%s); next try in %.0f s", reason, pause)
        if wait(pause):
            return
