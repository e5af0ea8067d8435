"""The fourth component of a loop: how good the model is, what it cost, and what the next round will
bring."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone
from numpy.typing import NDArray

from aggregation.models import AggregationRun
from annotation.actions.campaigns import spent_together
from annotation.models import Assignment, Payment
from selection.actions.loops.learning import sample_documents, training_documents
from selection.actions.loops.life import CannotLoop, answer_mills, answers_wanted
from selection.actions.models import load
from selection.algorithms import StoredLearner
from selection.algorithms.loops.costs import CostModel
from selection.algorithms.loops.decisions import WATCHED, Decisions, decisions_of
from selection.algorithms.loops.forecasts import REHEARSALS, Forecast, Kept, forecast, rehearse
from selection.algorithms.loops.measures import Measure, measure
from selection.arrays.loops import (
    Labels,
    LoopPool,
    Truth,
    documents_with_tasks,
    known_documents,
    labels_of,
    load_pool,
    truth_of_gold,
    truth_of_sample,
)
from selection.interfaces.entries import Entry, entry
from selection.models import LabellingLoop, LoopItem, LoopRound, TrainedModel
from selection.queries.suggested import tasks_taken_from_models

SLOW = frozenset({"crf"})  # learners that take seconds: rehearsed half as often
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    measure: Measure
    decisions: Decisions
    forecast: Forecast | None
    labelled: int
    following: int  # documents of the next round


def finish_round(
    loop: LabellingLoop, row: LoopRound, model: TrainedModel, runs: Sequence[AggregationRun], *,
    out_of_money: bool,
) -> None:  # fmt: skip
    """Measure, compare, forecast, count; written in one transaction, with what became of the last
    round's forecast."""
    pool = load_pool(loop, without=known_documents(loop))
    labels = labels_of(runs, pool, training_documents(loop))
    if labels is None:
        raise CannotLoop("loop.documents_gone")
    items = list(row.items.order_by("pk"))
    _count_answers(row, items)
    costs = _costs(loop, pool, items)
    before = loop.rounds.filter(number=row.number - 1).first()
    looked = _look(loop, row, pool, labels, runs, model, _free_after(loop, pool))
    score = next((one for one in model.figures if one.on == "cross-validation"), None)
    with transaction.atomic():
        LabellingLoop.objects.select_for_update().get(pk=loop.pk)
        current = LoopRound.objects.select_for_update().get(pk=row.pk)
        if current.step != LoopRound.Step.LABELLING:
            return
        current.step, current.done_at = LoopRound.Step.DONE, timezone.now()
        current.out_of_money = out_of_money
        current.run = runs[-1]
        current.labelled, current.learner = looked.labelled, model.learner
        if score is not None:
            current.cross_validation = {"measure": score.measure, "value": score.value}
        current.spent_mills = _paid(loop)
        current.cost_model = costs.to_json()
        _set_metric(current, looked)
        _set_decisions(current, looked, before, training_documents(loop))
        _set_forecast(loop, current, looked, costs)
        current.save()
        LoopItem.objects.bulk_update(items, ["spent_mills", "answers"], batch_size=500)
        if before is not None and before.next_low is not None:
            held = before.next_low <= looked.measure.value <= (before.next_high or 0.0)
            LoopRound.objects.filter(pk=before.pk).update(forecast_held=held)


# --- The model ----------------------------------------------------------------------------------


def _look(
    loop: LabellingLoop, row: LoopRound, pool: LoopPool, labels: Labels,
    runs: Sequence[AggregationRun], model: TrainedModel, free: int,
) -> _Looked:  # fmt: skip
    learning, fitted = entry(loop.campaign.interface), load(model)
    truth = _truth(loop, runs, tuple(model.classes))
    now = _measure(loop, learning, fitted, truth)
    labelled = len(labels.items)
    following = min(loop.batch_size, free)
    learner = learning.learners(labels.classes)[model.learner]
    examples = pool.pool.documents

    def again(places: Any) -> float:
        part = copy.copy(learner)
        part.fit(examples[labels.items[places]], labels.targets[places])
        return _measure(loop, learning, part, truth).value

    expected = None
    if following:
        rehearsals = REHEARSALS // 2 if model.learner in SLOW else REHEARSALS
        one, two = rehearse(
            again, labelled, labelled + following, rehearsals=rehearsals, seed=loop.seed
        )
        expected = forecast(
            now.value, one, two, labelled, labelled + following, now.n_items,
            _kept(loop, row, now.value),
        )  # fmt: skip
    return _Looked(now, _decide(loop, pool, fitted), expected, labelled, following)


def _truth(loop: LabellingLoop, runs: Sequence[AggregationRun], classes: tuple[str, ...]) -> Truth:
    """Labels that came of suggestions of a model that were taken are no measure of it."""
    if loop.evaluation == LabellingLoop.Evaluation.GOLD:
        return truth_of_gold(runs, classes, known_documents(loop))
    taken = tasks_taken_from_models(run.campaign_id for run in runs)
    return truth_of_sample(runs, classes, sample_documents(loop), taken)


def _measure(loop: LabellingLoop, learning: Entry, fitted: StoredLearner, truth: Truth) -> Measure:
    """Raises CannotLoop where nothing of the sample is labelled."""
    column = list(learning.MEASURES).index(loop.metric)
    if not truth.n_items:
        raise CannotLoop("loop.nothing_measured")
    counts = learning.counts(fitted, truth.examples, truth.truth, truth.classes)
    share: Callable[[Floats], Floats] = lambda sums: learning.shares(sums)[:, column]  # noqa: E731
    try:
        return measure(counts, share)
    except ValueError as error:
        raise CannotLoop("loop.nothing_learnt", why=error) from error


def _decide(loop: LabellingLoop, pool: LoopPool, fitted: StoredLearner) -> Decisions:
    """On a fixed lot of documents; those that are new are drawn as the old ones were."""
    key = loop.key.int
    lot = np.array([_drawn(key, number) for number in pool.documents.tolist()], dtype=np.uint64)
    watched = np.sort(np.argsort(lot, kind="stable")[:WATCHED])
    examples = pool.pool.documents[watched]
    starts = examples.token_starts() if hasattr(examples, "token_starts") else None
    documents = pool.documents[watched].tolist()
    return decisions_of(fitted.predict(examples), documents, starts, fitted.classes)


def _drawn(key: int, number: int) -> int:
    """A number from 0 to 2**64 − 1 that is the document's own (Steele and others' SplitMix64)."""
    mask = 2**64 - 1
    z = (key + number * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def _kept(loop: LabellingLoop, row: LoopRound, value: float) -> list[Kept]:
    """The forecasts so far, each with what came of it, this round's among it."""
    rounds = loop.rounds.filter(number__lte=row.number).defer("decisions").order_by("number")
    figures = [(one.next_metric, one.next_error, one.metric) for one in rounds]
    came = [*(metric for _, _, metric in figures[:-1]), value][1:]
    return [
        Kept(said, error, metric)
        for (said, error, _), metric in zip(figures[:-1], came, strict=True)
        if said is not None and error is not None and metric is not None
    ]


# --- The columns of a round ---------------------------------------------------------------------


def _set_metric(row: LoopRound, looked: _Looked) -> None:
    now = looked.measure
    row.metric, row.measured = now.value, now.n_items
    row.low, row.high = now.interval()
    row.always_low, row.always_high = now.interval_at(row.number)


def _set_decisions(
    row: LoopRound, looked: _Looked, before: LoopRound | None, learnt: set[int]
) -> None:
    row.decisions = looked.decisions.to_bytes()
    if before is not None and before.decisions:
        then = Decisions.from_bytes(bytes(before.decisions))
        row.changed, row.watched = looked.decisions.changed(then, without=learnt)


def _set_forecast(loop: LabellingLoop, row: LoopRound, looked: _Looked, costs: CostModel) -> None:
    if looked.forecast is None:
        return
    expected = looked.forecast
    each = costs.base * answer_mills(loop.campaign)
    left = loop.budget.mills - spent_together(loop.budget)
    row.next_picked = min(looked.following, int(left // each)) if each else looked.following
    row.next_mills = round(row.next_picked * each)
    row.next_metric, row.next_error = expected.value, expected.error
    row.next_low, row.next_high = expected.low, expected.high


# --- What it cost -------------------------------------------------------------------------------


def _paid(loop: LabellingLoop) -> int:
    lines = Payment.objects.filter(campaign__shared_budget=loop.budget_id)
    found = lines.exclude(state=Payment.State.UNFUNDED).aggregate(sum=Sum("mills"))
    return int(found["sum"] or 0)


def _count_answers(row: LoopRound, items: list[LoopItem]) -> None:
    """Two queries."""
    mine = row.items.exclude(task=None).values("task")
    counted = dict(
        Assignment.objects.counted().filter(task__in=mine).values_list("task").annotate(Count("pk"))
    )
    paid = dict(
        Payment.objects.filter(~Q(state=Payment.State.UNFUNDED), assignment__task__in=mine)
        .values_list("assignment__task")
        .annotate(Sum("mills"))
    )
    for item in items:
        item.answers = counted.get(item.task_id, 0)
        item.spent_mills = paid.get(item.task_id, 0)


def _costs(loop: LabellingLoop, pool: LoopPool, items: list[LoopItem]) -> CostModel:
    """From all that was labelled, this round included."""
    least, most = answers_wanted(loop.campaign)
    earlier = loop.items.filter(answers__gt=0).exclude(document=None)
    rows = list(earlier.values_list("document", "answers", "uncertainty"))
    rows += [
        (i.document_id, i.answers, i.uncertainty) for i in items if i.document_id and i.answers
    ]
    rows = [row for row in rows if len(pool.places([row[0]]))]
    if not rows:
        return CostModel.first(least, most)
    documents, answers, doubt = zip(*rows, strict=True)
    return CostModel.fit(
        answers, pool.length[pool.places(documents)],
        [np.nan if value is None else value for value in doubt], least, most,
    )  # fmt: skip


def _free_after(loop: LabellingLoop, pool: LoopPool) -> int:
    return len(pool.documents) - len(pool.places(sorted(documents_with_tasks(loop))))
