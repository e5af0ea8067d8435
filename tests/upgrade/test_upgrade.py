"""A database made by the version before is migrated, and who worked there goes on.

version_0_1.sql.gz is SQLite's own dump of a database of version 0.1 (commit 48ab48a): an open
campaign with six answers of two browsers, whose secrets are the numbers 1 and 2, and two drafts.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests import migrated

ROOT = Path(__file__).resolve().parents[2]
DUMP = Path(__file__).with_name("version_0_1.sql.gz")
KEY = "the-key-of-the-version-before-0123456789-abcdefghijklmnopqrstuvwxyz"

AFTERWARDS = """
import json, uuid
from annotation.actions import workers
from annotation.actions.tokens import Link
from annotation.models import Campaign, Enrollment, Response, Worker
from selection.models import NightlySelection

before = list(Enrollment.objects.order_by("pk").values_list("pk", flat=True))
again = workers.join(Link("opened", None), uuid.UUID(int=1))
phrase = "goat maple apron castle paper"
by_phrase = workers.join(Link("opened", None), uuid.UUID(int=77), phrase=phrase)
print(json.dumps({
    "before": before,
    "again": [again.pk, by_phrase.pk],
    "answers": Response.objects.count(),
    "answer": Response.objects.first().answer,
    "workers": list(Worker.objects.values_list("external_id", flat=True)),
    "nightly": list(NightlySelection.objects.values_list("campaign__slug", "keep_workers")),
    "options": [campaign.options.get("keep_workers") for campaign in Campaign.objects.all()],
    "links": [campaign.links.count() for campaign in Campaign.objects.order_by("slug")],
}))
"""


def manage(folder: Path, *arguments: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=inherited
        | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(folder), "SECRET_KEY": KEY},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def new(tmp_path) -> Path:
    """A database that was never an old one."""
    if made := migrated.wait():
        return made / "migrated.sqlite3"
    (tmp_path / "new").mkdir()
    manage(tmp_path / "new", "migrate", "--verbosity", "0")
    return tmp_path / "new" / "touchstone.sqlite3"


def schema(file: Path) -> dict[str, set[str]]:
    """What a table, index or trigger consists of; the order of columns is nothing to go by."""
    with sqlite3.connect(file) as database:
        rows = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
        )
        parts = {
            name: set(re.split(r", (?=\"|CONSTRAINT|UNIQUE)", sql.partition("(")[2][:-1]))
            if sql.startswith("CREATE TABLE")
            else {sql}
            for name, sql in rows
        }
    database.close()
    return parts


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="on SQLite, whatever the tests run on")
def test_a_database_of_version_0_1_is_migrated_and_its_workers_go_on(tmp_path, new):
    with sqlite3.connect(tmp_path / "touchstone.sqlite3") as old:
        old.executescript(gzip.decompress(DUMP.read_bytes()).decode())
        old.execute(
            "UPDATE annotation_campaign SET options = json_set(options, '$.keep_workers', 7) "
            "WHERE slug = 'opened'"
        )
    old.close()

    manage(tmp_path, "migrate", "--verbosity", "0")

    assert manage(tmp_path, "check_integrity") == "Every counter is what its rows say.\n"
    found = json.loads(manage(tmp_path, "shell", "--verbosity", "0", "-c", AFTERWARDS))
    assert found["again"] == found["before"]  # by the browser's secret, and by the phrase
    assert found["answers"] == 6
    assert found["answer"]["mentions"] == []
    assert all(name.startswith("anonymous:") for name in found["workers"])
    assert (found["nightly"], found["options"]) == ([["opened", 7]], [None] * 3)
    assert found["links"] == [1, 1, 1]  # the one that was sent out

    # by 0001 to 0016, and by the one migration in their place
    assert schema(tmp_path / "touchstone.sqlite3") == schema(new)
