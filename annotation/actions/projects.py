"""Projects, their schemas, and the numbers of their labels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from annotation.actions import audit
from annotation.interfaces.schema import NONE, bio_tags, check_schema, relation_names
from annotation.models import Label, Member, Project
from annotation.sentences import CodedError
from annotation.text.storable import unstorable

MOST_REMEMBERED = 50_000  # labels of a project; a vocabulary of links may have no end
NAMES_AT_ONCE = 500  # in one query: SQLite may take no more than 999 parameters

_Pair = tuple[str, str]  # vocabulary, name


class SlugTaken(CodedError):
    """Another project has this slug."""


class SchemaChanged(CodedError):
    """The schema is no longer the one that the change was made to."""


def create_project(
    *,
    slug: str,
    name: str,
    schema: Any,
    owner: Any = None,
    language: str = "en",
    text_direction: str = "auto",
    tokeniser: str = "words",
    listed: bool = False,
) -> Project:
    """A project, with its owner as its first manager and its labels numbered.

    Raises AnswerError (a field of the schema), ValidationError (another field) or SlugTaken.
    """
    project = Project(
        slug=slug,
        name=name,
        owner=owner,
        schema=check_schema(schema),
        language=language,
        text_direction=text_direction,
        tokeniser=tokeniser,
        listed=listed,
    )
    for field, value in (("name", name), ("language", language)):
        if problem := unstorable(value):
            raise ValidationError({field: problem})
    project.clean_fields(exclude={"owner"})
    try:
        with transaction.atomic():
            project.save(force_insert=True)
            if owner is not None:
                Member.objects.create(project=project, user=owner, role=Member.Role.MANAGER)
            forget_label_numbers(project.pk)
            label_numbers(project.pk, schema_labels(project.schema))
            audit.record(project, "create project", slug, user=owner, after={"name": name})
    except IntegrityError as error:
        if not Project.objects.filter(slug=slug).exists():
            raise
        raise SlugTaken("project.slug_taken", slug=slug) from error
    return project


def set_schema(
    project: Project, schema: Any, *, user: Any = None, replacing: str | None = None
) -> None:
    """Replace the schema. Answers to a type that is gone stay, and so do its numbers.

    `replacing` is the `schema_digest` of the schema that the new one was made from. Raises
    AnswerError naming the wrong field, or SchemaChanged where another was saved meanwhile.
    """
    checked = check_schema(schema)
    with transaction.atomic():
        locked = _locked(project.pk)
        if replacing is not None and schema_digest(locked.schema) != replacing:
            raise SchemaChanged("schema.changed")
        before, locked.schema = locked.schema, checked
        locked.save(update_fields=["schema"])
        label_numbers(project.pk, schema_labels(checked))
        audit.record(project, "set schema", project.slug, user=user, before=before, after=checked)
    project.schema = checked


def schema_digest(schema: Mapping[str, Any]) -> str:
    """The same for the same schema; of what a page shows, so that it can tell another apart."""
    content = json.dumps(schema, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


def schema_labels(schema: Mapping[str, Any]) -> dict[str, list[str]]:
    """Vocabulary → the names that a schema brings with it."""
    return {"tag": bio_tags(schema), "relation": relation_names(schema), "link": [NONE]}


# --- Label numbers ------------------------------------------------------------------------------

# Project → its labels as far as this process has met them. A number never changes, so nothing
# here grows old. Filled on commit alone: what a transaction took back was never here, and such an
# id is the only one that a database gives out twice (sequences and AUTOINCREMENT go on counting).
# Each dict is replaced, never changed: a thread may be reading the old one.
_remembered: dict[int, dict[_Pair, int]] = {}


def label_numbers(project_id: int, names: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
    """Vocabulary → name → class number, the same for ever; a new name gets the next number.

    No query where this process knows all the names, one (for each 500 names) where the project
    does. New ones are appended under a lock of the project's row, held until the caller's
    transaction ends: call it before that transaction takes other locks, or outside of any.
    """
    pairs = [
        (vocabulary, name) for vocabulary in names for name in dict.fromkeys(names[vocabulary])
    ]
    known = _remembered.get(project_id, {})
    if missing := [pair for pair in pairs if pair not in known]:
        known = known | _label_numbers(project_id, missing)
    numbers: dict[str, dict[str, int]] = {vocabulary: {} for vocabulary in names}
    for vocabulary, name in pairs:
        numbers[vocabulary][name] = known[vocabulary, name]
    return numbers


def forget_label_numbers(project_id: int | None = None) -> None:
    """Make this process ask the database again; for one project, or for all."""
    if project_id is None:
        _remembered.clear()
    else:
        _remembered.pop(project_id, None)


def _label_numbers(project_id: int, pairs: list[_Pair]) -> dict[_Pair, int]:
    numbers = _stored(project_id, pairs)
    if new := [pair for pair in pairs if pair not in numbers]:
        with transaction.atomic():
            _locked(project_id)
            numbers |= _stored(project_id, new)  # another may have appended them before the lock
            numbers |= _appended(project_id, [pair for pair in new if pair not in numbers])
    transaction.on_commit(lambda: _remember(project_id, numbers))
    return numbers


def _locked(project_id: int) -> Project:
    # Not FOR UPDATE: rows that refer to the project may come in meanwhile.
    return Project.objects.select_for_update(no_key=True).get(pk=project_id)


def _stored(project_id: int, pairs: list[_Pair]) -> dict[_Pair, int]:
    numbers: dict[_Pair, int] = {}
    for first in range(0, len(pairs), NAMES_AT_ONCE):
        batch = pairs[first : first + NAMES_AT_ONCE]
        rows = Label.objects.filter(
            project_id=project_id,
            vocabulary__in={vocabulary for vocabulary, _ in batch},
            name__in={name for _, name in batch},
        ).values_list("vocabulary", "name", "number")
        numbers |= {(vocabulary, name): number for vocabulary, name, number in rows}
    return numbers


def _appended(project_id: int, pairs: list[_Pair]) -> dict[_Pair, int]:
    """Numbers from the last one of each vocabulary on. The project's row has to be locked."""
    following: dict[str, int] = {}
    numbers: dict[_Pair, int] = {}
    for vocabulary, name in pairs:
        if vocabulary not in following:
            labels = Label.objects.filter(project_id=project_id, vocabulary=vocabulary)
            last = labels.order_by("-number").values_list("number", flat=True).first()
            following[vocabulary] = 0 if last is None else last + 1
        numbers[vocabulary, name] = following[vocabulary]
        following[vocabulary] += 1
    Label.objects.bulk_create(
        Label(project_id=project_id, vocabulary=vocabulary, name=name, number=number)
        for (vocabulary, name), number in numbers.items()
    )
    return numbers


def _remember(project_id: int, numbers: dict[_Pair, int]) -> None:
    known = _remembered.get(project_id, {})
    if len(known) + len(numbers) > MOST_REMEMBERED:
        known = {}
    _remembered[project_id] = known | numbers
