"""Who submits: teams, their people, and the secrets by which both come in.

Of an invitation and of a token the database holds a digest alone; whoever made it was shown it
once.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.querysets import SecretQuerySet, TeamQuerySet


class Team(models.Model):
    """Takes part in a project's evaluations, and sees nothing else of the project."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="teams", db_index=False
    )
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="team_named_once_in_project"),
        ]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """A person with the role of a submitter."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="team_memberships"
    )
    joined_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="team_member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} of {self.team}"


class TeamInvitation(models.Model):
    """A link by which one person joins a team: with an account that they have, or a new one whose
    password they set."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    note = models.CharField(max_length=200, blank=True)  # for whom
    secret_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = SecretQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(revoked_at=None) | Q(accepted_at=None),
                name="invitation_ends_in_one_way",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.team}"


class UploadToken(models.Model):
    """With which a team's program submits, and reads what became of it."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    team = models.ForeignKey(Team, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    secret_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)  # to the hour
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = SecretQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.name} of {self.team}"
