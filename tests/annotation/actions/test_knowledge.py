"""What an import of a knowledge base leaves behind."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError
from django.db import DatabaseError, connection

from annotation.actions import locks
from annotation.actions.knowledge import KnowledgeImportFailed, KnowledgeTally, importing, rows
from annotation.actions.knowledge import import_knowledge_base as import_file
from annotation.models import AuditEntry, Entity, EntityName
from tests.factories import make_project

pytestmark = pytest.mark.django_db

ADA = {"key": "Q1", "name": "Ada Lovelace", "aliases": ["Ada Byron"], "type": "PER"}
GRACE = {"key": "Q2", "name": "Grace Hopper"}


@pytest.fixture
def project():
    return make_project(slug="news")


@pytest.fixture
def write(tmp_path):
    def write(*entries, name="kb.jsonl"):
        path = tmp_path / name
        lines = (entry if isinstance(entry, str) else json.dumps(entry) for entry in entries)
        path.write_text("\n".join(lines))
        return path

    return write


def counts(tally):
    return tally.added, tally.changed, tally.unchanged, tally.rejected


def names():
    return sorted(EntityName.objects.values_list("entity__key", "number", "folded"))


def test_it_works(project, write):
    tally = import_file(project, write(ADA, GRACE))
    assert counts(tally) == (2, 0, 0, 0)
    ada = Entity.objects.get(project=project, key="Q1")
    assert (ada.name, ada.aliases, ada.type) == ("Ada Lovelace", ["Ada Byron"], "PER")
    assert names() == [
        ("Q1", 0, "ada lovelace"), ("Q1", 1, "ada byron"), ("Q2", 0, "grace hopper")
    ]  # fmt: skip


def test_the_same_file_again_changes_nothing(project, write):
    import_file(project, write(ADA, GRACE))
    before = list(Entity.objects.order_by("pk").values())
    assert counts(import_file(project, write(ADA, GRACE))) == (0, 0, 2, 0)
    assert list(Entity.objects.order_by("pk").values()) == before


def test_what_differs_is_changed_and_found_by_its_new_names(project, write):
    import_file(project, write(ADA, GRACE))
    ada = Entity.objects.get(key="Q1").pk
    changed = ADA | {"name": "Augusta Ada King", "aliases": []}
    tally = import_file(project, write(changed, {"key": "Q3", "name": "Emmy Noether"}))
    assert counts(tally) == (1, 1, 0, 0)
    assert Entity.objects.get(key="Q1").pk == ada
    assert names() == [
        ("Q1", 0, "augusta ada king"), ("Q2", 0, "grace hopper"), ("Q3", 0, "emmy noether")
    ]  # fmt: skip


def test_the_same_key_in_another_project_is_another_entry(project, write):
    import_file(project, write(ADA))
    other = make_project()
    assert counts(import_file(other, write(ADA | {"name": "Ada of Arden"}))) == (1, 0, 0, 0)
    assert Entity.objects.get(project=project).name == "Ada Lovelace"


def test_a_key_that_stands_twice_is_rejected_with_the_line_of_the_first(
    project, write, monkeypatch
):
    monkeypatch.setattr(importing, "BATCH_ENTRIES", 2)
    again = ADA | {"name": "Somebody else"}
    tally = import_file(project, write(ADA, again, GRACE, again, ADA))
    assert counts(tally) == (2, 0, 0, 3)
    assert [one.line for one in tally.reasons] == [2, 4, 5]
    assert {one.reason for one in tally.reasons} == {
        "The key stands in line 1 too. Give each entry once."
    }
    assert Entity.objects.get(key="Q1").name == "Ada Lovelace"


def test_every_rejected_line_stands_in_the_report(project, write, tmp_path):
    wrong = [json.dumps({"key": f"W{number}"}) for number in range(8)]
    tally = import_file(project, write(*wrong, ADA), report=tmp_path / "report.jsonl")
    assert counts(tally) == (1, 0, 0, 8)
    assert len(tally.reasons) == 5
    report = [json.loads(line) for line in tally.report.read_text().splitlines()]
    assert [(one["line"], one["id"], one["field"]) for one in report] == [
        (number + 1, f"W{number}", "name") for number in range(8)
    ]


def test_the_report_is_made_beside_the_data_where_none_is_named(project, write, settings):
    tally = import_file(project, write("{}"))
    assert tally.report.parent == settings.DATA_DIR / "imports"
    assert import_file(project, write(ADA)).report is None


def test_the_report_never_overwrites_the_file(project, write):
    path = write(ADA)
    with pytest.raises(KnowledgeImportFailed, match=r"would overwrite.*Nothing was changed\."):
        import_file(project, path, report=path)
    assert not Entity.objects.exists()


def test_fields_that_nobody_reads_are_counted(project, write):
    tally = import_file(project, write(ADA | {"rank": 1}, GRACE | {"rank": 2, "born": 1906}))
    assert dict(tally.unused) == {"rank": 2, "born": 1}


def test_who_imported_is_recorded(project, write, admin_user):
    import_file(project, write(ADA, GRACE), user=admin_user)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.user) == ("knowledge base imported", admin_user)
    assert entry.after == {"file": "kb.jsonl", "added": 2, "changed": 0}
    import_file(project, write(ADA, GRACE), user=admin_user)
    assert AuditEntry.objects.count() == 1


def test_an_import_that_breaks_off_keeps_whole_entries_and_the_next_goes_on(
    project, write, monkeypatch
):
    monkeypatch.setattr(importing, "BATCH_ENTRIES", 1)
    put, calls = rows.put_entries, []

    def break_off(*arguments):
        calls.append(arguments)
        put(*arguments)
        if len(calls) == 2:
            raise DatabaseError("the disk is full")

    monkeypatch.setattr(importing, "put_entries", break_off)
    path = write(ADA, GRACE, {"key": "Q3", "name": "Emmy Noether"})
    tally = KnowledgeTally()
    with pytest.raises(KnowledgeImportFailed, match=r"disk is full\. 1 entry was stored before"):
        import_file(project, path, tally=tally)
    assert names() == [("Q1", 0, "ada lovelace"), ("Q1", 1, "ada byron")]
    assert AuditEntry.objects.get().after["added"] == 1

    monkeypatch.undo()
    assert counts(import_file(project, path)) == (2, 0, 1, 0)
    assert EntityName.objects.count() == 4


def test_a_file_that_can_t_be_read_is_one_sentence(project, tmp_path, write):
    with pytest.raises(KnowledgeImportFailed, match=r"No such file.*Nothing was changed\."):
        import_file(project, tmp_path / "gone.jsonl")
    with pytest.raises(KnowledgeImportFailed, match="has to name the columns"):
        import_file(project, write("a,b", name="kb.csv"))


def test_two_imports_into_one_project_take_turns(project, write):
    with locks.hold("knowledge:news"), pytest.raises(locks.Held, match="knowledge:news"):
        import_file(project, write(ADA))


def test_queries_of_a_batch_do_not_grow_with_it(project, write, django_assert_num_queries):
    def entries(number, count):
        return [{"key": f"{number}-{n}", "name": f"Name {n}"} for n in range(count)]

    with django_assert_num_queries(10):  # the lock, three statements, the audit; savepoints
        import_file(project, write(*entries(1, 2)))
    with django_assert_num_queries(10):
        import_file(project, write(*entries(2, 300)))


def test_signs_that_sql_or_json_might_take_for_their_own_arrive_as_they_are(project, write):
    odd = {"key": "100%s", "name": "{0} %(x)s \\ ' \" \u2028", "aliases": ["{rows}", "%", "😀 Ada"]}
    import_file(project, write(odd))
    entity = Entity.objects.get()
    assert (entity.key, entity.name) == ("100%s", "{0} %(x)s \\ ' \"")
    assert entity.aliases == ["{rows}", "%", "😀 Ada"]
    assert counts(import_file(project, write(odd))) == (0, 0, 1, 0)


@pytest.mark.postgres
def test_an_extension_that_may_not_be_added_is_told_in_a_sentence(project):
    from importlib import import_module

    migration = import_module("annotation.migrations._name_indexes")
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE powerless")
        cursor.execute("SET ROLE powerless")
        try:
            with pytest.raises(CommandError, match="superuser run 'CREATE EXTENSION hstore'"):
                migration.add_extension(connection, "hstore")
        finally:
            cursor.execute("RESET ROLE")
    migration.add_extension(connection, "pg_trgm")  # is there: no right is needed
