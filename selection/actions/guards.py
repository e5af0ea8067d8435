"""Flags on workers and on gold questions, each with its evidence, for a person to look at."""

from __future__ import annotations

from collections.abc import Iterator
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
from selection.algorithms.tasks.gold_questions import check_questions, spread_by_difficulty
from selection.algorithms.workers.guards import Flags, chance_agreement, same_answer, too_fast
from selection.algorithms.workers.peers import find_peers
from selection.models import GoldCheck, WorkerFlag

DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """What a look at a campaign's gold came to."""

    questions: int
    suspicious: list[str]  # external ids of their tasks


def flag_workers(
    campaign: Campaign, *, seed: int = 0, now: datetime | None = None
) -> list[WorkerFlag]:
    """Look at all workers who have answers, keep what is found, forget what is no more; the flags.

    One that a person has dismissed stays dismissed while it is found. `seed` settles who is
    compared with whom where very many answered one task. Raises locks.Held.
    """
    now = now or timezone.now()
    with locks.hold(f"flag:{campaign.slug}"):
        found = list(_current_flags(campaign, arrays.load_work(campaign), seed))
        enrollments = dict(
            Enrollment.objects.filter(campaign=campaign, worker__in={row[0] for row in found})
            .values_list("worker", "pk")
        )  # fmt: skip
        flags = [
            WorkerFlag(enrollment_id=enrollments[worker], kind=kind, at=now, evidence=evidence)
            for worker, kind, evidence in found
        ]
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
    """How hard each question of hidden gold and of the exam is, which of them good workers keep
    failing; and the order of hidden gold, in which easy and hard ones take turns. Raises
    locks.Held."""
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
            order_gold(campaign, [gold.tasks[i] for i in order.tolist() if gold.is_hidden[i]])
    suspicious = [gold.names[i] for i in np.flatnonzero(found.suspicious).tolist()]
    return Checked(len(gold.tasks), suspicious)


def _current_flags(
    campaign: Campaign, work: arrays.Work, seed: int
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Row id of the worker, kind of the flag, and its evidence, for `queries.words`."""
    answers = work.answers
    peers = find_peers(answers, np.random.default_rng(seed))
    fast = too_fast(answers.worker, answers.task, work.seconds, work.words, answers.n_workers)
    same, chance = same_answer(peers), chance_agreement(peers)
    for i in np.flatnonzero(fast.flagged).tolist():
        yield int(work.workers[i]), WorkerFlag.Kind.FAST, _evidence(fast, i) | _times(fast, i)
    flagged = np.flatnonzero(same.flagged).tolist()
    contents = [work.contents[int(same.content[i])] for i in flagged]
    for i, content in zip(flagged, arrays.named_contents(campaign, contents), strict=True):
        evidence = _evidence(same, i) | _times(same, i)
        evidence |= {"others": int(same.others[i]), "content": content}
        yield int(work.workers[i]), WorkerFlag.Kind.SAME, evidence
    # Who says always the same agrees by chance; that is told once.
    for i in np.flatnonzero(chance.flagged & ~same.flagged).tolist():
        yield int(work.workers[i]), WorkerFlag.Kind.CHANCE, _evidence(chance, i)


def _evidence(flags: Flags, i: int) -> dict[str, Any]:
    return {
        "share": _rounded(flags.share[i]), "usual": _rounded(flags.usual[i]),
        "number": int(flags.number[i]),
    }  # fmt: skip


def _times(flags: Flags, i: int) -> dict[str, Any]:
    return {"times": round(flags.share[i] * flags.number[i])}


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), DECIMALS)
