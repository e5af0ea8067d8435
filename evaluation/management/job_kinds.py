"""The jobs of submissions: validate one, say what judging takes, ask, and score."""

from __future__ import annotations

import uuid
from io import StringIO
from typing import Any

from django.core.management.base import CommandError

from annotation.actions import locks
from annotation.actions.progress import Progress
from annotation.management.jobs.kinds import Kind, called, options_of
from annotation.models import Job
from evaluation.models import EvaluationPeriod, SamplingPlan, Submission
from evaluation.queries.periods import periods_at_rest

GONE = "The submission is there no more."


def _validate(job: Job) -> dict[str, Any]:
    from evaluation.actions.validation import validate  # with numerics

    key = uuid.UUID(job.parameters["submission"])
    row = Submission.objects.select_related("system").filter(key=key).first()
    if row is None:
        raise CommandError(GONE)
    with Progress(StringIO(), row.bytes, "bytes of the file") as progress:
        row = validate(row, advance=progress.advance)
    if row.state == Submission.State.REFUSED:
        return {"lines": [f"{row.system.name}, version {row.version}: refused. {row.problem}"]}
    told = f"{row.claims or 0:,} valid claims in {row.lines or 0:,} lines"
    return {"lines": [f"{row.system.name}, version {row.version}: {told}."]}


def _forecast(job: Job) -> dict[str, Any]:
    from evaluation.actions.asking import forecast

    found = forecast(_period(job))
    told = f"{found['claims']:,} claims of {len(found['submissions']):,} systems"
    return {"lines": [f"{told}, {found['asked']:,} of them judged or asked for."]}


def _ask(job: Job) -> dict[str, Any]:
    from evaluation.actions.asking import ask

    related = SamplingPlan.objects.select_related("period")
    plan = related.filter(key=uuid.UUID(job.parameters["plan"])).first()
    if plan is None:
        raise CommandError("The plan is there no more.")
    try:
        with Progress(StringIO(), None, "claims") as progress:
            plan = ask(plan, advance=progress.advance)
    except (ValueError, locks.Held) as error:
        raise CommandError(str(error)) from error
    told = f"{plan.drawn:,} claims drawn, {plan.known:,} of them known"
    lost = f"; {plan.lost:,} could not be asked about" if plan.lost else ""
    return {"lines": [f"{told}; {plan.made:,} tasks made{lost}."]}


def _annotate(job: Job) -> dict[str, Any]:
    from evaluation.actions.recall import make_campaigns, sample_documents

    period, told = _period(job), job.parameters
    try:
        names, relations = make_campaigns(
            period, pay_mills=told["pay_mills"], pair_mills=told["pair_mills"],
            redundancy=told["answers"], user=job.asked_by,
        )  # fmt: skip
        sample = sample_documents(
            period, half_width=told["half_width"], names=names, relations=relations,
            largest=told["largest"], user=job.asked_by,
        )  # fmt: skip
    except (ValueError, locks.Held) as error:
        raise CommandError(str(error)) from error
    drawn = sample.documents.filter(kind="uniform").count()
    return {"lines": [f"{drawn:,} documents drawn evenly; their names are asked for."]}


def _ask_who_is_who(job: Job) -> dict[str, Any]:
    from evaluation.actions.links import ask_who_is_who

    try:
        asked = ask_who_is_who(_period(job), user=job.asked_by)
    except (ValueError, locks.Held) as error:
        raise CommandError(str(error)) from error
    there = f", {asked.there:,} were there already" if asked.there else ""
    told = f"{asked.cards:,} names without a link, {asked.alone:,} of them like no other"
    return {"lines": [f"{told}; {asked.made:,} tasks made{there}."]}


def _evaluate(job: Job) -> dict[str, Any]:
    return {"lines": called("evaluate_submissions", *options_of(job))}


def _some_period_at_rest() -> bool:
    return periods_at_rest().exists()


def _period(job: Job) -> EvaluationPeriod:
    related = EvaluationPeriod.objects.select_related("project", "campaign", "links")
    found = related.filter(key=uuid.UUID(job.parameters["period"])).first()
    if found is None:
        raise CommandError("The evaluation period is there no more.")
    return found


KINDS = [
    Kind("validate_submission", "Validate submission", _validate, resumes=True),
    Kind("forecast_plan", "Say what judging takes", _forecast),
    Kind("ask_about_claims", "Make tasks from claims", _ask, resumes=True),
    Kind("annotate_documents", "Draw documents", _annotate, resumes=True),
    Kind("ask_who_is_who", "Ask who is who", _ask_who_is_who, resumes=True),
    Kind(
        "evaluate_submissions", "Score systems", _evaluate, resumes=True,
        is_needed=_some_period_at_rest,
    ),
]  # fmt: skip
