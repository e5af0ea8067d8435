"""Which invitations and tokens still let somebody in."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q


class SecretQuerySet(models.QuerySet):
    def live(self, now: datetime) -> SecretQuerySet:
        """Neither revoked nor over."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)


class InvitationQuerySet(SecretQuerySet):
    def pending(self, now: datetime) -> InvitationQuerySet:
        """Those that somebody can still accept."""
        found: InvitationQuerySet = self.live(now).filter(accepted_at=None)  # type: ignore[assignment]
        return found
