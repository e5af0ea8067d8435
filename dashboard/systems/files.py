"""What a period hands out: its corpus to teams, and at last its labels."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.formats import jsonl
from annotation.models import Document
from dashboard.access import visible_period
from evaluation.models import Claim, EvaluationPeriod, PartLabel

AT_ONCE = 500


@login_required
@require_safe
def corpus(request: HttpRequest, key: uuid.UUID) -> StreamingHttpResponse:
    """To members of the project, and to its teams once the period has opened."""
    period, permissions = visible_period(request.user, key)
    if permissions is None and timezone.now() < period.opens_at:
        raise Http404
    return _download(_documents(period), f"{period.name}.jsonl")


@login_required
@require_safe
def labels(request: HttpRequest, key: uuid.UUID) -> StreamingHttpResponse:
    """To who may see known answers, and to teams once they are released."""
    period, permissions = visible_period(request.user, key)
    sees = permissions.sees_gold if permissions else period.labels_released_at is not None
    if not sees:
        raise Http404
    return _download(_labels(period), f"{period.name}-labels.jsonl")


def _download(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(lines, content_type="application/octet-stream")
    answer.headers["Content-Disposition"] = f'attachment; filename="{_safe(name)}"'
    return answer


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", name)


def _documents(period: EvaluationPeriod) -> Iterator[str]:
    """As the import takes them."""
    chosen = period.documents.through.objects.filter(evaluationperiod=period).values("document")
    rows = Document.objects.visible().filter(pk__in=chosen).order_by("pk")
    for name, title, text in rows.values_list("external_id", "title", "text").iterator(AT_ONCE):
        yield jsonl.write({"id": name, "title": title, "text": text})


def _labels(period: EvaluationPeriod) -> Iterator[str]:
    """Each judged claim, with what was said of its parts, and how probable its draw was."""
    after = 0
    drawn = Claim.objects.filter(period=period).drawn().order_by("pk")
    while batch := list(drawn.filter(pk__gt=after)[:AT_ONCE]):
        rows = PartLabel.objects.filter(part__claim__in=batch).select_related("part")
        parts: dict[int, dict[tuple[str, str], PartLabel]] = {}
        for label in rows.order_by("instructions__number", "pk"):
            known = parts.setdefault(label.part.claim_id, {})
            known[label.part.part, label.part.value] = label
        for claim in batch:
            if claim.pk in parts:
                yield jsonl.write(_labelled(claim, parts[claim.pk]))
        after = batch[-1].pk


def _labelled(claim: Any, parts: dict[tuple[str, str], PartLabel]) -> dict[str, Any]:
    return {
        "document": claim.document_name,
        "relation": claim.relation,
        "subject": {"start": claim.subject_start, "end": claim.subject_end},
        "object": {"start": claim.object_start, "end": claim.object_end},
        "drawn_with": claim.inclusion,
        "parts": [
            {"part": part, "value": value or None, "correct": round(label.probability, 4),
             "answers": label.answers}
            for (part, value), label in sorted(parts.items())
        ],
    }  # fmt: skip
