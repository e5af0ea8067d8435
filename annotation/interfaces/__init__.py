"""What differs between the interfaces. One module each; no views, no SQL.

An interface module offers the functions of `Interface` below. A fifth interface is its own
module, its template and folder of JavaScript, and one line in REGISTRY.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast


@dataclass(frozen=True, slots=True)
class Material:
    """What an interface needs to know of a task: plain data, no rows.

    Offsets are code points of `text`; `tokens` are [start, end), `sentences` are
    [first token, last token).
    """

    schema: dict[str, Any] = field(default_factory=dict)  # the project's
    options: dict[str, Any] = field(default_factory=dict)  # the campaign's
    payload: dict[str, Any] = field(default_factory=dict)  # the task's
    text: str = ""
    tokens: list[list[int]] = field(default_factory=list)
    sentences: list[list[int]] = field(default_factory=list)
    text_direction: str = "auto"
    language: str = ""


class AnswerError(ValueError):
    """An answer that can't be taken. `errors` holds (path of the field, what to do) pairs."""

    def __init__(self, errors: list[tuple[str, str]]):
        self.errors = errors
        super().__init__("; ".join(f"{path}: {message}" for path, message in errors))


Labels = Mapping[str, Mapping[str, int]]  # vocabulary → name → class number


class Interface(Protocol):
    """What each module of this package offers, as plain functions."""

    VERSION: int  # of the answer's schema; stored beside each response

    def read(self, raw: Any, material: Material) -> dict[str, Any]:
        """The canonical answer of what a page sent (token numbers). Raises AnswerError."""

    def check(self, raw: Any, material: Material) -> dict[str, Any]:
        """The canonical answer of an import (code points). Raises AnswerError."""

    def wire(self, answer: dict[str, Any], material: Material) -> dict[str, Any]:
        """The reverse of `read`: a canonical answer in the page's token numbers."""

    def page_data(self, material: Material) -> dict[str, Any]:
        """What the page needs, as JSON; nothing in it tells a gold question from another task."""

    def label_names(self, answer: dict[str, Any], material: Material) -> dict[str, list[str]]:
        """Vocabulary → names that `judge` will look up for this answer."""

    def judge(self, answer: dict[str, Any], material: Material, labels: Labels) -> bytes:
        """What the answer says of each unit, packed by `judgments.pack`."""

    def score_gold(
        self, answer: dict[str, Any], gold: dict[str, Any], material: Material, tolerance: int
    ) -> float:
        """Agreement with the known answer, from 0 to 1."""


REGISTRY = {
    "entity": "annotation.interfaces.entity",
    "relation": "annotation.interfaces.relation",
    "linking": "annotation.interfaces.linking",
    "choice": "annotation.interfaces.choice",
}


def interface(kind: str) -> Interface:
    return cast(Interface, importlib.import_module(REGISTRY[kind]))
