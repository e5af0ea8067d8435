"""The answers as JSON, in canonical form: what `check` returns, and what the database and files
hold. Each interface's module says what its members mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, final

Answer = Mapping[str, Any]  # of any interface, for code that passes it on


class Doubt(TypedDict):
    """What the worker was unsure of; `interfaces.doubts` says more."""

    at: str | None  # a part of the answer; None: the whole
    note: str


# --- Entity -------------------------------------------------------------------------------------


class MentionAnswer(TypedDict):
    id: str
    start: int
    end: int
    type: str
    entity: str | None


class MentionGroup(TypedDict):
    """What several mentions of a document refer to."""

    id: str
    canonical: str  # a mention
    link: str | None
    value: str | None


@final
class MentionsAnswer(TypedDict):
    mentions: list[MentionAnswer]
    entities: list[MentionGroup]
    unlabelled: list[list[int]]
    doubts: NotRequired[list[Doubt]]


@final
class TagsAnswer(TypedDict):
    tags: list[str]
    doubts: NotRequired[list[Doubt]]


EntityAnswer = MentionsAnswer | TagsAnswer

# --- Relation -----------------------------------------------------------------------------------

Verdict = bool | Literal["unsure"] | None
VerdictName = Literal[
    "subject_ok",
    "object_ok",
    "subject_type_ok",
    "object_type_ok",
    "subject_link_ok",
    "object_link_ok",
]


class RelationAnswer(TypedDict):
    relation: str | None  # None: not asked
    subject_ok: Verdict
    object_ok: Verdict
    subject_type_ok: Verdict
    object_type_ok: Verdict
    subject_link_ok: Verdict
    object_link_ok: Verdict
    evidence: list[list[int]]
    doubts: NotRequired[list[Doubt]]


# --- Linking ------------------------------------------------------------------------------------


class Pile(TypedDict):
    link: str | None
    mentions: list[str]


class LinkingAnswer(TypedDict):
    clusters: list[Pile]
    unsure: list[str]
    undecided: NotRequired[list[str]]  # since version 2
    doubts: NotRequired[list[Doubt]]


# --- Choice -------------------------------------------------------------------------------------


class ChoiceAnswer(TypedDict):
    choice: str | None
    unsure: bool
    value: float | None
    note: str
    doubts: NotRequired[list[Doubt]]
