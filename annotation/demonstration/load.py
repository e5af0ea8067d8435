"""Load the demonstration: project, documents, an open campaign and most of its answers.

Everything goes through the actions that serve pages and commands, so what stands there in the
end is what a real crowd would have left.
"""

from __future__ import annotations

import json
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.actions import assignments, workers
from annotation.actions.campaigns import create_campaign, open_campaign
from annotation.actions.documents import import_documents
from annotation.actions.projects import create_project
from annotation.actions.tokens import Link
from annotation.demonstration import corpus, crowd
from annotation.interfaces import Material, interface
from annotation.models import Assignment, Campaign, ImportedAnswer, Project

PROJECT = "demonstration"
CAMPAIGN = "demonstration-names"
SEED = 1902
ANSWERS = 100  # of the crowd, hidden gold included; what is left is for whoever tries the link
STILL_AT_WORK = "careful-1"

SCHEMA = {
    "entity_types": [
        {"name": "PER", "key": "p", "colour": 1, "description": "A person or a family, by name"},
        {"name": "LOC", "key": "l", "colour": 2, "description": "A place on a map"},
        {"name": "ORG", "key": "o", "colour": 3, "description": "A firm, board, club or school"},
        {"name": "DATE", "key": "d", "colour": 4, "description": "A day, month or year"},
    ],
    "relation_types": [],
    "nested": False,
}

GUIDELINES = """\
A name is marked whole and without what only stands beside it: "Ruth Okafor", not "Mayor Ruth
Okafor". A name inside a longer name is not marked again: "Museum of the Sound" is one ORG.
Ships, books and kinds of apples have names too, but none of the four types.
"""

INSTRUCTIONS = """\
Mark every name of a person, a place and an organisation, and every date.

1. Read the text once before you mark anything.
2. Mark the whole name, without titles: "Ruth Okafor", not "Mayor Ruth Okafor".
3. Choose the type.
4. A name that comes again is marked again.

PER: a person or a family.
LOC: a place on a map.
ORG: a firm, a board, a club, a school.
DATE: a day, a month or a year in the calendar.

Right: "the ferry to [Harrow Isle]" is a LOC.
Wrong: "[the ferry to Harrow Isle]" marks more than the name.

Ships ("the Constance") and times ("at noon", "Tuesday", "day 12") are not marked.
"""


def load(manager: Any) -> Campaign:
    """Make the demonstration in one transaction: broken off, it leaves nothing behind."""
    with transaction.atomic():
        project = create_project(
            slug=PROJECT, name="Papers of the sound", schema=SCHEMA, owner=manager
        )
        Project.objects.filter(pk=project.pk).update(guidelines=GUIDELINES)
        _import(project)
        campaign = create_campaign(
            project,
            slug=CAMPAIGN,
            name="Names and dates in old and new papers",
            interface="entity",
            instructions=INSTRUCTIONS,
            redundancy=3,
            pay_mills=60,
            budget_mills=30_000,
            gold_every=6,
            options={"hidden_gold": 5},
            user=manager,
        )
        open_campaign(campaign, user=manager)
        _work(campaign)
    return campaign


def _import(project: Project) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demonstration.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for document in corpus.documents():
                file.write(json.dumps(document, ensure_ascii=False) + "\n")
        import_documents(project, path, format="jsonl")


def _work(campaign: Campaign) -> None:
    """The crowd takes turns until there are enough answers. Then one worker is in the middle of
    a task, and the others have given theirs back."""
    enrollments = {
        name: workers.join(Link(campaign=campaign.slug, worker=name)) for name in crowd.WORKERS
    }
    held: dict[str, Assignment] = {}  # who is at work, and at which task
    for name, enrollment in enrollments.items():
        _hold(held, name, assignments.claim_next(enrollment.key))
    known, turn = _known(campaign), random.Random(SEED)
    for _ in range(ANSWERS):
        name = turn.choice(list(held))
        lease = held.pop(name)
        answer, seconds = _answer(name, known[lease.task_id])
        submitted = assignments.submit(enrollments[name].key, lease.key, answer, seconds)
        _hold(held, name, submitted.next)
    for name, lease in held.items():
        key = enrollments[name].key
        if name == STILL_AT_WORK:
            answer, _ = _answer(name, known[lease.task_id])
            assignments.save_draft(key, lease.key, answer)
        else:
            assignments.return_task(key, lease.key, "I stop here for today.", skip=False)


def _hold(held: dict[str, Assignment], name: str, following: assignments.Next) -> None:
    if following.assignment is not None:
        held[name] = following.assignment


@dataclass(frozen=True, slots=True)
class _Known:
    """A task's document, and its names as a page would send them."""

    document: str
    words: int
    mentions: list[dict[str, Any]]


def _known(campaign: Campaign) -> dict[int, _Known]:
    """Task → what the simulated workers have before their eyes."""
    kind = interface(campaign.interface)
    rows = ImportedAnswer.objects.filter(
        document__tasks__campaign=campaign, source=ImportedAnswer.Source.GOLD
    ).values_list(
        "document__tasks", "document__external_id", "document__text", "document__tokens",
        "document__sentences", "answer",
    )  # fmt: skip
    known = {}
    for task, name, text, tokens, sentences, gold in rows:
        material = Material(schema=SCHEMA, text=text, tokens=tokens, sentences=sentences)
        known[task] = _Known(name, len(tokens), kind.wire(gold, material)["mentions"])
    return known


def _answer(name: str, known: _Known) -> tuple[dict[str, Any], float]:
    """The same for the same worker and document, whoever else came first."""
    draw = random.Random(f"{SEED} {name} {known.document}")
    habit = crowd.WORKERS[name]
    answer = crowd.answer(known.mentions, known.words, habit, draw)
    return answer, crowd.seconds(known.words, habit, draw)
