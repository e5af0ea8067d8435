"""Plain functions that make rows. Each takes overrides and returns a saved row."""

from __future__ import annotations

import itertools
import re
from typing import Any

from django.utils import timezone

from annotation.actions.links import first_link
from annotation.actions.projects import label_numbers
from annotation.interfaces import Material, interface
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    Document,
    Enrollment,
    ImportRun,
    Member,
    Project,
    Response,
    Task,
    Worker,
)

_number = itertools.count(1)

SCHEMA = {
    "entity_types": [
        {"name": "PER", "key": "p", "colour": 1, "description": "A person's name."},
        {"name": "LOC", "key": "l", "colour": 2, "description": "A place's name."},
        {"name": "ORG", "key": "o", "colour": 3, "description": "An organisation's name."},
    ],
    "relation_types": [
        {"name": "per:born_in", "subject": ["PER"], "object": ["LOC"]},
        {"name": "per:employee_of", "subject": ["PER"], "object": ["ORG"]},
    ],
    "nested": False,
}


def make_project(**fields: Any) -> Project:
    number = next(_number)
    return Project.objects.create(
        **{
            "slug": f"project-{number}",
            "name": f"Project {number}",
            "schema": SCHEMA,
            "listed": True,
        }
        | fields
    )


def make_member(project: Project, role: str = "manager", **fields: Any) -> Member:
    from django.contrib.auth.models import User

    user = fields.pop("user", None) or User.objects.create_user(f"{role}-{next(_number)}")
    return Member.objects.create(project=project, user=user, role=role)


def make_import(project: Project, **fields: Any) -> ImportRun:
    return ImportRun.objects.create(
        **{"project": project, "file_name": "made.jsonl", "format": "jsonl", "state": "complete"}
        | fields
    )


def make_document(
    project: Project | None = None, text: str = "Ada Lovelace was born in London .", **fields: Any
) -> Document:
    """Tokens are what stands between blanks; one sentence."""
    project = project or make_project()
    tokens = [list(match.span()) for match in re.finditer(r"\S+", text)]
    run = fields.pop("import_run", None) or (
        project.imports.filter(state="complete").first() or make_import(project)
    )
    return Document.objects.create(
        **{
            "project": project,
            "external_id": f"d{next(_number)}",
            "text": text,
            "tokens": tokens,
            "sentences": [[0, len(tokens)]],
            "import_run": run,
            "digest": "",
        }
        | fields
    )


def make_campaign(project: Project | None = None, **fields: Any) -> Campaign:
    number = next(_number)
    campaign = Campaign.objects.create(
        **{
            "project": project or make_project(),
            "slug": f"campaign-{number}",
            "name": f"Campaign {number}",
            "interface": "entity",
            "state": "open",
            "secret": "0" * 32,  # as random as a test may be: what it names as gold is so each time
        }
        | fields
    )
    first_link(campaign)
    return campaign


def make_task(
    campaign: Campaign, document: Document | None = None, *, kind: int = 0, **fields: Any
) -> Task:
    """A task with its Demand, all of its slots open."""
    document = document or make_document(campaign.project)
    demand = fields.pop("demand", {})
    task = Task.objects.create(
        **{"campaign": campaign, "document": document, "external_id": document.external_id} | fields
    )
    wanted = demand.pop("wanted", campaign.redundancy if kind == 0 else 1)
    Demand.objects.create(
        **{
            "task": task,
            "campaign": campaign,
            "kind": kind,
            "rank": task.pk << 20,  # no two stay together as those of a document do
            "wanted": wanted,
            "open": wanted,
            "ready": wanted > 0,
        }
        | demand
    )
    return task


def make_worker(**fields: Any) -> Worker:
    return Worker.objects.create(
        **{"platform": "link", "external_id": f"worker-{next(_number)}"} | fields
    )


# Of an enrollment whose next claim gives hidden gold.
GOLD_NEXT: dict[str, Any] = {"ahead": {"now": True}}


def make_enrollment(campaign: Campaign, worker: Worker | None = None, **fields: Any) -> Enrollment:
    return Enrollment.objects.create(
        **{"campaign": campaign, "worker": worker or make_worker(), "state": "qualified"} | fields
    )


def make_response(
    task: Task,
    worker: Worker | None = None,
    answer: Any = None,
    *,
    state: str = "submitted",
    seconds: float = 0.0,
) -> Response:
    """An answer in canonical form with its judgments, as the engine leaves it; no counter moves."""
    worker = worker or make_worker()
    enrollment = Enrollment.objects.filter(campaign=task.campaign, worker=worker).first()
    kind, project = interface(task.campaign.interface), task.campaign.project
    document = task.document
    material = Material(
        schema=project.schema,
        options=task.campaign.options,
        payload=task.payload,
        text=document.text if document else "",
        tokens=document.tokens if document else [],
        sentences=document.sentences if document else [],
    )
    answer = kind.check(answer, material)
    labels = label_numbers(project.pk, kind.label_names(answer, material))
    now = timezone.now()
    assignment = Assignment.objects.create(
        task=task,
        worker=worker,
        enrollment=enrollment or make_enrollment(task.campaign, worker),
        state=state,
        leased_at=now,
        expires_at=now,
        submitted_at=now,
    )
    return Response.objects.create(
        assignment=assignment,
        answer=answer,
        judgments=kind.judge(answer, material, labels),
        answer_version=kind.VERSION,
        seconds=seconds,
        received_at=now,
    )
