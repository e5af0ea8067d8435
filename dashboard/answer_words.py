"""An answer in a few words, for lists in which there is no room for more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.interfaces.schema import NONE, UNSURE

Answer = Mapping[str, Any]
UNSAID = {NONE: "no relation", UNSURE: "can't tell"}


def in_words(kind: str, answer: Answer) -> str:
    """ "" for an interface that has no words here."""
    told = WORDS.get(kind)
    return told(answer) if told else ""


def _entity(answer: Answer) -> str:
    if "tags" in answer:
        return _counted(sum(tag.startswith("B-") for tag in answer["tags"]), "name")
    names, entities = answer["mentions"], answer["entities"]
    told = _counted(len(names), "name")
    linked = sum(entity["link"] is not None for entity in entities)
    return f"{told}, {linked} linked" if linked else told


def _relation(answer: Answer) -> str:
    relation: str = answer["relation"]
    wrong = [name for name, value in answer.items() if name.endswith("_ok") and value is False]
    told = UNSAID.get(relation, relation)
    return f"{told}, {_counted(len(wrong), 'part')} denied" if wrong else told


def _linking(answer: Answer) -> str:
    piles = [len(pile["mentions"]) for pile in answer["clusters"]]
    told = f"{_counted(sum(piles), 'card')} in {_counted(len(piles), 'pile')}"
    for name in ("unsure", "undecided"):  # the latter came later
        if cards := answer.get(name):
            told += f", {len(cards)} {name}"
    return told


def _choice(answer: Answer) -> str:
    if answer["unsure"]:
        return UNSAID[UNSURE]
    parts = [answer["choice"] or ""]
    if answer["value"] is not None:
        parts.append(f"{answer['value']:g}")
    return " · ".join(part for part in parts if part)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


WORDS: dict[str, Callable[[Answer], str]] = {
    "entity": _entity,
    "relation": _relation,
    "linking": _linking,
    "choice": _choice,
}
