"""What workers are called wherever somebody else than they may read it."""

from __future__ import annotations

import hashlib

from annotation.models import ANONYMOUS, Enrollment, Worker

BYTES = 6  # of a digest: two in a campaign of 10,000 workers are the same once in 5 million times


def pseudonym(enrollment: Enrollment) -> str:
    """The worker's in this campaign, for ever: another one in each campaign, so that what is
    known of them in two can't be put together.

    A digest of the enrollment's key, which is random and drawn for this campaign alone. It does
    not hang on SECRET_KEY, whose change would part a worker's old answers from the new ones.
    """
    digest = hashlib.blake2b(enrollment.key.bytes, digest_size=BYTES, person=b"pseudonym")
    return f"anonymous-{digest.hexdigest()}"


def short_pseudonym(enrollment: Enrollment) -> str:
    """For where there is little room: a lane on a phone has room for eight."""
    return f"#{pseudonym(enrollment).removeprefix('anonymous-')[:6]}"


def is_anonymous(worker: Worker) -> bool:
    """Nobody named this worker: they came by a public link."""
    return worker.external_id.startswith(ANONYMOUS)


def public_name(enrollment: Enrollment) -> str:
    """For files, logs and the record of changes: the name that a manager gave, else the
    pseudonym. Neither lets anybody in."""
    worker = enrollment.worker
    return pseudonym(enrollment) if is_anonymous(worker) else worker.external_id
