"""The record of who changed what: written in the same transaction as the change."""

from __future__ import annotations

from typing import Any

from annotation.models import AuditEntry, Project


def record(
    project: Project | None,
    action: str,
    subject: str,
    *,
    user: Any = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """`user` None means a command did it."""
    AuditEntry.objects.create(
        project=project,
        action=action,
        subject=subject,
        user=user if user is not None and user.is_authenticated else None,
        before=before or {},
        after=after or {},
    )
