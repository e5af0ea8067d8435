"""A project's events, told to addresses outside: signed, in the background, until they arrive.

Whatever an event is about is looked up by its receiver: a body names things, and holds neither
answers nor gold.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.actions import audit, outside
from annotation.actions.digests import digest
from annotation.actions.outside import CannotReach
from annotation.models import Project, Webhook, WebhookDelivery
from annotation.sentences import CodedError

SALT = "touchstone.webhook"
MOST = 20  # webhooks of a project
# After each failure; then it has failed.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720))
TAKEN = timedelta(minutes=2)  # until somebody else may try, if whoever does it is killed
AT_ONCE, LONGEST = 100, 60.0  # deliveries and seconds of one job


class WebhookRefused(CodedError, ValueError):
    """A webhook can't be made so."""


def create_webhook(
    project: Project, url: str, events: Iterable[str], *, user: Any = None
) -> tuple[Webhook, str]:
    """The webhook and its secret. Audited, by its host alone: an address may be a secret. Raises
    CannotReach, WebhookRefused."""
    parts = outside.checked_url(url, private=settings.WEBHOOKS_PRIVATE)
    asked = set(events)
    wanted = [event for event in Webhook.Event.values if event in asked]
    if not wanted:
        raise WebhookRefused("webhook.no_events", "events")
    with transaction.atomic():
        if Webhook.objects.filter(project=project).count() >= MOST:
            raise WebhookRefused("webhook.many", most=MOST)
        made = Webhook.objects.create(project=project, url=url, events=wanted, created_by=user)
        after = {"events": wanted}
        audit.record(project, "new webhook", str(parts.hostname), user=user, after=after)
    return made, secrets_of(made)[0]


def delete_webhook(webhook: Webhook, *, user: Any = None) -> None:
    """With what was to be sent. Audited."""
    host = outside.urlsplit(webhook.url).hostname or ""
    with transaction.atomic():
        webhook.delete()
        audit.record(webhook.project, "delete webhook", host, user=user)


def secrets_of(webhook: Webhook) -> list[str]:
    """Under the present key first; under earlier ones that still count, until a receiver has been
    given the new one."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [
        base64.urlsafe_b64encode(bytes.fromhex(digest(SALT, webhook.key.hex, key))).decode()
        for key in keys
    ]


def signature(secret: str, moment: int, body: bytes) -> str:
    """HMAC-SHA256 of the time and the body, in hexadecimal digits."""
    signed = f"{moment}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def tell(project_id: int | None, event: str, **about: Any) -> None:
    """In the transaction of what has happened: told if that is. One query where nobody wants to
    know."""
    if project_id is None:
        return
    hooks = Webhook.objects.filter(project=project_id).select_related("project")
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=hook,
            event=event,
            body={"event": event, "at": timezone.now().isoformat(timespec="seconds"),
                  "project": hook.project.slug, **about},
        )
        for hook in hooks
        if event in hook.events
    )  # fmt: skip


def send_again(delivery: WebhookDelivery) -> None:
    """The same event with the same key, at once, whatever became of it."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=WebhookDelivery.State.WAITING, due_at=timezone.now(), attempts=0, problem=""
    )


def send_due() -> tuple[int, int]:
    """(sent, not sent) of those whose time has come. A receiver that does not take one is not asked
    again for a minute."""
    sent = failed = 0
    ends = time.monotonic() + LONGEST
    while sent + failed < AT_ONCE and time.monotonic() < ends:
        now = timezone.now()
        due = WebhookDelivery.objects.due(now).select_related("webhook")
        one = due.order_by("due_at", "pk").first()
        if one is None:
            break
        same = WebhookDelivery.objects.waiting().filter(pk=one.pk, due_at=one.due_at)
        if not same.update(due_at=now + TAKEN, attempts=F("attempts") + 1, tried_at=now):
            continue  # another has taken it
        if _send(one, one.attempts + 1):
            sent += 1
        else:
            failed += 1
            rest = WebhookDelivery.objects.due(timezone.now()).filter(webhook=one.webhook_id)
            rest.update(due_at=timezone.now() + PAUSES[0])
    return sent, failed


def _send(delivery: WebhookDelivery, attempts: int) -> bool:
    body = json.dumps(delivery.body | {"id": str(delivery.key)}, ensure_ascii=False).encode()
    moment = int(time.time())
    signed = (signature(one, moment, body) for one in secrets_of(delivery.webhook))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Touchstone",
        "Touchstone-Event": delivery.event,
        "Touchstone-Delivery": str(delivery.key),
        "Touchstone-Signature": ",".join([f"t={moment}", *(f"v1={one}" for one in signed)]),
    }
    status, problem = None, ""
    try:
        status = outside.post(
            delivery.webhook.url, body, headers, private=settings.WEBHOOKS_PRIVATE
        )
        if not 200 <= status < 300:
            problem = str(CannotReach("webhook.status", status=status))
    except CannotReach as error:
        problem = str(error)
    states = WebhookDelivery.State
    changes: dict[str, Any] = {"status": status, "problem": problem[:200], "state": states.SENT}
    if problem:
        is_last = attempts > len(PAUSES)
        changes["state"] = states.FAILED if is_last else states.WAITING
        if not is_last:
            changes["due_at"] = timezone.now() + PAUSES[attempts - 1]
    WebhookDelivery.objects.filter(pk=delivery.pk).update(**changes)
    return not problem


def find_delivery(project: Project, webhook: uuid.UUID, key: uuid.UUID) -> WebhookDelivery | None:
    rows = WebhookDelivery.objects.filter(webhook__project=project, webhook__key=webhook)
    return rows.filter(key=key).first()


def clear_deliveries(now: datetime) -> int:
    """What was told, or could not be, more than JOB_DAYS ago; how many."""
    old = now - timedelta(days=settings.JOB_DAYS)
    ended = WebhookDelivery.objects.exclude(state=WebhookDelivery.State.WAITING)
    return ended.filter(created_at__lt=old).delete()[0]
