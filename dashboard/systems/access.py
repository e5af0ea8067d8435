"""Who sees the board of a period: the project's people, its teams, and everybody where it is
public. The look-up is the permission check."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotation.models import Member, Project
from dashboard.access import Permissions
from evaluation.models import EvaluationPeriod, Team


@dataclass(frozen=True, slots=True)
class BoardAccess:
    """`permissions` of a project's member; None for a team's person, and for a stranger."""

    period: EvaluationPeriod
    permissions: Permissions | None
    teams: frozenset[int]  # of the project, in whose name the person submits

    @property
    def project(self) -> Project | None:
        """Only for its members: others see nothing of it, not even its sections."""
        return self.period.project if self.permissions else None


def visible_board(user: Any, slug: str, key: uuid.UUID) -> BoardAccess:
    """Three queries, one for a stranger. Raises Http404."""
    related = EvaluationPeriod.objects.select_related("project", "campaign")
    period = get_object_or_404(related, project__slug=slug, key=key)
    if user.is_authenticated:
        if user.is_superuser:
            return BoardAccess(period, Permissions(Member.Role.MANAGER), frozenset())
        member = Member.objects.filter(project=period.project_id, user=user).first()
        if member is not None:
            return BoardAccess(period, Permissions(member.role), frozenset())
        mine = Team.objects.of_user(user).filter(project=period.project_id)
        if teams := frozenset(mine.values_list("pk", flat=True)):
            return BoardAccess(period, None, teams)
    if not period.is_public:
        raise Http404
    return BoardAccess(period, None, frozenset())
