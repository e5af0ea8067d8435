"""Projects and their schemas: what is written, and what is refused."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from annotation.actions import audit
from annotation.actions.projects import (
    SchemaChanged,
    SlugTaken,
    create_project,
    schema_digest,
    set_schema,
)
from annotation.interfaces import AnswerError
from annotation.models import AuditEntry, Label, Member, Project

pytestmark = pytest.mark.django_db

SCHEMA = {"entity_types": [{"name": "PER"}, {"name": "LOC"}]}


def create(**fields):
    return create_project(**{"slug": "news", "name": "News", "schema": SCHEMA} | fields)


def numbers(project, vocabulary):
    labels = Label.objects.filter(project=project, vocabulary=vocabulary).order_by("number")
    return [(label.number, label.name) for label in labels]


def test_it_works():
    project = create(language="ar", text_direction="rtl", tokeniser="characters")

    stored = Project.objects.get(slug="news")
    assert stored == project
    assert (stored.language, stored.text_direction, stored.tokeniser) == ("ar", "rtl", "characters")
    assert [kind["key"] for kind in stored.schema["entity_types"]] == ["p", "l"]


def test_the_labels_of_the_schema_are_numbered_at_once():
    project = create()

    assert numbers(project, "tag") == [
        (0, "O"), (1, "B-PER"), (2, "I-PER"), (3, "B-LOC"), (4, "I-LOC"),
    ]  # fmt: skip
    assert numbers(project, "relation") == [(0, "none"), (1, "unsure")]
    assert numbers(project, "link") == [(0, "none")]


def test_the_owner_manages_the_project():
    owner = User.objects.create_user("mary")

    project = create(owner=owner)

    assert project.owner == owner
    assert [(each.user, each.role) for each in Member.objects.all()] == [(owner, "manager")]


def test_a_taken_slug_is_refused_and_leaves_no_trace():
    create()

    with pytest.raises(SlugTaken, match="There is a project 'news' already"):
        create(name="Other news", owner=User.objects.create_user("mary"))

    assert [project.name for project in Project.objects.all()] == ["News"]
    assert not Member.objects.exists()


def test_another_broken_constraint_is_not_taken_for_a_taken_slug(monkeypatch):
    def broken(*args, **kwargs):
        raise IntegrityError("another")

    monkeypatch.setattr(audit, "record", broken)

    with pytest.raises(IntegrityError, match="another"):
        create()


def test_a_wrong_schema_is_refused_with_the_path():
    with pytest.raises(AnswerError) as refusal:
        create(schema={"entity_types": [{"name": "PER", "colour": 99}]})

    assert [problem.path for problem in refusal.value.problems] == ["entity_types[0].colour"]
    assert not Project.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "no blanks"),
        ("slug", ""),
        ("name", ""),
        ("name", "x" * 201),
        ("name", "\udcff"),
        ("name", "\0"),
        ("language", "x" * 36),
        ("text_direction", "up"),
        ("tokeniser", "magic"),
    ],
)
def test_a_wrong_field_is_refused_by_its_name(field, value):
    with pytest.raises(ValidationError) as refusal:
        create(**{field: value})

    assert list(refusal.value.message_dict) == [field]


# --- A new schema -------------------------------------------------------------------------------


def test_a_new_schema_never_renumbers():
    project = create()

    set_schema(project, {"entity_types": [{"name": "ORG"}, {"name": "LOC"}]})

    assert [kind["name"] for kind in project.schema["entity_types"]] == ["ORG", "LOC"]
    assert Project.objects.get().schema == project.schema
    assert numbers(project, "tag") == [
        (0, "O"), (1, "B-PER"), (2, "I-PER"), (3, "B-LOC"), (4, "I-LOC"), (5, "B-ORG"),
        (6, "I-ORG"),
    ]  # fmt: skip


def test_a_type_that_comes_back_has_its_old_numbers():
    project = create()
    before = numbers(project, "tag")

    set_schema(project, {"entity_types": [{"name": "LOC"}]})
    set_schema(project, SCHEMA)

    assert numbers(project, "tag") == before


def test_a_new_schema_is_recorded_with_the_old_one():
    manager = User.objects.create_user("mary")
    project = create()
    before = project.schema

    set_schema(project, {"entity_types": []}, user=manager)

    entry = AuditEntry.objects.get(action="set schema")
    assert (entry.user, entry.before, entry.after) == (manager, before, project.schema)


def test_a_wrong_new_schema_changes_nothing():
    project = create()
    before = project.schema

    with pytest.raises(AnswerError, match="entity_types"):
        set_schema(project, {"entity_types": 3})

    assert project.schema == before == Project.objects.get().schema


def test_a_schema_that_was_changed_meanwhile_is_not_replaced():
    project = create()
    seen = schema_digest(project.schema)
    set_schema(project, {"entity_types": [{"name": "SHIP"}]}, replacing=seen)

    with pytest.raises(SchemaChanged, match="changed the schema meanwhile"):
        set_schema(project, SCHEMA, replacing=seen)

    stored = Project.objects.get()
    assert [kind["name"] for kind in stored.schema["entity_types"]] == ["SHIP"]


def test_a_project_is_listed_only_where_that_is_said():
    assert not create().listed
    assert create(slug="public", listed=True).listed
