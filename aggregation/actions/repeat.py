"""A run that is made again from its row: the same answers, settings, seed and version make the same
consensus, to the byte."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import reduce

from aggregation import arrays
from aggregation.actions.runs import aggregate
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun
from aggregation.sentences import CATALOGUE
from annotation.models import Assignment
from annotation.sentences import CodedError, Problem

# The parts of `arrays.inputs` whose digests differ.
CHANGED = {
    "tasks": Problem("word.tasks_changed", "", CATALOGUE),
    "gold": Problem("word.gold_changed", "", CATALOGUE),
    "decisions": Problem("word.decisions_changed", "", CATALOGUE),
    "shown": Problem("word.gold_answers_changed", "", CATALOGUE),
    "schema": Problem("word.schema_changed", "", CATALOGUE),
    "doubts": Problem("word.doubts_changed", "", CATALOGUE),
}


class CannotRepeat(CodedError, ValueError):
    """What the run read can't be read again; the message names what changed."""

    catalogue = CATALOGUE


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
        raise CannotRepeat("repeat.not_complete", run=run.key, state=run.state)
    if run.code_version != code_version():
        versions = {"version": run.code_version, "now": code_version()}
        raise CannotRepeat("repeat.version", run=run.key, **versions)
    if facts.inputs is None:
        raise CannotRepeat("repeat.too_old", run=run.key)

    def check(inputs: Mapping[str, str]) -> None:
        if inputs == facts.inputs:
            return
        read = facts.inputs or {}
        names = [*inputs, *(name for name in read if name not in inputs)]
        differ = [name for name in names if inputs.get(name) != read.get(name)]
        if "answers" in differ:  # with them differs what was answered
            differ = [name for name in differ if name != "tasks"]
        changed = [CHANGED[name] if name in CHANGED else _answers(run, as_of) for name in differ]
        raise CannotRepeat(
            "repeat.changed", run=run.key, as_of=as_of.isoformat(), changes=reduce(_both, changed)
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


def _both(one: Problem, other: Problem) -> Problem:
    return Problem("word.both", "", CATALOGUE, one=one, other=other)


def _answers(run: AggregationRun, as_of: datetime) -> Problem:
    facts = run.facts
    answers = Assignment.objects.submitted() if facts.clamped else Assignment.objects.counted()
    now = answers.filter(task__campaign=run.campaign, response__received_at__lte=as_of).count()
    if now == facts.answers:
        return Problem("word.other_answers", "", CATALOGUE, number=facts.answers)
    counts = {"number": facts.answers, "now": now}
    if facts.live is None:
        return Problem("word.answers_changed", "", CATALOGUE, **counts)
    until = facts.live.until.isoformat()
    return Problem("word.answers_until_changed", "", CATALOGUE, until=until, **counts)
