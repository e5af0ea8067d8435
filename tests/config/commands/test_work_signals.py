"""The loop as a process: it stops at once, whatever pause it is in."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.management.commands.work import Stop
from tests.signals import hear_signals

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_loop_at_once_even_while_the_database_is_away(number, tmp_path):
    away = f"postgres://nobody@%2F{str(tmp_path)[1:].replace('/', '%2F')}:1/none"
    process = subprocess.Popen(
        [sys.executable, "manage.py", "work"],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": away},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_signals,
    )
    try:
        first = process.stderr.readline()
        process.send_signal(number)
        assert process.wait(timeout=300) == 0
    finally:
        process.kill()
        rest = process.communicate()[1]
    assert "The database can't be used" in first
    assert "Traceback" not in rest


def test_signals_in_the_midst_of_each_other_and_of_a_wait_end_it_too():
    """An event's lock, which the wait holds, would be waited for within the handler for ever."""
    was = signal.getsignal(signal.SIGALRM)
    try:
        for number in range(100):
            stop = Stop()
            assert not stop.wait(0)
            signal.signal(signal.SIGALRM, stop.set)
            signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + number % 50), 5e-4)
            assert stop.wait(200)
            assert stop.wait(200)  # and stays told
            signal.setitimer(signal.ITIMER_REAL, 0)
            stop.close()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, was)
