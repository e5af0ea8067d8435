"""Relations under one name each, whatever a system calls them, and turned one way round.

Inverse and symmetric relations say one thing in two ways; TAC has others for towns, regions and
countries. All are read as the relation that the schema names first, so that they are judged, and
counted, once: wherever claims are read, and where what a crowd found is compared or exported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

TYPES = ("PER", "ORG", "GPE", "DATE", "TITLE")
STRINGS = frozenset({"DATE", "TITLE"})  # types whose mentions are told apart by what they say

# TAC's names: the relation here, and whether subject and object change places.
PLACES = ("city", "stateorprovince", "country")
PLURALS = ("cities", "statesorprovinces", "countries")
VARIANTS = {
    **{f"per:{place}_of_birth": ("per:place_of_birth", False) for place in PLACES},
    **{f"per:{place}_of_death": ("per:place_of_death", False) for place in PLACES},
    **{f"per:{places}_of_residence": ("per:place_of_residence", False) for places in PLURALS},
    **{f"org:{place}_of_headquarters": ("org:place_of_headquarters", False) for place in PLACES},
    **{f"gpe:births_in_{place}": ("per:place_of_birth", True) for place in PLACES},
    **{f"gpe:deaths_in_{place}": ("per:place_of_death", True) for place in PLACES},
    **{f"gpe:residents_of_{place}": ("per:place_of_residence", True) for place in PLACES},
    **{f"gpe:headquarters_in_{place}": ("org:place_of_headquarters", True) for place in PLACES},
    "org:top_members_employees": ("per:employee_or_member_of", True),
    "org:employees_or_members": ("per:employee_or_member_of", True),
    "gpe:employees_or_members": ("per:employee_or_member_of", True),
    "org:students": ("per:schools_attended", True),
    "org:membership": ("org:member_of", False),
    "gpe:organizations_founded": ("org:founded_by", True),
    "gpe:member_of": ("org:members", True),
    "gpe:subsidiaries": ("org:parents", True),
    "gpe:holds_shares_in": ("org:shareholders", True),
}


class Direction(NamedTuple):
    """How a relation between two types is read. `code` says why it can't be; else it is empty."""

    relation: int
    turned: bool
    code: str = ""


class Directions:
    """`types` are a schema's relation types; `names` are the relations that are counted."""

    def __init__(self, types: Sequence[Mapping[str, Any]]):
        self.names = tuple(str(kind["name"]) for kind in types)
        self._types = {str(kind["name"]): kind for kind in types}
        self._number = {name: i for i, name in enumerate(self.names)}
        self._aliases = {name: told for name, told in VARIANTS.items() if told[0] in self._types}
        for kind in types:
            inverse = str(kind.get("inverse") or "")
            if inverse and inverse not in self._types:
                self._aliases.setdefault(inverse, (str(kind["name"]), True))
        self.symmetric = [bool(kind.get("symmetric")) for kind in types]  # by relation
        self._known: dict[tuple[str, str, str], Direction] = {}

    def takes_string(self, name: str) -> bool:
        """Whether the relation's object is a string in TAC's format: a date, a title."""
        plain, turned = self._aliases.get(name, (name, False))
        kind = self._types.get(plain)
        return kind is not None and not turned and set(kind["object"]) <= STRINGS

    def string_type(self, name: str) -> str:
        return str(self._types[self._aliases.get(name, (name, False))[0]]["object"][0])

    def told(self, name: str, subject: str, object_: str) -> Direction:
        key = (name, subject, object_)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._told(name, subject, object_)
        return found

    def _told(self, name: str, subject: str, object_: str) -> Direction:
        turned = False
        if name not in self._types:
            if name not in self._aliases:
                return Direction(-1, False, "unsupported-relation")
            name, turned = self._aliases[name]
            if turned:
                subject, object_ = object_, subject
        if not self._takes(name, subject, object_):
            return Direction(-1, False, "types-not-allowed")
        same = {
            other: turned != back
            for other, back in self._same(name).items()
            if not back or self._takes(other, object_, subject)
        }
        first = min(same, key=lambda other: self._number[other])
        return Direction(self._number[first], same[first])

    def _same(self, name: str) -> dict[str, bool]:
        """All relations that say the same, and whether they say it the other way round: this one
        first, its inverse, and what has it for its inverse."""
        same = {name: False}
        inverse = str(self._types[name].get("inverse") or "")
        others = [inverse] if inverse in self._types else []
        others += [other for other in self.names if self._types[other].get("inverse") == name]
        return same | {other: True for other in others if other != name}

    def _takes(self, name: str, subject: str, object_: str) -> bool:
        kind = self._types[name]
        return subject in kind["subject"] and object_ in kind["object"]

    # --- Of names whose types are not looked at ---------------------------------------------------

    def canonical(self, subject: str, relation: str, object_: str) -> tuple[str, bool]:
        """The relation's name, and whether subject and object change places. One that is its own
        inverse stands with the side first whose name comes first."""
        name, turned = self._aliases.get(relation, (relation, False))
        if name not in self._types:
            return relation, False
        if self._types[name].get("symmetric"):
            return name, subject > object_
        same = self._same(name)
        first = min(same, key=lambda other: self._number[other])
        return first, turned != same[first]

    def fact(self, subject: str, relation: str, object_: str) -> tuple[str, str, str]:
        name, turned = self.canonical(subject, relation, object_)
        return (object_, name, subject) if turned else (subject, name, object_)
