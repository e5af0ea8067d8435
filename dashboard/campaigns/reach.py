"""Whether a quality that is named can be had by the most answers that a task may get, as far as the
last forecast of the campaign tells. Plain numbers of a stored result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from annotation.interfaces import Product, traits
from annotation.models import Campaign, Job
from dashboard.plan.queries import KIND
from dashboard.templatetags.figures import share


def reach_words(campaign: Campaign, quality: float, most: int) -> str:
    """For the form; "" where neither a forecast nor answers tell anything. Two queries at most."""
    done = Job.objects.filter(campaign=campaign, kind=KIND, state=Job.State.DONE)
    job = done.order_by("-pk").first()
    if job is None:
        return _to_be_forecast(campaign, most)
    found = job.result["forecast"]
    known = [point for point in found["points"] if point["answers"] <= most]
    if not known:
        return ""
    point = max(known, key=lambda one: one["answers"])
    day = f"{timezone.localtime(job.ended_at):%-d %b}" if job.ended_at else "before"
    return (
        f"By the forecast of {day}{_rests_on(found)}, {_answers(point['answers'])} reach "
        f"{share(point['mean'])} ({round(100 * found['level'])} %: {share(point['low'])} to "
        f"{share(point['high'])}): "
        f"a quality of {share(quality)} {_verdict(point, quality, most)}."
    )


def _to_be_forecast(campaign: Campaign, most: int) -> str:
    tally = getattr(campaign, "tally", None)
    is_piles = traits(campaign.interface).product is Product.CLUSTERS
    if tally is None or not tally.received or is_piles:
        return ""
    return f"Whether {_answers(most)} can reach it, Plan forecasts by the answers that there are."


def _answers(number: int) -> str:
    return "one answer to each task" if number == 1 else f"{number} answers to each task"


def _rests_on(found: Mapping[str, Any]) -> str:
    if not found["pilot"]:
        return " by a stated crowd"
    return "" if found["checked"] else ", not checked against gold"


def _verdict(point: Mapping[str, Any], quality: float, most: int) -> str:
    """Fewer answers than the most are all that is known where no more were forecast."""
    if quality <= point["low"]:
        return "can be had"
    if point["answers"] < most:
        return f"is not sure to be had, and what {most} reach was not forecast"
    if quality > point["high"]:
        return "can’t be had"
    return "probably can’t be had" if quality > point["mean"] else "can probably be had"
