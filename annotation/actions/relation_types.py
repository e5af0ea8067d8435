"""The relation types of a project, from a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.actions.projects import schema_digest, set_schema
from annotation.formats.relations import read_relation_types
from annotation.models import Project


def replace_relation_types(project: Project, path: Path, *, user: Any = None) -> str:
    """They take the place of those that the project has; answers stay. What was done, in words.

    Raises FormatError, SchemaChanged, AnswerError.
    """
    types = read_relation_types(path)
    before = project.schema
    schema = before | {"relation_types": types}
    set_schema(project, schema, user=user, replacing=schema_digest(before))
    gone = {one["name"] for one in before.get("relation_types", ())} - {
        one["name"] for one in types
    }
    return f"Project '{project.slug}' has {_counted(len(types))} now." + (
        f" {len(gone)} that it had {'is' if len(gone) == 1 else 'are'} gone." if gone else ""
    )


def _counted(number: int) -> str:
    return f"{number} relation type{'' if number == 1 else 's'}"
