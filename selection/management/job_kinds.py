"""The jobs that look at gold and workers, and at what to ask next."""

from __future__ import annotations

import json
from typing import Any

from annotation.management.jobs.kinds import Kind, by, called, command, options_of
from annotation.models import Campaign, Job
from selection.queries.loops import loops_at_rest
from selection.queries.ways import ways_of
from selection.queries.words import selection_in_words


def _select_workers(job: Job) -> dict[str, Any]:
    """With `dry-run` among the parameters only what would be. The numbers are for a page."""
    options = [*options_of(job, "campaign"), *([] if job.parameters.get("dry-run") else by(job))]
    outcome = json.loads(called("select_workers", *options, "--json")[-1])
    return {"lines": [selection_in_words(outcome), *outcome["warnings"]], "outcome": outcome}


def _forecast(job: Job) -> dict[str, Any]:
    """By a stated crowd where `mix` is among the parameters, else by the campaign's answers. The
    numbers are for its page, the lines what the command prints."""
    from selection.actions.forecast import printed_forecast
    from selection.management.commands.forecast import lines_of

    assert job.campaign is not None
    found = json.loads(called("forecast", *options_of(job, "campaign"), "--json")[-1])
    ways = ways_of(found, job.campaign.pay_mills, job.campaign)
    lines = list(lines_of(printed_forecast(found), ways))
    return {
        "lines": lines,
        "forecast": found,
        "about": [line for line in lines if line[-1:] == "."],
    }


def _some_target() -> bool:
    return Campaign.objects.adaptive().exists()


def _advance_loops(job: Job) -> dict[str, Any]:
    return {"lines": called("advance_loops", *options_of(job))}


def _some_loop_at_rest() -> bool:
    return loops_at_rest().exists()


KINDS = [
    Kind("train_model", "Train model", command("train_model", about="campaign")),
    Kind("suggest_by_model", "Suggest by model", command("suggest_by_model", about="campaign")),
    Kind("forecast_campaign", "Forecast quality and cost", _forecast),
    Kind("check_gold", "Check gold questions", command("check_gold", about="campaign")),
    Kind("flag_workers", "Flag workers", command("flag_workers", about="campaign")),
    Kind("preview_selection", "Preview selection", _select_workers),
    Kind("select_workers", "Select workers", _select_workers),
    Kind(
        "adjust_redundancy", "Ask for answers where there is doubt",
        command("adjust_redundancy", about="campaign"), is_needed=_some_target,
    ),
    Kind(
        "advance_loops", "Advance labelling loops", _advance_loops, resumes=True,
        is_needed=_some_loop_at_rest,
    ),
]  # fmt: skip
