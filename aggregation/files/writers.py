"""Write what was inferred, as JSON lines or CSV."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import Reliability
from aggregation.algorithms.sequences.span_confidences import Spans
from aggregation.files.data import NOT_LABELLED, CrowdFile
from annotation.formats.jsonl import write as json_line
from annotation.formats.tables import csv_row

DECIMALS = 6
CHECKED = {  # of confidences, in the words of a campaign's exports (aggregation.models.facts)
    True: "checked against gold",
    False: "not checked against gold",
}


def write_tags(
    file: TextIO,
    data: CrowdFile,
    predicted: NDArray[np.int64],
    confidence: NDArray[np.float64],
    spans: Spans,
    advance: Callable[[int], None],
    *,
    is_checked: bool,
) -> None:
    """One document a line. A NaN among the confidences, shape (n_tokens,), is not labelled.
    `spans` are those of the tags that are written."""
    names = (*data.written(), NOT_LABELLED)
    known = ~np.isnan(confidence)
    shown = np.where(known, predicted, len(names) - 1)
    rounded = confidence.round(DECIMALS)
    of_spans = spans.sure.round(DECIMALS).tolist()
    edges = np.searchsorted(spans.start, data.starts).tolist()
    begun = np.concatenate(([0.0], np.cumsum(spans.begun)))[data.starts]
    expected = np.diff(begun).round(DECIMALS).tolist()
    for i, (name, (start, end)) in enumerate(
        zip(data.names, pairwise(data.starts.tolist()), strict=True)
    ):
        sure = rounded[start:end].tolist()
        if not known[start:end].all():
            sure = [None if value != value else value for value in sure]  # only NaN is not itself
        line = {
            "id": name,
            "tags": [names[number] for number in shown[start:end].tolist()],
            "confidence": sure,
            "span_confidence": of_spans[edges[i] : edges[i + 1]],
            "expected_spans": expected[i],
            "gold_check": CHECKED[is_checked],
        }
        file.write(json_line(line))
        advance(1)


def write_labels(
    file: TextIO,
    data: CrowdFile,
    predicted: NDArray[np.int64],
    confidence: NDArray[np.float64],
    advance: Callable[[int], None],
    *,
    is_checked: bool,
) -> None:
    """One item a line; the confidence is blank where it is NaN, that is not known."""
    file.write(csv_row(["item", "label", "confidence", "gold_check"]))
    sure = _plain(confidence)
    for name, label, value in zip(data.names, predicted.tolist(), sure, strict=True):
        file.write(csv_row([name, data.classes[label], value, CHECKED[is_checked]]))
        advance(1)


def write_reliability(file: TextIO, format: str, data: CrowdFile, reliability: Reliability) -> None:
    """One worker a line, as "csv" with the parameters that are one number, or as "jsonl" with
    all of them, by the names of the classes."""
    figures = _figures(reliability)
    if format == "csv":
        scalars = {name: v for name, v in reliability.parameters.items() if v.ndim == 1}
        file.write(csv_row(["worker", *figures, *scalars]))
        columns = [*figures.values(), *(_plain(values) for values in scalars.values())]
        file.writelines(map(csv_row, zip(data.workers, *columns, strict=True)))
        return
    names = data.written()
    for i, worker in enumerate(data.workers):
        line: dict[str, Any] = {"worker": worker}
        line |= {name: values[i] for name, values in figures.items()}
        if reliability.parameters:
            line["parameters"] = {
                name: _nested(values[i], names) for name, values in reliability.parameters.items()
            }
        if reliability.confusion is not None:
            line["confusion"] = _nested(reliability.confusion[i], names)
        file.write(json_line(line))


def _figures(reliability: Reliability) -> dict[str, list[Any]]:
    """Of a worker who judged nothing, nothing is known: None."""
    judged = reliability.judged > 0
    shares = {
        name: np.where(judged, getattr(reliability, name), np.nan)
        for name in ("accuracy", "low", "high")
    }
    return {
        "judged": reliability.judged.tolist(),
        **{name: _plain(values) for name, values in shares.items()},
    }


def _plain(values: NDArray[np.float64]) -> list[Any]:
    """Rounded; None for what is no number."""
    return [v if np.isfinite(v) else None for v in values.round(DECIMALS).tolist()]


def _nested(values: NDArray[np.float64], classes: tuple[str, ...]) -> Any:
    """Each axis with a place for each class as an object, by their names; others as lists."""
    if values.ndim == 0:
        return _plain(values[None])[0]
    inner = [_nested(part, classes) for part in values] if values.ndim > 1 else _plain(values)
    return dict(zip(classes, inner, strict=True)) if len(values) == len(classes) else inner
