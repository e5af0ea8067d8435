"""Flags on workers and on gold questions, each with its evidence, for a person to look at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from annotation.actions import locks
from annotation.actions.assignments.demand import order_gold
from annotation.models import Campaign, Enrollment
from selection import arrays
from selection.algorithms.guards import (
    Flags,
    chance_agreement,
    check_questions,
    same_answer,
    spread_by_difficulty,
    too_fast,
)
from selection.models import GoldCheck, WorkerFlag

DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """What a look at a campaign's gold came to."""

    questions: int
    suspicious: list[str]  # external ids of their tasks


def flag_workers(campaign: Campaign, *, now: datetime | None = None) -> list[WorkerFlag]:
    """Look at all workers who have answers, keep what is found, forget what is no more; the flags.

    One that a person has dismissed stays dismissed while it is found. Raises locks.Held.
    """
    now = now or timezone.now()
    with locks.hold(f"flag:{campaign.slug}"):
        work = arrays.load_work(campaign)
        size = len(work.workers)
        found: dict[str, Flags] = {
            WorkerFlag.Kind.FAST: too_fast(work.worker, work.seconds, work.words, size),
            WorkerFlag.Kind.SAME: same_answer(work.worker, work.pattern, size, work.n_patterns),
        }
        labels = arrays.load_judgments(campaign)
        if labels is not None:
            found[WorkerFlag.Kind.CHANCE] = _in_order(
                chance_agreement(labels.labels), labels.workers, work.workers
            )
        enrollments = dict(
            Enrollment.objects.filter(campaign=campaign, worker__in=work.workers.tolist())
            .values_list("worker", "pk")
        )  # fmt: skip
        flags = [
            WorkerFlag(
                enrollment_id=enrollments[int(work.workers[i])], kind=kind, at=now,
                evidence={
                    "share": _rounded(flag.share[i]), "usual": _rounded(flag.usual[i]),
                    "number": int(flag.number[i]),
                },
            )
            for kind, flag in found.items()
            for i in np.flatnonzero(flag.flagged).tolist()
        ]  # fmt: skip
        with transaction.atomic():
            WorkerFlag.objects.bulk_create(
                flags, update_conflicts=True, unique_fields=["enrollment", "kind"],
                update_fields=["evidence", "at"],
            )  # fmt: skip
            WorkerFlag.objects.filter(enrollment__campaign=campaign, at__lt=now).delete()
    return list(
        WorkerFlag.objects.filter(enrollment__campaign=campaign)
        .select_related("enrollment__worker")
        .order_by("enrollment", "kind")
    )


def check_gold(campaign: Campaign, *, seed: int = 0, now: datetime | None = None) -> Checked:
    """How hard each hidden gold question is, which of them good workers keep failing; and their
    order, in which easy and hard ones take turns. Raises locks.Held."""
    now = now or timezone.now()
    with locks.hold(f"check gold:{campaign.slug}"):
        gold = arrays.load_gold(campaign)
        found = check_questions(
            gold.question, gold.worker, gold.score, len(gold.tasks), gold.n_workers
        )
        rows = [
            GoldCheck(
                question_id=task, number=int(found.number[i]), mean=_rounded(found.mean[i]),
                expected=_rounded(found.expected[i]), suspicious=bool(found.suspicious[i]), at=now,
            )
            for i, task in enumerate(gold.tasks)
        ]  # fmt: skip
        order = spread_by_difficulty(found.mean, np.random.default_rng(seed))
        with transaction.atomic():
            GoldCheck.objects.bulk_create(
                rows, update_conflicts=True, unique_fields=["question"],
                update_fields=["number", "mean", "expected", "suspicious", "at"],
            )  # fmt: skip
            order_gold(campaign, [gold.tasks[i] for i in order.tolist()])
    suspicious = [gold.names[i] for i in np.flatnonzero(found.suspicious).tolist()]
    return Checked(len(gold.tasks), suspicious)


def _in_order(flags: Flags, workers: Any, wanted: Any) -> Flags:
    """In the order of `wanted`, row ids of workers; nothing is known of those who are not there."""
    place = {worker: i for i, worker in enumerate(workers.tolist())}
    at = np.array([place.get(worker, -1) for worker in wanted.tolist()], dtype=np.int64)
    there = at >= 0
    return Flags(
        flagged=np.where(there, flags.flagged[at], False),
        share=np.where(there, flags.share[at], np.nan),
        usual=np.where(there, flags.usual[at], np.nan),
        number=np.where(there, flags.number[at], 0),
    )


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), DECIMALS)
