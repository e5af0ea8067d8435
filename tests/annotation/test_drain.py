"""The benchmark's crowd of processes, small: real processes on a real database of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests import migrated

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.slow
@pytest.mark.django_db
def test_processes_that_are_killed_at_random_lose_nothing_and_double_nothing():
    environment = os.environ | {"PYTHONWARNINGS": "ignore"}
    if connection.vendor == "postgresql":
        # The server that the suite runs on; the script makes a database of its own there.
        assert environment["DATABASE_URL"].startswith("postgres")
    elif made := migrated.wait():  # to migrate takes two thirds of the time
        environment["BENCH_TEMPLATE"] = str(made / "migrated.sqlite3")
    run = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "engine_drain.py",
         "--processes", "6", "--tasks", "30", "--budget-for", "80", "--kills", "6"],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
