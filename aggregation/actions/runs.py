"""Aggregation runs: the answers of a campaign → a consensus for each task."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from aggregation import arrays
from aggregation.actions.agreement import agreement_of
from aggregation.actions.calibrate import (
    as_ordinary,
    checked_by_folds,
    confidences_of,
    facts_of,
    facts_of_spans,
    span_confidences_of,
    to_score,
)
from aggregation.actions.decisions import counted, lay_over
from aggregation.actions.differences import store_differences
from aggregation.actions.differing import facts_of_differing
from aggregation.actions.pruning import clear_broken_off, delete_results
from aggregation.actions.scores import CrowdScore, score_crowd
from aggregation.algorithms import Aggregator, GoldCounts, Restorable
from aggregation.algorithms.categorical.confidences import Calibrated, Confidences
from aggregation.algorithms.sequences.span_confidences import CalibratedSpans, SpanConfidences
from aggregation.arrays.decisions import decided_classes
from aggregation.arrays.expected_errors import expected_f1
from aggregation.arrays.fits import LARGEST, Fit, packed
from aggregation.interfaces.entries import Inference, Save, entry, unit_entry
from aggregation.methods.pools import check_jobs, pool_for
from aggregation.methods.registry import Method, checked_parameters, method_for
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun, LiveFacts, RunFacts
from aggregation.sentences import CATALOGUE
from annotation.actions import locks, webhooks
from annotation.interfaces import categorical
from annotation.models import Assignment, Campaign
from annotation.sentences import CodedError

RESULT = ["input_digest", "classes", "diagnostics", "fitted", "state", "finished_at"]
READINGS = 3  # of answers, until none came in between
TOGETHER = "the method judges all answers together"


class CannotAggregate(CodedError, ValueError):
    """There is nothing to aggregate, or not in this way."""

    catalogue = CATALOGUE


def aggregate(
    campaign: Campaign,
    method: str,
    *,
    seed: int = 0,
    parameters: Mapping[str, Any] | None = None,
    clamp_gold: bool = False,
    jobs: int = 1,
    advance: arrays.Advance | None = None,
    as_of: datetime | None = None,
    check_inputs: Callable[[Mapping[str, str]], None] | None = None,
) -> AggregationRun:
    """Run `method` on all counted answers; the run that comes back is complete.

    Where the run that is served read the same, by the same method, settings, seed and version, it
    is named: it comes back itself, with `is_repeated`, and nothing is stored.

    Consensus and reliabilities are written some rows at a time, so that workers can submit
    meanwhile: nobody reads a run that is not complete, which it is in the transaction that lays
    decisions over it. Where something goes wrong the run stays as failed, without rows, with the
    error, and the error is raised.

    With `clamp_gold` units whose truth is known keep it, and the method learns from them and from
    the answers to gold questions. `jobs` is the number of processes. `advance` is told how many
    answers were read and how many tasks written. With `as_of` answers received later are left out,
    and the run is never the latest. `check_inputs` is given the digests of what would be read, and
    raises where they are not those that are wanted (`actions.repeat`).

    Raises ValueError for an unknown method or parameter and where there is nothing to aggregate,
    locks.Held while the same campaign is being aggregated.
    """
    chosen = method_for(campaign.interface, method)
    settings = checked_parameters(method, parameters or {})
    chosen.check_can_use(*(["gold"] if clamp_gold else []), *(["pool"] if jobs > 1 else []))
    check_jobs(jobs)
    check_has_answers(campaign)
    run = AggregationRun(
        campaign=campaign,
        method=method,
        parameters=settings,
        seed=seed,
        code_version=code_version(),
        as_of=as_of,
    )
    with locks.hold(f"aggregate:{campaign.slug}"):
        clear_broken_off(campaign)
        # Before anything is read: what came in later is new to whoever asks for unread answers.
        run.started_at = timezone.now()
        until = as_of or run.started_at
        asked = Inference(run, campaign, chosen, settings, clamp_gold, jobs, until, advance)
        inputs = inputs_of(asked)
        if check_inputs is not None:
            check_inputs(inputs)
        elif (stands := _equal(run, inputs)) is not None:
            return stands
        run.save()
        try:
            for _ in range(READINGS):
                save = entry(campaign.interface).infer(asked)
                read, inputs = inputs, inputs_of(asked)
                if read == inputs:
                    break
            else:
                raise CannotAggregate("aggregate.changing", number=READINGS)
            _finish(run, inputs, save, as_of)
        except BaseException as error:  # Ctrl-C too: no run is left as running
            _fail(
                run,
                str(error)
                if isinstance(error, CodedError) or type(error) is ValueError
                else f"{type(error).__name__}: {error}",
            )
            delete_results(run)
            raise
        store_differences(campaign, run)
    return run


def inputs_of(asked: Inference) -> dict[str, str]:
    """Digests of what would be read."""
    return arrays.inputs_of(
        asked.campaign,
        clamp=asked.clamp_gold,
        from_gold=_begins_with_gold(asked),
        until=asked.until,
    )


def _begins_with_gold(asked: Inference) -> bool:
    """Where gold is clamped, the crowd holds the answers to it."""
    return asked.settings.get("start") == "gold" and not asked.clamp_gold


def _equal(run: AggregationRun, inputs: Mapping[str, str]) -> AggregationRun | None:
    """The run that is served, if it is what `run` would be. One to which answers were added since
    is not: those it judged one by one."""
    served = AggregationRun.objects.complete().filter(campaign=run.campaign).served_first().first()
    if served is None or served.input_digest != arrays.digest_of(inputs):
        return None
    live = served.facts.live
    if live is None or live.answers or live.tasks:
        return None
    asked = run.method, _as_stored(run.parameters), run.seed, run.code_version
    if (served.method, served.parameters, served.seed, served.code_version) != asked:
        return None
    served.is_repeated = True
    return served


def _as_stored(parameters: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(parameters))


def infer_units(asked: Inference) -> Save:
    """The inference of interfaces whose answers are labels of units."""
    run, chosen = asked.run, asked.method
    crowd, fitted, found, gold_counts = fitted_crowd(asked)
    # The parts of the verify form: each is learnt by itself, and never from gold.
    parts = {
        name: chosen.fit(asked.settings, labels, None, seed=run.seed)
        for name, labels in crowd.parts.items()
    }
    # With clamped gold it would say nothing.
    score = None if asked.clamp_gold else score_crowd(crowd, to_score(fitted, found), seed=run.seed)
    of_spans = span_confidences_of(
        crowd,
        fitted,
        lambda: _fitted(asked, crowd, gold_counts, clamp=False),
        clamped=asked.clamp_gold,
        seed=run.seed,
    )
    run.fitted, live = kept(chosen, crowd, fitted, asked.until)
    return _completed(asked, crowd, fitted, parts, found, of_spans, score, gold_counts, live)


def fitted_crowd(
    asked: Inference,
) -> tuple[arrays.Crowd, Aggregator, Confidences | None, GoldCounts | None]:
    """What was read, answers to gold questions cut as those to ordinary tasks are, its fit, the
    confidences of choices, and what the fit began from where that was gold."""
    campaign, seed = asked.campaign, asked.run.seed
    crowd = unit_entry(campaign.interface).load(
        campaign, gold=True, clamp=asked.clamp_gold, advance=asked.advance, until=asked.until
    )
    gold_counts = _gold_counts(campaign, crowd) if _begins_with_gold(asked) else None
    fitted = _fitted(asked, crowd, gold_counts)
    found = confidences_of(crowd, fitted, clamped=asked.clamp_gold, seed=seed)
    clamped = asked.clamp_gold
    if cut := as_ordinary(campaign, crowd, fitted, found.rho if found else 0.0, clamped=clamped):
        crowd = cut
        fitted = _fitted(asked, crowd, gold_counts)
        found = confidences_of(crowd, fitted, clamped=asked.clamp_gold, seed=seed)
    return crowd, fitted, found, gold_counts


def _fitted(
    asked: Inference, crowd: arrays.Crowd, gold_counts: GoldCounts | None, *, clamp: bool = True
) -> Aggregator:
    chosen = asked.method
    gold = crowd.gold if clamp and asked.clamp_gold else None
    if clamp and "gold" in chosen.can_use:
        decided = decided_classes(asked.campaign, crowd)
        if (decided >= 0).any():
            before = np.full(len(decided), -1, dtype=np.int64) if gold is None else gold
            gold = np.where(decided >= 0, decided, before)
    # A cluster that the environment names is not for every method.
    n_labels = crowd.labels.n_labels
    with pool_for(asked.jobs, n_labels) if "pool" in chosen.can_use else nullcontext() as pool:
        return chosen.fit(
            asked.settings,
            crowd.labels,
            crowd.sequences,
            seed=asked.run.seed,
            gold=gold,
            pool=pool,
            gold_counts=gold_counts,
        )


def _gold_counts(campaign: Campaign, crowd: arrays.Crowd) -> GoldCounts | None:
    if categorical(campaign.interface) is None:
        raise CannotAggregate("aggregate.no_gold_start")
    gold_counts = arrays.gold_counts(campaign, crowd.workers, crowd.until)
    return gold_counts if gold_counts.answered.any() else None


def check_has_answers(campaign: Campaign) -> None:
    if not Assignment.objects.counted().filter(task__campaign=campaign).exists():
        raise CannotAggregate("aggregate.no_answers", campaign=campaign.slug)


def _completed(
    asked: Inference,
    crowd: arrays.Crowd,
    fitted: Aggregator,
    parts: Mapping[str, Aggregator],
    found: Confidences | None,
    of_spans: SpanConfidences | None,
    score: CrowdScore | None,
    gold_counts: GoldCounts | None,
    live: LiveFacts,
) -> Save:
    run, clamped = asked.run, asked.clamp_gold
    run.classes = list(crowd.classes)
    facts = RunFacts(
        tasks=int(crowd.plain.sum()),
        answers=crowd.answers,
        workers=len(crowd.workers),
        labels=crowd.labels.n_labels,
        iterations=fitted.diagnostics_.iterations,
        converged=bool(fitted.diagnostics_.converged),
        objective=tuple(fitted.diagnostics_.objective),
        seconds=round(fitted.diagnostics_.seconds, 3),
        clamped=clamped,
        live=live,
        agreement=tuple(agreement_of(crowd, seed=run.seed)),
        note=found.sentence() if found else _note(fitted, of_spans),
        # How many, never what: nothing is clamped and gold questions have no consensus, so what
        # this run says is no secret before those who may not see gold.
        shown=int(gold_counts.answered.sum()) if gold_counts is not None else None,
        gold=checked_by_folds(score, of_spans, found),
        calibration=facts_of(found),
        spans=facts_of_spans(of_spans),
        expected_f1=expected_f1(
            crowd, fitted.posterior_, fitted.predict(), of_spans.spans if of_spans else None
        ),
        differing=None
        if clamped
        else facts_of_differing(asked.campaign, crowd, fitted.predict(), seed=run.seed),
        chosen=_chosen(crowd, fitted) if crowd.sequences is None else None,
    )
    sure = fitted if found is None else Calibrated.of(fitted, found.posterior, found.is_known)
    if of_spans is not None:
        sure = CalibratedSpans.with_spans(fitted, of_spans.posterior, of_spans.spans)
    # Nobody else holds the labels, nor a fit that has them: they are gone before a row is written.
    crowd = crowd.without_labels()

    def save() -> RunFacts:
        saved = unit_entry(crowd.interface).save(run, crowd, sure, parts, asked.advance)
        return replace(facts, **saved)

    return save


def _note(fitted: Aggregator, found: SpanConfidences | None) -> str:
    """What the fit notes, and of confidences how far they can be trusted."""
    said = [fitted.diagnostics_.note, found.sentence() if found else ""]
    return " ".join(filter(None, said))


def _chosen(crowd: arrays.Crowd, fitted: Aggregator) -> dict[str, int]:
    """Tasks by the class that was chosen."""
    chosen = Counter(fitted.predict()[crowd.plain].tolist())
    return {crowd.classes[k]: chosen[k] for k in sorted(chosen)}


def _finish(
    run: AggregationRun, inputs: Mapping[str, str], save: Save, until: datetime | None
) -> None:
    """`save` writes the results and gives the run's facts. What people have decided is laid over
    them, of a run of an earlier time what they had decided `until` then."""
    facts = replace(save(), inputs=inputs)
    run.state, run.input_digest = AggregationRun.State.COMPLETE, arrays.digest_of(inputs)
    with transaction.atomic():
        # A run whose lock was taken over has been marked as broken off, and stays so.
        locked = AggregationRun.objects.select_for_update().filter(pk=run.pk)
        if locked.values_list("state", flat=True).get() != AggregationRun.State.RUNNING:
            raise CannotAggregate("aggregate.replaced")
        decided = lay_over(run, until=until)
        run.facts = counted(run.campaign.interface, facts, decided)
        run.finished_at = timezone.now()
        run.save(update_fields=RESULT)
        campaign = run.campaign
        webhooks.tell(
            campaign.project_id, "run.completed", campaign=campaign.slug, run=str(run.key),
            method=run.method,
        )  # fmt: skip


def kept(
    method: Method, crowd: arrays.Crowd, fitted: Aggregator, until: datetime
) -> tuple[bytes | None, LiveFacts]:
    """What stays of a fit for answers that come after `until` (`actions.refresh`)."""
    how, why, data = method.follows, "", None
    if how == "fit" and isinstance(fitted, Restorable):
        data = packed(Fit(fitted, crowd.workers))
        if data is None:
            how, why = "", f"what the method has learnt is more than {LARGEST // 2**20} MiB"
    elif how == "":
        why = TOGETHER
    if crowd.parts and how:
        how, why, data = "", "each part of the question is learnt by itself", None
    counted = int(crowd.answers_each[crowd.plain].sum())
    return data, LiveFacts(until=until, how=how, why=why, counted=counted)


def _fail(run: AggregationRun, error: str) -> None:
    run.state, run.error, run.finished_at = AggregationRun.State.FAILED, error, timezone.now()
    run.save(update_fields=["state", "error", "finished_at"])
