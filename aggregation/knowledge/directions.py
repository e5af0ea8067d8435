"""Which of a relation's two directions is canonical, so that what is said twice counts once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Directions:
    """Of a relation and its inverse the one that the schema names first is canonical; one that is
    its own inverse is stored with the side first whose name comes first."""

    def __init__(self, schema: Mapping[str, Any]):
        types = schema.get("relation_types", ())
        self._number = {relation["name"]: i for i, relation in enumerate(types)}
        self._types = {relation["name"]: relation for relation in types}

    def canonical(self, subject: str, relation: str, object_: str) -> tuple[str, bool]:
        """The relation's name, and whether subject and object change places."""
        kind = self._types.get(relation, {})
        if kind.get("symmetric"):
            return relation, subject > object_
        inverse = str(kind.get("inverse") or "")
        turns = self._number.get(inverse, len(self._number)) < self._number.get(relation, -1)
        return (inverse, True) if turns else (relation, False)

    def fact(self, subject: str, relation: str, object_: str) -> tuple[str, str, str]:
        name, turns = self.canonical(subject, relation, object_)
        return (object_, name, subject) if turns else (subject, name, object_)
