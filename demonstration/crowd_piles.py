"""How the simulated workers lay cards of like names into piles."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.interfaces.answers import LinkingAnswer, Pile
from demonstration import crowd


@dataclass(frozen=True, slots=True)
class PileHabit:
    """How often, for a card, something goes wrong."""

    splits: float  # it stays alone although its pile is there
    joins: float  # its pile is laid on one of a like name
    unsure: float
    unlinked: float  # for a pile: its entry is not looked for
    seconds: float  # for a card
    decides: float = 1.0  # part of the cards, after which the worker hands in


HABITS = {
    crowd.CAREFUL: PileHabit(splits=0.04, joins=0.02, unsure=0.02, unlinked=0.2, seconds=5),
    crowd.HASTY: PileHabit(
        splits=0.30, joins=0.03, unsure=0.01, unlinked=0.9, seconds=2, decides=0.8
    ),
    crowd.SLOPPY: PileHabit(splits=0.05, joins=0.20, unsure=0.03, unlinked=0.6, seconds=3),
    crowd.CONFUSED: PileHabit(splits=0.12, joins=0.25, unsure=0.10, unlinked=0.6, seconds=6),
    crowd.SPAMMER: PileHabit(splits=0.60, joins=0.60, unsure=0.00, unlinked=1.0, seconds=0.5),
}


@dataclass(frozen=True, slots=True)
class Card:
    id: str
    entity: str  # which it is in truth
    name: str
    type: str
    link: str | None  # the entry of its entity, if it has one


def answer(
    cards: Sequence[Card], habit: PileHabit, draw: random.Random
) -> tuple[LinkingAnswer, float]:
    """The answer and its seconds."""
    cards, left = cards[: (end := round(len(cards) * habit.decides))], cards[end:]
    unsure = [card.id for card in cards if draw.random() < habit.unsure]
    piles: dict[str, list[Card]] = {}
    for card in cards:
        if card.id not in unsure:
            alone = draw.random() < habit.splits
            piles.setdefault(f"{card.entity} {card.id}" if alone else card.entity, []).append(card)
    clusters: list[Pile] = [
        {
            "link": pile[0].link if draw.random() >= habit.unlinked else None,
            "mentions": [card.id for card in pile],
        }
        for pile in _joined(piles, habit, draw)
    ]
    seconds = len(cards) * habit.seconds * draw.uniform(0.7, 1.5)
    undecided = [card.id for card in left]
    return {"clusters": clusters, "unsure": unsure, "undecided": undecided}, round(seconds, 1)


def _joined(
    piles: Mapping[str, list[Card]], habit: PileHabit, draw: random.Random
) -> list[list[Card]]:
    """Some laid on an earlier one of a like name."""
    joined: list[list[Card]] = []
    for pile in piles.values():
        like = [other for other in joined if _alike(pile[0], other[0])]
        if like and draw.random() < habit.joins:
            draw.choice(like).extend(pile)
        else:
            joined.append(list(pile))
    return joined


def _alike(one: Card, other: Card) -> bool:
    """Of one type, with a word in common that is more than an initial."""
    words = {word for word in one.name.split() if len(word) > 2}
    return one.type == other.type and not words.isdisjoint(other.name.split())
