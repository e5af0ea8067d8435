"""Filters and annotations that have a name. Nothing here writes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import models
from django.db.models import Q


class ProjectQuerySet(models.QuerySet):
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

    def shown_to(self, user: Any) -> ProjectQuerySet:
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


class DocumentQuerySet(models.QuerySet):
    def visible(self) -> DocumentQuerySet:
        """Documents whose import is complete."""
        return self.filter(import_run__state="complete")


class CampaignQuerySet(models.QuerySet):
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


class DemandQuerySet(models.QuerySet):
    def ready(self) -> DemandQuerySet:
        return self.filter(ready=True)


class AssignmentQuerySet(models.QuerySet):
    def live(self) -> AssignmentQuerySet:
        return self.filter(state="leased")


class ImmutableQuerySet(models.QuerySet):
    """Rows that are written once: no update and no delete goes through the model."""

    def _refuse(self) -> None:
        from annotation.models.assignments import ImmutableRow  # a queryset can't import models

        raise ImmutableRow(
            f"{str(self.model._meta.verbose_name).capitalize()} rows are never changed or deleted."
        )

    def update(self, **kwargs: Any) -> int:
        self._refuse()
        return 0

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        self._refuse()
        return 0

    def delete(self) -> tuple[int, dict[str, int]]:
        self._refuse()
        return 0, {}


class LedgerQuerySet(models.QuerySet):
    """The ledger is append-only: what became of a line may change, its amount may not."""

    MUTABLE = frozenset({"state", "platform_ref"})

    def update(self, **kwargs: Any) -> int:
        if frozen := kwargs.keys() - self.MUTABLE:
            raise ValueError(
                f"The ledger is append-only: {', '.join(sorted(frozen))} can't be changed. "
                "Write a correcting payment."
            )
        return super().update(**kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValueError("The ledger is append-only. Write a correcting payment.")
