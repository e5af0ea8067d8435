"""Secrets that were given out: invitations by which people come in, tokens by which their programs
do.

Of each the database holds a digest alone; whoever made it was shown it once.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.models.projects import Member
from annotation.querysets.secrets import InvitationQuerySet, SecretQuerySet


class Secret(models.Model):
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    secret_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["-id"]


class Invitation(Secret):
    """A link by which one person joins: with an account that they have, or a new one whose
    password they set."""

    note = models.CharField(max_length=200, blank=True)  # for whom
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = InvitationQuerySet.as_manager()

    class Meta(Secret.Meta):
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(revoked_at=None) | Q(accepted_at=None),
                name="%(class)s_ends_in_one_way",
            ),
        ]


class Token(Secret):
    """With which a program comes in."""

    name = models.CharField(max_length=100)
    used_at = models.DateTimeField(null=True, blank=True)  # to the hour

    objects = SecretQuerySet.as_manager()

    class Meta(Secret.Meta):
        abstract = True


class ProjectInvitation(Invitation):
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=8, choices=Member.Role.choices)

    def __str__(self) -> str:
        return f"invitation to {self.project} as {self.role}"


class ApiToken(Token):
    """With which a person's program does what that person may, as far as its scopes go."""

    class Scope(models.TextChoices):
        READ = "read", "read: what the account sees"
        WRITE = "write", "write: what the account may change"
        EVALUATE = "evaluate", "evaluate: submit systems for its teams, and read scores"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    scopes = models.JSONField(default=list)  # of Scope

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"
