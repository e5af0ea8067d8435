"""Who submits: teams, their people, and the secrets by which both come in."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotation.models.secrets import Invitation, Token
from evaluation.querysets import TeamQuerySet


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


class TeamInvitation(Invitation):
    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")

    def __str__(self) -> str:
        return f"invitation to {self.team}"


class UploadToken(Token):
    """With which a team's program submits, and reads what became of it."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="tokens")

    def __str__(self) -> str:
        return f"{self.name} of {self.team}"
