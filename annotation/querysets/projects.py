"""Who may see and manage what; who can log in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import models
from django.db.models import Q


class ProjectQuerySet(models.QuerySet):
    def listable(self) -> ProjectQuerySet:
        """Those that are not archived."""
        return self.filter(archived_at=None)

    def visible_to(self, user: Any) -> ProjectQuerySet:
        """What `user` may read: all for a site administrator, else memberships."""
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.none()
        return self.filter(members__user=user).distinct()

    def managed_by(self, user: Any) -> ProjectQuerySet:
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.none()
        return self.filter(members__user=user, members__role="manager").distinct()

    def listed_for(self, user: Any) -> ProjectQuerySet:
        """What stands on the start page: the listed ones, and those that `user` may read."""
        if user.is_superuser:
            return self
        listed = Q(listed=True)
        if user.is_authenticated:
            listed |= Q(members__user=user)
        return self.filter(listed).distinct()


class MemberQuerySet(models.QuerySet):
    def able_to_log_in(self) -> MemberQuerySet:
        """Those whose account is active and has a password."""
        without = Q(user__password="") | Q(user__password__startswith=UNUSABLE_PASSWORD_PREFIX)
        return self.filter(user__is_active=True).exclude(without)


class CampaignQuerySet(models.QuerySet):
    def listable(self) -> CampaignQuerySet:
        """Those that are not archived, in projects that are not."""
        return self.filter(archived_at=None, project__archived_at=None)

    def open(self) -> CampaignQuerySet:
        """Those that give out tasks."""
        return self.filter(state="open")

    def adaptive(self) -> CampaignQuerySet:
        """Open ones that ask for answers until a target is reached."""
        found: CampaignQuerySet = self.open().exclude(target_confidence=None, target_quality=None)
        return found.exclude(assignment="assigned")

    def published(self) -> CampaignQuerySet:
        """Those that were opened once: no drafts."""
        return self.exclude(state="draft")

    def visible_to(self, user: Any) -> CampaignQuerySet:
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.none()
        return self.filter(project__members__user=user).distinct()

    def managed_by(self, user: Any) -> CampaignQuerySet:
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.none()
        return self.filter(project__members__user=user, project__members__role="manager").distinct()
