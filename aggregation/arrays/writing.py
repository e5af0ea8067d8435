"""Results → rows: the consensus of each task, and what a run says of each worker."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.confidences import Calibrated
from aggregation.algorithms.measures.spans import tag_parts
from aggregation.algorithms.results import Aggregator
from aggregation.algorithms.sequences.span_confidences import CalibratedSpans, Spans
from aggregation.algorithms.sequences.span_errors import span_errors_of
from aggregation.arrays.answers import Advance, Crowd
from aggregation.arrays.expected_errors import expected_errors, expected_parts
from aggregation.interfaces.entries import unit_entry
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from aggregation.models.facts import TENTHS, tenth
from annotation.actions.bulk import batches, insert
from annotation.interfaces import Material, categorical
from annotation.interfaces.answers import Answer
from annotation.interfaces.entity import answer_of_tags
from annotation.interfaces.schema import NOT_LABELLED, UNSURE
from annotation.models import (
    Task,
)

READ = 500  # texts at a time
WRITTEN = 200  # rows at a time, for which others wait
DECIMALS = 6  # of a confusion matrix in JSON
LISTED = 256  # numbers of a worker that are stored as such


class Saved(NamedTuple):
    """For the run's facts, under the same names."""

    confidence: tuple[int, ...]
    expected_errors: float | None  # of all tasks together; None where confidences are not known
    usual: dict[str, float]


def save_run(
    run: AggregationRun,
    crowd: Crowd,
    fitted: Aggregator,
    *,
    parts: Mapping[str, Aggregator] | None = None,
    advance: Advance | None = None,
) -> Saved:
    """The consensus of each task with an answer, and each worker's reliability. `parts` are the
    fits of the crowd's parts.

    Some rows at a time, so that others can write meanwhile: half of a result is none, but nobody
    reads a run before it is complete.
    """
    rows: list[Consensus] = []
    tenths, errors = [0] * TENTHS, 0.0
    parts = parts or {}
    verdicts = {name: part.predict() for name, part in parts.items()}
    is_known = not isinstance(fitted, Calibrated) or fitted.is_known
    found = consensus_of(
        run,
        crowd,
        fitted.posterior_,
        fitted.predict(),
        verdicts=verdicts,
        spans=fitted.spans if isinstance(fitted, CalibratedSpans) else None,
        is_known=is_known,
    )
    for row in found:
        rows.append(row)
        if row.confidence is not None:
            tenths[tenth(row.confidence)] += 1
        errors += row.expected_errors or 0.0
        if len(rows) == WRITTEN:
            _insert(rows, advance)
    _insert(rows, advance)
    tendencies = _span_errors(crowd, fitted)
    reliabilities = _reliabilities(run, crowd, fitted, tendencies, parts)
    for batch in batches(reliabilities, WRITTEN):
        insert(batch)
    usual = {name: round(float(np.median(of_all)), DECIMALS) for name, of_all in tendencies.items()}
    return Saved(tuple(tenths), errors if is_known else None, usual)


def save_refreshed(rows: Sequence[Consensus]) -> None:
    """In the place of what their run says of these tasks, if it says anything. Call it inside a
    transaction."""
    Consensus.objects.bulk_create(
        rows,
        WRITTEN,
        update_conflicts=True,
        unique_fields=["run", "task"],
        update_fields=[
            "answer",
            "confidence",
            "expected_errors",
            "probabilities",
            "confidences",
            "answers",
            "refreshed_at",
            "inferred",
        ],
    )


def _insert(rows: list[Consensus], advance: Advance | None) -> None:
    insert(rows)
    if advance is not None:
        advance(len(rows))
    rows.clear()


def consensus_of(
    run: AggregationRun,
    crowd: Crowd,
    posterior: NDArray[np.float64],
    chosen: NDArray[np.int64],
    refreshed_at: datetime | None = None,
    verdicts: Mapping[str, NDArray[np.int64]] | None = None,
    spans: Spans | None = None,
    is_known: bool = True,
) -> Iterator[Consensus]:
    """Unsaved rows, in the order of the tasks, from what was inferred of each unit, and of the
    crowd's parts; a part of which nothing is said is decided by vote.

    The confidence of a task with spans is their expected F1 (of a text without any, how probably
    there is none): nearly all of its words are outside, and easy. Without `is_known` no task has a
    confidence.
    """
    judged = crowd.judged
    sure = np.take_along_axis(posterior, chosen[:, None], axis=1)[:, 0]
    parts = expected_parts(crowd, posterior, chosen, judged, spans)
    wrong, f1 = expected_errors(crowd, parts, judged), parts.f1()
    edges = None if spans is None else np.searchsorted(spans.start, crowd.starts)
    answers = unit_entry(crowd.interface).answers(crowd, chosen, judged, verdicts or {})
    for i, (task, answer) in enumerate(answers):
        if not crowd.plain[i]:
            continue
        part = slice(crowd.starts[i], crowd.starts[i + 1])
        known = judged[part]
        probabilities = posterior[part].astype("<f2")
        probabilities[~known] = np.nan
        yield Consensus(
            run=run,
            task_id=task,
            answer=answer,
            confidence=_confidence(crowd, sure[part][known], f1[i]) if is_known else None,
            expected_errors=float(wrong[i]) if is_known and known.any() else None,
            probabilities=probabilities.tobytes(),
            confidences=None
            if spans is None or edges is None
            else {"spans": spans.sure[edges[i] : edges[i + 1]].round(DECIMALS).tolist()},
            answers=int(crowd.answers_each[i]),
            refreshed_at=refreshed_at,
        )


def _confidence(crowd: Crowd, sure: NDArray[np.float64], f1: float) -> float | None:
    if not sure.size:
        return None
    return float(sure.mean()) if crowd.sequences is None else float(f1)


def answers_of_classes(
    crowd: Crowd, chosen: NDArray[np.int64], judged: NDArray[np.bool_]
) -> Iterator[tuple[int, Answer]]:
    """Each task's row id with its canonical answer, in the order of the tasks."""
    says = categorical(crowd.interface)
    assert says is not None
    for i, task in enumerate(crowd.tasks.tolist()):
        yield task, says.answer_of(crowd.classes[chosen[i]] if judged[i] else UNSURE)


def answers_of_tags(
    crowd: Crowd, chosen: NDArray[np.int64], judged: NDArray[np.bool_]
) -> Iterator[tuple[int, Answer]]:
    """The same from the tags of tokens; a query for each READ tasks."""
    names = np.array([*crowd.classes, NOT_LABELLED], dtype=object)
    tags = np.where(judged, chosen, len(crowd.classes))
    for begin in range(0, len(crowd.tasks), READ):
        batch = crowd.tasks[begin : begin + READ].tolist()
        materials = _materials(batch)
        for i, task in enumerate(batch, start=begin):
            part = tags[crowd.starts[i] : crowd.starts[i + 1]]
            yield task, answer_of_tags(names[part].tolist(), materials[task])


def _materials(tasks: list[int]) -> dict[int, Material]:
    """Tokens and sentences alone: an answer made of tags needs no more."""
    rows = Task.objects.filter(pk__in=tasks).values_list(
        "pk", "document__tokens", "document__sentences"
    )
    return {task: Material(tokens=tokens, sentences=sentences) for task, tokens, sentences in rows}


def _reliabilities(
    run: AggregationRun,
    crowd: Crowd,
    fitted: Aggregator,
    tendencies: dict[str, NDArray[np.float64]],
    parts: Mapping[str, Aggregator],
) -> Iterator[WorkerReliability]:
    """Unsaved rows; a worker who judged nothing has no accuracy."""
    found = fitted.reliability_
    estimated = dict(found.parameters)
    if found.confusion is not None:
        estimated["confusion"] = found.confusion
    for i, worker in enumerate(crowd.workers.tolist()):
        some = bool(found.judged[i])
        yield WorkerReliability(
            run=run,
            worker_id=worker,
            judged=int(found.judged[i]),
            accuracy=float(found.accuracy[i]) if some else None,
            low=float(found.low[i]) if some else None,
            high=float(found.high[i]) if some else None,
            parameters={name: stored(values[i]) for name, values in estimated.items()}
            | (
                {"tendencies": {name: stored(values[i]) for name, values in tendencies.items()}}
                if tendencies
                else {}
            )
            | ({"parts": _accuracies(parts, i)} if parts else {}),
        )


def _accuracies(parts: Mapping[str, Aggregator], worker: int) -> dict[str, float]:
    """How often they are probably right, of the parts that they judged."""
    return {
        name: round(float(part.reliability_.accuracy[worker]), DECIMALS)
        for name, part in parts.items()
        if part.reliability_.judged[worker]
    }


def _span_errors(crowd: Crowd, fitted: Aggregator) -> dict[str, NDArray[np.float64]]:
    """How workers err on spans, where the method knows what they say; types weigh by how common
    the method takes them to be. "spans" is how many of them each worker probably saw."""
    found = fitted.reliability_
    tables = found.parameters.get("sequential", found.confusion)
    if crowd.sequences is None or tables is None:
        return {}
    begins, kind, types = tag_parts(crowd.classes)
    common = fitted.posterior_.sum(axis=0)[begins]  # without a copy of half of it
    order = np.argsort(kind[begins])
    ways = span_errors_of(
        tables,
        crowd.classes,
        common[order] if types else None,
        after_span=found.parameters.get("after_span"),
    )
    if ways and (weight := found.parameters.get("sequential_weight")) is not None:
        ways["spans"] = weight[:, begins].sum(axis=(1, 2))
    return ways


def stored(values: NDArray[np.float64]) -> Any:
    """Numbers of a worker as JSON: lists, or half-precision bytes where there are many."""
    if values.size <= LISTED:
        return values.round(DECIMALS).tolist()
    data = base64.b64encode(values.astype("<f2").tobytes()).decode()
    return {"shape": list(values.shape), "float16": data}
