"""The command that sets up a project."""

from __future__ import annotations

import io
import json

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from annotation.models import Project

pytestmark = pytest.mark.django_db


def run(*arguments):
    out = io.StringIO()
    call_command("create_project", "news", "--name", "The news", *arguments, stdout=out)
    return out.getvalue()


def test_it_works():
    said = run("--types", "PER=A person = by name, LOC")

    project = Project.objects.get(slug="news")
    assert said.startswith(
        "Project 'news' is set up with 2 entity types: PER, LOC.\n"
        "Import its documents: ./run manage import_documents FILE --project news\n"
    )
    assert project.name == "The news"
    assert not project.listed
    assert [kind["description"] for kind in project.schema["entity_types"]] == [
        "A person = by name",
        "",
    ]


def test_every_option_is_kept():
    User.objects.create_user("mary")

    run("--types", "PER", "--language", "he", "--direction", "rtl", "--tokeniser", "whitespace",
        "--manager", "mary", "--listed")  # fmt: skip

    project = Project.objects.get(slug="news")
    assert (project.language, project.text_direction) == ("he", "rtl")
    assert project.tokeniser == "whitespace"
    assert project.owner.username == "mary"
    assert project.listed


def test_a_schema_comes_from_a_file(tmp_path):
    schema = {"entity_types": [{"name": "PER", "colour": 7}], "nested": True}
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(schema), encoding="utf-8-sig")  # as some editors write it

    run("--schema", str(path))

    project = Project.objects.get(slug="news")
    assert project.schema["nested"] is True
    assert project.schema["entity_types"][0]["colour"] == 7


def test_a_project_may_have_no_types(tmp_path):
    path = tmp_path / "schema.json"
    path.write_text("{}")

    assert "is set up with 0 entity types.\nImport" in run("--schema", str(path))


def test_a_second_run_says_so():
    run("--types", "PER")

    with pytest.raises(CommandError, match="There is a project 'news' already") as refusal:
        run("--types", "PER")

    assert refusal.value.returncode == 1


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ("PER,PER", r"entity_types\[1\].name: 'PER' is the name of entity_types\[0\] too"),
        ("PER=A person,,LOC", r"entity_types\[1\].name: The text has 0 characters"),
        ("PER=A person, or two", r"entity_types\[1\].name: 'or two' can't be a name"),
        ("", r"entity_types\[0\].name"),
    ],
)
def test_wrong_types_are_told(types, message):
    with pytest.raises(CommandError, match=message):
        run("--types", types)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"entity_types": [{"name": "PER"}', "is not JSON: Expecting"),
        (b'{"entity_types": [{"name": "P\xff"}]}', "is not UTF-8 from byte 29 on"),
        (b"[" * 200_000, "is not JSON"),
        (b"1" * 5_000, "is not JSON"),
        (b"[]", "schema: This is a list of 0"),
        (b'{"entity_types": [{"name": "\\ud800"}]}', "surrogate"),
    ],
)
def test_a_file_that_is_no_schema_is_told(tmp_path, content, message):
    path = tmp_path / "schema.json"
    path.write_bytes(content)

    with pytest.raises(CommandError, match=message):
        run("--schema", str(path))


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(CommandError, match="--schema can't be read"):
        run("--schema", str(tmp_path / "none.json"))


def test_types_or_a_schema_have_to_be_given():
    with pytest.raises(CommandError, match="--types --schema"):
        run()


def test_a_manager_without_an_account_is_told():
    with pytest.raises(CommandError, match="There is no account 'bob'"):
        run("--types", "PER", "--manager", "bob")

    assert not Project.objects.exists()


def test_a_wrong_field_is_told():
    with pytest.raises(CommandError, match=r"can't be set up. slug: Enter a valid"):
        call_command("create_project", "no blanks", "--name", "x", "--types", "PER")
