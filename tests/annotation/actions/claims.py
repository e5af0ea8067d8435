"""Claims and answers in the tests of who is given which task, and what is known of them."""

from __future__ import annotations

from annotation.actions import assignments
from annotation.models import Demand, GoldQuestion
from tests.factories import (
    make_document,
    make_task,
)

SAVEPOINTS = 2  # atomic() inside a test's transaction: SAVEPOINT and RELEASE
NOTHING = {"mentions": [], "entities": []}
RIGHT = {"mentions": [{"id": "m1", "start": 0, "end": 1, "type": "PER"}]}


def claim(enrollment, **options):
    return assignments.claim_next(enrollment.key, **options)


def submit(enrollment, lease, answer=NOTHING, **options):
    return assignments.submit(enrollment.key, lease.key, answer, **options)


def counts(task):
    row = Demand.objects.get(task=task)
    return row.open, row.leased, row.received


def with_gold(campaign, kind, **fields):
    document = make_document(campaign.project)
    task = make_task(campaign, document, kind=kind, **fields)
    answer = {
        "mentions": [{"id": "m1", "start": 0, "end": 3, "type": "PER", "entity": "e1"}],
        "entities": [{"id": "e1", "canonical": "m1", "link": None, "value": None}],
        "unlabelled": [],
    }
    GoldQuestion.objects.create(task=task, answer=answer)
    return task
