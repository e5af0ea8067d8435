"""The sections of a project and of a campaign: each with its address, in the order of their bar.

A page belongs to the section that names the page's own address among its `pages`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone

from annotation.models import Campaign, Project
from dashboard.access import Permissions
from dashboard.waiting import Count, Waiting, in_campaign, in_project


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    name: str  # of its address
    pages: frozenset[str] = frozenset()  # the names of other addresses that belong to it
    tells_gold: bool = False  # and so is closed to who may not see gold
    tells_earnings: bool = False  # and to who may not see earnings


@dataclass(frozen=True, slots=True)
class Tab:
    """A section as the bar shows it."""

    title: str
    address: str
    is_here: bool
    waits: Count | None  # what waits there for a decision


@dataclass(frozen=True, slots=True)
class Bar:
    """The sections of the place where a page is, and what is at work there."""

    tabs: Sequence[Tab] = ()
    jobs: int = 0
    jobs_address: str = ""


OUTSIDE = frozenset({"set-up-step"})  # a path of its own: no section is marked on it
LOOP_PAGES = ("loops", "loop", "change-loop", "loop-picked")
PROJECT_SECTIONS = (
    Section(
        "Campaigns",
        "project",
        frozenset({"new-campaign", "begin-in-project", "keep-project", *LOOP_PAGES}),
    ),
    Section(
        "Documents",
        "documents",
        frozenset({"document", "import", "import-preview", "undo-import"}),
    ),
    Section("Labels", "schema", frozenset({"import-relation-types"})),
    Section("Knowledge", "knowledge", frozenset({"import-knowledge"})),
    Section(
        "Evaluation",
        "evaluation",
        frozenset(
            {
                "new-period", "new-team", "period", "change-period", "plan", "recall", "team",
                "submit",
                "new-token", "invite", "submission", "leaderboard", "system-scores",
            }
        ),
    ),
    Section("People", "members", frozenset({"change-member", "invite-member", "record"})),
    Section(
        "Jobs", "jobs", frozenset({"job", "stop-job", "repeat-job", "webhooks"}), tells_gold=True
    ),
)  # fmt: skip
CAMPAIGN_SECTIONS = (
    Section("Overview", "campaign"),
    Section(
        "Tasks",
        "tasks",
        frozenset({"campaign-tasks", "order-tasks", "import-to-campaign", "review", "decide"}),
    ),
    Section(
        "Workers",
        "workers",
        frozenset(
            {
                "worker", "worker-states", "worker-state", "worker-flag", "worker-answer",
                "appeals", "answer-appeal", "selection", "try-selection", "selection-rules",
            }
        ),
    ),
    Section(
        "Quality",
        "quality",
        frozenset(
            {
                "gold", "gold-question", "check-gold", "answer-gold", "campaign-plan",
                "forecast-campaign",
            }
        ),
        tells_gold=True,
    ),
    Section("Results", "results", frozenset({"run", "next-campaign"})),
    Section("Money", "money", tells_earnings=True),
    Section(
        "Settings",
        "settings",
        frozenset(
            {"edit-campaign", "keep-campaign", "campaign-state", "campaign-budget", "new-link"}
        ),
    ),
)  # fmt: skip


def project_tabs(
    project: Project, permissions: Permissions, page: str, waiting: Waiting | None = None
) -> list[Tab]:
    return _tabs(PROJECT_SECTIONS, project.slug, permissions, page, waiting)


def campaign_tabs(
    campaign: Campaign, permissions: Permissions, page: str, waiting: Waiting | None = None
) -> list[Tab]:
    return _tabs(CAMPAIGN_SECTIONS, campaign.slug, permissions, page, waiting)


def project_bar(project: Project, permissions: Permissions, page: str) -> Bar:
    """One query."""
    waiting = in_project(project, permissions, timezone.now())
    tabs = project_tabs(project, permissions, page, waiting)
    return Bar(tabs, waiting.jobs, reverse("manage:jobs", args=[project.slug]))


def campaign_bar(campaign: Campaign, permissions: Permissions, page: str) -> Bar:
    """Two queries."""
    waiting = in_campaign(campaign, permissions)
    tabs = campaign_tabs(campaign, permissions, page, waiting)
    return Bar(tabs, waiting.jobs, reverse("manage:jobs", args=[campaign.project.slug]))


def _tabs(
    sections: tuple[Section, ...],
    slug: str,
    permissions: Permissions,
    page: str,
    waiting: Waiting | None,
) -> list[Tab]:
    return [
        Tab(
            section.title,
            reverse(f"manage:{section.name}", args=[slug]),
            is_here=page == section.name or page in section.pages,
            waits=waiting.sections.get(section.name) if waiting else None,
        )
        for section in sections
        if (permissions.sees_gold or not section.tells_gold)
        and (permissions.sees_earnings or not section.tells_earnings)
    ]
