"""Where a project's events are sent, and what became of each sending."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from annotation.querysets.webhooks import DeliveryQuerySet


class Webhook(models.Model):
    """Its secret stands nowhere: it is made of the server's secret key and the webhook's own."""

    class Event(models.TextChoices):
        CAMPAIGN_OPENED = "campaign.opened", "a campaign is opened"
        CAMPAIGN_PAUSED = "campaign.paused", "a campaign is paused"
        CAMPAIGN_CLOSED = "campaign.closed", "a campaign is closed"
        RUN_COMPLETED = "run.completed", "a consensus is made"
        JOB_DONE = "job.done", "a job is done"
        JOB_FAILED = "job.failed", "a job has failed"
        JOB_STOPPED = "job.stopped", "a job was stopped"
        EVALUATION_SUBMITTED = "evaluation.submitted", "a submission was validated"
        EVALUATION_SCORED = "evaluation.scored", "systems are scored anew"
        EVALUATION_RELEASED = "evaluation.released", "the labels of a period are released"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    events = models.JSONField(default=list)  # of Event
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.project}"

    @property
    def told_when(self) -> list[str]:
        every = set(self.Event.values) <= set(self.events)
        return ["every event"] if every else [in_words(event) for event in self.events]


class WebhookDelivery(models.Model):
    """One event for one webhook; `actions.webhooks` alone writes it."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)  # of the last reply
    problem = models.CharField(max_length=200, blank=True)  # for people; nothing of the reply

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "webhook deliveries"
        indexes = [
            models.Index(
                fields=["due_at"], condition=Q(state="waiting"), name="webhook_delivery_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"

    @property
    def in_words(self) -> str:
        return in_words(self.event)


def in_words(event: str) -> str:
    return dict(Webhook.Event.choices).get(event, event)
