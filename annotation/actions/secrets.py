"""Secrets are shown once, to whoever asked for them; the database holds their digests. Each has
256 bits, so that nobody finds it from that."""

from __future__ import annotations

import secrets
import uuid
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.utils import timezone

from annotation.sentences import CodedError

USED_EVERY = timedelta(hours=1)


class SecretRefused(CodedError, ValueError):
    """An invitation or a token can't be used, or made, so."""


def give(rows: Any, **fields: Any) -> tuple[Any, str]:
    """The row of a new secret, and the secret itself."""
    secret = secrets.token_urlsafe(32)
    return rows.create(secret_digest=digest_of(secret), **fields), secret


def use_token(rows: Any, secret: str) -> Any:
    """The token of this secret. Raises SecretRefused."""
    now = timezone.now()
    token = rows.live(now).filter(secret_digest=digest_of(secret)).first()
    if token is None:
        raise SecretRefused("token.unknown")
    if token.used_at is None or now - token.used_at > USED_EVERY:
        rows.filter(pk=token.pk).update(used_at=now)
    return token


def revoke(rows: Any, key: uuid.UUID) -> Any:
    """Nobody comes in by it from now on. Its row; None where nobody could."""
    row = rows.filter(key=key, revoked_at=None).first()
    if row is None or not rows.filter(pk=row.pk, revoked_at=None).update(revoked_at=timezone.now()):
        return None
    return row


def digest_of(secret: str) -> str:
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()
