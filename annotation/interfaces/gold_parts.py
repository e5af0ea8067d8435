"""How well the further parts of an entity answer agree with gold, apart from its spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from annotation.interfaces import Material
from annotation.interfaces.answers import EntityAnswer, MentionsAnswer

DECIMALS = 4


def entity_parts(answer: EntityAnswer, gold: EntityAnswer, material: Material) -> dict[str, float]:
    """name → score from 0 to 1, of the mentions that both have with the same edges.

    `coreference`, where the gold puts two of them together: F1 of the pairs with one entity.
    `links`, where the gold links one of them: the share whose entry is the same.
    """
    if "tags" in answer or "tags" in gold:
        return {}
    given, known = _entities(answer), _entities(gold)
    both = given.keys() & known.keys()
    parts = {}
    if together := _pairs(known[span][0] for span in both):
        shared = _pairs((given[span][0], known[span][0]) for span in both)
        said = _pairs(given[span][0] for span in both)
        parts["coreference"] = round(2 * shared / (said + together), DECIMALS)
    linked = [span for span in both if known[span][1] is not None]
    if linked:
        right = sum(given[span][1] == known[span][1] for span in linked)
        parts["links"] = round(right / len(linked), DECIMALS)
    return parts


def _entities(answer: MentionsAnswer) -> dict[tuple[int, int], tuple[Any, str | None]]:
    """Edges of each mention → (its entity, or itself where it has none; the entity's link)."""
    link = {entity["id"]: entity["link"] for entity in answer["entities"]}
    return {
        (mention["start"], mention["end"]): (
            mention["entity"] or (mention["id"],),
            link.get(mention["entity"] or ""),
        )
        for mention in answer["mentions"]
    }


def _pairs(groups: Iterable[Any]) -> int:
    return sum(size * (size - 1) // 2 for size in Counter(groups).values())
