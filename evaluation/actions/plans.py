"""A plan is asked for: what it takes is known from the forecast, and money is looked at before
anything is drawn. Nothing here computes; a job draws and asks (actions.asking)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Sum

from aggregation.methods.version import code_version
from annotation.actions import audit
from annotation.actions.jobs import enqueue
from annotation.models import Campaign, Demand
from annotation.sentences import CodedError
from evaluation.actions.submissions import ASK
from evaluation.models import EvaluationPeriod, SamplingPlan, Submission
from evaluation.sentences import CATALOGUE

# A draft has no tasks, and so can't be opened, before the first plan.
TAKES_TASKS = (Campaign.State.DRAFT, Campaign.State.OPEN, Campaign.State.PAUSED)


class CannotPlan(CodedError, ValueError):
    """It can't be planned so, or not now; the message says why and what to do."""

    catalogue = CATALOGUE


def start_plan(
    period: EvaluationPeriod, *, metrics: str, width: float, is_conservative: bool = True,
    user: Any = None,
) -> SamplingPlan:  # fmt: skip
    """Draw what the forecast says, and make its tasks, by a job. `metrics` is one of the curves of
    the forecast. Audited. Raises CannotPlan."""
    campaign = check_campaign(period)
    told = point_of(period, metrics, width)
    if told is None:
        raise CannotPlan("plan.width", "width", width=width)
    if period.forecast["submissions"] != current_keys(period):
        raise CannotPlan("plan.changed")
    expected = told["most" if is_conservative else "expected"]
    if not told["claims_in_all"]:
        raise CannotPlan("plan.nothing", period=period.name)
    if not expected["claims"] and not _has_new_submission(period):
        raise CannotPlan("plan.all_judged")
    check_budget(campaign, expected["mills"])
    try:
        with transaction.atomic():
            number = period.plans.aggregate(most=Max("number"))["most"] or 0
            plan = SamplingPlan.objects.create(
                period=period, number=number + 1, metrics=metrics.split("+"), half_width=width,
                is_conservative=is_conservative, level=period.level, created_by=user,
                expected_mills=expected["mills"], most_mills=expected["most_mills"],
                code_version=code_version(),
            )  # fmt: skip
            enqueue(ASK, {"plan": str(plan.key)}, project=period.project, user=user)
            audit.record(
                period.project, "plan evaluation", period.name, user=user,
                after={"number": number + 1, "half_width": width, "mills": expected["mills"]},
            )  # fmt: skip
    except IntegrityError as error:
        raise CannotPlan("plan.at_work") from error
    return plan


def _has_new_submission(period: EvaluationPeriod) -> bool:
    """One for which nothing was drawn yet: it may have types and links that nobody was asked about,
    of relations that are judged."""
    rows = Submission.objects.current().filter(period=period, claims__gt=0)
    return rows.filter(plans=None).exists()


def check_campaign(period: EvaluationPeriod) -> Campaign:
    campaign = period.campaign
    if campaign is None:
        raise CannotPlan("plan.no_campaign", period=period.name)
    if campaign.state not in TAKES_TASKS:
        raise CannotPlan("plan.campaign_state", campaign=campaign.slug, state=campaign.state)
    return campaign


def check_budget(campaign: Campaign, needed: int) -> None:
    left = money_left(campaign)
    if left is not None and left < needed:
        raise CannotPlan(
            "plan.budget", campaign=campaign.slug, currency=campaign.currency,
            needed=f"{needed / 1000:,.2f}", left=f"{max(left, 0) / 1000:,.2f}",
        )  # fmt: skip


def money_left(campaign: Campaign) -> int | None:
    """Of the budget, when all that is open by now is answered; None: there is no limit."""
    if campaign.budget_mills is None:
        return None
    waiting = Demand.objects.filter(campaign=campaign).aggregate(sum=Sum("open"))["sum"] or 0
    return int(campaign.budget_mills - campaign.committed_mills - waiting * campaign.pay_mills)


def point_of(period: EvaluationPeriod, metrics: str, width: float) -> Mapping[str, Any] | None:
    """What the forecast says of this half-width."""
    curve = period.forecast.get("curves", {}).get(metrics, ())
    return next((one for one in curve if abs(one["width"] - width) < 1e-9), None)


def current_keys(period: EvaluationPeriod) -> list[str]:
    rows = Submission.objects.current().filter(period=period)
    return sorted(map(str, rows.values_list("key", flat=True)))
