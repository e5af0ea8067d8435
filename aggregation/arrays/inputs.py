"""What a run reads, as digests: equal ones make the same run.

A response is never changed, nor is a correction, so that their numbers stand for what they say.
What may be large comes from the database as text, without being parsed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import F, TextField
from django.db.models.functions import Cast

from aggregation.arrays.answers import READ, Sample
from aggregation.arrays.gold import gold_sample, shown_on_gold
from aggregation.models import Adjudication
from annotation.models import Campaign, Correction, Document, GoldQuestion, Response, Task


def inputs_of(
    campaign: Campaign, *, clamp: bool, from_gold: bool, until: datetime
) -> dict[str, str]:
    """The digest of each part, by its name. Nine queries, ten with `from_gold`.

    answers    which responses count, of those that were received by `until`; with `clamp` those
               to gold questions too
    tasks      what was answered: documents, payloads
    gold       what is known of the truth, of all tasks of the campaign
    shown      the answers to hidden gold that a method begins with (`from_gold`)
    schema     of the project, and the campaign's options
    decisions  what people have decided of tasks; left out where there are none
    doubts     that what workers were unsure of is left out; missing where it counts
    """
    sample = gold_sample(campaign)
    too = sample.tasks if sample is not None else ()
    responses = Response.objects.submitted() if clamp else Response.objects.counted_or_to(too)
    counted = responses.received_by(until).filter(assignment__task__campaign=campaign)
    corrected = Correction.objects.filter(response__in=counted.order_by(), at__lte=until)
    answered = Task.objects.submitted(until).filter(campaign=campaign).order_by()
    documents = Document.objects.filter(pk__in=answered.values("document"))
    asked = GoldQuestion.objects.standing().filter(task__campaign=campaign)
    imported = Task.objects.gold_for(campaign.interface).filter(campaign=campaign)
    parts: dict[str, list[Iterable[Any]]] = {
        "answers": [
            [clamp],
            chain(
                counted.order_by("pk")
                .values_list(
                    "pk", "assignment__task", "assignment__worker", "assignment__task__demand__kind"
                )
                .iterator(chunk_size=READ),
                # Runs of before there were corrections keep their digests.
                corrected.order_by("pk").values_list("pk", "at").iterator(chunk_size=READ),
            ),
        ],
        "tasks": [
            Task.objects.filter(pk__in=answered.values("pk"))
            .order_by("pk")
            .values_list("pk", "document", _text("payload")),
            documents.order_by("pk").values_list("pk", "text", _text("tokens"), _text("sentences")),
        ],
        "gold": [
            asked.order_by("pk").values_list("task", _text("answer")),
            imported.annotate(gold=F("document__imported_answers"))
            .order_by("pk", "gold")
            .values_list("pk", "gold", _text("document__imported_answers__answer")),
            *_drawn(campaign, asked, sample),
            *_not_all(campaign, imported),
        ],
        "schema": [[_sorted(campaign.project.schema), _sorted(campaign.options)]],
    }
    decided = Adjudication.objects.filter(task__campaign=campaign, decided_at__lte=until)
    if told := list(decided.order_by("task").values_list("task", _text("answer"))):
        parts["decisions"] = [told]
    if campaign.leaves_out_doubts:
        parts["doubts"] = [[campaign.doubts]]
    if from_gold:
        rows = shown_on_gold(campaign, until).order_by("pk").values_list("pk", "worker", "task")
        parts["shown"] = [rows]
    return {name: _digest(rows) for name, rows in parts.items()}


def _drawn(campaign: Campaign, asked: Any, sample: Sample | None) -> Iterable[Iterable[Any]]:
    """How gold was chosen, and which answers to it are read; nothing where nobody has said, so that
    runs of before keep their digests."""
    told = list(asked.exclude(drawn="picked").order_by("pk").values_list("task", "drawn"))
    if told:
        yield told
    if sample is not None:
        yield [(sample.answers, campaign.redundancy, campaign.wanted)]


def _not_all(campaign: Campaign, imported: Any) -> Iterable[Iterable[Any]]:
    """Where documents of some tasks alone came with gold, it is no sample: nothing else, so that
    runs of before keep their digests."""
    if imported.exists() and not campaign.tasks.all_have_gold_for(campaign.interface):
        yield [("some",)]


def digest_of(inputs: Mapping[str, str]) -> str:
    """Of all parts."""
    return hashlib.sha256(_sorted(dict(inputs)).encode()).hexdigest()


def _text(field: str) -> Cast:
    return Cast(field, TextField())


def _sorted(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _digest(queries: Iterable[Any]) -> str:
    hashed = hashlib.sha256()
    for query in queries:
        rows = query.iterator(chunk_size=READ) if hasattr(query, "iterator") else query
        for row in rows:
            hashed.update(f"{row!r}\n".encode(errors="surrogatepass"))
        hashed.update(b"\n")
    return hashed.hexdigest()
