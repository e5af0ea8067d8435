"""Submissions: received, validated by a job, withdrawn. None of it is lost where a process ends:
the file stands before its row does, and a row that waits is validated by whoever comes next."""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from annotation.actions import assignments, audit
from annotation.actions.job_inputs import safe_name
from annotation.actions.jobs import enqueue
from annotation.models import Demand
from annotation.sentences import CodedError, shown
from evaluation.models import (
    ClaimPart,
    EvaluationPeriod,
    SamplingPlan,
    Submission,
    SubmissionClaim,
    System,
    Team,
    UploadToken,
)
from evaluation.sentences import CATALOGUE

LONGEST_NAME = 100
DAY = 86_400  # seconds
ANSWERS, PAY = 3, 50  # where no campaign says: $.15 a claim
LOST = timedelta(hours=1)
VALIDATE, EVALUATE, FORECAST, ASK = (
    "validate_submission", "evaluate_submissions", "forecast_plan", "ask_about_claims",
)  # fmt: skip


class CannotSubmit(CodedError, ValueError):
    """The period takes nothing now, or not this; the message says why and what to do."""

    catalogue = CATALOGUE


def submit(
    period: EvaluationPeriod,
    team: Team,
    system: str,
    file_name: str,
    chunks: Iterable[bytes],
    *,
    note: str = "",
    user: Any = None,
    token: UploadToken | None = None,
) -> Submission:
    """Keep a file as the next version of a system of the team, and ask for its validation. The
    same file again, as that system's last version, is the same submission.

    Raises CannotSubmit.
    """
    check_open(period)
    name = " ".join(system.split())
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise CannotSubmit("submission.system_name", "system", name=shown(system))
    return keep_version(
        period, lambda: _system(team, name), file_name, chunks, note=note, user=user, token=token
    )


def keep_version(
    period: EvaluationPeriod,
    system: Callable[[], System],
    file_name: str,
    chunks: Iterable[bytes],
    *,
    note: str = "",
    user: Any = None,
    token: UploadToken | None = None,
) -> Submission:
    """A file as the next version of a system, which is asked for once the file stands. Raises
    CannotSubmit."""
    row = Submission(
        period=period, submitted_by=user, upload_token=token, note=note[:200],
        file_name=safe_name(file_name),
    )  # fmt: skip
    try:
        row.bytes, row.digest = _keep(row.content, chunks)
    except OSError as error:
        _drop(row)
        raise CannotSubmit("submission.no_room", "file", why=error.strerror) from error
    try:
        if not row.bytes:
            raise CannotSubmit("submission.empty_file", "file")
        made = _version(row, system())
    except BaseException:
        _drop(row)
        raise
    if made is not row:  # the same was sent before
        _drop(row)
    return made


def check_open(period: EvaluationPeriod) -> None:
    now = timezone.now()
    if now < period.opens_at:
        raise CannotSubmit("submission.not_open", period=period.name, opens=period.opens_at)
    if not period.takes_submissions(now):
        raise CannotSubmit("submission.closed", period=period.name, closes=period.closes_at)


def _system(team: Team, name: str) -> System:
    try:
        with transaction.atomic():
            found, _ = System.objects.get_or_create(project=team.project, team=team, name=name)
    except IntegrityError as error:
        raise CannotSubmit("submission.other_team", "system", name=name) from error
    return found


def _version(row: Submission, system: System) -> Submission:
    """Under a lock of the system's row: two files that arrive at once get two versions."""
    with transaction.atomic():
        System.objects.select_for_update(no_key=True).get(pk=system.pk)
        rows = Submission.objects.filter(system=system, period=row.period)
        last = rows.order_by("-version").first()
        refused = Submission.State.REFUSED
        if last and last.digest == row.digest and not last.withdrawn_at and last.state != refused:
            return last
        row.system = system
        row.version = (rows.aggregate(most=Max("version"))["most"] or 0) + 1
        job = enqueue(
            VALIDATE, {"submission": str(row.key)}, project=row.period.project,
            user=row.submitted_by,
        )  # fmt: skip
        row.job = job
        row.save()
    return row


def withdraw(submission: Submission, *, user: Any = None) -> int:
    """It is scored no more. What was judged of it stays, for others may claim the same; tasks of
    claims that nobody else makes are given out no more, and how many these are is returned.
    Audited. Raises CannotSubmit."""
    period = submission.period
    with transaction.atomic():
        rows = Submission.objects.filter(pk=submission.pk, withdrawn_at=None)
        if not rows.update(withdrawn_at=timezone.now(), withdrawn_by=user):
            raise CannotSubmit("submission.withdrawn")
        audit.record(
            period.project, "withdraw submission", submission.system.name, user=user,
            after={"version": submission.version, "period": period.name},
        )  # fmt: skip
        closed = _close_tasks(submission)
        ask_for_scores(period)
    return closed


def _close_tasks(submission: Submission) -> int:
    period = submission.period
    if period.campaign is None:
        return 0
    standing = Submission.objects.standing().filter(period=period)
    others = SubmissionClaim.objects.filter(submission__in=standing).values("claim")
    mine = SubmissionClaim.objects.filter(submission=submission).exclude(claim__in=others)
    parts = ClaimPart.objects.filter(claim__in=mine.values("claim"), task__isnull=False)
    unanswered = Demand.objects.filter(
        task__in=parts.values("task"), task__campaign=period.campaign, open__gt=0
    )
    tasks = list(unanswered.values_list("task", flat=True))
    return assignments.close_tasks(period.campaign, tasks)


def ask_for_scores(period: EvaluationPeriod) -> None:
    """By jobs, of which equal ones that wait are one."""
    told: Mapping[str, Any] = {"period": str(period.key)}
    enqueue(EVALUATE, told, project=period.project)
    enqueue(FORECAST, told, project=period.project)


def _keep(path: Path, chunks: Iterable[bytes]) -> tuple[int, str]:
    path.parent.mkdir(parents=True, mode=0o700)
    digest, size = blake2b(digest_size=32), 0
    with path.open("wb") as file:
        for chunk in chunks:
            digest.update(chunk)
            size += file.write(chunk)
    return size, digest.hexdigest()


def _drop(row: Submission) -> None:
    shutil.rmtree(row.folder, ignore_errors=True)


def drop_orphans() -> int:
    """Remove folders of a day ago that have no row: of a process that ended in between, or of a
    project that was deleted. How many."""
    root, oldest, dropped = Path(settings.DATA_DIR, "submissions"), time.time() - DAY, 0
    with suppress(FileNotFoundError):
        folders = {one.name: one for one in root.iterdir() if one.stat().st_mtime < oldest}
        keys = [name for name in folders if _is_key(name)]
        rows = Submission.objects.filter(key__in=keys).values_list("key", flat=True)
        for name in folders.keys() - set(map(str, rows)):
            shutil.rmtree(folders[name], ignore_errors=True)
            dropped += 1
    return dropped


def _is_key(name: str) -> bool:
    try:
        return str(uuid.UUID(name)) == name
    except ValueError:
        return False


def ask_again() -> int:
    """For the validation of what has waited for an hour and has no job any more, and for the tasks
    of plans that were broken off; how many."""
    old = timezone.now() - LOST
    waiting = Submission.objects.filter(state=Submission.State.RECEIVED, submitted_at__lt=old)
    plans = SamplingPlan.objects.exclude(state=SamplingPlan.State.ASKED).filter(
        created_at__lt=old, problem=""
    )
    for row in waiting.select_related("period__project"):
        enqueue(VALIDATE, {"submission": str(row.key)}, project=row.period.project)
    for plan in plans.select_related("period__project"):
        enqueue(ASK, {"plan": str(plan.key)}, project=plan.period.project)
    return len(waiting) + len(plans)
