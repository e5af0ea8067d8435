"""The process that does one job and then ends, so that nothing of it stays in memory."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError

from annotation.actions import jobs, progress
from annotation.actions.locks import Held
from annotation.management.jobs.kinds import UnknownKind, kind_of
from annotation.models import Job

TELL_EVERY = 0.5  # seconds
OVER, WITHOUT_RESULT, INTERRUPTED = 0, 1, 130  # what the process ends with
NO_MEMORY = "It needs more memory than this machine could give."
log = logging.getLogger("touchstone.jobs")


def do(pk: int, token: uuid.UUID) -> int:
    """Does the job that was taken under `token`, and writes how it ended. Progress goes to the
    standard output, a line each; the standard input is open for as long as the runner lives.

    A signal to end interrupts the job as Ctrl-C does a command: it takes back what is half done.
    """
    threading.Thread(target=_end_with_the_runner, daemon=True).start()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        job = jobs.begin(pk, token)
        with progress.listening(_reporter()):
            return OVER if job is None else perform(job)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OperationalError, InterfaceError) as error:  # it may be back when it is tried again
        reason = str(error).strip().partition("\n")[0]
        log.warning("Job %d lost the database (%s).", pk, reason)
        return WITHOUT_RESULT
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it ends in any case


def perform(job: Job) -> int:
    try:
        kind = kind_of(job.kind)
        result = kind.run(job)
    except (CommandError, UnknownKind) as error:
        if getattr(error, "returncode", 1) == INTERRUPTED:  # a command's own word for Ctrl-C
            return INTERRUPTED
        if isinstance(error.__cause__, Held):
            jobs.give_back(job, wait=jobs.BUSY)
        else:
            jobs.fail(job, str(error))
    except (OperationalError, InterfaceError):
        raise
    except MemoryError:
        jobs.fail(job, NO_MEMORY)
    except Exception:
        log.exception("Job %d (%s) has failed.", job.pk, job.kind)
        jobs.fail(job, broke_off(job))
    else:
        if jobs.finish(job, result) and kind.tidy is not None:
            kind.tidy(job)
    return OVER


def broke_off(job: Job) -> str:
    return (
        "It broke off by a mistake in the program. The log of the work loop tells more, under "
        f"job {job.pk}."
    )


def _reporter() -> Callable[[int, int | None, str], None]:
    reported_at = 0.0

    def report(done: int, total: int | None, label: str) -> None:
        nonlocal reported_at
        now = time.monotonic()
        if now - reported_at >= TELL_EVERY:
            reported_at = now
            with suppress(OSError, ValueError):  # the runner has gone; so will this process
                print(json.dumps([done, total, label]), flush=True)  # noqa: T201

    return report


def read_progress(line: bytes) -> tuple[int, int | None, str] | None:
    """None for a line that is something else, whoever has printed it."""
    try:
        found: Any = json.loads(line)
        done, total, label = found
        return int(done), None if total is None else int(total), str(label)
    except (ValueError, TypeError):
        return None


def _end_with_the_runner() -> NoReturn:
    """The pipe ends when the runner does, even by a signal that it can't hear. Its job is taken
    by another then, and must not be done twice."""
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(WITHOUT_RESULT)
