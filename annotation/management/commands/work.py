import logging
import signal
import threading
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import Error, close_old_connections, connections

from annotation.actions.assignments import expire_overdue
from annotation.actions.rollups import update_rollups

EVERY = 60.0  # seconds
FIRST_PAUSE = 1.0  # after the first failure; doubled with each that follows, up to EVERY
log = logging.getLogger("touchstone.work")


class Command(BaseCommand):
    help = (
        "The loop beside the web server: each minute it ends the leases that are over, so that "
        "their tasks are offered to others, and counts what has come in, for the campaigns' pages. "
        "TERM or Ctrl-C stops it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--every", type=float, default=EVERY, help="seconds from one round to the next (60)"
        )

    def handle(self, *, every: float, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        repeat(one_round, stop.wait, every)


def one_round() -> None:
    close_old_connections()  # one that has broken, or has got too old, is opened anew
    ended = expire_overdue()
    if ended:
        log.info("%d leases ended", ended)
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
