"""One migrated database a run, which its processes copy: to migrate takes seven seconds each time.

The process that hands out the tests has it made while the others still collect; a lock that the
maker holds until it ends is what they wait at. Where it could not be made, each migrates its own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "TOUCHSTONE_TESTS_MIGRATED"  # the variable that tells the processes where to look
NAME = "test_touchstone_migrated"  # the template's on PostgreSQL


def begin() -> subprocess.Popen:
    """Migrates beside what the caller does."""
    folder = Path(settings.DATA_DIR) / "migrated"
    folder.mkdir()
    os.environ[FOLDER] = str(folder)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until the maker has ended, who has it open too
        return subprocess.Popen(
            [sys.executable, "-m", "tests.migrated", str(folder)],
            cwd=ROOT, pass_fds=[lock.fileno()],
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def end(maker: subprocess.Popen) -> None:
    maker.wait()
    if connection.vendor == "postgresql":
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {NAME}")


def wait() -> Path | None:
    """The folder of what was made; where it is SQLite, `migrated.sqlite3` stands in it."""
    if FOLDER not in os.environ:
        return None
    folder = Path(os.environ[FOLDER])
    with (folder / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
    return folder if (folder / "done").exists() else None


def use() -> bool:
    """Has the database of the tests begin as a copy. Whether it is one that is already there."""
    folder = wait()
    if not folder:
        return False
    test = connection.settings_dict["TEST"]
    if connection.vendor == "postgresql":
        test["TEMPLATE"] = NAME
        return False
    shutil.copy(folder / "migrated.sqlite3", test["NAME"])
    return True


def _make(folder: Path) -> None:
    import django
    from django.core.management import call_command

    django.setup()
    if connection.vendor == "postgresql":
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {NAME}")
            cursor.execute(f"CREATE DATABASE {NAME}")
        connection.settings_dict["NAME"] = NAME
    else:
        connection.settings_dict["NAME"] = str(folder / "migrated.sqlite3")
    call_command("migrate", verbosity=0, interactive=False)
    connection.close()
    (folder / "done").touch()


if __name__ == "__main__":
    _make(Path(sys.argv[1]))
