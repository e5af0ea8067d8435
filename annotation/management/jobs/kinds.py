"""The kinds of jobs. Each app lists its own; settings.JOB_KINDS names the modules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError, call_command

from annotation.actions.job_inputs import stored
from annotation.actions.jobs import folder_of
from annotation.models import Job

ATTEMPTS = 3
NAMED, MOST_NAMED = re.compile(r"line \d|…"), 20  # lines of a file that a command names


@dataclass(frozen=True, slots=True)
class Kind:
    """`run` does it and returns the result, small enough for a row. It raises CommandError where
    something is wrong that whoever asked can put right: its sentence is what they read.

    Web servers read the module: what computes is imported when `run` is called.
    """

    name: str
    title: str  # a verb and its object
    run: Callable[[Job], Mapping[str, Any]]
    # After its process was killed it begins anew, or goes on where it was.
    resumes: bool = False
    attempts: int = ATTEMPTS
    for_reviewers: bool = False  # they see it too; others are the managers' alone
    tidy: Callable[[Job], None] | None = None  # when it is done for good
    # Whether the loop's own job of this kind has anything to do: it is not asked for without.
    is_needed: Callable[[], bool] = lambda: True


class UnknownKind(LookupError):
    """A job of a version that had other kinds, or of an app that was taken out."""


def kind_of(name: str) -> Kind:
    try:
        return _kinds(tuple(settings.JOB_KINDS))[name]
    except KeyError:
        raise UnknownKind(f"There are no jobs of the kind '{name}' in this version.") from None


def kinds() -> Mapping[str, Kind]:
    return _kinds(tuple(settings.JOB_KINDS))


@cache
def _kinds(modules: tuple[str, ...]) -> Mapping[str, Kind]:
    return {kind.name: kind for module in modules for kind in import_module(module).KINDS}


def command(name: str, *fixed: str, about: str = "") -> Callable[[Job], dict[str, Any]]:
    """A management command as a job: its options are the parameters of the job, by their names,
    and `about` says by which option it is told the job's campaign or project. What it prints is
    the result."""

    def run(job: Job) -> dict[str, Any]:
        return {"lines": called(name, *fixed, *options_of(job, about))}

    return run


def called(name: str, *arguments: str) -> list[str]:
    """The lines that a command prints, and after them what it names on its error stream line by
    line; the rest that it writes there is progress. Such lines stand in its refusal, too."""
    output, errors = StringIO(), StringIO()
    try:
        call_command(name, *arguments, stdout=output, stderr=errors, no_color=True)
    except CommandError as error:
        if not (named := _named(errors)):
            raise
        message = "\n".join([str(error), *named])
        raise CommandError(message, returncode=error.returncode) from error.__cause__
    return [*output.getvalue().splitlines(), *_named(errors)]


def _named(errors: StringIO) -> list[str]:
    lines = (line.strip() for line in errors.getvalue().splitlines())
    return [line for line in lines if NAMED.match(line)][:MOST_NAMED]


def sent_file(job: Job) -> Path:
    """What a page has handed to the job. Raises CommandError where it is not kept any more."""
    path = stored(job.parameters["folder"], job.parameters["file"])
    if path is None:
        raise CommandError("The file is not kept any more. Send it again.")
    return path


def by(job: Job) -> list[str]:
    """The option of a command that names who asked."""
    return [f"--by={job.asked_by.get_username()}"] if job.asked_by else []


def file_of(job: Job, name: str) -> Path:
    """Where a job may write a file for whoever asked; what stood there is of an earlier try."""
    folder = folder_of(job)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder / name


def with_file(path: Path, lines: list[str]) -> dict[str, Any]:
    """The result of a job that wrote a file."""
    return {"file": path.name, "bytes": path.stat().st_size, "lines": lines}


def options_of(job: Job, about: str = "") -> list[str]:
    """True stands for an option without a value; None and False for one that is left out."""
    found: list[str] = []
    if about and getattr(job, about) is not None:
        found.append(f"--{about}={getattr(job, about).slug}")
    for name, value in job.parameters.items():
        if value is True:
            found.append(f"--{name}")
        elif isinstance(value, list):
            found += [f"--{name}={one}" for one in value]
        elif value is not None and value is not False:
            found.append(f"--{name}={value}")
    return found
