"""What the crowd of the chain sees in a task, and what it therefore says.

A worker knows the truth of the papers and errs by their habits. Their answer depends on the seed,
on them and on the task, not on who came first.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from annotation.interfaces import Material, entity
from annotation.interfaces.answers import Answer, MentionsAnswer
from annotation.interfaces.schema import NONE, entity_type_names, relations_offered
from annotation.models import Campaign, ImportedAnswer, Task
from annotation.text.folding import fold
from demonstration import crowd, crowd_piles, crowd_relations, register
from demonstration.register import Paper

SEED = 1911
CROWD = {
    name: crowd.WORKERS[name]
    for name in (
        "careful-1", "careful-2", "careful-3", "careful-4", "hasty-1", "sloppy-1", "sloppy-2",
        "confused-1", "spammer-1",
    )
}  # fmt: skip

Says = Callable[[str, int], tuple[Answer, float]]  # worker, task's row id


def _draw(worker: str, task: str) -> random.Random:
    return random.Random(f"{SEED} {worker} {task}")


def entities(campaign: Campaign) -> Says:
    gold = ImportedAnswer.objects.gold().filter(document__tasks__campaign=campaign).values_list(
        "document__tasks", "document__external_id", "document__text", "document__tokens",
        "document__sentences", "answer",
    )  # fmt: skip
    types = entity_type_names(campaign.project.schema)
    entries = _entries_alike()
    known = {}
    for task, name, text, tokens, sentences, answer in gold:
        material = Material(text=text, tokens=tokens, sentences=sentences)
        alike = crowd.Alike(_entities_alike(answer, text), entries)
        known[task] = name, len(tokens), cast(MentionsAnswer, entity.wire(answer, material)), alike

    def answer_of(worker: str, task: int) -> tuple[Answer, float]:
        name, words, right, alike = known[task]
        draw, habit = _draw(worker, name), crowd.GROUPING[CROWD[worker]]
        answer = crowd.answer(right, words, habit, draw, types=types, alike=alike)
        return answer, crowd.seconds(words, habit, draw)

    return answer_of


def _entities_alike(gold: MentionsAnswer, text: str) -> dict[str, list[str]]:
    """Entities of one type whose names have a word in common."""
    words: dict[str, set[str]] = {}
    types: dict[str, str] = {}
    for mention in gold["mentions"]:
        if mention["entity"]:
            said = fold(text[mention["start"] : mention["end"]]).split()
            words.setdefault(mention["entity"], set()).update(said)
            types[mention["entity"]] = mention["type"]
    return {
        one: [
            other
            for other in words
            if other != one and types[other] == types[one] and words[other] & words[one]
        ]
        for one in words
    }


def _entries_alike() -> dict[str, list[str]]:
    """Entries of the knowledge base with one word in common, by their keys."""
    lines = register.KNOWLEDGE_BASE.read_text(encoding="utf-8").splitlines()
    words = {
        entry["key"]: (entry["type"], set(fold(entry["name"]).split()))
        for entry in map(json.loads, lines)
    }
    return {
        one: [
            other
            for other, (kind, theirs) in words.items()
            if other != one and kind == words[one][0] and theirs & words[one][1]
        ]
        for one in words
    }


@dataclass(frozen=True, slots=True)
class _Truth:
    """A paper, and what it says of two of its names, by their numbers."""

    paper: Paper
    relations: dict[tuple[int, int], str]

    def number(self, start: int, end: int) -> int | None:
        """The name that has at least half in common with these characters: whoever reads a name
        that was cut wrongly still sees who is meant."""
        for number, name in enumerate(self.paper.names):
            common = min(end, name.end) - max(start, name.start)
            if 2 * common >= max(end, name.end) - min(start, name.start):
                return number
        return None


def _truth() -> dict[str, _Truth]:
    return {
        paper.name: _Truth(
            paper, {(fact.subject, fact.object): fact.relation for fact in paper.facts}
        )
        for paper in register.papers()
    }


def relations(campaign: Campaign) -> Says:
    truth, schema = _truth(), campaign.project.schema
    inverse = {one["name"]: one["inverse"] for one in schema["relation_types"]}
    rows = Task.objects.filter(campaign=campaign).values_list(
        "pk", "external_id", "document__external_id", "payload"
    )
    known = {}
    for task, name, document, payload in rows:
        sides = [payload["subject"], payload["object"]]
        offered = [one["name"] for one in relations_offered(schema, *(s["type"] for s in sides))]
        if only := payload.get("only"):
            offered = [one for one in offered if one in only]
        source = truth[document]
        first, second = (source.number(side["start"], side["end"]) for side in sides)
        right = NONE
        if first is not None and second is not None:
            back = inverse.get(source.relations.get((second, first), ""))
            right = source.relations.get((first, second)) or back or NONE
        known[task] = name, right if right in offered else NONE, offered

    def answer_of(worker: str, task: int) -> tuple[Answer, float]:
        name, right, offered = known[task]
        habit = crowd_relations.HABITS[CROWD[worker]]
        return crowd_relations.answer(right, offered, habit, _draw(worker, name))

    return answer_of


def links(campaign: Campaign) -> Says:
    truth = _truth()

    def card(mention: dict[str, Any]) -> crowd_piles.Card:
        source = truth[mention["document"]]
        number = source.number(mention["start"], mention["end"])
        name = None if number is None else source.paper.names[number]
        key = mention["id"] if name is None else source.paper.entity_of(name)
        link = key if name is not None and register.is_known(key) else None
        return crowd_piles.Card(mention["id"], key, mention["name"], mention["type"], link)

    rows = Task.objects.filter(campaign=campaign).values_list("pk", "external_id", "payload")
    known = {
        task: (name, [card(mention) for mention in payload["mentions"]])
        for task, name, payload in rows
    }

    def answer_of(worker: str, task: int) -> tuple[Answer, float]:
        name, cards = known[task]
        habit = crowd_piles.HABITS[CROWD[worker]]
        return crowd_piles.answer(cards, habit, _draw(worker, name))

    return answer_of
