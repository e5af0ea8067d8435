"""Plain functions that make rows of evaluation."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from annotation.formats.relations import RELATION_TYPES, read_relation_types
from annotation.interfaces.schema import check_schema
from annotation.models import Document, Project
from evaluation.models import EvaluationPeriod, Submission, System, Team, TeamMember
from tests.factories import make_document, make_project

_number = itertools.count(1)
TYPES = ("PER", "ORG", "GPE", "DATE", "TITLE")
SCHEMA = check_schema(
    {
        "entity_types": [{"name": name} for name in TYPES],
        "relation_types": read_relation_types(RELATION_TYPES),
    }
)


def make_evaluated_project(**fields: Any) -> Project:
    """With the relations that systems are scored on."""
    return make_project(**{"schema": SCHEMA} | fields)


def make_period(
    project: Project | None = None, documents: list[Document] | None = None, **fields: Any
) -> EvaluationPeriod:
    """It has been open for a day; one document if none are given."""
    project = project or make_evaluated_project()
    period = EvaluationPeriod.objects.create(
        **{
            "project": project,
            "name": f"Period {next(_number)}",
            "opens_at": timezone.now() - timedelta(days=1),
            "metrics": ["instance"],
        }
        | fields
    )
    period.documents.set([make_document(project)] if documents is None else documents)
    return period


def make_team(project: Project, **fields: Any) -> Team:
    return Team.objects.create(**{"project": project, "name": f"Team {next(_number)}"} | fields)


def make_submitter(team: Team, **fields: Any) -> Any:
    user = User.objects.create_user(**{"username": f"submitter-{next(_number)}"} | fields)
    TeamMember.objects.create(team=team, user=user)
    return user


def make_system(team: Team, **fields: Any) -> System:
    return System.objects.create(
        **{"project": team.project, "team": team, "name": f"System {next(_number)}"} | fields
    )


def make_submission(period: EvaluationPeriod, system: System, **fields: Any) -> Submission:
    """A valid one, without a file."""
    return Submission.objects.create(
        **{
            "period": period,
            "system": system,
            "version": period.submissions.filter(system=system).count() + 1,
            "state": "valid",
            "claims": 0,
            "file_name": "made.jsonl",
            "bytes": 0,
            "digest": "",
        }
        | fields
    )
