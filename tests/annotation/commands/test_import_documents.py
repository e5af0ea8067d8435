import io
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.actions import locks
from annotation.models import Document, ImportRun
from tests.factories import make_campaign, make_project, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project(slug="news")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text('{"id": "d1", "text": "Ada met Bob.", "split": "val"}\n{"id": "d2"}\n')
    return path


def run(name, *arguments, **options):
    out = StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=out, **options)
    return out.getvalue()


def test_it_works(project, file):
    told = run("import_documents", file, "--project", "news")
    assert "news.jsonl (jsonl): 1 documents added, 0 unchanged, 1 rejected; 4 new tokens in" in told
    assert "Fields not used: split (1)." in told
    assert "  line 2, d2, text: There is neither text nor tokens" in told
    assert f"undo_import {ImportRun.objects.get().key}" in told


def test_a_second_time_it_says_that_nothing_has_changed(project, file):
    run("import_documents", file, "--project", "news")
    told = run("import_documents", file, "--project", "news")
    assert "0 documents added, 1 unchanged, 1 rejected" in told
    assert "undo_import" not in told


def test_split_tokens_are_told(project, tmp_path):
    path = tmp_path / "a.jsonl"
    gold = {"mentions": [{"start": 0, "end": 2, "type": "PER"}]}
    path.write_text(json.dumps({"id": "d1", "text": "Adas", "gold": gold}))
    assert "1 tokens were split" in run("import_documents", path, "--project", "news")


def test_only_the_first_reasons_are_told_and_the_report_is_named(project, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "text": "Ada"}\n' + "{}\n" * 8)
    report = tmp_path / "report"
    told = run("import_documents", path, "--project", "news", "--report", report)
    assert f"8 rejected; all are listed in {report}:" in told
    assert told.count("There is no id") == 5
    assert "… and 3 more" in told


def test_a_file_of_which_nothing_is_taken_fails(project, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n")
    with pytest.raises(CommandError, match="Every document was rejected"):
        run("import_documents", path, "--project", "news")


def test_conll_is_read_where_it_is_asked_for(project, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("Ada B-PER\n")
    assert "(conll): 1 doc" in run(
        "import_documents", path, "--project", "news", "--format", "conll"
    )


def test_strict_imports_nothing_if_a_line_is_rejected(project, file):
    with pytest.raises(CommandError, match=r"1 rejected.*Nothing was imported\."):
        run("import_documents", file, "--project", "news", "--strict")
    assert not Document.objects.exists()


def test_the_standard_input_is_read(project, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": 1, "text": "Ada"}')))
    assert "stdin (jsonl): 1 doc" in run("import_documents", "-", "--project", "news")


def test_an_unknown_project_is_refused_and_it_says_how_to_make_one(file):
    with pytest.raises(CommandError, match=r"no project 'news'.*manage\.py create_project"):
        run("import_documents", file, "--project", "news")


def test_a_missing_file_is_one_clear_sentence(project, tmp_path):
    with pytest.raises(CommandError, match="can't be opened: No such file or directory"):
        run("import_documents", tmp_path / "x", "--project", "news")


def test_another_import_at_work_is_one_clear_sentence(project, file):
    with locks.hold("import:news"), pytest.raises(CommandError, match="import:news"):
        run("import_documents", file, "--project", "news")


def test_ctrl_c_ends_with_its_own_exit_code(project, file, monkeypatch):
    def press(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("annotation.actions.progress.Progress.advance", press)
    with pytest.raises(CommandError, match="Stopped") as error:
        run("import_documents", file, "--project", "news")
    assert error.value.returncode == 130


def test_undo_import_takes_it_back(project, file):
    run("import_documents", file, "--project", "news")
    key = ImportRun.objects.get().key
    assert "1 documents of news.jsonl were removed from 'news'" in run("undo_import", key)
    assert not Document.objects.exists()
    assert "nothing to remove, the import is undone" in run("undo_import", key)


def test_undo_import_names_the_campaigns_in_its_way(project, file):
    run("import_documents", file, "--project", "news")
    make_task(make_campaign(project, slug="first"), Document.objects.get())
    with pytest.raises(CommandError, match="used by 'first'"):
        run("undo_import", ImportRun.objects.get().key)


@pytest.mark.parametrize("key", ["nonsense", "00000000-0000-0000-0000-000000000000"])
def test_undo_import_of_an_unknown_key_is_refused(key):
    with pytest.raises(CommandError, match=f"There is no import '{key}'"):
        run("undo_import", key)
