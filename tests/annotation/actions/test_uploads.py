import gzip
import json
import os
import shutil
import time
import tracemalloc
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from annotation.actions import jobs
from annotation.actions.documents import (
    ImportFailed,
    TakesTooLong,
    discard_upload,
    find_upload,
    import_documents,
    import_upload,
    keep_upload,
    read_upload,
    remove_old_uploads,
    report_of,
    store_upload,
    uploads,
)
from annotation.formats import source
from annotation.models import AuditEntry, Document, ImportRun
from annotation.querysets import compiled
from tests.factories import make_document, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def anna():
    return User.objects.create_user("anna")


@pytest.fixture(autouse=True)
def _data(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def lines(*documents) -> bytes:
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


def keep(project, user, content: bytes, name="a.jsonl", **options):
    return keep_upload(project, user, name, [content], **options)


def counts(preview) -> tuple[int, int, int]:
    return preview.new, preview.unchanged, preview.rejected


MIXED = lines(
    {"id": "there", "text": "Ada was here."},
    {"id": "other", "text": "Not as it was."},
    {"id": "new", "text": "Bob. Carl."},
    {"id": "new", "text": "Bob. Carl."},
    {"id": "new", "text": "Bob and Carl."},
    {"id": "none"},
)


def test_preview_says_what_the_import_then_does(project, anna):
    import_documents(
        project, _written("old.jsonl", lines({"id": "there", "text": "Ada was here."}))
    )
    make_document(project, external_id="other")
    upload = keep(project, anna, MIXED)
    assert counts(upload.preview) == (1, 2, 3)
    assert upload.preview.tokens == 4
    assert Document.objects.count() == 2

    told = upload.rejected(0, 10)
    run = import_upload(project, upload, user=anna)
    assert (run.added, run.unchanged, run.rejected) == counts(upload.preview)
    assert (run.file_name, run.format) == ("a.jsonl", "jsonl")
    assert [json.loads(line) for line in report_of(run).read_text().splitlines()] == told
    assert AuditEntry.objects.latest("pk").user == anna


def _written(name: str, content: bytes) -> Path:
    from django.conf import settings

    path = Path(settings.DATA_DIR, name)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("apart", [0, 600])
def test_contradiction_in_one_file_is_told_with_both_lines(project, anna, apart):
    between = [{"id": f"d{number}", "text": "Ada."} for number in range(apart)]
    upload = keep(
        project, anna, lines({"id": "x", "text": "One."}, *between, {"id": "x", "text": "Two."})
    )
    assert counts(upload.preview) == (apart + 1, 0, 1)
    assert upload.rejected(0, 1) == [
        {
            "line": apart + 2,
            "id": "x",
            "field": "id",
            "reason": "The id 'x' stands in line 1 too, with other content. Give each document "
            "its own.",
        }
    ]


def test_rows_show_the_start_with_its_types(project, anna):
    text = "Ada Lovelace was born in London."
    names = [{"start": 0, "end": 12, "type": "PER"}, {"start": 25, "end": 31, "type": "LOC"}]
    gold = {"mentions": names}
    upload = keep(
        project, anna, lines({"id": "d1", "title": "A title", "text": text, "gold": gold})
    )
    (row,) = upload.preview.rows
    assert (row.external_id, row.title, row.tokens, row.sentences) == ("d1", "A title", 7, 1)
    assert row.source == "gold"
    assert row.pieces == [
        ("Ada Lovelace", "PER"), (" was born in ", ""), ("London", "LOC"), (".", ""),
    ]  # fmt: skip
    assert not row.goes_on


def test_rows_of_a_conll_file_are_named_after_it_and_show_its_tags(project, anna):
    upload = keep(project, anna, b"Ada B-PER\nLovelace I-PER\nwrote O\n", "notes.conll")
    (row,) = upload.preview.rows
    assert row.external_id == "notes-1"
    assert row.pieces == [("Ada Lovelace", "PER"), (" wrote", "")]
    assert import_upload(project, upload, user=anna).added == 1
    assert Document.objects.get().external_id == "notes-1"


def test_only_the_first_rows_and_the_start_of_each_are_shown(project, anna):
    long = [{"id": f"d{number}", "text": "word " * 500} for number in range(15)]
    preview = keep(project, anna, lines(*long)).preview
    assert len(preview.rows) == 10
    assert preview.rows[0].goes_on
    assert len("".join(text for text, _ in preview.rows[0].pieces)) < 400


def test_token_without_end_is_cut(project, anna):
    (row,) = keep(project, anna, lines({"id": "d1", "text": "x" * 100_000})).preview.rows
    assert [len(text) for text, _ in row.pieces] == [600]


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (b"", "a.jsonl", "a.jsonl is empty: there is no document in it."),
        (b"\n \n", "a.conll", "a.conll is empty: there is no document in it."),
        (
            b"PK\x03\x04rest",
            "a.zip",
            "a.zip is no zip archive that can be read",
        ),
        ("{}".encode("utf-16"), "a.jsonl", "a.jsonl is written in UTF-16. Save it as UTF-8."),
        (b"\x1f\x8bbroken", "a.jsonl.gz", "the packed data are damaged"),
        (lambda: gzip.compress(b"\0" * 200_000_000), "a.gz", "more than 200 times as many"),
    ],
)
def test_file_of_which_nothing_can_come_is_refused_and_not_kept(
    project, anna, tmp_path, content, name, sentence
):
    content = content() if callable(content) else content  # not made where tests are collected
    with pytest.raises(ImportFailed, match=sentence):
        keep(project, anna, content, name)
    assert list(tmp_path.glob("uploads/*/*")) == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"id": "d1", "text": "a\0b"}', "Byte 24 of the line is NUL. Save the file as UTF-8."),
        ('{"id": "d1", "text": "ä"}'.encode("latin-1"), "0xE4, is no UTF-8."),
        (b"\x89PNG\r\n\x1a\n\0\0", "is no UTF-8."),
        (b'["a", "b"]', "This is no object."),
        (b'{"id": "d1", "text": "\\ud800"}', "half of a surrogate pair"),
    ],
)
def test_line_that_can_not_be_read_is_listed_with_its_reason(project, anna, content, reason):
    upload = keep(project, anna, content)
    assert upload.preview.new == 0
    assert reason in upload.rejected(0, 1)[0]["reason"]


def test_rejected_lines_are_read_by_pages(project, anna):
    upload = keep(project, anna, b"no\n" * 120)
    assert [len(upload.rejected(first, 50)) for first in (0, 50, 100, 150)] == [50, 50, 20, 0]
    assert upload.rejected(50, 1)[0]["line"] == 51


def test_upload_is_found_by_its_user_in_its_project_alone(project, anna):
    upload = keep(project, anna, MIXED)
    key = uuid.UUID(upload.key)
    found = find_upload(project, anna, key)
    assert found == upload or found.preview.rows[0].pieces == [
        list(piece) for piece in upload.preview.rows[0].pieces
    ]
    assert find_upload(make_project(), anna, key) is None
    assert find_upload(project, User.objects.create_user("bert"), key) is None
    assert find_upload(project, anna, uuid.uuid4()) is None


def test_next_upload_takes_the_place_of_the_one_before(project, anna, tmp_path):
    first = keep(project, anna, MIXED)
    second = keep(project, anna, MIXED)
    assert find_upload(project, anna, uuid.UUID(first.key)) is None
    assert find_upload(project, anna, uuid.UUID(second.key)) is not None
    discard_upload(second)
    assert list(tmp_path.glob("uploads/*/*")) == []


def test_upload_leaves_one_alone_that_is_still_being_read(project, anna):
    inner = []

    def chunks():
        yield MIXED[:10]
        inner.append(keep(project, anna, MIXED, "inner.jsonl"))
        yield MIXED[10:]

    outer = keep_upload(project, anna, "outer.jsonl", chunks())
    assert counts(outer.preview) == counts(inner[0].preview)
    assert find_upload(project, anna, uuid.UUID(outer.key)) is not None
    assert find_upload(project, anna, uuid.UUID(inner[0].key)) is None  # it was done first


def test_upload_that_is_refused_leaves_the_one_before(project, anna):
    first = keep(project, anna, MIXED)
    with pytest.raises(ImportFailed):
        keep(project, anna, b"")
    assert find_upload(project, anna, uuid.UUID(first.key)) is not None


def test_import_and_cancel_leave_a_later_upload(project, anna):
    first = keep(project, anna, MIXED)
    later = []

    def chunks():
        yield MIXED
        later.append(import_upload(project, first, user=anna))

    second = keep_upload(project, anna, "second.jsonl", chunks())
    discard_upload(first)
    assert later[0].added == 3
    assert find_upload(project, anna, uuid.UUID(second.key)) is not None


def test_upload_that_has_just_gone_is_told_without_a_path_of_the_server(project, anna, tmp_path):
    upload = keep(project, anna, MIXED, "letters.jsonl")
    discard_upload(upload)
    with pytest.raises(
        ImportFailed, match=r"^letters\.jsonl can't be opened: No such file"
    ) as told:
        import_upload(project, upload, user=anna)
    assert str(tmp_path) not in str(told.value)


def test_report_that_can_not_be_written_is_told_without_a_path(project, anna, tmp_path):
    upload = keep(project, anna, MIXED)
    (tmp_path / "imports").write_text("")  # a file where the folder should be
    with pytest.raises(ImportFailed, match=r"^imports: File exists\.") as told:
        import_upload(project, upload, user=anna)
    assert str(tmp_path) not in str(told.value) + ImportRun.objects.get().error


def test_nobody_else_on_the_machine_can_read_an_upload(project, anna):
    folder = keep(project, anna, MIXED).folder
    assert folder.stat().st_mode & 0o077 == 0


def test_upload_is_gone_after_a_day(project, anna):
    kept = keep(project, anna, MIXED)
    assert remove_old_uploads() == 0
    old = time.time() - timedelta(days=1, minutes=1).total_seconds()
    os.utime(kept.folder, (old, old))
    assert remove_old_uploads() == 1
    assert find_upload(project, anna, uuid.UUID(kept.key)) is None


def test_upload_that_goes_meanwhile_does_not_stop_the_clean_up(project, anna, monkeypatch):
    folders = [keep(project, user, MIXED).folder for user in (anna, User.objects.create_user("b"))]
    for folder in folders:
        os.utime(folder, (0, 0))
    glob = Path.glob

    def found_and_gone(path, pattern):
        found = list(glob(path, pattern))
        if pattern == "*/*":
            shutil.rmtree(found[0])
        return found

    monkeypatch.setattr(Path, "glob", found_and_gone)
    assert remove_old_uploads() == 1
    assert not any(folder.exists() for folder in folders)


def test_night_throws_old_uploads_away(project, anna, capsys):
    folder = keep(project, anna, MIXED).folder
    os.utime(folder, (0, 0))
    call_command("expire_assignments")
    assert "1 upload thrown away." in capsys.readouterr().out
    assert not folder.exists()


def test_name_leads_nowhere_else(project, anna, tmp_path):
    upload = keep(project, anna, MIXED, "../../about.json")
    assert sorted(path.name for path in upload.folder.iterdir()) == [
        "about.json", "content", "rejected.jsonl",
    ]  # fmt: skip
    assert not (tmp_path / "about.json").exists()


def test_format_that_is_chosen_goes_before_the_name(project, anna):
    upload = keep(project, anna, b"Ada\n", "a.jsonl", format="conll")
    assert counts(upload.preview) == (1, 0, 0)
    assert import_upload(project, upload, user=anna).format == "conll"


def test_file_that_takes_too_long_is_kept_for_another_try(project, anna):
    key = store_upload(project, anna, [MIXED])
    with pytest.raises(TakesTooLong, match="A page can't wait"):
        read_upload(project, anna, key, name="a.jsonl", seconds=-1)
    assert find_upload(project, anna, key) is None
    upload = read_upload(project, anna, key, name="a.jsonl")
    assert counts(upload.preview) == counts(find_upload(project, anna, key).preview)


def test_a_file_in_which_no_document_ends_is_left_in_time(project, anna, monkeypatch):
    """The clock was looked at after each document, and of comments alone there is none."""
    now = iter(range(1_000))
    monkeypatch.setattr(source, "monotonic", lambda: next(now))
    monkeypatch.setattr(source, "CHUNK", 1000)
    key = store_upload(project, anna, [b"# x\n" * 100_000])
    with pytest.raises(TakesTooLong, match="A page can't wait for more than 4,000 lines of it"):
        read_upload(project, anna, key, name="a.conll", seconds=15)
    assert next(now) == 17


def test_what_a_job_is_to_import_stays(project, anna):
    first = keep(project, anna, MIXED)
    job = jobs.enqueue("import_upload", {"upload": first.key}, project=project, user=anna)
    second = keep(project, anna, MIXED)
    os.utime(first.folder, (0, 0))
    os.utime(second.folder, (0, 0))
    assert remove_old_uploads() == 1
    assert find_upload(project, anna, uuid.UUID(first.key)) is not None
    jobs.stop(job)
    assert remove_old_uploads() == 1


@pytest.mark.parametrize(("limit", "small"), [(10, True), (9, False)])
def test_small_file_is_told_from_a_large_one_by_what_it_holds(
    project, anna, monkeypatch, limit, small
):
    monkeypatch.setattr(uploads, "TOKENS_AT_ONCE", limit)
    assert keep(project, anna, lines({"id": "d1", "text": "Ada " * 10})).is_small is small
    monkeypatch.setattr(uploads, "DOCUMENTS_AT_ONCE", 0)
    assert not keep(project, anna, MIXED).is_small


def test_full_disk_is_told_in_a_sentence(project, anna):
    def chunks():
        yield MIXED
        raise OSError(28, "No space left on device")

    with pytest.raises(ImportFailed, match=r"can't keep the file: No space left on device\."):
        keep_upload(project, anna, "a.jsonl", chunks())


def test_failed_import_leaves_the_upload(project, anna, monkeypatch):
    upload = keep(project, anna, MIXED)
    with monkeypatch.context() as patch:
        patch.setattr(compiled, "insert_prepared", _broken)
        with pytest.raises(ImportFailed):
            import_upload(project, upload, user=anna)
    assert ImportRun.objects.get().state == "failed"
    assert import_upload(project, upload, user=anna).added == 3


def _broken(*args, **kwargs):
    raise OSError(28, "No space left on device")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(project, anna):
    def peak(documents: int) -> int:
        content = b"".join(
            lines({"id": f"d{number}", "text": "Ada was here. " * 20})
            for number in range(documents)
        )
        tracemalloc.start()
        keep(project, anna, content)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    small = peak(1_100)
    assert peak(3_300) < 1.3 * small
