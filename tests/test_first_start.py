"""./run as it is, on an empty folder of data: what somebody who has just cloned it waits for."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from django.db import connection

from tests.ports import free_port
from tests.signals import hear_signals

ROOT = Path(__file__).resolve().parents[1]
MOST_CPU = 60  # seconds until the first page, all processes together; 7 to 25, by the machine


def is_installed() -> bool:
    stamp = ROOT / ".venv" / "requirements.txt.sum"
    with (ROOT / "requirements.txt").open() as file:
        sum = subprocess.run(["cksum"], stdin=file, capture_output=True, text=True, check=True)
    return stamp.exists() and stamp.read_text() == sum.stdout


def ask(address: str, process: subprocess.Popen) -> int:
    """The status of the page, as soon as somebody answers there."""
    deadline = time.monotonic() + 300
    while True:
        try:
            with urllib.request.urlopen(address, timeout=300) as answer:
                return answer.status
        except OSError:
            assert process.poll() is None, process.stdout.read()
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="on SQLite, whatever the tests run on")
@pytest.mark.skipif(not is_installed(), reason="./run would first have to install packages")
def test_first_page_is_there_soon_and_everything_ends_with_ctrl_c(tmp_path):
    port = free_port()
    known = ("PATH", "HOME", "LANG", "TMPDIR")
    process = subprocess.Popen(
        [str(ROOT / "run")],
        env={name: os.environ[name] for name in known if name in os.environ}
        | {"DATA_DIR": str(tmp_path / "var"), "PORT": str(port), "DEMONSTRATION": "0"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True, preexec_fn=hear_signals,
    )  # fmt: skip
    try:
        status = ask(f"http://127.0.0.1:{port}/", process)
        said = process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        # What the shell has waited for, and they for theirs: of all that it had started.
        _, ended, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(ended)
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
            left = True
        except ProcessLookupError:
            left = False
        if process.returncode is None:
            process.wait()
        process.stdout.close()
    assert status == 200
    assert said.startswith(f"Touchstone serves at http://127.0.0.1:{port}/")
    assert process.returncode == 130
    assert not left
    assert used.ru_utime + used.ru_stime < MOST_CPU
