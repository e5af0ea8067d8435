"""What lies on the manager's desk in the demonstration: requests of workers, reports, and jobs.

Workers and jobs act by the actions that serve pages, so what stands there is what they would leave.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from annotation.actions import appeals, assignments, job_inputs, jobs, links, rejections, workers
from annotation.actions.tokens import Link
from annotation.management.jobs import child
from annotation.models import Assignment, Campaign, Enrollment

PAUSED = "hasty-2"
PAUSE = "Several answers stop in the middle of the text. Write to us if there is a reason."
PAUSE_APPEAL = "My phone closed the page twice. I would like to go on, on my laptop now."
REJECTED = "hasty-1"
REJECTION = "The second half of the text has no names at all, and there are some."
REJECTION_APPEAL = "I saved, and then the page was gone. The rest was there before."
REPORTER = "sloppy-2"
REPORT = "The text breaks off in the middle of a sentence."
LINK_NOTE = "Students of the evening school"

# A file of gold that names a task at which workers have been already: the import takes nothing.
FAULTY_GOLD = "more-gold.jsonl"


def lay_out(campaign: Campaign, manager: Any, now: datetime) -> None:
    """Once, in one transaction. Who isn't there, because the crowd was smaller, is left out."""
    with transaction.atomic():
        there = {
            one.worker.external_id: one
            for one in campaign.enrollments.select_related("worker").with_answers()
        }
        if paused := there.get(PAUSED):
            workers.set_state(paused, Enrollment.State.PAUSED, PAUSE, user=manager)
            appeals.appeal(paused.key, PAUSE_APPEAL)
        if hasty := there.get(REJECTED):
            answer = Assignment.objects.on_plain().filter(enrollment=hasty, state="submitted")
            if (given := answer.order_by("pk").first()) is not None:
                rejections.reject(given, REJECTION, user=manager)
                appeals.appeal(hasty.key, REJECTION_APPEAL, given.key)
        _report(campaign, now)
        links.create_link(campaign, note=LINK_NOTE, user=manager)


def _report(campaign: Campaign, now: datetime) -> None:
    then = now - timedelta(hours=2)
    key = workers.join(Link(campaign=campaign.slug, worker=REPORTER), now=then).key
    lease = assignments.claim_next(key, now=then).assignment
    if lease is not None:
        assignments.return_task(key, lease.key, REPORT, skip=False, now=then)


def run_jobs(campaign: Campaign, manager: Any) -> None:
    """Jobs that the manager has asked for, done here and now; each kind once. Another's job that
    waits is done on the way, as `work` would."""
    asked: dict[str, dict[str, Any]] = {
        "check_gold": {},
        "flag_workers": {},
        "preview_selection": {"keep": 8, "dry-run": True},
        "forecast_campaign": {"wanted": 0.9},
        "export_annotations": {"what": "consensus", "format": "csv"},
        "import_gold": {},
    }
    had = set(campaign.jobs.values_list("kind", flat=True))
    for kind, parameters in asked.items():
        if kind in had:
            continue
        if kind == "import_gold":
            parameters = _faulty_gold(campaign)
        jobs.enqueue(kind, parameters, campaign=campaign, user=manager)
    while campaign.jobs.queued().exists() and (job := jobs.claim()) is not None:
        assert job.token is not None
        if (begun := jobs.begin(job.pk, job.token)) is not None:
            child.perform(begun)


def _faulty_gold(campaign: Campaign) -> dict[str, Any]:
    given = campaign.tasks.filter(demand__received__gt=0).order_by("external_id")
    task = given.values_list("external_id", flat=True).first()
    line = json.dumps({"task": task, "answer": {"mentions": []}})
    folder = job_inputs.store([SimpleUploadedFile(FAULTY_GOLD, f"{line}\n".encode())])
    return {"folder": folder, "file": FAULTY_GOLD}
