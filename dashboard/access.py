"""Who may see what of a project. The look-up is the permission check: a stranger is told 404."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotation.models import Campaign, Member, Project
from evaluation.models import EvaluationPeriod, Submission, Team

# What each role may, as people read it.
ROLES = {
    "manager": "changes everything: documents, labels, people, campaigns, money",
    "reviewer": "reads everything, known answers included, and decides in Review",
    "viewer": "reads documents, answers and progress",
}
WITH = ("project", "instructions", "consent", "tally", "forecast")


@dataclass(frozen=True, slots=True)
class Permissions:
    """What a member's role opens to them, no more than the role needs (docs/managers-guide.md)."""

    role: str

    @property
    def can_manage(self) -> bool:
        """Changes state and money, hands out links, checks codes, reads the record of changes."""
        return self.role == Member.Role.MANAGER

    @property
    def sees_earnings(self) -> bool:
        """What each worker earned, and the id under which their platform knows them."""
        return self.role == Member.Role.MANAGER

    @property
    def sees_gold(self) -> bool:
        """The known answers, and how workers did on them."""
        return self.role in (Member.Role.MANAGER, Member.Role.REVIEWER)


def visible_campaign(user: Any, slug: str) -> tuple[Campaign, Permissions]:
    """Two queries. With its project, its texts and its tally."""
    campaign = get_object_or_404(
        Campaign.objects.visible_to(user).select_related(*WITH),
        slug=slug,
    )
    return campaign, _permissions(user, campaign.project)


def visible_project(user: Any, slug: str) -> tuple[Project, Permissions]:
    """Two queries."""
    project = get_object_or_404(Project.objects.visible_to(user), slug=slug)
    return project, _permissions(user, project)


def managed_project(user: Any, slug: str) -> Project:
    return get_object_or_404(Project.objects.managed_by(user), slug=slug)


def managed_campaign(user: Any, slug: str) -> Campaign:
    return get_object_or_404(
        Campaign.objects.managed_by(user).select_related(*WITH),
        slug=slug,
    )


def _permissions(user: Any, project: Project) -> Permissions:
    if user.is_superuser:
        return Permissions(Member.Role.MANAGER)
    return Permissions(
        Member.objects.values_list("role", flat=True).get(project=project, user=user)
    )


# --- Teams that submit systems --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TeamAccess:
    """`permissions` are those of a member of the project; None: a submitter, who sees the team
    alone."""

    team: Team
    permissions: Permissions | None
    submits: bool

    @property
    def manages(self) -> bool:
        return self.permissions is not None and self.permissions.can_manage


def visible_team(user: Any, key: uuid.UUID) -> TeamAccess:
    """Three queries."""
    related = Team.objects.visible_to(user).select_related("project")
    return _team_access(user, get_object_or_404(related, key=key))


def managed_team(user: Any, key: uuid.UUID) -> TeamAccess:
    found = visible_team(user, key)
    if not found.manages:
        raise Http404
    return found


def submitting_team(user: Any, key: uuid.UUID) -> TeamAccess:
    """Of a submitter of the team, or a manager of the project."""
    found = visible_team(user, key)
    if not found.submits:
        raise Http404
    return found


def visible_submission(user: Any, key: uuid.UUID) -> tuple[Submission, TeamAccess]:
    """Another team's is told of to nobody."""
    found = get_object_or_404(_submissions(Submission.objects.visible_to(user)), key=key)
    team = found.system.team or Team(project=found.period.project)
    return found, _team_access(user, team)


def managed_submission(user: Any, key: uuid.UUID) -> Submission:
    return get_object_or_404(_submissions(Submission.objects.managed_by(user)), key=key)


def visible_period(user: Any, key: uuid.UUID) -> tuple[EvaluationPeriod, Permissions | None]:
    """To members of its project, and to who submits for one of its teams (None)."""
    related = EvaluationPeriod.objects.select_related("project", "campaign")
    found = get_object_or_404(related, key=key)
    permissions = _permissions_or_none(user, found.project)
    teams = Team.objects.of_user(user).filter(project=found.project)
    if permissions is None and not teams.exists():
        raise Http404
    return found, permissions


def _submissions(rows: Any) -> Any:
    return rows.select_related("period__project", "period__campaign", "system__team__project")


def _team_access(user: Any, team: Team) -> TeamAccess:
    permissions = _permissions_or_none(user, team.project)
    mine = team.pk is not None and team.members.filter(user=user).exists()
    manages = permissions is not None and permissions.can_manage
    return TeamAccess(team, permissions, mine or manages)


def _permissions_or_none(user: Any, project: Project) -> Permissions | None:
    if user.is_superuser:
        return Permissions(Member.Role.MANAGER)
    role = Member.objects.filter(project=project, user=user).values_list("role", flat=True).first()
    return None if role is None else Permissions(role)
