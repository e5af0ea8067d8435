"""What a worker is called where there is little room."""

from __future__ import annotations

from annotation.models import Enrollment

DEVICE = "device:"  # a worker without a name: their browser made the rest up
LETTERS = 6  # of what stands for a name
LONGEST = 24


def worker_name(enrollment: Enrollment, *, with_ids: bool) -> str:
    """Their name, or their id without what only keeps ids of browsers apart.

    Without `with_ids` a worker who has no name is called by their enrollment's key: the same on
    each page of a campaign, and nothing that their platform knows. No query where the worker was
    selected too.
    """
    worker = enrollment.worker
    if worker.display_name:
        name = worker.display_name
    elif not with_ids:
        name = f"#{enrollment.key.hex[:LETTERS]}"  # short: a lane on a phone has room for eight
    elif worker.external_id.startswith(DEVICE):
        name = worker.external_id.removeprefix(DEVICE)[:LETTERS]
    else:
        name = worker.external_id
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
