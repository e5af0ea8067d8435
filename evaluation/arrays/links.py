"""Names without a link, as the cards of linking tasks: what systems claim of them beside what the
documents annotated in full have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aggregation.knowledge.linking_tasks import CardCollector, Sentences, card_of
from aggregation.queries import latest_run
from annotation.formats.directions import STRINGS
from annotation.models import Document
from annotation.text.folding import fold
from evaluation.models import (
    ClaimPart,
    EvaluationPeriod,
    PartLabel,
    RecallSample,
    Submission,
    SubmissionClaim,
)

READ = 200
WRONG = 0.5  # of probability; what is less likely to be a name is not asked about
Place = tuple[int, int]
SIDES = (("subject", ClaimPart.Part.SUBJECT), ("object", ClaimPart.Part.OBJECT))


def cards_without_link(period: EvaluationPeriod) -> list[dict[str, Any]]:
    """One for each name of a document, the crowd's before the systems'. Of what systems say these
    are the names of claims that were drawn: those alone are paid for, as with every other part.
    Dates and titles are told apart by what they say, and are no cards."""
    cards = [*_of_documents(period), *_of_submissions(period)]
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for card in cards:
        found.setdefault((card["document"], fold(card["name"]), card["type"]), card)
    return list(found.values())


def _of_documents(period: EvaluationPeriod) -> list[dict[str, Any]]:
    sample = RecallSample.objects.select_related("names").filter(period=period).first()
    run = latest_run(sample.names) if sample else None
    if run is None or sample is None:
        return []
    kinds = [one["name"] for one in period.project.schema["entity_types"]]
    read = CardCollector([name for name in kinds if name not in STRINGS])
    read.add_all(run)
    return read.cards


def _of_submissions(period: EvaluationPeriod) -> Iterator[dict[str, Any]]:
    by_document: dict[int, dict[Place, str]] = {}
    wrong = _no_names(period)
    current = Submission.objects.current().filter(period=period)
    rows = SubmissionClaim.objects.filter(
        submission__in=current, claim__draws__isnull=False,
        claim__document__import_run__state="complete",
    ).distinct().select_related("claim")  # fmt: skip
    for row in rows.order_by("pk").iterator(chunk_size=READ):
        for side, part in SIDES:
            kind = getattr(row, f"{side}_type")
            if kind in STRINGS or getattr(row, f"{side}_link") or (row.claim_id, part) in wrong:
                continue
            ends = tuple(getattr(row.claim, f"{side}_{end}") for end in ("start", "end"))
            by_document.setdefault(row.claim.document_id or 0, {}).setdefault(ends, kind)
    names = Document.objects.only("external_id", "title", "text", "tokens", "sentences")
    chosen = names.filter(pk__in=by_document).order_by("external_id")
    for document in chosen.iterator(chunk_size=READ):
        sentence_of = Sentences(document)
        for (start, end), kind in sorted(by_document[document.pk].items()):
            mention = {"start": start, "end": end, "type": kind}
            yield card_of(document, mention, sentence_of)


def _no_names(period: EvaluationPeriod) -> set[tuple[int, str]]:
    """Sides of claims that the crowd takes for no name."""
    parts = [part for _, part in SIDES]
    rows = (
        PartLabel.objects.filter(part__claim__period=period, part__part__in=parts)
        .order_by("instructions__number", "pk")
        .values_list("part__claim", "part__part", "probability")
    )
    newest = {(claim, part): probability for claim, part, probability in rows}
    return {key for key, probability in newest.items() if probability < WRONG}
