"""The jobs of submissions: validate one, say what judging takes, ask, and score."""

from __future__ import annotations

import uuid
from io import StringIO
from typing import Any

from django.core.management.base import CommandError

from annotation.actions.progress import Progress
from annotation.management.jobs.kinds import Kind
from annotation.models import Job
from evaluation.models import Submission

GONE = "The submission is there no more."


def _validate(job: Job) -> dict[str, Any]:
    from evaluation.actions.validation import validate  # with numerics

    key = uuid.UUID(job.parameters["submission"])
    row = Submission.objects.select_related("system").filter(key=key).first()
    if row is None:
        raise CommandError(GONE)
    with Progress(StringIO(), row.bytes, "bytes of the file") as progress:
        row = validate(row, advance=progress.advance)
    if row.state == Submission.State.REFUSED:
        return {"lines": [f"{row.system.name}, version {row.version}: refused. {row.problem}"]}
    told = f"{row.claims or 0:,} valid claims in {row.lines or 0:,} lines"
    return {"lines": [f"{row.system.name}, version {row.version}: {told}."]}


KINDS = [
    Kind("validate_submission", "Validate submission", _validate, resumes=True),
]
