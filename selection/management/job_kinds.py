"""The jobs that look at gold and workers, and at what to ask next."""

from __future__ import annotations

import json
from typing import Any

from annotation.management.jobs.kinds import Kind, by, called, command, options_of
from annotation.models import Campaign, Job
from selection.queries.words import selection_in_words


def _select_workers(job: Job) -> dict[str, Any]:
    """With `dry-run` among the parameters only what would be. The numbers are for a page."""
    options = [*options_of(job, "campaign"), *([] if job.parameters.get("dry-run") else by(job))]
    outcome = json.loads(called("select_workers", *options, "--json")[-1])
    return {"lines": [selection_in_words(outcome), *outcome["warnings"]], "outcome": outcome}


def _some_target() -> bool:
    return Campaign.objects.adaptive().exists()


KINDS = [
    Kind("train_model", "Train model", command("train_model", about="campaign")),
    Kind("suggest_by_model", "Suggest by model", command("suggest_by_model", about="campaign")),
    Kind("check_gold", "Check gold questions", command("check_gold", about="campaign")),
    Kind("flag_workers", "Flag workers", command("flag_workers", about="campaign")),
    Kind("preview_selection", "Preview selection", _select_workers),
    Kind("select_workers", "Select workers", _select_workers),
    Kind(
        "adjust_redundancy", "Ask for answers where there is doubt",
        command("adjust_redundancy", about="campaign"), is_needed=_some_target,
    ),
]  # fmt: skip
