"""What a worker is called where there is little room."""

from __future__ import annotations

from annotation.models import Enrollment
from annotation.models.pseudonyms import is_anonymous, short_pseudonym

LONGEST = 24


def worker_name(enrollment: Enrollment, *, with_ids: bool) -> str:
    """The worker's name; else, of one whom a manager named, that id `with_ids`.

    Everybody else is called by the beginning of their pseudonym: the same on each page of a
    campaign, and nothing that the platform knows. No query where the worker was selected too.
    """
    worker = enrollment.worker
    if worker.display_name:
        name = worker.display_name
    elif with_ids and not is_anonymous(worker):
        name = worker.external_id
    else:
        name = short_pseudonym(enrollment)
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
