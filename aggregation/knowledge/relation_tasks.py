"""Tasks of a relation campaign from an entity campaign's consensus; `claim_tasks` are of claims."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aggregation.knowledge import WrongCampaign
from aggregation.models import Consensus
from aggregation.queries import RunSummary
from annotation.actions import locks
from annotation.actions.campaigns import create_tasks_on
from annotation.formats.records import Rejected
from annotation.interfaces import Product, traits
from annotation.interfaces.schema import (
    relations_between,
    relations_unsaid,
)
from annotation.models import Campaign, Document

DOCUMENTS = 100  # read at once
MOST_REJECTED = 100  # lines that are remembered with their reason
LONGEST_ID = 200  # of a task

Task = tuple[int, str, dict[str, Any]]  # document, external id, payload
Mention = Mapping[str, Any]


@dataclass(slots=True)
class Built:
    """What came of it. `tasks` counts what was found, `made` what the campaign had not yet."""

    tasks: int = 0
    made: int = 0
    known: int = 0  # claims of which every part is asked already
    documents: int = 0
    one_way: Counter[str] = field(default_factory=Counter)  # relation → pairs asked both ways
    across: int = 0  # mentions that no sentence holds
    refused: int = 0  # lines of a file
    rejected: list[Rejected] = field(default_factory=list)  # the first of them

    def reject(self, line: Rejected) -> None:
        self.refused += 1
        if len(self.rejected) < MOST_REJECTED:
            self.rejected.append(line)


def build_pairs(
    campaign: Campaign,
    into: Campaign,
    run: RunSummary,
    *,
    advance: Callable[[int], None] = lambda number: None,
) -> Built:
    """Ask of every pair of names in a sentence how they are related, in `into`.

    Of a pair of types that no relation takes nothing is asked, nor of two names of one entity.
    Each pair is asked once, from the side that has more relations: what holds the other way round
    is said by inverses; a relation without one gets a question of its own. Done again, only pairs
    that are new are added. One query for each hundred documents, and those of the tasks. Raises
    ValueError where a campaign does not fit, locks.Held where the other one is being worked on.
    """
    check_campaigns(campaign, into)
    built = Built()
    schema = campaign.project.schema
    sides = _Sides(schema)
    with locks.hold(f"campaign:{into.slug}"):
        built.made = create_tasks_on(into, _pair_tasks(run, sides, built, advance))
    return built


def check_campaigns(campaign: Campaign, into: Campaign) -> None:
    if traits(into.interface).product != Product.RELATIONS:
        raise WrongCampaign(
            "pairs.into_relations",
            campaign=into.slug,
            interface=into.interface,
            project=into.project.slug,
        )
    if into.state == Campaign.State.CLOSED:
        raise WrongCampaign("pairs.closed", campaign=into.slug)
    if campaign.project_id != into.project_id:
        raise WrongCampaign("pairs.other_project", one=campaign.slug, other=into.slug)
    if not into.project.schema.get("relation_types"):
        raise WrongCampaign("pairs.no_types", project=into.project.slug)
    if campaign is not into and traits(campaign.interface).product != Product.MENTIONS:
        raise WrongCampaign(
            "pairs.from_entities", campaign=campaign.slug, interface=campaign.interface
        )


# --- From names to pairs ------------------------------------------------------------------------


class _Sides:
    """Which of two types is asked about first, and what has to be asked the other way round."""

    def __init__(self, schema: Mapping[str, Any]):
        self.schema = schema
        self._known: dict[tuple[str, str], tuple[bool, list[str]] | None] = {}

    def of(self, first: str, second: str) -> tuple[bool, list[str]] | None:
        """(whether the second is the subject, relations to be asked about turned round); None
        where nothing can be asked."""
        key = first, second
        if key not in self._known:
            self._known[key] = self._decided(first, second)
        return self._known[key]

    def _decided(self, first: str, second: str) -> tuple[bool, list[str]] | None:
        there = len(relations_between(self.schema, first, second))
        back = len(relations_between(self.schema, second, first))
        if not there and not back:
            return None
        turned = back > there
        subject, object_ = (second, first) if turned else (first, second)
        return turned, relations_unsaid(self.schema, subject, object_)


def _pair_tasks(
    run: RunSummary, sides: _Sides, built: Built, advance: Callable[[int], None]
) -> Iterator[Task]:
    for document, answer in _consensus(run):
        built.documents += 1
        for one, other in _pairs(answer.get("mentions", ()), document, built):
            decided = sides.of(one["type"], other["type"])
            if decided is None:
                continue
            turned, unsaid = decided
            subject, object_ = (other, one) if turned else (one, other)
            # The same name whichever way round it is asked: a later run may see other types.
            name = task_name(document.external_id, (one, other))
            yield _counted(built, document, name, {}, subject, object_)
            if unsaid:
                built.one_way.update(unsaid)
                more = {"only": unsaid}
                yield _counted(built, document, f"{name}:r", more, object_, subject)
        advance(1)


def _counted(
    built: Built, document: Document, name: str, more: dict, subject: Mention, object_: Mention
) -> Task:
    built.tasks += 1
    return document.pk, name, {"subject": _side(subject), "object": _side(object_)} | more


def _side(mention: Mention) -> dict[str, Any]:
    return {"start": mention["start"], "end": mention["end"], "type": mention["type"]}


def _consensus(run: RunSummary) -> Iterator[tuple[Document, dict[str, Any]]]:
    """Each document with what was found in it, in the order of the tasks."""
    after = 0
    rows = Consensus.objects.filter(run__key=run.key, task__document__isnull=False)
    while batch := list(
        rows.filter(task__gt=after)
        .select_related("task__document")
        .only(
            "answer", "task__document__external_id", "task__document__tokens",
            "task__document__sentences",
        )
        .order_by("task")[:DOCUMENTS]
    ):  # fmt: skip
        for row in batch:
            if document := row.task.document:
                yield document, row.answer
        after = batch[-1].task_id


def _pairs(
    mentions: Iterable[Mention], document: Document, built: Built
) -> Iterator[tuple[Mention, Mention]]:
    """Every two mentions of a sentence that are not one entity, in the order of the text."""
    waiting = sorted(mentions, key=lambda mention: (mention["start"], mention["end"]))
    starts = [mention["start"] for mention in waiting]
    sentences = [
        (document.tokens[first][0], document.tokens[last - 1][1])
        for first, last in document.sentences
        if first < last
    ]
    placed = 0
    for start, end in sentences:
        here = waiting[bisect_left(starts, start) : bisect_left(starts, end)]
        inside = [mention for mention in here if mention["end"] <= end]
        placed += len(inside)
        for i, one in enumerate(inside):
            for other in inside[i + 1 :]:
                if one.get("entity") is None or one["entity"] != other.get("entity"):
                    yield one, other
    built.across += len(waiting) - placed


def task_name(document: str, mentions: Iterable[Mention], more: str = "") -> str:
    """The same for the same question; of a long document's name only what tells it apart."""
    spans = ":".join(f"{mention['start']}-{mention['end']}" for mention in mentions)
    name = f"{document}:{spans}{more}"
    if len(name) <= LONGEST_ID - 2:  # ":r" may follow
        return name
    digest = hashlib.blake2b(name.encode(), digest_size=16).hexdigest()
    return f"{document[:100]}:{digest}"
