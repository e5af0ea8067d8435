"""A run that is made again from its row: the same answers, settings, seed and version make the same
consensus, to the byte."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from aggregation import arrays
from aggregation.actions.runs import aggregate
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun
from annotation.models import Assignment

# The parts of `arrays.inputs` whose digests differ, in words.
CHANGED = {
    "tasks": "the answered tasks or their documents have changed",
    "gold": "the gold has changed (corrected, retired, or there is more of it)",
    "shown": "the answers to hidden gold are others",
    "schema": "the project's schema or the campaign's options have changed",
}


class CannotRepeat(ValueError):
    """What the run read can't be read again; the message names what changed."""


def repeat(
    run: AggregationRun,
    as_of: datetime,
    *,
    jobs: int = 1,
    advance: arrays.Advance | None = None,
) -> AggregationRun:
    """Make `run` again from the answers received by `as_of`: a run of its own, which is never the
    latest. Raises CannotRepeat, and what `aggregate` raises."""
    facts = run.facts
    if run.state != AggregationRun.State.COMPLETE:
        raise CannotRepeat(f"Run {run.key} is {run.state}. Only a complete one can be made again.")
    if run.code_version != code_version():
        raise CannotRepeat(
            f"Run {run.key} was made by version {run.code_version}, and this is {code_version()}. "
            "Make it again with that version."
        )
    if facts.inputs is None:
        raise CannotRepeat(f"Run {run.key} does not know what it read: it is too old.")

    def check(inputs: Mapping[str, str]) -> None:
        if inputs == facts.inputs:
            return
        read = facts.inputs or {}
        differ = [name for name in inputs if inputs[name] != read.get(name)]
        if "answers" in differ:  # with them differs what was answered
            differ = [name for name in differ if name != "tasks"]
        changed = [CHANGED[name] if name in CHANGED else _answers(run, as_of) for name in differ]
        raise CannotRepeat(
            f"Run {run.key} can't be made again from the answers received by "
            f"{as_of.isoformat()}: {'; '.join(changed)}."
        )

    return aggregate(
        run.campaign,
        run.method,
        seed=run.seed,
        parameters=run.parameters,
        clamp_gold=facts.clamped,
        jobs=jobs,
        advance=advance,
        as_of=as_of,
        check_inputs=check,
    )


def _answers(run: AggregationRun, as_of: datetime) -> str:
    facts = run.facts
    answers = Assignment.objects.submitted() if facts.clamped else Assignment.objects.counted()
    now = answers.filter(task__campaign=run.campaign, response__received_at__lte=as_of).count()
    if now == facts.answers:
        return f"it read {facts.answers:,} answers, and these are as many others"
    until = f" (received by {facts.live.until.isoformat()})" if facts.live else ""
    return f"it read {facts.answers:,} answers{until}, and these are {now:,}"
