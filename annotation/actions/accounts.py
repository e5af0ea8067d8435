"""What is kept of log-ins."""

from __future__ import annotations

from datetime import datetime, timedelta

from axes.helpers import get_cool_off
from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone


def clear_log_ins(days: int, now: datetime | None = None) -> tuple[int, int, int]:
    """(log-ins, failed ones, sessions) that were deleted: log-ins after so many days, failed ones
    when they lock nothing any more, sessions when they are over."""
    now = now or timezone.now()
    log_ins, _ = AccessLog.objects.filter(attempt_time__lt=now - timedelta(days=days)).delete()
    failed, _ = AccessAttempt.objects.filter(attempt_time__lt=now - get_cool_off()).delete()
    sessions, _ = Session.objects.filter(expire_date__lt=now).delete()
    return log_ins, failed, sessions
