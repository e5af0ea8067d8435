"""The loop as a process: it stops at once, whatever pause it is in."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.signals import hear_signals

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_loop_at_once_even_while_the_database_is_away(number, tmp_path):
    away = f"postgres://nobody@%2F{str(tmp_path)[1:].replace('/', '%2F')}:1/none"
    process = subprocess.Popen(
        [sys.executable, "manage.py", "work", "--skip-checks"],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": away},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_signals,
    )
    try:
        first = process.stderr.readline()
        process.send_signal(number)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        rest = process.communicate()[1]
    assert "The database can't be used" in first
    assert "Traceback" not in rest
