"""import_knowledge_base, as it is typed."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.actions import locks
from annotation.models import CommandLock, Entity, EntityName
from tests.factories import make_project

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]
ADA = {"key": "Q1", "name": "Ada Lovelace", "rank": 3}


@pytest.fixture
def project():
    return make_project(slug="news")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "kb.jsonl"
    path.write_text(f'{json.dumps(ADA)}\n{{"key": "Q2"}}\n')
    return path


def run(*arguments):
    out = io.StringIO()
    call_command("import_knowledge_base", *map(str, arguments), stdout=out, stderr=out)
    return out.getvalue()


def test_it_works(project, file):
    told = run(file, "--project", "news")
    assert "kb.jsonl (jsonl): 1 entry added, 0 changed, 0 unchanged, 1 rejected in" in told
    assert "Fields not used: rank (1)." in told
    assert "1 rejected; all are listed in" in told
    assert "  line 2, Q2, name: There is no name. Give each entry one." in told
    assert Entity.objects.get().name == "Ada Lovelace"


def test_a_second_time_nothing_changes(project, file):
    run(file, "--project", "news")
    told = run(file, "--project", "news")
    assert "0 entries added, 0 changed, 1 unchanged, 1 rejected" in told


def test_only_the_first_reasons_are_told_and_the_report_is_named(project, tmp_path):
    path, report = tmp_path / "kb.jsonl", tmp_path / "report"
    path.write_text(json.dumps(ADA) + "\n" + "{}\n" * 8)
    told = run(path, "--project", "news", "--report", report)
    assert f"8 rejected; all are listed in {report}:" in told
    assert told.count("There is no key") == 5
    assert "… and 3 more" in told


def test_the_standard_input_is_read_as_what_it_is_said_to_be(project, monkeypatch):
    table = io.TextIOWrapper(io.BytesIO(b"key\tname\nQ1\tAda\n"))
    monkeypatch.setattr("sys.stdin", table)
    assert "stdin (tsv): 1 entry added" in run("-", "--project", "news", "--format", "tsv")


def test_a_file_of_which_nothing_is_taken_fails(project, tmp_path):
    path = tmp_path / "kb.jsonl"
    path.write_text("{}\n")
    with pytest.raises(CommandError, match="Every entry was rejected"):
        run(path, "--project", "news")


def test_an_unknown_project_is_refused_and_it_says_how_to_make_one(file):
    with pytest.raises(CommandError, match=r"no project 'news'.*manage\.py create_project"):
        run(file, "--project", "news")


def test_a_missing_file_is_one_clear_sentence(project, tmp_path):
    with pytest.raises(CommandError, match="can't be opened: No such file or directory"):
        run(tmp_path / "x", "--project", "news")


def test_types_that_the_schema_lacks_are_told_and_kept(project, tmp_path):
    path = tmp_path / "kb.tsv"
    rows = ["Q1\tAda\tPER", "Q2\tThames\triver", "Q3\tSeine\triver", "Q4\tX\tsea", "Q5\tY\t"]
    path.write_text("\n".join(["key\tname\ttype", *rows]))
    told = run(path, "--project", "news")
    assert (
        "3 entries have a type that the project's schema does not: river (2), sea (1). The first "
        "stand in line 3, 4, 5."
    ) in told
    assert Entity.objects.get(key="Q2").type == "river"


def test_of_many_strange_types_the_most_frequent_are_named(project, tmp_path):
    path = tmp_path / "kb.tsv"
    rows = [f"Q{n}\tN{n}\tt{n % 60}" for n in range(61)]
    path.write_text("\n".join(["key\tname\ttype", *rows]))
    told = run(path, "--project", "news")
    assert "61 entries have a type" in told
    assert "t0 (2)" in told
    assert "…." in told


def test_another_import_at_work_is_one_clear_sentence(project, file):
    with locks.hold("knowledge:news"), pytest.raises(CommandError, match="knowledge:news"):
        run(file, "--project", "news")


def test_ctrl_c_says_what_was_stored_and_ends_with_its_own_exit_code(project, file, monkeypatch):
    def press(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("annotation.actions.progress.Progress.advance", press)
    with pytest.raises(CommandError, match=r"Stopped\. 1 entries were stored") as error:
        run(file, "--project", "news")
    assert error.value.returncode == 130


@pytest.mark.slow
@pytest.mark.postgres  # another process can't see a database in memory
@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_killed_leaves_whole_entries_and_the_next_goes_on(tmp_path):
    make_project(slug="news")
    lines = [json.dumps({"key": f"Q{n}", "name": f"Name {n}", "aliases": ["A"]}) for n in range(9)]
    path = tmp_path / "kb.jsonl"
    path.write_text("\n".join(lines))
    # The batches are small, and the input stays open: it stands still in the middle of the file.
    script = (
        "import annotation.actions.knowledge.importing as i; i.BATCH_ENTRIES = 2; "
        "from django.core.management import call_command; "
        "call_command('import_knowledge_base', '-', '--project', 'news', '--format', 'jsonl')"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", f"import django; django.setup(); {script}"],
        cwd=ROOT, stdin=subprocess.PIPE,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings",
                          "DATABASE_URL": url_of(connection)},
    )  # fmt: skip
    child.stdin.write("\n".join(lines[:7]).encode() + b"\n" + b" " * 300_000 + b"\n")
    child.stdin.flush()
    deadline = time.monotonic() + 200
    while Entity.objects.count() < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.communicate()

    stored = Entity.objects.count()
    assert 4 <= stored < 9
    assert EntityName.objects.count() == 2 * stored
    assert CommandLock.objects.exists()  # of a process that is no more
    assert f" added, 0 changed, {stored} unchanged" in run(path, "--project", "news")
    assert EntityName.objects.count() == 18
    assert not CommandLock.objects.exists()


def url_of(connection):
    given = connection.settings_dict
    place = f"{given['HOST']}:{given['PORT']}/{given['NAME']}"
    return f"postgres://{given['USER']}:{given['PASSWORD']}@{place}"
