"""Jobs: asked for, taken, kept alive, ended. Each verb is one transaction.

Whoever takes a job draws a token for it, and writes by that token alone: a process that lost its
job, because it stood still and another took it, changes nothing any more.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from annotation.actions.locks import may_be_alive
from annotation.actions.webhooks import tell
from annotation.models import Campaign, Job, Project
from annotation.sentences import CodedError
from annotation.text.storable import storable

STALE = timedelta(seconds=120)  # without a sign of life: taken again
BUSY = timedelta(seconds=15)  # until a job is tried again that met another at the same work
TRIES = 5  # to add a job beside an equal one that is taken at that moment
REPLACED = "It was interrupted, and the same was asked for again meanwhile: see the later job."


class Stopping(CodedError):
    """The job can't be stopped: it has ended."""


def enqueue(
    kind: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    project: Project | None = None,
    campaign: Campaign | None = None,
    user: Any = None,
) -> Job:
    """The job that waits: a new one, or the equal one that waits already."""
    owner = project.pk if project else campaign.project_id if campaign else None
    fields = {
        "kind": kind,
        "project_id": owner,
        "campaign_id": campaign.pk if campaign else None,
        "parameters": dict(parameters or {}),
    }
    digest = _digest(fields)
    tries = 0
    while True:
        tries += 1
        try:
            with transaction.atomic():
                return Job.objects.create(**fields, digest=digest, asked_by=user)
        except IntegrityError:
            if waiting := Job.objects.queued().filter(digest=digest).first():
                return waiting
            if tries == TRIES:  # it was not taken in between: the campaign is gone, or who asks
                raise


def _digest(fields: Mapping[str, Any]) -> str:
    told = json.dumps(fields, sort_keys=True, ensure_ascii=False)
    return blake2b(told.encode(), digest_size=16).hexdigest()


# --- Whoever runs them ----------------------------------------------------------------------------


def claim() -> Job | None:
    """Take the job whose turn it is; None where none waits. The update is conditional on the
    state: of two that take at once, one gets it, and the other the next."""
    while (first := Job.objects.by_turn(timezone.now()).first()) is not None:
        token, now = uuid.uuid4(), timezone.now()
        taken = Job.objects.queued().filter(pk=first.pk).update(
            state=Job.State.RUNNING, token=token, process=process_name(), beat_at=now,
            started_at=now, attempts=F("attempts") + 1, done=0, total=None, sentence="",
            stop_asked_at=None,
        )  # fmt: skip
        if taken:
            return Job.objects.get(pk=first.pk)
    return None


def begin(pk: int, token: uuid.UUID) -> Job | None:
    """In the process that does it, before anything else: None where the job is not its any more."""
    held = Job.objects.held_by(token).filter(pk=pk)
    if not held.update(process=process_name(), beat_at=timezone.now()):
        return None
    return Job.objects.select_related("project", "campaign__project", "asked_by").get(pk=pk)


def heartbeat(job: Job, *, done: int, total: int | None, sentence: str) -> Job | None:
    """A sign of life, with the progress. The row as it is then, or None where the job has ended or
    was taken by another."""
    held = Job.objects.held_by(job.token)
    alive = held.update(beat_at=timezone.now(), done=done, total=total, sentence=sentence[:200])
    return held.first() if alive else None


def finish(job: Job, result: Mapping[str, Any]) -> bool:
    """False where the job was taken by another meanwhile."""
    return _end(job, Job.State.DONE, result=storable(dict(result)), error="")


def fail(job: Job, error: str) -> bool:
    return _end(job, Job.State.FAILED, error=storable(error))


def end_stopped(job: Job) -> bool:
    """Its process has ended because somebody asked for that."""
    return _end(job, Job.State.STOPPED)


def _end(job: Job, state: str, **fields: Any) -> bool:
    with transaction.atomic():
        ended = Job.objects.held_by(job.token).update(
            state=state, token=None, process="", ended_at=timezone.now(), **fields
        )
        if ended:
            _tell(job, state)
    return bool(ended)


def _tell(job: Job, state: str) -> None:
    """Its result may hold answers, and its error lines of a file: neither is told."""
    campaign = job.campaign.slug if job.campaign else None
    tell(job.project_id, f"job.{state}", job=str(job.key), kind=job.kind, campaign=campaign)


def give_back(job: Job, *, wait: timedelta = timedelta(0)) -> bool:
    """Into the queue, as if it had not been tried: the loop ends, another is at
    that work, or there is no room for its process."""
    return _requeue(job, wait, attempts=F("attempts") - 1)


def take_again(job: Job, why: str, *, most: int) -> bool:
    """Into the queue, because its process has gone; after `most` attempts it has failed, by the
    sentence `why`. False where another has taken it meanwhile."""
    if job.attempts >= most:
        tries = f" It was tried {job.attempts} times." if job.attempts > 1 else ""
        return fail(job, f"{why}{tries}")
    return _requeue(job, timedelta(0))


def _requeue(job: Job, wait: timedelta, **fields: Any) -> bool:
    held = Job.objects.held_by(job.token).filter(stop_asked_at=None)
    try:
        with transaction.atomic():
            requeued = held.update(
                state=Job.State.QUEUED, token=None, process="", beat_at=None,
                due_at=timezone.now() + wait, **fields,
            )  # fmt: skip
    except IntegrityError:  # an equal one waits
        return _end(job, Job.State.STOPPED, error=REPLACED)
    return bool(requeued) or end_stopped(job)  # somebody may have asked for that meanwhile


def abandoned() -> list[Job]:
    """At work by their rows, but nobody does them: their process has gone from this machine, or
    there was no sign of life for two minutes."""
    silent = timezone.now() - STALE
    return [
        job
        for job in Job.objects.running()
        if job.beat_at <= silent or not may_be_alive(job.process)
    ]


def process_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


# --- Whoever asked --------------------------------------------------------------------------------


def stop(job: Job) -> None:
    """What waits ends at once; what is at work is told, and ends soon. Raises Stopping where it
    has ended already."""
    now = timezone.now()
    with transaction.atomic():
        waiting = Job.objects.queued().filter(pk=job.pk)
        if waiting.update(state=Job.State.STOPPED, ended_at=now, stop_asked_at=now):
            _tell(job, Job.State.STOPPED)
            return
        if Job.objects.running().filter(pk=job.pk).update(stop_asked_at=now):
            return
    raise Stopping("job.ended")


# --- Files ----------------------------------------------------------------------------------------


def folder_of(job: Job) -> Path:
    """Where a job's files stand: what it reads and what it writes. Machines that share a database
    have to share DATA_DIR."""
    return Path(settings.DATA_DIR, "jobs", str(job.key))


def result_file(job: Job) -> Path | None:
    """What it wrote for whoever asked; None where there is none, or none any more. The name comes
    from the job's own result, and leads nowhere else than into its folder."""
    name = job.result.get("file") if job.state == Job.State.DONE else None
    path = folder_of(job) / Path(str(name)).name if name else None
    return path if path and path.is_file() else None


def clear(now: datetime) -> tuple[int, int]:
    """Delete the files that are older than JOB_FILE_DAYS, and the rows of what ended more than
    JOB_DAYS ago; how many of each."""
    folders = list(Path(settings.DATA_DIR, "jobs").glob("*"))  # before the rows: some begin now
    fresh = now - timedelta(days=settings.JOB_FILE_DAYS)
    rows = Job.objects.filter(Q(ended_at=None) | Q(ended_at__gte=fresh))
    kept = set(map(str, rows.values_list("key", flat=True)))
    old = Job.objects.ended().filter(ended_at__lt=now - timedelta(days=settings.JOB_DAYS))
    files = 0
    for folder in folders:
        if folder.name not in kept:  # too old, or deleted with its project
            shutil.rmtree(folder, ignore_errors=True)
            files += 1
    return files, old.delete()[0]
