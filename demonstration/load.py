"""Load the demonstration: project, documents, campaigns that are open, paused and in draft.

Everything goes through the actions that serve pages and commands, so what stands there in the
end is what a real crowd would have left.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, cast

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from annotation.actions import assignments, workers
from annotation.actions.campaigns import create_campaign, open_campaign
from annotation.actions.documents import import_documents
from annotation.actions.knowledge import import_knowledge_base
from annotation.actions.members import add_member
from annotation.actions.projects import create_project
from annotation.actions.rollups import tally, update_rollups
from annotation.actions.tokens import Link
from annotation.interfaces import Material, entity
from annotation.interfaces.answers import MentionsAnswer
from annotation.models import Campaign, ImportedAnswer, Project
from demonstration import access, choices, corpus, crowd, desk, shift

PROJECT = "demonstration"
CAMPAIGN = "demonstration-names"
SEED = 1902
DRAFT = "demonstration-second-round"
ANSWERS = 100  # of the crowd at most, with hidden gold; the rest is for whoever tries the link
STRETCHES = 4  # a day; in each, one worker comes and goes
STRETCH = (2, 7)  # the answers that they give, at least and at most
SPAMMER = "spammer-1"
SPAMMED = 11  # answers of the spammer in each, enough to be told of
DAYS = timedelta(days=6)
LIVELY_HOURS = 13  # of each day since the campaign opened
PAUSE_SECONDS = 9.0  # from one task to the next
STILL_AT_WORK = "careful-1"

SCHEMA = {
    "entity_types": [
        {"name": "PER", "key": "p", "colour": 1, "description": "A person or a family, by name"},
        {"name": "LOC", "key": "l", "colour": 2, "description": "A place on a map"},
        {"name": "ORG", "key": "o", "colour": 3, "description": "A firm, board, club or school"},
        {
            "name": "DATE", "key": "d", "colour": 4, "description": "A day, month or year",
            "value": "date",  # or it would be asked for an entry of the knowledge base
        },
    ],
    "relation_types": [],
    "nested": False,
}  # fmt: skip

GUIDELINES = """\
A name is marked whole and without what only stands beside it: "Ruth Okafor", not "Mayor Ruth
Okafor". A name inside a longer name is not marked again: "Museum of the Sound" is one ORG.
Ships, books and kinds of apples have names too, but none of the four types.
"""

INSTRUCTIONS = """\
Mark every name of a person, a place and an organisation, and every date. Link a name to its
entry in the list, where it has one.

1. Read the text once before you mark anything.
2. Mark the whole name, without titles: "Ruth Okafor", not "Mayor Ruth Okafor".
3. Choose the type.
4. A name that comes again is marked again.
5. A date has no entry: say which day, month or year it is.

- **PER**: a person or a family.
- **LOC**: a place on a map.
- **ORG**: a firm, a board, a club, a school.
- **DATE**: a day, a month or a year in the calendar.

**Right:** "the ferry to **Harrow Isle**" is a LOC.

**Wrong:** "**the ferry to Harrow Isle**" marks more than the name.

Ships ("the Constance") and times ("at noon", "Tuesday", "day 12") are not marked.
"""


def is_complete() -> bool:
    """Whether nothing is left to load. A manager who has taken the campaign away, or has paused or
    closed it, is not answered by loading it again."""
    if not Project.objects.filter(slug=PROJECT).exists():
        return False
    campaign = Campaign.objects.filter(slug=CAMPAIGN).first()
    if campaign is None or campaign.state != Campaign.State.OPEN:
        return True
    return Campaign.objects.filter(slug=DRAFT).exists()  # what is made last


def load(manager: Any, now: datetime | None = None) -> None:
    """Load what is lacking, in small transactions: people work on the server meanwhile, and on
    SQLite whoever writes keeps the others waiting. Broken off, the next call goes on.

    The crowd's work lies in the days before `now`.
    """
    now = now or timezone.now()
    if not Project.objects.filter(slug=PROJECT).exists():
        with transaction.atomic():
            _set_up(manager, now - DAYS)
    campaign = Campaign.objects.select_related("project").get(slug=CAMPAIGN)
    for slug in choices.RIGHT:
        choices.work(Campaign.objects.get(slug=slug))
    _work(campaign)
    choices.pause(Campaign.objects.get(slug=choices.PAUSED), manager)
    with transaction.atomic():
        desk.lay_out(campaign, manager, now)
        _leave_one_at_work(campaign, now)
        update_rollups(since=campaign.opened_at)
        # They were counted as they opened, later than the answers are.
        tally(campaign.project.campaigns.all())
        create_campaign(
            campaign.project,
            slug=DRAFT,
            name="Names once more, by other eyes",
            interface="entity",
            redundancy=2,
            pay_mills=60,
            user=manager,
        )


def _set_up(manager: Any, opened: datetime) -> None:
    """The project, its documents and its people, and three open campaigns."""
    project = create_project(
        slug=PROJECT, name="Papers of the sound", schema=SCHEMA, owner=manager, listed=True
    )
    Project.objects.filter(pk=project.pk).update(guidelines=GUIDELINES)
    _import(project)
    import_knowledge_base(project, corpus.KNOWLEDGE_BASE)
    for role, username in access.colleagues().items():
        add_member(project, username, role, user=manager)
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
        # One is known to all, for the example of the first page; nobody has to practise.
        options={"training_gold": 1, "hidden_gold": 5, "coreference": True},
        created_at=opened,
        user=manager,
    )
    open_campaign(campaign, user=manager, now=opened)
    choices.set_up(project, manager, opened)


def _import(project: Project) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demonstration.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for document in corpus.documents():
                file.write(json.dumps(document, ensure_ascii=False) + "\n")
        import_documents(project, path, format="jsonl")


def _work(campaign: Campaign) -> None:
    """The crowd works in stretches until there are enough answers; at the end of each, the worker
    gives the task back that they have not done. A stretch is one transaction."""
    opened = campaign.opened_at
    assert opened is not None
    known, draw, left = _known(campaign), random.Random(SEED), ANSWERS
    there = campaign.enrollments.filter(worker__external_id__in=crowd.WORKERS)
    done = there.aggregate(total=Sum("submitted"))["total"] or 0  # by a start that was broken off
    for name, start in _stretches(opened, draw):
        most = min(left, draw.randint(*STRETCH) if name != SPAMMER else SPAMMED)
        if done >= most:
            done -= most
            left -= most
        else:
            with transaction.atomic():
                key = workers.join(Link(campaign=campaign.slug, worker=name), now=start).key
                answer = partial(_answer, name, known)
                left -= shift.work(key, start, most, answer, pause=PAUSE_SECONDS)
        if not left:
            break


def _leave_one_at_work(campaign: Campaign, now: datetime) -> None:
    """One worker is in the middle of a task."""
    late = now - timedelta(minutes=3)
    at_work = workers.join(Link(campaign=campaign.slug, worker=STILL_AT_WORK), now=late).key
    lease = assignments.claim_next(at_work, now=late).assignment
    if lease is not None:
        answer, _ = _answer(STILL_AT_WORK, _known(campaign), lease.task_id)
        assignments.save_draft(at_work, lease.key, answer)


def _stretches(opened: datetime, draw: random.Random) -> Iterator[tuple[str, datetime]]:
    """Who works when: each worker in turn; each day has its lively hours."""
    names = list(crowd.WORKERS)
    draw.shuffle(names)
    turn = cycle(names)
    for day in range(DAYS.days):
        for hour in sorted(draw.choices(range(LIVELY_HOURS), k=STRETCHES)):
            start = opened + timedelta(days=day, hours=hour, minutes=draw.randrange(40))
            yield next(turn), start


@dataclass(frozen=True, slots=True)
class _Known:
    """A task's document, and its names as a page would send them."""

    document: str
    words: int
    gold: MentionsAnswer


def _known(campaign: Campaign) -> dict[int, _Known]:
    """Task → what the simulated workers have before their eyes."""
    rows = ImportedAnswer.objects.gold().filter(document__tasks__campaign=campaign).values_list(
        "document__tasks", "document__external_id", "document__text", "document__tokens",
        "document__sentences", "answer",
    )  # fmt: skip
    known = {}
    for task, name, text, tokens, sentences, gold in rows:
        material = Material(schema=SCHEMA, text=text, tokens=tokens, sentences=sentences)
        known[task] = _Known(name, len(tokens), cast(MentionsAnswer, entity.wire(gold, material)))
    return known


def _answer(name: str, known: dict[int, _Known], task: int) -> tuple[MentionsAnswer, float]:
    """The same for the same worker and document, whoever else came first."""
    seen, habit = known[task], crowd.WORKERS[name]
    draw = random.Random(f"{SEED} {name} {seen.document}")
    answer = crowd.answer(seen.gold, seen.words, habit, draw)
    return answer, crowd.seconds(seen.words, habit, draw)
