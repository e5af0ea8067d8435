"""Linking tasks: whom and what the documents of an entity campaign name, in blocks of similar
names, so that workers say across documents which are the same."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aggregation.algorithms.clusters.blocks import MOST_BLOCKS, THRESHOLD, overlapping_blocks
from aggregation.knowledge import WrongCampaign
from aggregation.models import Consensus
from aggregation.queries import RunSummary, latest_run
from annotation.actions import locks
from annotation.actions.campaigns import create_tasks
from annotation.interfaces import Product, traits
from annotation.interfaces.answers import MentionAnswer, MentionsAnswer
from annotation.interfaces.schema import entity_type_names, unlinked_type_names
from annotation.models import Campaign, Document, Task
from annotation.text.folding import fold

BLOCK_SIZE = 30
LARGEST_BLOCK = 60  # cards that a page shows at once
LONGEST_SENTENCE = 600  # characters; a longer one is cut around its name
LONGEST_BESIDE = 120  # characters of the sentence before and of that after it
READ = 200  # documents at once

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class BuiltLinking:
    """What became of the consensus. `apart`: similar pairs of names that no task holds both of,
    see `Blocks`; `alone`: entities whose name is similar to no other, and `unlinked`: those of
    types that are never linked, as dates are; nobody is asked about either unless they are
    wanted."""

    run: RunSummary
    documents: int
    entities: int
    linked: int  # entities that have a link or a value already: no card
    unlinked: int
    alone: int
    made: int
    there: int  # blocks whose cards a task of the campaign held already
    cards: int  # in the tasks that were made
    pairs: int
    apart: int


def build_linking_tasks(
    campaign: Campaign,
    into: Campaign,
    *,
    block_size: int = BLOCK_SIZE,
    threshold: float = THRESHOLD,
    most_blocks: int = MOST_BLOCKS,
    with_alone: bool = False,
    types: Collection[str] = (),
    advance: Advance | None = None,
) -> BuiltLinking:
    """Tasks in `into` for the entities that the latest complete run of `campaign` found.

    A card is an entity of a document by its canonical mention; where the consensus has no groups,
    equal names of one type in a document are one entity. Its id is
    "DOCUMENT:START-END", in code points, and beside what the page shows it keeps `document`,
    `start` and `end`. With `types` entities of other types are no cards, without them those of
    types that the schema never links. Run again it adds the blocks that no task holds yet, and
    takes none away.

    `advance` is told how many documents were read and names compared. Raises ValueError where the
    campaigns don't fit or there is nothing to link, locks.Held while somebody builds or opens.
    """
    _check(campaign, into, block_size, most_blocks)
    run = latest_run(campaign)
    if run is None:
        raise WrongCampaign("linking.no_run", campaign=campaign.slug)
    if unknown := [kind for kind in types if kind not in entity_type_names(into.project.schema)]:
        raise WrongCampaign("linking.no_type", project=into.project.slug, type=unknown[0])
    with locks.hold(f"campaign:{into.slug}"):
        into.refresh_from_db(fields=["state"])
        _check(campaign, into, block_size, most_blocks)
        read = CardCollector(types, () if types else unlinked_type_names(into.project.schema))
        read.add_all(run, advance)
        cards = read.cards
        if not cards:
            raise WrongCampaign("linking.no_entity", run=run.key, number=read.documents)
        blocks = blocks_of(
            cards, block_size=block_size, threshold=threshold, most_blocks=most_blocks,
            with_alone=with_alone, advance=advance,
        )  # fmt: skip
        if not blocks.cards:
            raise WrongCampaign("linking.unlike", number=len(cards))
        made, in_tasks = make_tasks(into, blocks)
    return BuiltLinking(
        run=run,
        documents=read.documents,
        entities=len(cards) + read.linked + read.unlinked,
        linked=read.linked,
        unlinked=read.unlinked,
        alone=blocks.alone,
        made=made,
        there=len(blocks.cards) - made,
        cards=in_tasks,
        pairs=blocks.pairs,
        apart=blocks.apart,
    )


# --- From cards to tasks --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Blocks:
    """The cards of each task; see `BuiltLinking` for the rest."""

    cards: list[list[dict[str, Any]]]
    alone: int
    pairs: int
    apart: int


def blocks_of(
    cards: list[dict[str, Any]], *, block_size: int = BLOCK_SIZE, threshold: float = THRESHOLD,
    most_blocks: int = MOST_BLOCKS, with_alone: bool = False, advance: Advance | None = None,
) -> Blocks:  # fmt: skip
    """Blocks of similar names, that overlap."""
    found = overlapping_blocks(
        [fold(card["name"]) for card in cards],
        kinds=[card["type"] for card in cards],
        size=block_size,
        threshold=threshold,
        most_blocks=most_blocks,
        advance=advance,
    )
    blocks = [[cards[i] for i in block] for block in found.blocks]
    if with_alone:
        rest = [cards[i] for i in found.alone]
        blocks += [rest[i : i + block_size] for i in range(0, len(rest), block_size)]
    return Blocks(blocks, len(found.alone), found.pairs, found.apart)


def make_tasks(into: Campaign, blocks: Blocks) -> tuple[int, int]:
    """Of the blocks that no task holds yet; how many tasks, and cards in them. The caller holds the
    campaign's lock."""
    fresh = unknown_blocks(blocks, into)
    made = create_tasks(into, ((_task_name(block), {"mentions": block}) for block in fresh))
    return made, sum(map(len, fresh))


def unknown_blocks(blocks: Blocks, into: Campaign) -> list[list[dict[str, Any]]]:
    return list(_without_known(blocks.cards, into))


def _check(campaign: Campaign, into: Campaign, block_size: int, most_blocks: int) -> None:
    if traits(campaign.interface).product != Product.MENTIONS:
        raise WrongCampaign(
            "linking.from_entities", campaign=campaign.slug, interface=campaign.interface
        )
    if traits(into.interface).product != Product.CLUSTERS:
        raise WrongCampaign("linking.into_linking", campaign=into.slug, interface=into.interface)
    if campaign.project_id != into.project_id:
        raise WrongCampaign("build.other_project", one=campaign.slug, other=into.slug)
    if into.state == Campaign.State.CLOSED:
        raise WrongCampaign("linking.closed", campaign=into.slug)
    if not 4 <= block_size <= LARGEST_BLOCK:
        raise WrongCampaign("linking.block_size", number=block_size, most=LARGEST_BLOCK)
    if most_blocks < 1:
        raise WrongCampaign("linking.most_blocks")


def _consensus(run: RunSummary) -> Iterator[Consensus]:
    """In the order of the documents' names, so that the same consensus gives the same blocks."""
    rows = Consensus.objects.filter(run__key=run.key, task__document__isnull=False)
    return (
        rows.select_related("task__document")
        .only(
            "answer", "task__external_id", "task__document__external_id", "task__document__title",
            "task__document__text", "task__document__tokens", "task__document__sentences",
        )
        .order_by("task__document__external_id", "pk")
        .iterator(chunk_size=READ)
    )  # fmt: skip


class CardCollector:
    """The cards of all documents: of these `types` alone, if any, of none that is `left_out`."""

    def __init__(self, types: Collection[str], left_out: Collection[str] = ()) -> None:
        self.types = types
        self.left_out = left_out
        self.cards: list[dict[str, Any]] = []
        self.documents = 0
        self.linked = 0
        self.unlinked = 0

    def add_all(self, run: RunSummary, advance: Advance | None = None) -> None:
        for row in _consensus(run):
            document = row.task.document
            assert document is not None  # by the filter
            self.add(document, row.answer)
            if advance is not None:
                advance(1)

    def add(self, document: Document, answer: MentionsAnswer) -> None:
        self.documents += 1
        sentence_of = Sentences(document)
        for mention, is_linked in canonical_mentions(answer, document.text):
            if self.types and mention["type"] not in self.types:
                continue
            if is_linked:
                self.linked += 1
            elif mention["type"] in self.left_out:
                self.unlinked += 1
            else:
                self.cards.append(card_of(document, mention, sentence_of))


def canonical_mentions(answer: MentionsAnswer, text: str) -> Iterator[tuple[MentionAnswer, bool]]:
    """The canonical mention of each entity, and whether it has a link or a value already.

    Mentions of no entity are grouped by name and type, the first of them standing for all.
    """
    entities = {entity["id"]: entity for entity in answer["entities"]}
    seen: set[Any] = set()
    for mention in sorted(answer["mentions"], key=lambda m: (m["start"], -m["end"])):
        entity = entities.get(mention["entity"] or "")
        if entity is None:
            key = (fold(text[mention["start"] : mention["end"]]), mention["type"])
            if key not in seen:
                yield mention, False
            seen.add(key)
        elif entity["canonical"] == mention["id"]:
            yield mention, entity["link"] is not None or entity["value"] is not None


def card_of(
    document: Document, mention: Mapping[str, Any], sentence_of: Sentences
) -> dict[str, Any]:
    start, end = mention["start"], mention["end"]
    before, after = sentence_of.beside(start)
    return {
        "id": f"{document.external_id}:{start}-{end}",
        "name": _in_line(document.text[start:end]),
        "sentence": sentence_of(start, end),
        **({"before": before} if before else {}),
        **({"after": after} if after else {}),
        "document_title": document.title or document.external_id,
        "type": mention["type"],
        "document": document.external_id,
        "start": start,
        "end": end,
    }


class Sentences:
    """The sentence around a mention, in one line."""

    def __init__(self, document: Document):
        tokens = document.tokens
        self.text = document.text
        self.spans = [
            (tokens[first][0], tokens[last - 1][1])
            for first, last in document.sentences
            if first < last
        ]
        self.starts = [start for start, _ in self.spans]

    def __call__(self, start: int, end: int) -> str:
        at = bisect_right(self.starts, start) - 1
        first, last = self.spans[at] if at >= 0 else (start, end)
        last = max(last, end)  # a name over the end of a sentence
        if last - first <= LONGEST_SENTENCE:
            return _in_line(self.text[first:last])
        room = max(0, LONGEST_SENTENCE - (end - start)) // 2
        left, right = max(first, start - room), min(last, end + room)
        cut = self.text[left:right]
        return ("… " if left > first else "") + _in_line(cut) + (" …" if right < last else "")

    def beside(self, start: int) -> tuple[str, str]:
        """The end of the sentence before that around `start`, and the beginning of the one after:
        who is meant often stands there. "" where there is none."""
        at = bisect_right(self.starts, start) - 1
        before, after = self._sentence(at - 1), self._sentence(at + 1)
        if len(before) > LONGEST_BESIDE:
            cut = before[-LONGEST_BESIDE:]
            before = "… " + (cut.partition(" ")[2] or cut)
        if len(after) > LONGEST_BESIDE:
            cut = after[:LONGEST_BESIDE]
            after = (cut.rpartition(" ")[0] or cut) + " …"
        return before, after

    def _sentence(self, number: int) -> str:
        if not 0 <= number < len(self.spans):
            return ""
        first, last = self.spans[number]
        return _in_line(self.text[first:last])


def _in_line(text: str) -> str:
    return " ".join(text.split())


def _without_known(
    blocks: Iterable[list[dict[str, Any]]], into: Campaign
) -> Iterator[list[dict[str, Any]]]:
    """The blocks that no task of the campaign holds wholly."""
    tasks_of: dict[str, set[int]] = {}
    plain = Task.objects.plain().filter(campaign=into)
    for pk, payload in plain.values_list("pk", "payload").iterator(chunk_size=READ):
        for mention in payload.get("mentions", ()):
            tasks_of.setdefault(mention["id"], set()).add(pk)
    for block in blocks:
        if not set.intersection(*(tasks_of.get(card["id"], set()) for card in block)):
            yield block


def _task_name(block: list[dict[str, Any]]) -> str:
    ids = "\n".join(sorted(card["id"] for card in block))
    return f"link-{hashlib.blake2b(ids.encode(), digest_size=8).hexdigest()}"
