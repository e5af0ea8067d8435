"""What was right and wrong about piles: a finding for a pile, not for each pair of its cards.

A pile of the known answer that was parted is "apart", or "unsure" where only that tore it; a pile
of the worker's that holds different things is "together"; one that is right as a pile but has
another link is "link", which no score counts. Cards that the worker left undecided are in none of
these: they are told together, as "undecided" where they are so many that it costs something, else
as a hint. Each names its cards in `mentions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from annotation.interfaces.answers import LinkingAnswer, Pile
from annotation.interfaces.wording import finding, named, quoted, shortened
from annotation.sentences import Problem

MOST_WRONG = 30  # findings; of more the largest piles are told
MOST_IDS = 200

Cards = dict[str, dict[str, Any]]  # id → the card as the payload has it


class PileFeedback:
    """The findings of one answer: `given` beside `known`, both canonical. `is_enough`: what is
    undecided costs nothing."""

    def __init__(
        self, given: LinkingAnswer, known: LinkingAnswer, cards: Cards, *, is_enough: bool = True
    ):
        self.cards, self.is_enough = cards, is_enough
        self.asked = [name for pile in known["clusters"] for name in pile["mentions"]]
        self.undecided = set(given.get("undecided", ()))
        self.given = given["clusters"]
        self.known = list(_without(known["clusters"], self.undecided))
        self.unsure = set(given["unsure"])
        self.left_open = set(known["unsure"])
        self.given_of = _pile_of(self.given)
        self.known_of = _pile_of(self.known)
        # Where no pile has a link, links were not asked for.
        self.has_links = any(pile["link"] is not None for pile in self.known)

    def findings(self) -> list[dict[str, Any]]:
        """Those that cost something first, of them the largest piles."""
        wrong = [
            *self._parted(),
            *self._mixed(),
            *([self._nothing_sorted()] if self._is_nothing_sorted else []),
            *([] if self.is_enough else self._left_undecided("undecided")),
        ]
        wrong.sort(key=lambda each: -len(each["mentions"]))
        rest = wrong[MOST_WRONG:]
        if rest:
            ids = list(dict.fromkeys(name for each in rest for name in each["mentions"]))
            more = Problem("linking.more", number=len(rest))
            wrong[MOST_WRONG:] = [finding("apart", more, mentions=ids[:MOST_IDS])]
        return [*wrong, *self._linked_elsewhere(), *self._hints(), *self._right()]

    # --- What costs something -------------------------------------------------------------------

    def _parted(self) -> Iterable[dict[str, Any]]:
        for pile in self.known:
            parts = self._parts(pile["mentions"], self.given_of)
            unsure = [name for name in pile["mentions"] if name in self.unsure]
            if len(parts) > 1:
                names = named(self._labels(parts))
                apart = (
                    Problem("linking.apart_unsure", names=names, number=len(unsure))
                    if unsure
                    else Problem("linking.apart", names=names)
                )
                yield finding("apart", apart, mentions=pile["mentions"])
            elif unsure and len(pile["mentions"]) > 1:
                rest = [name for name in pile["mentions"] if name not in self.unsure]
                labels = self._labels([[name] for name in (*unsure, *rest[:1])])
                if rest:
                    *left, same = labels
                    names = named(left)
                    problem = Problem("linking.unsure", names=names, number=len(left), same=same)
                else:
                    problem = Problem("linking.unsure_all", names=named(labels))
                yield finding("unsure", problem, mentions=pile["mentions"])

    def _mixed(self) -> Iterable[dict[str, Any]]:
        for pile in self.given:
            parts = self._parts(pile["mentions"], self.known_of)
            if len(parts) > 1:
                together = Problem("linking.together", names=named(self._labels(parts)))
                mentions = [name for part in parts for name in part]
                yield finding("together", together, mentions=mentions)

    @property
    def _is_nothing_sorted(self) -> bool:
        """Unsure of every card, all of which are on their own: no pile tells of that."""
        piles = [pile["mentions"] for pile in self.known]
        judged = self.given_of.keys() & self.known_of.keys()
        return bool(piles) and not judged and all(len(pile) == 1 for pile in piles)

    def _nothing_sorted(self) -> dict[str, Any]:
        problem = Problem("linking.nothing_sorted")
        return finding("unsure", problem, mentions=list(self.known_of)[:MOST_IDS])

    def _left_undecided(self, kind: str) -> Iterable[dict[str, Any]]:
        left = [name for name in self.asked if name in self.undecided]
        if left:
            said = {"kind": kind, "left": len(left), "number": len(self.asked)}
            problem = Problem("linking.undecided", **said)
            yield finding(kind, problem, mentions=left[:MOST_IDS])

    # --- What does not --------------------------------------------------------------------------

    def _linked_elsewhere(self) -> Iterable[dict[str, Any]]:
        for pile, link in self._kept():
            if self.has_links and link != pile["link"]:
                (name,) = self._labels([pile["mentions"]])
                problem = _link_problem(name, pile["link"], link)
                yield finding("link", problem, mentions=pile["mentions"])

    def _hints(self) -> Iterable[dict[str, Any]]:
        if self.is_enough:
            yield from self._left_undecided("hint")
        alone = [pile["mentions"][0] for pile in self.known if len(pile["mentions"]) == 1]
        unsure = [name for name in alone if name in self.unsure]
        if unsure and not self._is_nothing_sorted:
            names = named(self._labels([[name] for name in unsure]))
            problem = Problem("linking.unsure_alone", names=names, number=len(unsure))
            yield finding("hint", problem, mentions=unsure)
        sorted_ = [name for name in self.cards if name in self.left_open and name in self.given_of]
        if sorted_:
            names = named(self._labels([[name] for name in sorted_]))
            problem = Problem("linking.left_open", names=names, number=len(sorted_))
            yield finding("hint", problem, mentions=sorted_)

    def _right(self) -> Iterable[dict[str, Any]]:
        alone: list[str] = []
        for pile, link in self._kept():
            if self.has_links and link != pile["link"]:
                continue
            if len(pile["mentions"]) == 1:
                alone += pile["mentions"]
            else:
                (name,) = self._labels([pile["mentions"]])
                right = Problem("linking.right", name=name, number=len(pile["mentions"]))
                yield finding("right", right, mentions=pile["mentions"])
        if alone:
            yield finding("right", Problem("linking.alone", number=len(alone)), mentions=alone)

    # --- Piles and names ------------------------------------------------------------------------

    def _kept(self) -> Iterable[tuple[Pile, str | None]]:
        """The known piles whose very cards lie together in the answer, with the link given."""
        for pile in self.known:
            numbers = {self.given_of.get(name) for name in pile["mentions"]}
            number = numbers.pop()
            if numbers or number is None:
                continue
            known = [name for name in self.given[number]["mentions"] if name in self.known_of]
            if len(known) == len(pile["mentions"]):
                yield pile, self.given[number]["link"]

    def _parts(self, names: Sequence[str], pile_of: dict[str, int]) -> list[list[str]]:
        """The cards of a pile by the piles in which the other answer has them; without those
        that are in none."""
        parts: dict[int, list[str]] = {}
        for name in names:
            if name in pile_of:
                parts.setdefault(pile_of[name], []).append(name)
        return list(parts.values())

    def _labels(self, groups: Sequence[Sequence[str]]) -> list[Problem]:
        """For each group the longest name on its cards; of which document, where another card of
        the task has it too, as the page calls it."""
        labels = []
        for group in groups:
            card = max(group, key=lambda each: len(self._name(each)))
            name, title = self._name(card), _title_of(self.cards.get(card, {}))
            label = quoted(shortened(name))
            others = (each for each in self.cards if each not in group)
            if title and any(self._name(each) == name for each in others):
                label = Problem("word.name_of_document", name=label, title=title)
            labels.append(label)
        return labels

    def _name(self, card: str) -> str:
        return self.cards.get(card, {}).get("name", card)


def _title_of(card: dict[str, Any]) -> str | Problem:
    if code := card.get("document_code"):
        return Problem("word.document", code=code)
    return shortened(card.get("document_title") or "")


def _pile_of(clusters: list[Pile]) -> dict[str, int]:
    return {name: number for number, pile in enumerate(clusters) for name in pile["mentions"]}


def _without(clusters: list[Pile], names: set[str]) -> Iterable[Pile]:
    for pile in clusters:
        if left := [name for name in pile["mentions"] if name not in names]:
            yield {"link": pile["link"], "mentions": left}


def _link_problem(name: Problem, known: str | None, given: str | None) -> Problem:
    """The right entry stands on its pile."""
    if known is None:
        return Problem("linking.link_extra", name=name)
    if given is None:
        return Problem("linking.link_missed", name=name)
    return Problem("linking.link_other", name=name)
