"""Every benchmark starts, on data that it makes, at its smallest size. What it measures then means
nothing; whether it still runs does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests import migrated

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(
    path.name for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text()
)
CHROMIUM = [
    path
    for path in (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
    if path.exists()
]
IN_CHROMIUM = {"worker_pages.py"}
WITH_PAGES = {"bench_dashboard.py", "bench_web.py", *IN_CHROMIUM}
PATIENCE = 280  # seconds, on a machine that does other things too


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Where the product's own files are found, and a migrated database to begin with."""
    folder = tmp_path_factory.mktemp("benchmarks")
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "DATA_DIR", "DJANGO_SETTINGS_MODULE", "SECRET_KEY")
    }
    own |= {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "TMPDIR": str(folder)}
    if made := migrated.wait():
        return own | {"BENCH_TEMPLATE": str(made / "migrated.sqlite3")}
    template = folder / "migrated.sqlite3"
    done = started(
        ["manage.py", "migrate", "--verbosity", "0"],
        own | {"DATABASE_URL": f"sqlite:///{template}", "DATA_DIR": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return own | {"BENCH_TEMPLATE": str(template)}


def started(command, environment):
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=PATIENCE,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="on SQLite, whatever the tests run on")
@pytest.mark.parametrize("script", SCRIPTS)
def test_it_starts_on_made_data(script, environment, request):
    if script in IN_CHROMIUM:
        if not CHROMIUM:
            missing = "There is no Chromium here, in which pages are measured."
            (pytest.fail if os.environ.get("CI", "").lower() == "true" else pytest.skip)(missing)
        environment = environment | {"CHROMIUM": str(CHROMIUM[0])}
    if script in WITH_PAGES:
        environment = environment | {"BENCH_STATIC": str(request.getfixturevalue("collected"))}
    done = started([f"benchmarks/{script}", "--smoke"], environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


def test_all_of_them_are_found():
    assert {"bench_dashboard.py", "bench_guards.py", "engine_drain.py", *IN_CHROMIUM} <= {*SCRIPTS}
