"""Commands that a page starts in a process of their own: what they load must not stay in the web
server's, and what takes long must not hold a request."""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

Options = Sequence[tuple[str, str]]  # name and value; "" for one that has none
REFUSED = "CommandError: "
log = logging.getLogger("touchstone.beside")


class Failed(Exception):
    """The command ended with an error; the message is for people."""


@dataclass(frozen=True, slots=True)
class Ended:
    """`is_done` is False where it is still at work, or was ended because it took too long."""

    is_done: bool
    lines: tuple[str, ...] = ()  # that it wrote


def run(command: str, options: Options, *, seconds: float, goes_on: bool = False) -> Ended:
    """Run a command and wait for it `seconds` at most. What takes longer is ended, or with
    `goes_on` left at work: the command is to be one that is safe to break off and to run twice.

    Raises Failed.
    """
    words = [f"--{name}={value}" if value else f"--{name}" for name, value in options]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), command, *words],
            stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True,
        )  # fmt: skip
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            if not goes_on:
                process.kill()
                process.wait()
            return Ended(is_done=False)
        output.seek(0)
        errors.seek(0)
        if code:
            raise Failed(_reason(command, errors.read().decode(errors="replace")))
        return Ended(True, tuple(output.read().decode(errors="replace").splitlines()))


def command_line(command: str, options: Options) -> str:
    """The same for a shell."""
    words = [f"--{name} {value}".rstrip() for name, value in options]
    return " ".join([f"./run manage {command}", *words])


def _reason(command: str, errors: str) -> str:
    if REFUSED in errors:
        return errors.rpartition(REFUSED)[2].strip()
    log.error("%s failed: %s", command, errors.strip())
    return f"{command} broke off. The server's log tells why."
