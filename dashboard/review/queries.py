"""The page on which a task is decided: its text once, its answers as lanes, what to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from aggregation.actions.decisions import decides_parts
from aggregation.models import Adjudication, Consensus
from aggregation.queries.posteriors import largest, ranked
from aggregation.queries.runs import RunSummary
from annotation.interfaces import Material
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.spans import text_data
from annotation.interfaces.tags import spans_of
from annotation.models import Campaign, Response, Task
from annotation.models.materials import alias_key
from annotation.queries.worker_names import worker_name
from dashboard.documents.document import LANES
from dashboard.documents.lanes import (
    DocumentPart,
    Lane,
    LaneText,
    Word,
    lay_out,
    plain_words,
)
from dashboard.documents.marks import consensus_marks, worker_marks
from dashboard.interfaces import verdicts_offered
from dashboard.review.blocks import Block, passages_of
from dashboard.review.candidates import (
    Dispute,
    Given,
    agreement_on_names,
    dispute_of_answers,
    disputes_of_names,
)
from dashboard.review.cuts import Words, words_around


@dataclass(frozen=True, slots=True)
class Note:
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Review:
    task: Task
    decision: Adjudication | None
    disputes: list[Dispute]
    at: int  # which of them is asked about
    passages: list[list[Block]]
    part: DocumentPart | None
    notes: list[Note]
    answers: int
    words: Words | None  # of a name that is cut by hand

    @property
    def dispute(self) -> Dispute | None:
        return self.disputes[self.at] if self.disputes else None

    @property
    def version(self) -> int:
        return self.decision.version if self.decision else 0

    @property
    def number(self) -> int:
        return self.at + 1

    def open_after(self, at: int) -> int | None:
        """The next dispute that nobody has decided, round to the first ones."""
        number = len(self.disputes)  # none where all agree
        order = [(at + step) % number for step in range(1, number + 1)]
        return next((i for i in order if not self.disputes[i].is_decided), None)


def review(
    campaign: Campaign, run: RunSummary, task: Task, *, part: str = "", with_ids: bool = False
) -> Review | None:
    """Three queries; `task` comes with its document, `part` is the id of a dispute. None where the
    run has nothing to say of the task."""
    consensus = Consensus.objects.filter(run__key=run.key, task=task).first()
    if consensus is None:
        return None
    decision = Adjudication.objects.select_related("decided_by").filter(task=task).first()
    rows = list(
        Response.objects.submitted()
        .filter(assignment__task=task)
        .select_related("assignment__enrollment__worker", "correction")
        .defer("judgments", "assignment__draft", "correction__judgments")
        .order_by("received_at", "pk")[:LANES]
    )
    document = task.document
    material = Material(
        schema=campaign.project.schema,
        options=campaign.options,
        payload=task.payload,
        text=document.text if document else "",
        tokens=document.tokens if document else [],
        sentences=document.sentences if document else [],
        alias_key=alias_key(campaign.assignment, campaign.secret),
    )
    given: list[Given] = [
        (worker_name(row.assignment.enrollment, with_ids=with_ids), row.standing) for row in rows
    ]
    disputes = _disputes(campaign, run, consensus, given, material, decision)
    ids = [dispute.id for dispute in disputes]
    at = ids.index(part) if part in ids else 0
    if part not in ids:
        at = next((i for i, one in enumerate(disputes) if not one.is_decided), 0)
    passages, shown = _text(
        campaign, run, consensus, given, material, disputes[at] if disputes else None
    )
    notes = [
        Note(who, doubt["note"])
        for who, answer in given
        for doubt in answer.get("doubts") or ()
        if doubt["note"]
    ] + [Note(who, answer["note"]) for who, answer in given if answer.get("note")]
    words = _words(consensus, material, disputes, at) if decides_parts(campaign) else None
    return Review(task, decision, disputes, at, passages, shown, notes, len(rows), words)


def _words(
    consensus: Consensus, material: Material, disputes: Sequence[Dispute], at: int
) -> Words | None:
    """Those of which a name of the dispute may be made: no other name, and no other dispute."""
    part = disputes[at].part if disputes else None
    if part is None or disputes[at].is_agreed:
        return None
    others = [one.part for one in disputes if one.part and one.part != part]
    names = [span[:2] for span in spans_of(consensus.answer, material)]
    offered = next((one.value[0] for one in disputes[at].candidates if one.value), None)
    return words_around(part, [*others, *names], offered, material)


def _disputes(
    campaign: Campaign,
    run: RunSummary,
    consensus: Consensus,
    given: Sequence[Given],
    material: Material,
    decision: Adjudication | None,
) -> list[Dispute]:
    if decides_parts(campaign):
        spans = spans_of(consensus.answer, material)
        known = (consensus.confidences or {}).get("spans") or ()
        if len(known) == len(spans):
            sure = dict(zip(spans, known, strict=True))
        else:
            tokens = largest(bytes(consensus.probabilities), len(run.classes))
            sure = {span: min(filter(None, tokens[span[0] : span[1]]), default=0) for span in spans}
        decided = [(start, end) for start, end in decision.parts] if decision else []
        found = disputes_of_names(
            consensus.answer, _of_names(given), material, sure=sure, decided=decided
        )
        return found or [agreement_on_names(consensus.answer, [who for who, _ in given], material)]
    shares: list[list[tuple[str, float]]] = []
    if run.classes and consensus.confidence is not None:  # else shares of votes: no confidence
        shares = ranked(bytes(consensus.probabilities), run.classes, 0.0)
    return [
        dispute_of_answers(
            campaign.interface,
            consensus.answer,
            given,
            material,
            ranked=shares[0] if shares else (),
            is_decided=decision is not None,
            offered=verdicts_offered(campaign.interface, material.payload),
        )
    ]


def _of_names(given: Sequence[Given]) -> list[tuple[str, EntityAnswer]]:
    return [(who, cast(EntityAnswer, answer)) for who, answer in given]


def _text(
    campaign: Campaign,
    run: RunSummary,
    consensus: Consensus,
    given: Sequence[Given],
    material: Material,
    dispute: Dispute | None,
) -> tuple[list[list[Block]], DocumentPart | None]:
    """The part of the document in which the dispute lies; its words, and lanes of names."""
    if not material.tokens:
        return [], None
    data = text_data(material)
    text = LaneText(data["tokens"], data["gaps"], data["sentences"])
    start, end = (dispute.part if dispute and not dispute.is_agreed else None) or (0, 0)
    words = [
        Word(word.text, doubt=3 if start <= i < end else 0)
        for i, word in enumerate(plain_words(text))
    ]
    above: list[Lane] = []
    below: list[Lane] = []
    if decides_parts(campaign):
        colours = {kind["name"]: kind["colour"] for kind in material.schema.get("entity_types", ())}
        sure = largest(bytes(consensus.probabilities), len(run.classes))
        marks = consensus_marks(consensus.answer, sure, material, colours)
        above.append(Lane("consensus", "Consensus", marks))
        below += [
            Lane("worker", who, worker_marks(answer, material, colours, {}))
            for who, answer in _of_names(given)
        ]
    shown = lay_out(text, words, above, below, 1)
    while shown.end <= start and shown.number < shown.parts:
        shown = lay_out(text, words, above, below, shown.number + 1)
    named = above[0].marks if above else ()
    return passages_of(shown, words, named, data["sentences"], (start, end)), shown
