import gc
import gzip
import io
import json
import random
import sys
import tracemalloc

import pytest
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import locks
from annotation.actions.documents import (
    DocumentsInUse,
    ImportFailed,
    ImportTally,
    import_documents,
    importing,
    removal,
    undo_import,
)
from annotation.formats import parsing
from annotation.models import AuditEntry, Document, ImportedAnswer, ImportRun
from tests.factories import make_campaign, make_document, make_import, make_project, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(parsing, "BATCH_LINES", 2)
    monkeypatch.setattr(removal, "DELETED", 2)


@pytest.fixture
def write(tmp_path):
    def write(*documents, name="news.jsonl"):
        lines = "".join(json.dumps(fields) + "\n" for fields in documents)
        path = tmp_path / name
        path.write_bytes(gzip.compress(lines.encode()) if name.endswith("gz") else lines.encode())
        return path

    return write


def fields(number, **more):
    return {"id": f"d{number}", "text": f"Ada met Bob on day {number}."} | more


def names(documents):
    return sorted(documents.values_list("external_id", flat=True))


class Watching:
    """Stands in the place of a Progress, and looks at the database while the import goes on."""

    def __init__(self, look):
        self.look, self.done = look, 0

    def advance(self, number):
        self.done += number
        self.look()


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr("annotation.formats.source.CHUNK", 64)


# --- In -------------------------------------------------------------------------------------------


def test_it_works(project, write):
    gold = {"mentions": [{"start": 0, "end": 3, "type": "PER"}]}
    run = import_documents(
        project, write(fields(1, title="One", gold=gold, metadata={"a": 1}), fields(2))
    )
    run.refresh_from_db()
    assert (run.state, run.added, run.unchanged, run.rejected) == ("complete", 2, 0, 0)
    assert (run.file_name, run.format) == ("news.jsonl", "jsonl")
    one, two = Document.objects.visible().order_by("external_id")
    assert (one.title, one.text, one.metadata) == ("One", "Ada met Bob on day 1.", {"a": 1})
    assert one.tokens[:2] == [[0, 3], [4, 7]]
    assert one.sentences == [[0, 7]]
    assert (two.line, two.import_run) == (2, run)
    (answer,) = ImportedAnswer.objects.all()
    assert (answer.document, answer.source, answer.interface) == (one, "gold", "entity")
    assert answer.answer["mentions"][0]["type"] == "PER"


@pytest.mark.usefixtures("small_batches", "small_chunks")
def test_documents_become_visible_all_at_once_at_the_end(project, write):
    seen = []

    def look():
        seen.append((Document.objects.count(), Document.objects.visible().count()))

    watching = Watching(look)
    path = write(*map(fields, range(9)))
    import_documents(project, path, progress=watching)
    assert max(there for there, _ in seen) >= 6
    assert {visible for _, visible in seen} == {0}
    assert Document.objects.visible().count() == 9
    assert watching.done == path.stat().st_size


@pytest.mark.usefixtures("small_batches")
def test_a_second_import_of_the_same_file_changes_nothing(project, write):
    path = write(*(fields(n, gold=["O"] * 7) for n in range(5)))
    import_documents(project, path)
    before = list(Document.objects.order_by("pk").values())
    run = import_documents(project, path)
    assert (run.state, run.added, run.unchanged, run.rejected) == ("complete", 0, 5, 0)
    assert list(Document.objects.order_by("pk").values()) == before
    assert ImportedAnswer.objects.count() == 5
    assert AuditEntry.objects.filter(project=project).count() == 1


def test_the_same_document_in_another_form_is_unchanged(project, write):
    import_documents(project, write(fields(1)))
    document = Document.objects.get()
    other_form = {
        "metadata": {},
        "text": document.text,
        "tokens": document.tokens,
        "sentences": document.sentences,
        "id": "d1",
    }
    assert import_documents(project, write(other_form, name="b.jsonl")).unchanged == 1


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Eve met Bob on day 1."},
        {"title": "Other"},
        {"attributes": {"a": 1}},
        {"metadata": {"a": 1}},
        {"gold": ["O"] * 7},
        {"sentences": [[0, 1], [1, 7]]},
    ],
)
def test_an_id_that_is_there_with_other_content_is_rejected(project, write, change):
    import_documents(project, write(fields(0), fields(1), name="first.jsonl"))
    tally = ImportTally()
    run = import_documents(
        project, write(fields(1, **change), fields(2), name="second.jsonl"), tally=tally
    )
    assert (run.added, run.unchanged, run.rejected) == (1, 0, 1)
    (rejected,) = tally.reasons
    assert (rejected.line, rejected.external_id, rejected.field) == (1, "d1", "id")
    assert "'d1' is already there with other content (from first.jsonl, line 2)" in rejected.reason
    assert Document.objects.get(external_id="d1").text == "Ada met Bob on day 1."


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("between", [0, 5])
def test_an_id_twice_in_one_file_names_the_first_line(project, write, between):
    others = [fields(n) for n in range(2, 2 + between)]
    path = write(fields(1), *others, fields(1), fields(1, text="Something else."))
    tally = ImportTally()
    run = import_documents(project, path, tally=tally)
    assert (run.added, run.unchanged, run.rejected) == (1 + between, 1, 1)
    assert "The id 'd1' stands in line 1 too, with other content" in tally.reasons[0].reason


def test_the_same_id_in_another_project_is_another_document(project, write):
    path = write(fields(1))
    import_documents(project, path)
    assert import_documents(make_project(), path).added == 1


def test_the_cost_in_queries_is_that_of_a_batch_and_not_of_a_document(project, write):
    def queries(path):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            import_documents(project, path)
        return len(captured)

    gold = ["O"] * 7
    few = queries(write(*(fields(n, gold=gold) for n in range(5))))
    many = queries(write(*(fields(n, gold=gold) for n in range(100, 180))))
    assert many == few


@pytest.mark.usefixtures("small_batches")
def test_the_collector_waits_until_the_lock_is_let_go(project, write, monkeypatch):
    """It takes 50 ms to go through all objects, and whoever wants to write would wait for it."""
    seen = []
    store = importing.compiled.insert_prepared

    def insert_prepared(*arguments):
        seen.append(gc.isenabled())
        return store(*arguments)

    monkeypatch.setattr(importing.compiled, "insert_prepared", insert_prepared)
    file = write(*map(fields, range(5)))
    import_documents(project, file)
    import_documents(project, file)
    assert len(seen) > 3
    assert not any(seen)
    assert gc.isenabled()


def test_memory_does_not_grow_with_the_file(project, tmp_path, monkeypatch):
    monkeypatch.setattr(parsing, "BATCH_BYTES", 5_000)
    monkeypatch.setattr("annotation.formats.source.CHUNK", 8_192)
    chance = random.Random(0)

    def peak(name, documents):
        path = tmp_path / name
        with path.open("w") as file:
            for number in range(documents):
                # Of one length: what is kept of offsets (8,192 pairs at most) is there at once.
                words = " ".join(chance.choices(["Ada", "met", "Bob", "and", "saw"], k=100))
                file.write(json.dumps({"id": f"{name}{number}", "text": words}) + "\n")
        tracemalloc.start()
        import_documents(project, path)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak("warm-up", 10)
    # To hold the 210 documents more would take 2.5 MB for their tokens alone.
    assert peak("large", 250) - peak("small", 40) < 500_000


def test_split_tokens_and_unused_fields_are_counted(project, write):
    gold = {"mentions": [{"start": 0, "end": 2, "type": "PER"}]}
    tally = ImportTally()
    run = import_documents(
        project, write(fields(1, gold=gold, split="a"), fields(2, split="b", x=1)), tally=tally
    )
    assert run.split_tokens == 1
    assert tally.unused == {"split": 2, "x": 1}
    assert tally.tokens == 15


def test_the_names_of_unused_fields_are_no_way_to_fill_the_memory(project, write):
    tally = ImportTally()
    import_documents(project, write(fields(1, **{f"f{n}": 1 for n in range(200)})), tally=tally)
    assert len(tally.unused) == importing.MOST_FIELD_NAMES + 1
    assert tally.unused["others"] == 150


def test_the_standard_input_is_a_file_like_another(project, monkeypatch):
    content = json.dumps(fields(1)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    run = import_documents(project, "-")
    assert (run.file_name, run.added) == ("stdin", 1)
    assert not sys.stdin.buffer.closed


# --- Rejected lines -------------------------------------------------------------------------------


def test_every_rejected_line_is_in_the_report(project, write, tmp_path):
    report = tmp_path / "new" / "report.jsonl"
    tally = ImportTally()
    path = write(fields(1), {"id": "é", "text": ""}, *({"text": "x"} for _ in range(9)))
    run = import_documents(project, path, report=report, tally=tally)
    assert (run.state, run.added, run.rejected) == ("complete", 1, 10)
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert lines[0] == {
        "line": 2, "id": "é", "field": "text", "reason": "There are no words in it."
    }  # fmt: skip
    assert [line["line"] for line in lines] == list(range(2, 12))
    assert len(tally.reasons) == importing.MOST_REASONS
    assert tally.report == report


def test_the_report_stands_beside_the_data_if_no_other_place_is_named(project, write):
    run = import_documents(project, write({"id": "d1"}))
    assert (settings.DATA_DIR / "imports" / f"{run.key}.rejected.jsonl").exists()


def test_nothing_is_written_where_nothing_was_rejected(project, write, tmp_path):
    report = tmp_path / "report.jsonl"
    tally = ImportTally()
    import_documents(project, write(fields(1)), report=report, tally=tally)
    assert not report.exists()
    assert tally.report is None


def test_the_report_never_overwrites_the_file(project, write):
    path = write({"id": "d1"})
    before = path.read_bytes()
    with pytest.raises(ImportFailed, match="would overwrite"):
        import_documents(project, path, report=path)
    assert path.read_bytes() == before


def test_strict_takes_all_or_nothing(project, write):
    with pytest.raises(ImportFailed, match="2 rejected, the first one in line 2: There is"):
        import_documents(
            project, write(fields(1), {"id": "x"}, fields(2), {"id": "y"}), strict=True
        )
    assert not Document.objects.exists()
    assert ImportRun.objects.get().state == "failed"


# --- Failures -------------------------------------------------------------------------------------


def failed(project, **counts):
    """The last run, after a look that nothing of it is left."""
    run = project.imports.first()
    assert (run.state, run.added, run.documents.count()) == ("failed", 0, 0)
    return run


@pytest.mark.usefixtures("small_batches", "small_chunks")
def test_a_truncated_file_leaves_only_what_was_there_before(project, write):
    import_documents(project, write(fields(0), name="before.jsonl"))
    random_words = random.Random(0)
    path = write(
        *(fields(n, title=f"{random_words.random()}") for n in range(1, 30)), name="new.jsonl.gz"
    )
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ImportFailed, match=r"new.jsonl.gz, after line \d+: .* end too early"):
        import_documents(project, path)
    assert names(Document.objects) == ["d0"]
    assert "end too early" in failed(project).error


@pytest.mark.usefixtures("small_batches", "small_chunks")
def test_ctrl_c_leaves_only_what_was_there_before(project, write):
    def press():
        if Document.objects.count() >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_documents(project, write(*map(fields, range(9))), progress=Watching(press))
    assert failed(project).error == "It was stopped by hand."
    assert not Document.objects.exists()


@pytest.mark.usefixtures("small_batches")
def test_a_full_disk_leaves_only_what_was_there_before(project, write):
    inserts = []

    def full(execute, sql, params, many, context):
        if sql.startswith("INSERT ") and ' "annotation_document" ' in sql:
            inserts.append(sql)
            if len(inserts) == 3:
                raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with (
        connection.execute_wrapper(full),
        pytest.raises(ImportFailed, match=r"disk is full\. Nothing was imported"),
    ):
        import_documents(project, write(*map(fields, range(9))))
    assert failed(project).error == "database or disk is full."


@pytest.mark.usefixtures("small_batches", "small_chunks")
def test_what_a_broken_database_kept_is_cleaned_up_by_the_next_import(project, write, caplog):
    path = write(*map(fields, range(9)))

    def broken(execute, sql, params, many, context):
        if sql.startswith("DELETE") and "document" in sql:
            raise OperationalError("disk I/O error")
        return execute(sql, params, many, context)

    def stop():
        if Document.objects.exists():
            raise KeyboardInterrupt

    with connection.execute_wrapper(broken), pytest.raises(KeyboardInterrupt):
        import_documents(project, path, progress=Watching(stop))
    assert "could not be cleaned up" in caplog.text
    assert Document.objects.exists()
    assert not Document.objects.visible().exists()
    assert import_documents(project, path).added == 9


def test_a_report_that_can_not_be_written_fails_the_import(project, write, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ImportFailed, match=r"file: File exists\. Nothing was imported"):
        import_documents(project, write({"id": "x"}), report=tmp_path / "file" / "report")
    failed(project)


def test_a_file_that_is_not_there_leaves_no_run(project, tmp_path):
    with pytest.raises(ImportFailed, match="No such file"):
        import_documents(project, tmp_path / "missing.jsonl")
    assert not ImportRun.objects.exists()


def crashed(project):
    """What a killed process leaves behind."""
    run = make_import(project, state="running")
    make_document(project, external_id="d1", import_run=run)
    return run


def test_the_next_import_cleans_up_after_a_crash(project, write):
    run = crashed(project)
    import_documents(project, write(fields(1), fields(2)))
    run.refresh_from_db()
    assert run.state == "failed"
    assert "process ended" in run.error
    assert names(Document.objects.visible()) == names(Document.objects) == ["d1", "d2"]


def test_the_crash_of_another_project_is_left_alone(project, write):
    run = crashed(make_project())
    import_documents(project, write(fields(1)))
    run.refresh_from_db()
    assert run.state == "running"


@pytest.mark.usefixtures("small_batches", "small_chunks")
def test_an_import_that_was_taken_over_never_becomes_visible(project, write):
    def take_over():
        ImportRun.objects.filter(state="running").update(state="failed")

    with pytest.raises(ImportFailed, match="Another import took over"):
        import_documents(project, write(*map(fields, range(9))), progress=Watching(take_over))
    failed(project)


@pytest.mark.django_db(transaction=True)
def test_the_database_checks_again_after_an_import(project, write):
    import_documents(project, write(fields(1), fields(2)))
    row = Document.objects.values().first() | {"id": None, "external_id": "d3", "digest": ""}
    with pytest.raises(IntegrityError):
        Document(**row | {"project_id": project.pk + 1}).save()
    with pytest.raises(IntegrityError):
        Document(**row | {"line": -1}).save()


@pytest.mark.usefixtures("small_batches", "small_chunks")
def test_nothing_more_is_stored_of_a_run_that_is_gone(project, write):
    with pytest.raises(ImportFailed, match="Another import took over"):
        import_documents(
            project,
            write(*map(fields, range(9))),
            progress=Watching(lambda: ImportRun.objects.filter(state="running").delete()),
        )
    assert not Document.objects.exists()


def test_two_imports_at_once_are_refused(project, write):
    with (
        locks.hold(f"import:{project.slug}"),
        pytest.raises(locks.Held, match=f"import:{project.slug}"),
    ):
        import_documents(project, write(fields(1)))


# --- Out again ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small_batches")
def test_undo_removes_what_the_import_added_and_nothing_else(project, write):
    import_documents(project, write(fields(0), name="first.jsonl"))
    path = write(*(fields(n, gold=["O"] * 7) for n in range(1, 6)), fields(0))
    run = import_documents(project, path)
    assert undo_import(run) == 5
    run.refresh_from_db()
    assert run.state == "undone"
    assert names(Document.objects) == ["d0"]
    assert not ImportedAnswer.objects.exists()
    assert AuditEntry.objects.filter(action="import undone", subject=str(run.key)).exists()
    assert undo_import(run) == 0
    assert import_documents(project, path).added == 5


def test_undo_is_refused_while_campaigns_have_tasks_with_the_documents(project, write):
    run = import_documents(project, write(fields(1), fields(2)))
    for slug in ("second", "first"):
        campaign = make_campaign(project, slug=slug)
        for document in run.documents.all():
            make_task(campaign, document)
    with pytest.raises(DocumentsInUse, match="used by 'first' \\(2 tasks\\), 'second' \\(2 tasks"):
        undo_import(run)
    run.refresh_from_db()
    assert run.state == "complete"
    assert Document.objects.visible().count() == 2


def test_an_undo_that_a_campaign_overtakes_gives_the_documents_back(project, write):
    run = import_documents(project, write(fields(1)))
    campaign = make_campaign(project, slug="quick")

    def overtake(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if sql.startswith('INSERT INTO "annotation_auditentry"'):
            make_task(campaign, run.documents.get())
        return result

    with connection.execute_wrapper(overtake), pytest.raises(DocumentsInUse, match="'quick'"):
        undo_import(run)
    assert Document.objects.visible().count() == 1


def test_an_undo_that_was_killed_is_ended_by_the_next_import(project, write):
    run = make_import(project, state="undone")
    make_document(project, external_id="d1", import_run=run)
    assert import_documents(project, write(fields(2))).added == 1
    assert names(Document.objects) == ["d2"]
