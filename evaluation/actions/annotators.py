"""Human annotators entered as a system: what the task's ceiling is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from aggregation.models import Consensus
from aggregation.queries import latest_run
from annotation.interfaces import Product, traits
from annotation.interfaces.schema import NONE, UNSURE
from annotation.models import Campaign
from annotation.sentences import CodedError
from evaluation.actions.submissions import keep_version
from evaluation.models import EvaluationPeriod, Submission, System
from evaluation.sentences import CATALOGUE

READ = 200


class CannotEnter(CodedError, ValueError):
    """The annotators can't be entered so; the message says why and what to do."""

    catalogue = CATALOGUE


def enter_annotators(
    period: EvaluationPeriod, campaign: Campaign, name: str, *, user: Any = None
) -> Submission:
    """The relations that a campaign's last run has found, as a system without a team: a new
    version, where they are others than before. Raises CannotEnter."""
    product = traits(campaign.interface).product
    if campaign.project_id != period.project_id or product != Product.RELATIONS:
        raise CannotEnter("annotators.campaign", campaign=campaign.slug)
    run = latest_run(campaign)
    if run is None:
        raise CannotEnter("annotators.no_run", campaign=campaign.slug)
    system, _ = System.objects.get_or_create(
        project=period.project, name=name, defaults={"kind": System.Kind.ANNOTATORS}
    )
    if system.kind != System.Kind.ANNOTATORS:
        raise CannotEnter("submission.other_team", "system", name=name)
    lines = (f"{json.dumps(line)}\n".encode() for line in _lines(run.key))
    return keep_version(period, lambda: system, f"{campaign.slug}.jsonl", lines, user=user)


def _lines(run: Any) -> Iterator[dict[str, Any]]:
    rows = Consensus.objects.filter(run__key=run, task__document__isnull=False).order_by("task")
    told = rows.values_list("task__document__external_id", "task__payload", "answer")
    for document, payload, answer in told.iterator(chunk_size=READ):
        if answer.get("relation") in (None, NONE, UNSURE):
            continue
        sides = {
            side: {key: payload[side][key] for key in ("start", "end", "type")}
            for side in ("subject", "object")
        }
        first = min(one["start"] for one in sides.values())
        last = max(one["end"] for one in sides.values())
        yield {"document": document, "relation": answer["relation"], **sides,
               "provenance": [[first, last]]}  # fmt: skip
