"""A program whose reader stops early, as in `./run manage help | head`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Commands that write files tell an OSError as a failure of theirs.
WRITES = """
from config.pipe import end_with_the_reader
end_with_the_reader()
try:
    for number in range(100_000):
        print(number)
except OSError:
    raise SystemExit("A file can't be written.")
"""


def without_a_reader(*arguments: str, **options: object) -> tuple[int, str]:
    """How a program ends whose output goes into a pipe that nobody holds any more."""
    reader, writer = os.pipe()
    os.close(reader)
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT, env=environment, stdout=writer, stderr=subprocess.PIPE,
            text=True, timeout=300, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("help",), id="a list"),
        pytest.param(("aggregate", "--help"), id="a help that ends the program"),
        pytest.param(("check",), id="a line"),
    ],
)
def test_a_command_ends_silently(arguments):
    assert without_a_reader("manage.py", *arguments) == (141, "")


def test_it_is_no_failure_of_a_file():
    assert without_a_reader("-c", WRITES) == (141, "")


def test_what_is_read_is_whole():
    done = subprocess.run(
        [sys.executable, "-c", WRITES], cwd=ROOT, capture_output=True, text=True, timeout=300,
        check=True,
    )  # fmt: skip
    assert done.stdout.split() == [str(number) for number in range(100_000)]
