"""Small campaigns with answers, for the tests of what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.models import Campaign, ImportedAnswer, Task, Worker
from tests.factories import make_campaign, make_document, make_response, make_task, make_worker

TEXT = "Ada Lovelace met Babbage . London liked her ."
SENTENCES = [[0, 5], [5, 9]]
GOLD = ["B-PER", "I-PER", "O", "B-PER", "O", "B-LOC", "O", "O", "O"]
CHOICES = {"choices": ["yes", "no", "maybe"]}


def tagged_task(
    campaign: Campaign,
    *answers: Any,
    workers: Sequence[Worker] = (),
    gold: Any = None,
    text: str = TEXT,
    sentences: Any = SENTENCES,
) -> Task:
    """A document's task. An answer is a string of tags, or what an answer looks like."""
    document = make_document(campaign.project, text, sentences=sentences)
    if gold is not None:
        ImportedAnswer.objects.create(
            document=document, interface="entity", source="gold", answer=read(gold)
        )
    task = make_task(campaign, document)
    for i, answer in enumerate(answers):
        make_response(task, workers[i] if workers else None, read(answer))
    return task


def read(answer: Any) -> Any:
    return {"tags": answer.split()} if isinstance(answer, str) else answer


def choice_campaign() -> Campaign:
    return make_campaign(interface="choice", options=CHOICES)


def choice_task(
    campaign: Campaign, *names: str, workers: Sequence[Worker] = (), gold: str | None = None
) -> Task:
    """A task whose answers are `names`; "unsure" is one of them."""
    task = make_task(campaign)
    if gold is not None:
        ImportedAnswer.objects.create(
            document=task.document, interface="choice", source="gold", answer=choice(gold)
        )
    for i, name in enumerate(names):
        make_response(task, workers[i] if workers else None, choice(name))
    return task


def choice(name: str) -> dict[str, Any]:
    unsure = name == "unsure"
    return {"choice": None if unsure else name, "unsure": unsure, "value": None, "note": ""}


def make_workers(number: int) -> list[Worker]:
    return [make_worker() for _ in range(number)]
