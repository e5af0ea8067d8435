"""Relations: a model tells how two mentions are related by the words and types around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, cast

from annotation.interfaces import relation
from annotation.interfaces.answers import Answer, RelationAnswer
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


def examples(items: Sequence[Item]) -> Any:
    from selection.algorithms import FeatureRows

    return FeatureRows.of(map(_features, items))


def names(answer: Answer, item: Item) -> Sequence[str | None]:
    name = relation.class_of(cast(RelationAnswer, answer))
    return [None if name == UNSURE else name]


def _features(item: Item) -> list[str]:
    """The form that verifies a claim shows that claim, so that a model may know it too."""
    from selection.algorithms import pair_features

    starts = [begin for begin, _ in item.tokens]
    ends = [end for _, end in item.tokens]
    subject, object_ = (
        _mention(item.payload[side], starts, ends) for side in ("subject", "object")
    )
    inside = [(f, e) for f, e in item.sentences if f <= subject.begin < e or f <= object_.begin < e]
    first = min((f for f, _ in inside), default=0)
    last = max((e for _, e in inside), default=len(starts))
    words = [item.text[begin:end] for begin, end in item.tokens[first:last]]
    found = pair_features(
        words,
        *(one._replace(begin=one.begin - first, end=one.end - first) for one in (subject, object_)),
    )
    claimed = item.payload.get("predicted")
    return [*found, f"claimed={claimed}"] if claimed else found


def _mention(side: Mapping[str, Any], starts: Sequence[int], ends: Sequence[int]) -> Any:
    from selection.algorithms import PairMention

    begin = bisect_right(ends, side["start"])
    end = max(bisect_left(starts, side["end"]), begin)
    return PairMention(begin, end, side.get("type") or "")
