"""Tokens by which a person's programs use the API. Their audit entries are of no project."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions import audit, secrets
from annotation.actions.secrets import SecretRefused
from annotation.models import ApiToken

DAYS = 90  # that a token lasts where nothing else is said
MOST_DAYS = 365


def create_api_token(
    user: Any, name: str, scopes: Iterable[str], *, days: int = DAYS
) -> tuple[ApiToken, str]:
    """The token and its secret. Raises SecretRefused."""
    wanted = [scope for scope in ApiToken.Scope.values if scope in set(scopes)]
    name = " ".join(name.split())
    if not name:
        raise SecretRefused("token.no_name", "name")
    if not wanted:
        raise SecretRefused("token.no_scope", "scopes")
    with transaction.atomic():
        token, secret = secrets.give(
            ApiToken.objects, user=user, name=name, scopes=wanted, created_by=user,
            expires_at=timezone.now() + timedelta(days=days),
        )  # fmt: skip
        audit.record(None, "new API token", name, user=user, after={"scopes": wanted})
    return token, secret


def revoke_api_token(user: Any, key: uuid.UUID) -> bool:
    """Whether it was the person's, and not revoked."""
    with transaction.atomic():
        row = secrets.revoke(ApiToken.objects.filter(user=user), key)
        if row is not None:
            audit.record(None, "revoke API token", row.name, user=user)
    return row is not None


def use_api_token(secret: str) -> ApiToken:
    """With the account, which is active. Raises SecretRefused."""
    rows = ApiToken.objects.filter(user__is_active=True).select_related("user")
    token: ApiToken = secrets.use_token(rows, secret)
    return token
