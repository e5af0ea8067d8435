"""Kinds of jobs that tests can hold still, and watch from another process."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.actions import locks
from annotation.actions.progress import Progress
from annotation.management.jobs.kinds import Kind
from annotation.models import Job


def wait_for_go(job: Job) -> dict[str, Any]:
    """Notes in the folder's `log` when it begins and ends, and waits for the file `go` there."""
    folder = Path(job.parameters["folder"])
    _note(folder, "begins", job)
    try:
        with open(os.devnull, "w") as nowhere, Progress(nowhere, 5, "steps") as progress:
            while not (folder / "go").exists():
                progress.done = 1
                if not job.parameters["silent"]:
                    progress.advance()
                time.sleep(0.02)
    except KeyboardInterrupt:
        _note(folder, "tidies", job)
        raise
    _note(folder, "ends", job)
    return {"lines": ["It went."]}


def _note(folder: Path, what: str, job: Job) -> None:
    with (folder / "log").open("a") as file:
        file.write(f"{what} {job.pk} {os.getpid()}\n")


def refuse(job: Job) -> dict[str, Any]:
    raise CommandError("Line 3: expected an object; found a list.")


def break_off(job: Job) -> dict[str, Any]:
    raise RuntimeError("the key is sesame")


def meet_another(job: Job) -> dict[str, Any]:
    try:
        with locks.hold("x"):
            return {"lines": ["Nobody was there."]}
    except locks.Held as error:
        raise CommandError(str(error)) from error


KINDS = [
    Kind("wait for go", "Wait for go", wait_for_go),
    Kind("refuse", "Refuse", refuse),
    Kind("break off", "Break off", break_off),
    Kind("meet another", "Meet another", meet_another),
]
