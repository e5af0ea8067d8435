"""How a set-up begins: a draft made from a template, in a new project or in one that is there."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotation.actions.campaigns import create_campaign
from annotation.actions.projects import create_project, set_schema
from annotation.models import Campaign, Project
from dashboard.forms import free_slug
from dashboard.setup.task_templates import TEMPLATES, TaskTemplate

REDUNDANCY = 3


def begin_project(template: str, *, name: str, language: str, user: Any) -> Campaign:
    """A new project with the template's labels, and its first campaign. Raises what
    `create_project` raises."""
    chosen = TEMPLATES[template]
    with transaction.atomic():
        project = create_project(
            slug=free_slug(name, Project.objects.all(), "project"), name=name,
            schema=dict(chosen.schema), owner=user, language=language,
        )  # fmt: skip
        return _begin(project, chosen, user)


def begin_campaign(template: str, project: Project, *, user: Any) -> Campaign:
    """A draft in a project, which keeps the labels that it has and gets those that it lacks."""
    chosen = TEMPLATES[template]
    with transaction.atomic():
        lacks = {name: rows for name, rows in chosen.schema.items() if not project.schema.get(name)}
        if lacks:
            set_schema(project, _fitting({**project.schema, **lacks}), user=user)
        return _begin(project, chosen, user)


def _fitting(schema: dict[str, Any]) -> dict[str, Any]:
    """Relations between types that the project does not have are left out."""
    types = {one["name"] for one in schema.get("entity_types", ())}
    relations = [
        one
        for one in schema.get("relation_types", ())
        if types.issuperset([*one["subject"], *one["object"]])
    ]
    return schema | {"relation_types": relations}


def _begin(project: Project, chosen: TaskTemplate, user: Any) -> Campaign:
    return create_campaign(
        project, slug=free_slug(chosen.campaign, Campaign.objects.all(), "campaign"),
        name=chosen.campaign, interface=chosen.interface, instructions=chosen.instructions,
        options=dict(chosen.options), redundancy=REDUNDANCY, user=user,
    )  # fmt: skip
