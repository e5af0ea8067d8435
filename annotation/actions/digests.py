"""Keyed digests of what a worker knows and the database must not: a device's secret, a phrase.

Whoever reads the table can neither join with what stands there nor try all phrases. What was
digested under a key of SECRET_KEY_FALLBACKS is still found, and digested anew under the present
key, so that a fallback can be taken away once its workers have come back.
"""

from __future__ import annotations

from django.conf import settings
from django.utils.crypto import salted_hmac

from annotation.models import Worker


def digest(salt: str, secret: str, key: str | None = None) -> str:
    """64 hexadecimal digits, under the present key if no other is given."""
    key = key or settings.SECRET_KEY
    return salted_hmac(salt, secret, secret=key, algorithm="sha256").hexdigest()


def worker_by_digest(field: str, salt: str, secret: str, **where: str) -> Worker | None:
    """The worker whose `field` holds the digest of the secret under any key that is believed."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    digests = [digest(salt, secret, key) for key in keys]
    found = list(Worker.objects.filter(**{f"{field}__in": digests}, **where))
    if not found:
        return None
    worker = min(found, key=lambda row: digests.index(getattr(row, field)))
    if getattr(worker, field) != digests[0]:
        Worker.objects.filter(pk=worker.pk).update(**{field: digests[0]})
        setattr(worker, field, digests[0])
    return worker
