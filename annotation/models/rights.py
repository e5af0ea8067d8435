"""What a worker agreed to, what was held against them, and what they said to it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.querysets.assignments import RejectionQuerySet
from annotation.sentences import Problem
from annotation.sentences.reasons import reason_of, reply_of


class Consent(models.Model):
    """A worker agreed to one version of a campaign's text."""

    enrollment = models.ForeignKey(
        "annotation.Enrollment", models.CASCADE, related_name="consents", db_index=False
    )
    version = models.ForeignKey(
        "annotation.ConsentVersion", models.PROTECT, related_name="consents"
    )
    given_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["enrollment", "version"], name="consent_given_once"),
        ]

    def __str__(self) -> str:
        return f"{self.enrollment} agreed to {self.version}"


class Rejection(models.Model):
    """A manager rejected an answer: its pay is held back until that is taken back."""

    assignment = models.OneToOneField(
        "annotation.Assignment", models.PROTECT, primary_key=True, related_name="rejection"
    )
    reason = models.TextField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    overturned_at = models.DateTimeField(null=True, blank=True)

    objects = RejectionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"rejection of {self.assignment}"


class Appeal(models.Model):
    """A worker asks a person to look again at their pause, or at a rejection."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    enrollment = models.ForeignKey(
        "annotation.Enrollment", models.CASCADE, related_name="appeals", db_index=False
    )
    rejection = models.ForeignKey(  # null: it is about a pause
        Rejection, models.CASCADE, null=True, blank=True, related_name="appeals"
    )
    # The reason that they were given, as it was then: a person's words, or a rule's code.
    about = models.TextField(blank=True)
    coded_about = models.JSONField(null=True, blank=True)
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    answer = models.TextField(blank=True)  # '' where it was granted without a word
    granted = models.BooleanField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["enrollment"],
                condition=Q(answered_at=None, rejection=None),
                name="one_open_appeal_against_a_pause",
            ),
            models.UniqueConstraint(
                fields=["rejection"],
                condition=Q(answered_at=None),
                name="one_open_appeal_against_a_rejection",
            ),
            models.CheckConstraint(
                condition=Q(answered_at=None, granted=None)
                | Q(answered_at__isnull=False, granted__isnull=False),
                name="appeal_answered_whole",
            ),
        ]
        indexes = [models.Index(fields=["enrollment", "id"], name="appeal_history")]

    def __str__(self) -> str:
        return f"appeal of {self.enrollment}"

    @property
    def reason(self) -> Problem | None:
        return reason_of(self.coded_about, self.about)

    @property
    def reply(self) -> Problem | None:
        """What the worker reads as the answer."""
        about = "pause" if self.rejection_id is None else "rejection"
        return reply_of(self.granted, self.answer, about=about)
