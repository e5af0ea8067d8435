"""Who may see what of a project. The look-up is the permission check: a stranger is told 404."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404

from annotation.models import Campaign, Member, Project

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
