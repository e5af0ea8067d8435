"""What a change of a campaign's settings does, from its rows, told before it is saved."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.template.defaultfilters import pluralize
from django.utils import timezone

from aggregation.models import Consensus
from aggregation.queries import latest_run
from annotation.actions.campaigns import preflight
from annotation.actions.campaigns.editing import in_options
from annotation.models import Assignment, Campaign, Enrollment, Response
from dashboard.campaigns.reach import reach_words
from dashboard.setup.expectations import task_time
from dashboard.templatetags.figures import money, share, whole

# A draft costs what these say; the rest of it is seen by nobody yet.
COSTS = ("redundancy", "pay_mills", "gold_every", "budget_mills", "currency")


@dataclass(frozen=True, slots=True)
class Consequence:
    """`setting` is its label; `change` "3 → 4", or "" of a text."""

    setting: str
    change: str
    sentence: str
    is_short: bool = False  # the budget does not reach


def consequences(
    campaign: Campaign, before: Mapping[str, Any], after: Mapping[str, Any]
) -> list[Consequence]:
    """Of what differs, by the names that `edit_campaign` has; what only changes its own wording has
    none. A fixed number of queries for each setting."""
    changed = [name for name in after if after[name] != before.get(name)]
    if campaign.state == Campaign.State.DRAFT:
        return _of_draft(campaign, after, changed)
    found = [_TELL[name](campaign, before[name], after[name]) for name in changed if name in _TELL]
    if {"target_quality", "target_confidence", "max_redundancy"} & set(changed):
        found += [_of_certainty(campaign, after), *_of_reach(campaign, after)]
    return found


def digest_of(found: Sequence[Consequence]) -> str:
    """Of what was shown: whoever saves has read these very sentences."""
    return hashlib.blake2b(repr(found).encode(), digest_size=9).hexdigest()


def of_budget(campaign: Campaign, mills: int) -> Consequence:
    """One query."""
    tally = getattr(campaign, "tally", None)
    missing = max(0, tally.wanted - tally.received) if tally else 0
    live = Assignment.objects.live().filter(enrollment__campaign=campaign).count()
    return _budget(campaign, mills, max(0, missing - live))


def _budget(campaign: Campaign, mills: int, missing: int) -> Consequence:
    """`missing`: answers that nobody is at work on."""
    old, cost = campaign.budget_mills, missing * campaign.pay_mills
    left = mills - campaign.committed_mills
    sentence = (
        f"{money(campaign.committed_mills)} {campaign.currency} are spent or promised, so "
        f"{money(max(0, left))} {campaign.currency} are left. "
    )
    if not missing:
        sentence += "No answer is missing."
    elif left >= cost:
        sentence += (
            f"The {missing:,} answer{pluralize(missing)} that nobody is at work on cost"
            f"{pluralize(missing, 's,')} {money(cost)} {campaign.currency}: enough, gold aside."
        )
    else:
        paid = max(0, left) // campaign.pay_mills
        sentence += (
            f"The {missing:,} answer{pluralize(missing)} that nobody is at work on cost"
            f"{pluralize(missing, 's,')} {money(cost)} {campaign.currency}: not enough, it pays "
            f"{paid:,} of them."
        )
    was = f"{money(old)}" if old is not None else "no limit"
    return Consequence(
        "Budget", f"{was} → {money(mills)} {campaign.currency}", sentence, left < cost
    )


def _of_draft(
    campaign: Campaign, after: Mapping[str, Any], changed: Sequence[str]
) -> list[Consequence]:
    """What all of it costs, and what an hour pays, before and after."""
    found = _of_cost(campaign, after, changed)
    return [*found, _of_pay(campaign, after)] if "pay_mills" in changed else found


def _of_pay(campaign: Campaign, after: Mapping[str, Any]) -> Consequence:
    """Two queries."""
    time = task_time(campaign)
    was, (now, low, high) = time.hourly(campaign.pay_mills)[0], time.hourly(after["pay_mills"])
    seconds, currency = f"{whole(time.seconds)} seconds", after.get("currency", campaign.currency)
    change = f"{money(was)} → {money(now)} {currency}"
    if not after["pay_mills"]:
        return Consequence("Pay for an hour", change, "Nobody is paid for a task.")
    if time.workers:
        sentence = (
            f"A task took the {time.workers:,} workers who did such tasks in this project "
            f"{seconds}, measured: an hour pays {money(now)} {currency}, to the middle 80 % of "
            f"them {money(low)}–{money(high)}."
        )
    else:
        sentence = (
            f"Nobody was measured yet. If a task takes {seconds}, as is assumed, an hour pays "
            f"{money(now)} {currency}: {money(low)} to slow workers, {money(high)} to quick ones."
        )
    return Consequence("Pay for an hour", change, sentence)


def _of_cost(
    campaign: Campaign, after: Mapping[str, Any], changed: Sequence[str]
) -> list[Consequence]:
    own = in_options(campaign.interface)
    if not {*COSTS, *own} & {*changed}:
        return []
    other = copy.copy(campaign)
    other.options = dict(campaign.options)
    for name in changed:
        if name in own:
            other.options[name] = after[name]
        elif name in COSTS:
            setattr(other, name, after[name])
    old, new = preflight(campaign), preflight(other)
    if (old.answers, old.cost_mills, campaign.budget_mills) == (
        new.answers, new.cost_mills, other.budget_mills
    ):  # fmt: skip
        return []
    if not new.tasks:  # nothing can be said of the cost of nothing
        return []
    sentence = (
        f"{new.tasks:,} task{pluralize(new.tasks)}: {new.answers:,} answer{pluralize(new.answers)}"
        f", hidden gold among them, {money(new.cost_mills)} {other.currency} in all."
    )
    more = new.answers - old.answers
    if more:
        sentence += f" {abs(more):,} {'more' if more > 0 else 'fewer'} than before."
    short = other.budget_mills is not None and other.budget_mills < new.cost_mills
    if other.budget_mills is not None:
        sentence += f" The budget is {money(other.budget_mills)} {other.currency}: "
        sentence += "not enough." if short else "enough."
    change = f"{money(old.cost_mills)} → {money(new.cost_mills)} {other.currency}"
    return [Consequence("Cost in all", change, sentence, short)]


def _of_reach(campaign: Campaign, after: Mapping[str, Any]) -> list[Consequence]:
    """Where a forecast tells whether the quality that is named can be had. Two queries at most."""
    quality = after.get("target_quality")
    if quality is None:
        return []
    most = after.get("max_redundancy") or max(campaign.max_redundancy, campaign.redundancy)
    sentence = reach_words(campaign, quality, most)
    return [Consequence("Quality wanted", "", sentence)] if sentence else []


def _of_certainty(campaign: Campaign, after: Mapping[str, Any]) -> Consequence:
    """Two queries, of which one counts in an index."""
    quality, most = after.get("target_quality"), after.get("max_redundancy")
    target = after.get("target_confidence") if quality is None else quality
    old = campaign.wanted
    setting = "More answers where there is doubt"

    def words(share_of: float | None, number: int) -> str:
        if share_of is None:
            return f"each task gets {campaign.redundancy}"
        return f"{share(share_of)}, at most {number}"

    change = (
        f"{words(old, campaign.max_redundancy)} → "
        f"{words(target, most or max(campaign.max_redundancy, campaign.redundancy))}"
    )
    if target is None:
        return Consequence(
            setting, change, "No task asks for more answers or stops early by itself any more; "
            "what was asked for stays asked for."
        )  # fmt: skip
    run = latest_run(campaign)
    if run is None:
        return Consequence(
            setting, change, "Nothing is aggregated yet: it plays a part from the first run on."
        )
    rows = Consensus.objects.of_run(run.key)  # one whose confidence is not known asks too
    unsure = rows.filter(Q(confidence__lt=target) | Q(confidence=None)).count()
    if not unsure:
        return Consequence(
            setting, change,
            f"By the latest run all {run.facts.tasks:,} tasks are as certain: their open places "
            "are given out no more.",
        )  # fmt: skip
    each = max(0, (most or campaign.max_redundancy) - campaign.redundancy)
    answers, cost = unsure * each, unsure * each * campaign.pay_mills
    sentence = (
        f"By the latest run {unsure:,} of {run.facts.tasks:,} tasks "
        f"{pluralize(unsure, 'is,are')} less certain: up to {each} more "
        f"answer{pluralize(each)} each, {answers:,} answer{pluralize(answers)} and "
        f"{money(cost)} {campaign.currency} more at most. The others stop."
    )
    short = False
    if campaign.budget_mills is not None:
        left = max(0, campaign.budget_mills - campaign.committed_mills)
        short = left < cost
        sentence += f" Budget left: {money(left)} {campaign.currency}"
        sentence += ", not enough for all of them." if short else "."
    return Consequence(setting, change, sentence + _later(campaign, answers), short)


def _later(campaign: Campaign, answers: int) -> str:
    """How much later the end is, by the stored forecast that all pages go by; "" without one."""
    expected = getattr(campaign, "forecast", None)
    if not answers or expected is None or not expected.pace or expected.likely is None:
        return ""
    days = answers / expected.pace
    if days < 1:
        return f" At {whole(expected.pace)} answers a day the end is less than a day later."
    end = timezone.localtime(expected.likely + timedelta(days=days))
    return (
        f" At {whole(expected.pace)} answers a day the end is up to {whole(days)} "
        f"day{pluralize(round(days))} later: {end:%a} {end.day} {end:%b}."
    )


def _workers(campaign: Campaign) -> int:
    return Enrollment.objects.filter(campaign=campaign).exclude(state="blocked").count()


def _of_instructions(campaign: Campaign, before: str, after: str) -> Consequence:
    workers, number = _workers(campaign), campaign.instructions
    read = f"{workers:,} worker{pluralize(workers)}"
    sentence = (
        f"{read} {pluralize(workers, 'reads,read')} the new text before the next task; answers "
        f"given until then keep the version that was read."
        if after.strip()
        else f"{read} {pluralize(workers, 'sees,see')} the task alone from the next one on."
    )
    return Consequence(
        "Instructions", f"version {number.number} stands" if number else "", sentence
    )


def _of_consent(campaign: Campaign, before: str, after: str) -> Consequence:
    workers = _workers(campaign)
    if not after.strip():
        sentence = "Nobody is asked to agree any more."
    else:
        sentence = (
            f"{workers:,} worker{pluralize(workers)} {pluralize(workers, 'is,are')} asked to agree "
            "to the new text before the next task, and whoever does not gets none."
        )
    change = f"version {campaign.consent.number} stands" if campaign.consent else ""
    return Consequence("What workers agree to", change, sentence)


def _of_lease(campaign: Campaign, before: int, after: int) -> Consequence:
    held = Assignment.objects.live().filter(enrollment__campaign=campaign).count()
    return Consequence(
        "Minutes that a worker may keep a task", f"{before} → {after}",
        f"{held:,} task{pluralize(held)} at work {pluralize(held, 'keeps its,keep their')} time "
        "until a draft is saved; tasks given out from now on have the new one.",
    )  # fmt: skip


def _of_skips(campaign: Campaign, before: int, after: int) -> Consequence:
    spent = Enrollment.objects.filter(campaign=campaign, skipped__gte=after).count()
    return Consequence(
        "Tasks that a worker may skip", f"{before} → {after}",
        f"{spent:,} worker{pluralize(spent)} {pluralize(spent, 'has,have')} skipped as many, and "
        "can skip no more." if spent else "Nobody has skipped as many yet.",
    )  # fmt: skip


def _of_correction(campaign: Campaign, before: int, after: int) -> Consequence:
    return Consequence(
        "Seconds in which an answer can be corrected", f"{before} → {after}",
        "It holds for all answers, those that were just handed in too.",
    )  # fmt: skip


def _of_doubts(campaign: Campaign, before: str, after: str) -> Consequence:
    answers = Response.objects.counted().filter(assignment__task__campaign=campaign)
    number, ways = answers.doubted_at_first().count(), dict(Campaign.Doubts.choices)
    return Consequence(
        "What workers mark as unsure", f"{ways[before]} → {ways[after]}",
        f"{number:,} answer{pluralize(number)} {pluralize(number, 'is,are')} marked as unsure, in "
        "part or as a whole: labels follow with the next run. Gold scores and pay stay as they "
        "are.",
    )  # fmt: skip


_TELL: dict[str, Any] = {
    "instructions": _of_instructions,
    "consent": _of_consent,
    "lease_minutes": _of_lease,
    "skip_limit": _of_skips,
    "correction_seconds": _of_correction,
    "doubts": _of_doubts,
}
