"""The worker of a public link is known by a secret that the browser made and keeps.

Only its digest is stored. The worker's external id is drawn at random, so that it opens nothing,
wherever it is read.
"""

from __future__ import annotations

import uuid

from django.db import IntegrityError, transaction

from annotation.actions.digests import digest, worker_by_digest
from annotation.models import ANONYMOUS, Worker

SALT = "touchstone.device"


def worker_of_device(platform: str, device: uuid.UUID) -> Worker:
    """The worker who came with this secret before, else a new one."""
    secret = f"{platform}:{device.hex}"
    worker = worker_by_digest("device_digest", SALT, secret)
    if worker is not None:
        return worker
    made = digest(SALT, secret)
    try:
        with transaction.atomic():
            return Worker.objects.create(
                platform=platform, external_id=f"{ANONYMOUS}{uuid.uuid4().hex}", device_digest=made
            )
    except IntegrityError:  # two tabs of one browser that join at once
        return Worker.objects.get(device_digest=made)
