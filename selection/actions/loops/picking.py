"""The first and the last component of a loop: which documents are labelled next, within budget and
time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray

from aggregation.methods.version import code_version
from aggregation.models import AggregationRun
from annotation.actions.campaigns import spent_together
from annotation.actions.pace import Forecast
from annotation.queries.pace import expected_wait
from selection.actions.loops.learning import fitted_model, learners_of, runs_of, training_documents
from selection.actions.loops.life import CannotLoop, answer_mills, answers_wanted, finish_loop
from selection.algorithms import Labelled, Picked
from selection.algorithms.loops.costs import CostModel
from selection.arrays.loops import (
    Labels,
    LoopPool,
    documents_with_tasks,
    known_documents,
    labels_of,
    load_pool,
)
from selection.methods.registry import checked_settings, errors_of, picker_of
from selection.methods.words import NONE
from selection.models import LabellingLoop, LoopItem, LoopRound
from selection.queries.loop_conditions import BUDGET, EXHAUSTED, condition_met

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Offer:
    """What can be picked, places in the pool, and what each would cost."""

    free: Integers
    uncertainty: Floats  # of all documents of the pool; NaN where no model was asked
    answers: Floats  # expected, of all
    mills: Integers  # expected, of all
    costs: CostModel


def pick(loop: LabellingLoop) -> LoopRound | None:
    """The next round, picked and stored; None where the loop has ended instead."""
    rounds = list(loop.rounds.defer("decisions").order_by("number"))
    if name := condition_met(loop, rounds, timezone.now()):
        finish_loop(loop, name)
        return None
    last = rounds[-1] if rounds else None
    pool = load_pool(loop, without=known_documents(loop))
    runs = runs_of(loop) if last else []
    labels = labels_of(runs, pool, training_documents(loop)) if last else None
    offer = _offer(loop, pool, last, labels)
    left = loop.budget.mills - spent_together(loop.budget)
    sample = _sample(loop, offer) if last is None else np.zeros(0, dtype=np.int64)
    left -= int(offer.mills[sample].sum())
    free = np.setdiff1d(offer.free, sample)
    if not len(free):
        finish_loop(loop, EXHAUSTED)
        return None
    if int(offer.mills[free].min()) > left:
        finish_loop(loop, BUDGET)
        return None
    name = loop.start if last is None and loop.start != NONE else loop.picker
    wanted = loop.start_size if last is None else loop.batch_size
    wanted = _in_time(loop, offer, free, wanted, timezone.now())
    if not wanted:
        finish_loop(loop, "deadline")
        return None
    picked = _picked(loop, runs, pool, labels, offer, free, name, wanted, left)
    picked = _affordable(picked, offer.mills, left)
    if not len(picked.items):
        finish_loop(loop, EXHAUSTED)
        return None
    return _store(loop, pool, labels, offer, name, sample, picked, last)


# --- What there is ------------------------------------------------------------------------------


def _offer(
    loop: LabellingLoop, pool: LoopPool, last: LoopRound | None, labels: Labels | None
) -> _Offer:
    taken = documents_with_tasks(loop)
    taken |= set(loop.items.exclude(document=None).values_list("document", flat=True))
    free = np.setdiff1d(np.arange(len(pool.documents)), pool.places(sorted(taken)))
    uncertainty = np.full(len(pool.documents), np.nan)
    if last is not None and labels is not None and len(free):
        model = fitted_model(last)
        if model is not None:
            uncertainty[free] = model.uncertainty(pool.pool.documents[free])
    least, most = answers_wanted(loop.campaign)
    costs = CostModel.first(least, most)
    if last is not None and last.cost_model:
        # The campaign may ask for more answers, or fewer, than it did then.
        costs = CostModel(**last.cost_model | {"least": least, "most": most})
    answers = costs.predict(pool.length, uncertainty)
    mills = np.ceil(answers * answer_mills(loop.campaign)).astype(np.int64)
    return _Offer(free, uncertainty, answers, mills, costs)


def _sample(loop: LabellingLoop, offer: _Offer) -> Integers:
    """Each document as likely as any other, whatever else is picked."""
    rng = np.random.default_rng([loop.seed, 1])
    return np.sort(rng.permutation(offer.free)[: loop.sample_size])


def _in_time(loop: LabellingLoop, offer: _Offer, free: Integers, wanted: int, now: datetime) -> int:
    """As many as will be labelled by the deadline, at the pace of the last week."""
    if loop.deadline is None:
        return wanted
    each = float(offer.answers[free].mean())
    expected = expected_wait(loop.campaign, math.ceil(wanted * each))
    if not isinstance(expected, Forecast) or expected.likely <= timedelta(0):
        return wanted
    return min(wanted, int(wanted * ((loop.deadline - now) / expected.likely)))


# --- What is picked -----------------------------------------------------------------------------


def _picked(
    loop: LabellingLoop, runs: list[AggregationRun], pool: LoopPool, labels: Labels | None,
    offer: _Offer, free: Integers, name: str, wanted: int, left: int,
) -> Picked:  # fmt: skip
    """The budget of a round is what so many documents cost on the average, of what is left."""
    costs = offer.answers / float(offer.answers[free].mean())
    if float(np.ptp(costs[free])) < 1e-9:
        costs = np.ones(len(costs))
    pool.pool.cost = costs
    budget = min(float(wanted), left / float(offer.mills[free].mean()))
    known = Labelled(labels.items, labels.targets) if labels else Labelled()
    learners = learners_of(loop, runs, labels)
    errors = np.zeros(0, dtype=np.int64)
    if name == "errors" and known.teaches:
        errors = errors_of(learners[0], pool.pool, known, loop.seed)
    try:
        settings = checked_settings(name, loop.parameters if name == loop.picker else {})
        picker = picker_of(name, pool.pool, settings, known, loop.seed, learners)
    except ValueError as error:
        raise CannotLoop("loop.parameter", "parameters", why=error) from error
    return picker.pick(known, errors, free, max(budget, float(costs[free].min())))


def _affordable(picked: Picked, mills: Integers, left: int) -> Picked:
    """Without the last ones, where whole mills add up to more than there is."""
    fits = np.cumsum(mills[picked.items]) <= left
    return Picked(picked.items[fits], picked.gain[fits])


def _store(
    loop: LabellingLoop, pool: LoopPool, labels: Labels | None, offer: _Offer, name: str,
    sample: Integers, picked: Picked, last: LoopRound | None,
) -> LoopRound | None:  # fmt: skip
    """None where somebody paused or stopped the loop meanwhile."""
    fresh = pool.pool.pairs.counts(labels.items if labels else np.zeros(0, dtype=np.int64)) == 0
    with transaction.atomic():
        row = LabellingLoop.objects.select_for_update().get(pk=loop.pk)
        if row.state != LabellingLoop.State.RUNNING:
            return None
        every = np.concatenate((sample, picked.items))
        made = LoopRound.objects.create(
            loop=row, number=last.number + 1 if last else 1, picker=name, campaign=loop.campaign,
            code_version=code_version(), picked_at=timezone.now(), picked=len(picked.items),
            expected_mills=int(offer.mills[every].sum()), cost_model=offer.costs.to_json(),
        )  # fmt: skip

        def item(place: int, use: Any, rank: int, gain: float) -> LoopItem:
            doubt = float(offer.uncertainty[place])
            return LoopItem(
                loop=row, round=made, document_id=int(pool.documents[place]),
                external_id=pool.names[place], use=use, rank=rank,
                gain=None if math.isnan(gain) else gain,
                uncertainty=None if math.isnan(doubt) else doubt,
                new_values=int(fresh[pool.pool.pairs.of(place)].sum()),
                expected_mills=int(offer.mills[place]),
            )  # fmt: skip

        chosen = zip(picked.items.tolist(), picked.gain.tolist(), strict=True)
        LoopItem.objects.bulk_create(
            [
                *(item(p, LoopItem.Use.SAMPLE, i, math.nan) for i, p in enumerate(sample.tolist())),
                *(item(p, LoopItem.Use.TRAINING, i, g) for i, (p, g) in enumerate(chosen)),
            ],
            batch_size=1_000,
        )
    return made
