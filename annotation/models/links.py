from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

FIRST_LINK = 1  # with which a campaign began; that of payloads without a number, too


class CampaignLink(models.Model):
    """By which workers join: everybody who has it or, as one worker, whoever it was made for.

    Ended, by a person or by its time, it takes nobody in any more; whoever has joined goes on.
    """

    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, related_name="links", db_index=False
    )
    number = models.PositiveIntegerField()  # in the link itself (actions.tokens)
    # For whom: a worker whom a manager named, or everybody; and what a manager notes of that.
    worker = models.ForeignKey(
        "annotation.Worker", models.CASCADE, null=True, blank=True, related_name="links"
    )
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    ends_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(  # null: nobody yet, or a command
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="link_numbered_once"),
        ]

    def __str__(self) -> str:
        return f"link {self.number} of {self.campaign}"

    @property
    def for_whom(self) -> str:
        return self.worker.external_id if self.worker else self.note or "everyone"

    def has_ended(self, now: datetime) -> bool:
        return self.ended_at is not None or (self.ends_at is not None and self.ends_at <= now)
