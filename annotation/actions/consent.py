"""What workers agree to before their first task: versions of a text, and who agreed when."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from annotation.actions.assignments.claim import Next, claim_locked
from annotation.actions.assignments.turn import keep, lock
from annotation.actions.versions import set_text
from annotation.models import Campaign, Consent, ConsentVersion, Enrollment
from annotation.sentences import CodedError, Problem
from annotation.text.markdown import LONGEST_TEXT


class TextChanged(CodedError):
    """Another text than the one that was agreed to is asked for now."""


def set_consent(campaign: Campaign, text: str) -> ConsentVersion | None:
    """A new version, which every worker is asked for with their next task; a blank text asks for
    nothing. Raises ValidationError where the text is too long."""
    if len(text) > LONGEST_TEXT:
        raise ValidationError(
            {"consent": Problem("consent.long", number=len(text), most=LONGEST_TEXT)}
        )
    version: ConsentVersion | None = set_text(campaign, "consent", campaign.consent_versions, text)
    return version


def give(enrollment_key: Any, number: int, *, now: datetime | None = None) -> Next:
    """The worker agrees to version `number`, and gets their task. Agreed twice is agreed once.

    Raises TextChanged where another version is asked for now.
    """
    now = now or timezone.now()
    with transaction.atomic():
        enrollment = lock(enrollment_key)
        asked = enrollment.campaign.consent_id
        version = None
        if asked is not None:
            version = ConsentVersion.objects.filter(pk=asked, number=number).first()
        if version is None and asked is not None:
            raise TextChanged("consent.changed")
        if version is not None:
            Consent.objects.get_or_create(
                enrollment=enrollment, version=version, defaults={"given_at": now}
            )
            enrollment.consent = version
            Enrollment.objects.filter(pk=enrollment.pk).update(consent=version)
        found = claim_locked(enrollment, now)
        keep(enrollment, now)
    return found
