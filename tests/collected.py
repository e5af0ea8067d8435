"""The static files as `./run` collects them, once for all processes of a run: it takes seconds."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def collect(data: Path) -> Path:
    """In a process of its own: the tests of this one keep the files' plain names."""
    environment = os.environ | {
        "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return data / "static"


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "collected"
    with (shared / "collected.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "done").exists():
            return Path((folder / "done").read_text())
        folder.mkdir(exist_ok=True)
        found = collect(folder)
        (folder / "done").write_text(str(found))
    return found
