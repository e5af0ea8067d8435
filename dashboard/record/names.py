"""What entries of the record mean by keys and slugs, and the pages of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from aggregation.models import AggregationRun
from annotation.models import Assignment, Campaign, Enrollment, ImportRun, Project
from annotation.queries.worker_names import worker_name
from dashboard.campaigns.changes import CHANGED
from selection.models import WorkerSelection

KEY = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
# What is said of a campaign by its slug, beside what its own page tells.
OF_CAMPAIGN = {
    *CHANGED, "import gold", "import choices", "import suggestions", "import consensus",
    "gold of documents is random", "set floor", "order tasks", "select workers",
    "edit nightly selection", "adjust redundancy", "pin run", "unpin run",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """`address` is "" where it has no page."""

    name: str
    address: str = ""


def campaigns_named(project: Project) -> dict[str, Named]:
    """By slug. One query."""
    rows = Campaign.objects.filter(project=project).values_list("slug", "name")
    return {slug: Named(name, reverse("manage:campaign", args=[slug])) for slug, name in rows}


def things_named(project: Project, texts: Iterable[str]) -> dict[str, Named]:
    """Of the keys in `texts`, those of the project's answers, workers, imports, runs and
    selections. Five queries; none where there is no key."""
    keys = {key for text in texts for key in KEY.findall(text)}
    if not keys:
        return {}
    found: dict[str, Named] = {}
    for row in Assignment.objects.filter(
        key__in=keys, enrollment__campaign__project=project
    ).select_related("task__document", "enrollment__worker", "enrollment__campaign"):
        of, task = row.enrollment, row.task
        title = (task.document.title if task.document else "") or task.external_id
        found[str(row.key)] = Named(
            f"answer of {worker_name(of, with_ids=True)} to “{title}”",
            reverse("manage:worker", args=[of.campaign.slug, of.key]),
        )
    enrolled = Enrollment.objects.filter(key__in=keys, campaign__project=project)
    for worker in enrolled.select_related("worker", "campaign"):
        found[str(worker.key)] = Named(
            worker_name(worker, with_ids=True),
            reverse("manage:worker", args=[worker.campaign.slug, worker.key]),
        )
    for upload in ImportRun.objects.filter(key__in=keys, project=project):
        found[str(upload.key)] = Named(upload.file_name)
    runs = AggregationRun.objects.filter(key__in=keys, campaign__project=project)
    for run in runs.select_related("campaign"):
        found[str(run.key)] = Named(
            f"{run.method} of {_day(run.started_at)}",
            reverse("manage:run", args=[run.campaign.slug, run.key]),
        )
    selections = WorkerSelection.objects.filter(key__in=keys, campaign__project=project)
    for one in selections.select_related("campaign"):
        found[str(one.key)] = Named(
            f"selection of {_day(one.made_at)}",
            reverse("manage:selection", args=[one.campaign.slug]),
        )
    return found


def in_names(text: str, things: dict[str, Named]) -> str:
    """With names in the places of keys. What was deleted since keeps its key's first eight."""
    return KEY.sub(lambda key: things[key[0]].name if key[0] in things else key[0][:8], text)


def _day(at: object) -> str:
    return date_format(timezone.localtime(at), "j M, H:i")  # type: ignore[arg-type]
