"""The worker's page in small, beside what a manager writes: drawn by the server, from the first
document and the project's labels. The page itself can be tried in full (dashboard.gold.answering).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from annotation.interfaces import Product, traits
from annotation.models import Campaign, Document, Task
from annotation.text import markdown

LONGEST_START = 420  # characters of a text
MOST_BUTTONS = 9


@dataclass(frozen=True, slots=True)
class WorkerPreview:
    steps: Sequence[SafeString]  # of the instructions
    text: str
    question: str
    types: Sequence[dict[str, Any]]
    answers: Sequence[str]


def worker_preview(campaign: Campaign) -> WorkerPreview:
    """One query, or two where a campaign has tasks of its own."""
    own, options = traits(campaign.interface), campaign.options
    instructions = campaign.instructions.text if campaign.instructions else ""
    is_marked = own.product is Product.MENTIONS
    schema = campaign.project.schema
    answers = list(options.get("choices", ()))
    if own.product is Product.RELATIONS:
        answers = [one["button"] or one["name"] for one in schema.get("relation_types", ())]
    return WorkerPreview(
        steps=markdown.steps(instructions) if instructions else (),
        text=_text(campaign, has_own=own.own_tasks),
        question=str(options.get("question", "")),
        types=schema.get("entity_types", ())[:MOST_BUTTONS] if is_marked else (),
        answers=answers[:MOST_BUTTONS],
    )


def _text(campaign: Campaign, *, has_own: bool) -> str:
    """The beginning of what a worker would read first; "" where there is nothing yet."""
    if has_own:
        payload = Task.objects.filter(campaign=campaign).values_list("payload", flat=True).first()
        if payload and payload.get("text"):
            return _start(payload["text"])
    documents = Document.objects.visible().filter(project=campaign.project_id)
    text = documents.order_by("pk").values_list("text", flat=True).first()
    return _start(text or "")


def _start(text: str) -> str:
    if len(text) <= LONGEST_START:
        return text
    return f"{text[:LONGEST_START].rsplit(maxsplit=1)[0]} …"
