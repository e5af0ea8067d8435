"""A small labelling loop: documents of two kinds, which workers tell apart."""

from __future__ import annotations

import random
from typing import Any

import pytest

from annotation.actions import assignments
from annotation.actions.campaigns import create_campaign
from annotation.models import Campaign, Document, Enrollment, Project
from selection.actions.loops import life
from selection.actions.loops.life import create_loop
from selection.models import LabellingLoop
from tests.factories import make_document, make_enrollment, make_project

PAY = 10
WORDS = {
    "A": ["harbour", "herring", "salt", "quay", "tide"],
    "B": ["court", "widow", "verdict", "judge", "oath"],
}
COMMON = ["the", "of", "and", "in", "a", "old", "year", "town", "letter", "man"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample of 8 documents in the place of 100."""
    monkeypatch.setattr(life, "LEAST_SAMPLE", 8)
    monkeypatch.setattr(life, "LEAST_GOLD", 4)


def make_texts(project: Project, number: int, seed: int = 0) -> list[Document]:
    """Every other one of kind A; `metadata` says so. Kinds share most words."""
    rng = random.Random(seed)
    made = []
    for i in range(number):
        kind = "AB"[i % 2]
        words = rng.sample(COMMON, 5) + rng.sample(WORDS[kind], 2)
        rng.shuffle(words)
        made.append(
            make_document(
                project, " ".join(words), external_id=f"t{i:04}", metadata={"kind": kind},
                attributes={"length": rng.randint(1, 40), "source": rng.choice("xyz")},
            )
        )  # fmt: skip
    return made


def make_draft(project: Project, **fields: Any) -> Campaign:
    return create_campaign(
        project,
        **{
            "slug": f"loop-{project.campaigns.count()}-{project.pk}", "name": "Loop",
            "interface": "choice", "options": {"choices": ["A", "B"]}, "pay_mills": PAY,
            "redundancy": 1,
        } | fields,
    )  # fmt: skip


def make_loop(documents: int = 40, **fields: Any) -> LabellingLoop:
    project = fields.pop("project", None) or make_project()
    if documents:
        make_texts(project, documents)
    campaign = fields.pop("campaign", None) or make_draft(project)
    return create_loop(
        project, campaign=campaign,
        **{
            "name": "Letters", "budget_mills": 80 * PAY, "start_size": 6, "batch_size": 4,
            "learner": "multinomial",
        } | fields,
    )  # fmt: skip


def label(campaign: Campaign, *, workers: int = 1, most: int = 1_000) -> int:
    """Workers answer by the kind of the text until nothing is given out; how many answers."""
    done = 0
    enrollments = list(Enrollment.objects.filter(campaign=campaign).order_by("pk")[:workers])
    while len(enrollments) < workers:
        enrollments.append(make_enrollment(campaign))
    Enrollment.objects.filter(campaign=campaign).update(rest_until=None)
    for worker in enrollments:
        lease = assignments.claim_next(worker.key).assignment
        while lease is not None and done < most:
            kind = lease.task.document.metadata["kind"]
            body = {"choice": kind, "unsure": False, "value": None, "note": ""}
            lease = assignments.submit(worker.key, lease.key, body).next.assignment
            done += 1
        if lease is not None:
            assignments.return_task(worker.key, lease.key, "enough")
    return done
