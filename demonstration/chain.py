"""From mentions to a knowledge base: a project whose campaigns build on each other, and its crowd.

Entities, then how two of a sentence are related, then which are the same over the documents. What
lies between two campaigns, consensus and tasks, is made above this (`demonstration.chain_runs`).
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.actions import workers
from annotation.actions.campaigns import allot, create_campaign, open_campaign, publish_tasks
from annotation.actions.documents import import_documents
from annotation.actions.knowledge import import_knowledge_base
from annotation.actions.projects import create_project
from annotation.actions.rollups import tally, update_rollups
from annotation.actions.tokens import Link
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from annotation.models import Campaign
from demonstration import chain_answers, register, shift
from demonstration.chain_answers import CROWD, SEED

PROJECT = "demonstration-register"
ENTITIES = "demonstration-entities"
RELATIONS = "demonstration-relations"
LINKS = "demonstration-links"
LINKED = ("PER", "ORG", "GPE")  # the types of which it is asked who is who
REDUNDANCY = 3
# Names of files in the folder of the demonstration.
PAPERS, ENTRIES, GOLD = "papers.jsonl", "entries.jsonl", "gold.jsonl"
SCHEMA = "relations.csv"

BEGINS = {ENTITIES: timedelta(days=6), RELATIONS: timedelta(days=4), LINKS: timedelta(days=2)}
LASTS = timedelta(days=1, hours=12)
ANSWERERS = {
    ENTITIES: chain_answers.entities,
    RELATIONS: chain_answers.relations,
    LINKS: chain_answers.links,
}
PAUSE_SECONDS = {ENTITIES: 9.0, RELATIONS: 1.5, LINKS: 10.0}

ENTITY_TYPES = [
    {"name": "PER", "key": "p", "colour": 1, "description": "A person, by name"},
    {"name": "ORG", "key": "o", "colour": 3, "description": "A firm, bank, club or school"},
    {"name": "GPE", "key": "g", "colour": 2, "description": "A town, village or country"},
    {
        "name": "DATE", "key": "d", "colour": 4, "description": "A day, month or year",
        "value": "date",
    },
    {
        "name": "TITLE", "key": "t", "colour": 5, "description": "A post or profession of somebody",
        "link": False,
    },
]  # fmt: skip

INSTRUCTIONS = {
    ENTITIES: """\
Mark people, organisations, towns, dates and titles, and say which names are the same.

1. Mark the whole name, without what stands beside it: "Elsa Falk", not "the teacher Elsa Falk".
2. Choose the type. A title is a post or a profession of somebody: "architect", "captain".
3. A name that comes again belongs to the entity that is there already.
4. Look for the entity in the list. Two people may have one name: read what the list says of each.
5. Give a date its value.

**Right:** "**Falk** was born in **Sandvik**" has a PER and a GPE.

**Wrong:** "the chemist Henrik Falk" is not the shipowner Henrik Falk, though the names are alike.
""",
    RELATIONS: """\
Say how the first name is related to the second, by what this sentence tells and nothing else.

1. Read the sentence, not only the two names.
2. Choose the answer that it tells. Mind the direction: who owns, and who is owned?
3. **No relation** where it tells none, however likely one is.

**Right:** "Torvald was born in Dorn": Torvald *was born in* Dorn.

**Wrong:** "won the prize for the bridge at Ostby" does not say that she lives in Ostby.
""",
    LINKS: """\
Lay the cards that are the same person, firm or town into one pile.

1. Read the sentence on each card: the same name may be two people.
2. Lay a short name on the long one that it stands for, if the sentences fit.
3. Look for the pile in the list. Leave it without an entry where there is none.
4. Where the sentences don't tell, choose **Can’t tell**.

**Right:** "Holm sailed for the Falk Line" and "Captain Peter Holm" are one.

**Wrong:** Peter Holm the editor is not Peter Holm the captain.
""",
}


def set_up(manager: Any, folder: Path, now: datetime) -> None:
    """The project with its documents and its knowledge base, and three drafts, in one transaction.

    `folder` gets the files that they are made of, and what is known of them, for whoever wants to
    do the same by hand.
    """
    write_files(folder)
    with transaction.atomic():
        project = create_project(
            slug=PROJECT,
            name="Who was who on the sound",
            schema={
                "entity_types": ENTITY_TYPES,
                "relation_types": read_relation_types(RELATION_TYPES),
                "nested": False,
            },
            owner=manager,
            listed=True,
        )
        import_documents(project, folder / PAPERS)
        import_knowledge_base(project, folder / ENTRIES)
        for slug, name, interface, pay in (
            (ENTITIES, "Who and what the papers name", "entity", 80),
            (RELATIONS, "How they are related", "relation", 15),
            (LINKS, "Which of them are the same", "linking", 150),
        ):
            create_campaign(
                project,
                slug=slug,
                name=name,
                interface=interface,
                instructions=INSTRUCTIONS[slug],
                assignment="assigned",
                redundancy=REDUNDANCY,
                pay_mills=pay,
                budget_mills=30_000,
                created_at=now - BEGINS[slug],
                user=manager,
            )


def write_files(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in ((PAPERS, register.documents()), (GOLD, register.knowledge())):
        lines = (f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
        (folder / name).write_text("".join(lines), encoding="utf-8")
    shutil.copyfile(register.KNOWLEDGE_BASE, folder / ENTRIES)
    shutil.copyfile(RELATION_TYPES, folder / SCHEMA)


# --- The crowd ----------------------------------------------------------------------------------


def is_worked(campaign: Campaign) -> bool:
    """Whether all of the simulated workers were there."""
    return _there(campaign) >= set(CROWD)


def may_work(campaign: Campaign) -> bool:
    """Whether the campaign waits for them: a draft, or one at which a start was broken off. What a
    manager has opened or closed is left alone."""
    if campaign.state == Campaign.State.OPEN:
        return bool(_there(campaign))
    return campaign.state == Campaign.State.DRAFT


def _there(campaign: Campaign) -> set[str]:
    there = campaign.enrollments.with_answers().filter(worker__external_id__in=CROWD)
    return set(there.values_list("worker__external_id", flat=True))


def work(campaign: Campaign, now: datetime) -> int:
    """Open it, and let the crowd answer, in the days before `now`; how many answers there are.

    A list says who does what: an engine that deals at random would give other figures each time.
    Each worker's shift is one transaction, with the opening before the first and the count after
    the last, so that nobody else waits for long; broken off, the next call goes on.
    """
    there, answer_of = _there(campaign), None
    opened = campaign.opened_at or now - BEGINS[campaign.slug]
    for name, start in _shifts(opened):
        if name in there:
            continue
        with transaction.atomic():
            if campaign.state == Campaign.State.DRAFT:
                publish_tasks(campaign)
                allot(campaign, _dealt(campaign))
                open_campaign(campaign, user=campaign.project.owner, now=opened)
            answer_of = answer_of or ANSWERERS[campaign.slug](campaign)
            key = workers.join(Link(campaign=campaign.slug, worker=name), now=start).key
            shift.work(
                key, start, None, partial(answer_of, name), pause=PAUSE_SECONDS[campaign.slug]
            )
            if is_worked(campaign):
                update_rollups(since=opened)
                tally([campaign])  # it was counted as it opened, later than the answers are
    return len(_dealt(campaign))


def _dealt(campaign: Campaign) -> list[tuple[str, str]]:
    """(worker, task) for each answer: of a task's workers those who have least to do so far."""
    draw, load = random.Random(SEED), dict.fromkeys(CROWD, 0)
    pairs = []
    for task in sorted(campaign.tasks.values_list("external_id", flat=True)):
        for name in sorted(CROWD, key=lambda name: (load[name], draw.random()))[:REDUNDANCY]:
            load[name] += 1
            pairs.append((name, task))
    return pairs


def _shifts(opened: datetime) -> Iterator[tuple[str, datetime]]:
    """Who comes when, each once."""
    draw, names = random.Random(SEED), list(CROWD)
    draw.shuffle(names)
    for number, name in enumerate(names):
        yield name, opened + LASTS * (number + draw.random() / 2) / len(names)
