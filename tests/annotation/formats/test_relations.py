"""Relation types from a table: read, refused, and put into a project."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.formats.records import FormatError
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from annotation.interfaces.schema import check_schema, relations_offered, relations_unsaid
from tests.factories import make_project

TYPES = [{"name": name} for name in ("PER", "ORG", "GPE", "DATE", "TITLE")]


@pytest.fixture
def schema():
    relations = read_relation_types(RELATION_TYPES)
    return check_schema({"entity_types": TYPES, "relation_types": relations})


def test_the_table_of_the_25_relations_makes_a_schema(schema):
    relations = {one["name"]: one for one in schema["relation_types"]}
    assert len(relations) == 25
    assert relations["per:employee_or_member_of"]["object"] == ["ORG", "GPE"]
    assert relations["per:spouse"]["symmetric"]
    assert relations["per:title"] == {
        "name": "per:title",
        "subject": ["PER"],
        "object": ["TITLE"],
        "inverse": None,
        "symmetric": False,
        "button": "has the title",
        "sentence": "{subject} is or was {object}",
        "icon": "per-title",
    }


@pytest.mark.parametrize("first", ["PER", "ORG", "GPE", "DATE", "TITLE"])
@pytest.mark.parametrize("second", ["PER", "ORG", "GPE", "DATE", "TITLE"])
def test_one_question_is_enough_for_every_pair_of_types(schema, first, second):
    """Whichever side has more relations, all that can hold can be said."""
    names = [one["name"] for one in relations_offered(schema, first, second)]
    assert len(set(names)) == len(names)
    sides = [(first, second), (second, first)]
    unsaid = [relations_unsaid(schema, *side) for side in sides if relations_offered(schema, *side)]
    assert not unsaid or [] in unsaid


def test_two_firms_may_have_founded_each_other(schema):
    buttons = [one["button"] for one in relations_offered(schema, "ORG", "ORG")]
    assert buttons == [
        "founded by", "member of", "has the member", "owns", "owned by", "has the shareholder",
        "holds shares in", "founded",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("", "has no column 'name'"),
        ("name,subject\n", "has no column 'object'"),
        ("name,subject,object,colour\n", "has a column 'colour'"),
        ("name,subject,object\na,PER,ORG,x\n", "line 2 has more cells"),
        ("name,subject,object,symmetric\na,PER,ORG,perhaps\n", "line 2: symmetric is 'perhaps'"),
        ('name,subject,object\n"a,PER,ORG\n', "line 2: unexpected end of data"),
    ],
)
def test_another_table_is_refused_with_its_line(tmp_path, table, reason):
    path = tmp_path / "relations.csv"
    path.write_text(table)
    with pytest.raises(FormatError, match=reason):
        read_relation_types(path)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "relations.csv"
    path.write_bytes(b"name,subject,object\n\xff\n")
    with pytest.raises(FormatError, match="is not UTF-8 from byte 20 on"):
        read_relation_types(path)
    with pytest.raises(FormatError, match="can't be read"):
        read_relation_types(tmp_path / "none.csv")


@pytest.mark.django_db
def test_the_command_replaces_the_relations_of_a_project(tmp_path):
    project = make_project(schema=check_schema({"entity_types": TYPES}))
    told = StringIO()
    call_command("import_relation_types", RELATION_TYPES, project=project.slug, stdout=told)
    project.refresh_from_db()
    assert len(project.schema["relation_types"]) == 25
    assert [one["name"] for one in project.schema["entity_types"]][:2] == ["PER", "ORG"]
    assert told.getvalue() == f"Project '{project.slug}' has 25 relation types now.\n"

    path = tmp_path / "relations.csv"
    path.write_text("name,subject,object\nmet,PER,PER\n")
    told = StringIO()
    call_command("import_relation_types", path, project=project.slug, stdout=told)
    assert "has 1 relation type now. 25 that it had are gone." in told.getvalue()


@pytest.mark.django_db
def test_the_command_names_what_is_wrong(tmp_path):
    project = make_project()
    with pytest.raises(CommandError, match=r"relation_types\[0\]\.object\[0\]: 'GPE' is not known"):
        call_command("import_relation_types", RELATION_TYPES, project=project.slug)
    with pytest.raises(CommandError, match="There is no project 'x'"):
        call_command("import_relation_types", RELATION_TYPES, project="x")
    (tmp_path / "a.csv").write_text("x")
    with pytest.raises(CommandError, match="has no column 'name'"):
        call_command("import_relation_types", tmp_path / "a.csv", project=project.slug)
