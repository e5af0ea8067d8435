"""Choices: a model tells the class of a text by its words, and by attributes that are texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from annotation.interfaces import choice
from annotation.interfaces.answers import Answer, ChoiceAnswer
from annotation.interfaces.schema import UNSURE
from selection.interfaces.entries import Item
from selection.interfaces.one_class import (
    MEASURES,
    classes,
    counts,
    learners,
    likely,
    load,
    shares,
    targets,
)

__all__ = [
    "MEASURES", "classes", "counts", "examples", "learners", "likely", "load", "names", "shares",
    "targets",
]  # fmt: skip

WORD = re.compile(r"\w+|[^\w\s]")


def examples(items: Sequence[Item]) -> Any:
    from selection.algorithms import FeatureRows, text_features

    return FeatureRows.of(text_features(_words(item), _attributes(item)) for item in items)


def names(answer: Answer, item: Item) -> Sequence[str | None]:
    name = choice.class_of(cast(ChoiceAnswer, answer))
    return [None if name == UNSURE else name]


def _words(item: Item) -> Iterator[str]:
    """Of what the page shows: the task's own text or texts, else the document's. The second text
    of a pair has words of its own."""
    pair = item.payload.get("pair") or ()
    own = [item.payload.get("text") or "", *(one.get("text") or "" for one in pair)]
    if any(own):
        for number, text in enumerate(own):
            mark = f"{number}:" if number > 1 else ""
            yield from (f"{mark}{word}" for word in WORD.findall(text))
    else:
        yield from (item.text[begin:end] for begin, end in item.tokens)


def _attributes(item: Item) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, value in item.attributes.items() if isinstance(value, str))
