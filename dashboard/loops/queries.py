"""What a labelling loop's page shows: from stored rows alone, in a fixed number of queries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, Q

from annotation.actions.campaigns import spent_together
from annotation.models import Demand, Document, Project
from dashboard.charts import Chart
from dashboard.loops.curve import curve
from selection.methods.words import LEARNER_WORDS, NONE, PICKER_WORDS
from selection.models import LabellingLoop, LoopItem, LoopRound
from selection.queries.loop_conditions import GAINS, share_changed

SHOWN = 8  # of what was picked
ENDED = {
    "budget": "the budget: what is left does not pay for another document",
    "deadline": "its deadline",
    "goal": "its goal: the lower end of an interval that holds in all rounds lies above it",
    "gain": "too little gain: two forecasts in a row promised less than was asked for",
    "stable": "stable decisions: the last three models decided nearly alike",
    "exhausted": "the end of the documents: none is left to pick",
}


@dataclass(frozen=True, slots=True)
class LoopLine:
    """A loop among those of a project."""

    loop: LabellingLoop
    last: LoopRound | None  # that is done


@dataclass(frozen=True, slots=True)
class Condition:
    name: str
    now: str
    done: float  # of `total`; both 0 where nothing can be drawn
    total: float = 1.0


@dataclass(frozen=True, slots=True)
class Part:
    """One of the six components."""

    name: str
    words: str
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class RoundLine:
    row: LoopRound
    gain: float | None  # over the round before
    spent: int | None  # in this round


@dataclass(frozen=True, slots=True)
class Pick:
    item: LoopItem
    title: str
    why: str
    share: float | None  # of the largest uncertainty, for a bar


@dataclass(frozen=True, slots=True)
class LoopPage:
    loop: LabellingLoop
    rounds: tuple[RoundLine, ...]  # the newest first
    last: LoopRound | None  # that is done
    at_work: LoopRound | None
    labelled: int  # tasks of the round at work that want no more answers
    published: int
    documents: int
    spent: int
    gain: tuple[float, float, float] | None  # of the next round, with its 90 % interval
    kept: tuple[int, int]  # forecasts that held, of how many
    conditions: tuple[Condition, ...]
    parts: tuple[Part, ...]
    picks: tuple[Pick, ...]
    chart: Chart | None
    ended: str


def loops_of(project: Project) -> list[LoopLine]:
    """Two queries."""
    loops = list(LabellingLoop.objects.filter(project=project).select_related("budget", "campaign"))
    done = LoopRound.objects.filter(loop__in=loops, step=LoopRound.Step.DONE)
    last = {row.loop_id: row for row in done.defer("decisions").order_by("number")}
    return [LoopLine(loop, last.get(loop.pk)) for loop in loops]


def loop_page(loop: LabellingLoop, now: datetime) -> LoopPage:
    """Six queries, one less where nothing is at work."""
    rounds = list(loop.rounds.select_related("campaign").defer("decisions").order_by("number"))
    done = [row for row in rounds if row.step == LoopRound.Step.DONE]
    at_work = next((row for row in rounds if row.step != LoopRound.Step.DONE), None)
    last = done[-1] if done else None
    published, labelled = _progress(at_work)
    spent = spent_together(loop.budget)
    return LoopPage(
        loop=loop,
        rounds=tuple(_lines(rounds)),
        last=last,
        at_work=at_work,
        labelled=labelled,
        published=published,
        documents=Document.objects.visible().filter(project=loop.project_id).count(),
        spent=spent,
        gain=_gain(last),
        kept=_kept(done),
        conditions=tuple(_conditions(loop, done, spent, now)),
        parts=tuple(_parts(loop, at_work)),
        picks=tuple(picks_of(rounds[-1], SHOWN)) if rounds else (),
        chart=curve(loop, done) if done else None,
        ended=ENDED.get(loop.ended_by, ""),
    )


def picks_of(row: LoopRound, most: int, first: int = 0) -> list[Pick]:
    """At most `most` from rank `first` on, the best first, without the random sample. Two
    queries."""
    items = row.items.filter(use=LoopItem.Use.TRAINING)
    largest = items.aggregate(largest=Max("uncertainty"))["largest"]
    shown = items.filter(rank__gte=first).order_by("rank").annotate(title=F("document__title"))
    return [
        Pick(
            item,
            item.title or item.external_id,
            _why(row, item),
            item.uncertainty / largest if largest and item.uncertainty is not None else None,
        )
        for item in shown[:most]
    ]


def _why(row: LoopRound, item: LoopItem) -> str:
    words = []
    if item.uncertainty is not None:
        words.append(f"the model expected {item.uncertainty:.2g} errors in it")
    if item.new_values:
        noun = "value" if item.new_values == 1 else "values"
        words.append(f"{item.new_values:,} {noun} that no labelled document had")
    if item.gain is not None and not words:
        words.append(f"{row.picker} gives it {item.gain:.3g}")
    return " · ".join(words) or PICKER_WORDS.get(row.picker, row.picker)


def _lines(rounds: list[LoopRound]) -> list[RoundLine]:
    lines, before = [], None
    for row in rounds:
        gain = spent = None
        if row.metric is not None and before is not None and before.metric is not None:
            gain = row.metric - before.metric
        if row.spent_mills is not None:
            spent = row.spent_mills - (before.spent_mills or 0 if before else 0)
        lines.append(RoundLine(row, gain, spent))
        before = row
    return lines[::-1]


def _progress(row: LoopRound | None) -> tuple[int, int]:
    if row is None or row.step != LoopRound.Step.LABELLING:
        return 0, 0
    mine = Demand.objects.filter(task__in=row.items.exclude(task=None).values("task"))
    found = mine.aggregate(all=Count("task"), over=Count("task", filter=Q(open=0, leased=0)))
    return found["all"], found["over"]


def _gain(last: LoopRound | None) -> tuple[float, float, float] | None:
    if last is None or last.next_metric is None or last.metric is None:
        return None
    ends = (last.next_low or 0.0, last.next_high or 0.0)
    return last.next_metric - last.metric, ends[0] - last.metric, ends[1] - last.metric


def _kept(done: list[LoopRound]) -> tuple[int, int]:
    known = [row.forecast_held for row in done if row.forecast_held is not None]
    return sum(known), len(known)


def _conditions(
    loop: LabellingLoop, done: list[LoopRound], spent: int, now: datetime
) -> list[Condition]:
    last, currency = (done[-1] if done else None), loop.budget.currency
    words = f"{spent / 1000:,.2f} of {loop.budget.mills / 1000:,.2f} {currency}"
    found = [Condition("Budget", words, spent, loop.budget.mills)]
    if loop.goal is not None:
        low = last.always_low if last else None
        told = "not measured yet" if low is None else f"at least {low:.2f} so far"
        found.append(Condition(f"Goal {loop.metric} {loop.goal:.2f}", told, low or 0, loop.goal))
    if loop.least_gain is not None:
        gains = [g[0] for row in done[-GAINS:] if (g := _gain(row)) is not None]
        told = f"next {gains[-1]:+.3f}" if gains else "not forecast yet"
        near = loop.least_gain / gains[-1] if gains and gains[-1] > 0 else float(bool(gains))
        told = f"{told}; stops under {loop.least_gain:.3f}, twice in a row"
        found.append(Condition("No more gain", told, min(near, 1)))
    if loop.most_changed is not None:
        share = share_changed(done)
        told = "after four rounds" if share is None else f"{100 * share:.1f} % changed"
        near = min(loop.most_changed / share, 1) if share else float(share == 0)
        told = f"{told}; stops at {100 * loop.most_changed:.1f} %"
        found.append(Condition("Decisions stable", told, near))
    if loop.deadline is not None:
        whole = (loop.deadline - loop.created_at).total_seconds()
        gone = (now - loop.created_at).total_seconds()
        days = (loop.deadline - now).days
        told = f"{days:,} days left" if days > 1 else "soon" if now < loop.deadline else "over"
        found.append(Condition("Deadline", told, min(max(gone, 0), whole), max(whole, 1)))
    return found


def _parts(loop: LabellingLoop, at_work: LoopRound | None) -> list[Part]:
    start = "no start" if loop.start == NONE else f"{loop.start}, {loop.start_size:,} documents"
    labelling = at_work is not None
    workers = at_work.workers if at_work is not None else None
    people = f", {workers:,} selected workers" if workers is not None else ""
    measured = (
        f"{loop.sample_size:,} documents drawn at random, never learnt from"
        if loop.sample_size
        else "documents with known answers, never learnt from"
    )
    asked = [loop.goal, loop.least_gain, loop.most_changed, loop.deadline]
    number = 1 + sum(value is not None for value in asked)
    stop = "when the budget is spent" if number == 1 else f"when the first of {number} holds"
    return [
        Part("Start", start),
        Part("Label", f"campaign “{loop.campaign.name}”{people}", labelling),
        Part("Model", LEARNER_WORDS.get(loop.learner, loop.learner)),
        Part("Evaluate", f"{loop.metric} on {measured}"),
        Part("Stop", stop),
        Part("Pick", f"{loop.picker}, batches of {loop.batch_size:,}"),
    ]
