"""A person's word on a flag. It loads no numerics, so that pages can ask for it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions import audit
from annotation.models.pseudonyms import public_name
from selection.models import WorkerFlag


def dismiss_flag(flag: WorkerFlag, *, user: Any = None) -> None:
    """A person has looked, and finds nothing in it."""
    with transaction.atomic():
        WorkerFlag.objects.filter(pk=flag.pk).update(dismissed_at=timezone.now(), dismissed_by=user)
        campaign = flag.enrollment.campaign
        audit.record(
            campaign.project, "dismiss flag", public_name(flag.enrollment), user=user,
            before={"kind": flag.kind, "evidence": flag.evidence},
        )  # fmt: skip
