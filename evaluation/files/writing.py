"""Scores as JSON, as tables, and as lines of text."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aggregation.management.words import counted, table
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from evaluation.files.scores import Comparison, Evaluation, MetricScores, Score
from evaluation.formats.issues import CODES, Report

NONE = "not estimable"
MOST_PAIRS = 15  # in the text; the table has all
DIGITS = 6


def as_data(found: Evaluation) -> dict[str, Any]:
    """For JSON: what is not estimable is null, with its reason beside."""
    return {
        "level": found.level,
        "looks": found.looks,
        "method": found.method,
        "systems": [
            {
                "name": name,
                "claims": int(found.pool.predictions.sizes[i]),
                "judged": int(found.judged[i]),
                "errors": report.total("error"),
                "warnings": report.total("warning"),
                "metrics": {one.metric: _metric_data(one, i) for one in found.metrics},
                "recalls": {
                    score.name: _value(score, i) | {"relative_efficiency": _number(gain[i])}
                    for score, gain in found.other_recalls
                },
            }
            for i, (name, report) in enumerate(
                zip(found.pool.systems, found.pool.reports, strict=True)
            )
        ],
        "pool": {
            "version": found.pool.version,
            "claims": len(found.pool.keys),
            "planned": found.planned,
            "judged": found.judged_claims,
            "recall": None if found.theta is None else _value(found.theta, 0),
        },
        "comparisons": [_comparison_data(one, found.pool.systems) for one in found.comparisons],
        "notes": list(found.notes),
    }


def _metric_data(one: MetricScores, i: int) -> dict[str, Any]:
    effective = one.effective[i]
    return {
        "precision": _value(one.precision, i),
        "recall": _value(one.recall, i),
        "f1": _value(one.f1, i),
        "effective_judgments": "all" if math.isinf(effective) else _number(effective),
    }


def _value(score: Score, i: int) -> dict[str, Any]:
    if math.isnan(score.value[i]):
        return {"value": None, "low": None, "high": None, "why": score.why[i]}
    return {name: _number(getattr(score, name)[i]) for name in ("value", "low", "high")}


def _number(value: float) -> float | None:
    return round(float(value), DIGITS) if math.isfinite(value) else None


def _comparison_data(one: Comparison, names: tuple[str, ...]) -> dict[str, Any]:
    d = one.differences
    return {
        "of": one.of,
        "pairs": [
            {
                "first": names[a], "second": names[b], "difference": _number(value),
                "low": _number(low), "high": _number(high), "first_is_better": _number(above),
            }
            for a, b, value, low, high, above in zip(
                d.first, d.second, d.value, d.low, d.high, d.above, strict=True
            )
        ],
        "ranks": {
            name: [_number(p) for p in row]
            for name, row in zip(names, one.ranks, strict=True)
        },
    }  # fmt: skip


# --- Files --------------------------------------------------------------------------------------

SCORE_COLUMNS = (
    "system", "metric", "score", "value", "low", "high", "why", "effective_judgments", "claims",
    "judged",
)  # fmt: skip


def write_scores(found: Evaluation, folder: Path) -> list[Path]:
    """scores.json, scores.csv, differences.csv and ranks.csv."""
    names = found.pool.systems
    files = ("scores.json", "scores.csv", "differences.csv", "ranks.csv")
    written = [folder / name for name in files]
    with replaced(written[0]) as file:
        json.dump(as_data(found), file, ensure_ascii=False, allow_nan=False, indent=1)
        file.write("\n")
    with replaced(written[1]) as file:
        file.write(csv_row(SCORE_COLUMNS))
        for one in found.metrics:
            for score in (one.precision, one.recall, one.f1):
                for i, name in enumerate(names):
                    file.write(csv_row(_cells(found, one, score, i, name)))
    with replaced(written[2]) as file:
        file.write(csv_row(("of", "first", "second", "difference", "low", "high",
                            "first_is_better")))  # fmt: skip
        for among in found.comparisons:
            for pair in _comparison_data(among, names)["pairs"]:
                file.write(csv_row([among.of, *pair.values()]))
    with replaced(written[3]) as file:
        file.write(csv_row(("of", "system", *range(1, len(names) + 1))))
        for among in found.comparisons:
            for name, row in zip(names, among.ranks, strict=True):
                file.write(csv_row([among.of, name, *(_number(p) for p in row)]))
    return written


def _cells(found: Evaluation, one: MetricScores, score: Score, i: int, name: str) -> list[Any]:
    effective = one.effective[i]
    shown = "all" if math.isinf(effective) else _number(effective)
    value = _value(score, i)
    return [
        name, one.metric, score.name, value["value"], value["low"], value["high"],
        value.get("why"), shown, int(found.pool.predictions.sizes[i]), int(found.judged[i]),
    ]  # fmt: skip


# --- Text ---------------------------------------------------------------------------------------


def score_text(score: Score, i: int) -> str:
    if math.isnan(score.value[i]):
        return NONE
    return f"{score.value[i]:.3f} ({score.low[i]:.3f}–{score.high[i]:.3f})"


def effective_text(effective: float) -> str:
    if math.isnan(effective):
        return "–"
    return "all" if math.isinf(effective) else f"{effective:,.0f}"


def lines_of(found: Evaluation) -> Iterator[str]:
    names, sizes = found.pool.systems, found.pool.predictions.sizes
    yield (
        f"{counted(len(names), 'system')}, {counted(len(found.pool.keys), 'claim')} in the pool, "
        f"{found.judged_claims:,} judged; {found.method}; {100 * found.level:g} % intervals; pool "
        f"{found.pool.version}"
    )
    for one in found.metrics:
        rows = [[one.metric, "precision", "recall", "F1", "claims", "judged", "effective"]]
        rows += [
            [
                name, *(score_text(s, i) for s in (one.precision, one.recall, one.f1)),
                f"{sizes[i]:,}", f"{found.judged[i]:,}", effective_text(one.effective[i]),
            ]
            for i, name in enumerate(names)
        ]  # fmt: skip
        yield ""
        yield from table(rows)
        for reason in dict.fromkeys(
            why for s in (one.precision, one.recall, one.f1) for why in s.why if why
        ):
            yield f"{NONE}: {reason}"
    if found.theta is not None:
        yield f"recall of the pool: {score_text(found.theta, 0)}"
    for comparison in found.comparisons:
        yield ""
        yield from _comparison_lines(comparison, names)
    for note in found.notes:
        yield f"note: {note}"
    for report in found.pool.reports:
        yield from issue_lines(report)


def _comparison_lines(one: Comparison, names: tuple[str, ...]) -> Iterator[str]:
    best = [
        f"{name} {100 * row[0]:.0f} %"
        for name, row in zip(names, one.ranks, strict=True)
        if not math.isnan(row[0]) and row[0] >= 0.005
    ]
    yield f"{one.of}: probably the best: {', '.join(best) or NONE}"
    d = one.differences
    if len(names) < 2:
        return
    rows = [["difference", one.of, "interval", "the first is better"]]
    for k in range(min(len(d.first), MOST_PAIRS)):
        if math.isnan(d.value[k]):
            continue
        rows.append([
            f"{names[d.first[k]]} – {names[d.second[k]]}", f"{d.value[k]:+.3f}",
            f"{d.low[k]:+.3f} to {d.high[k]:+.3f}", f"{100 * d.above[k]:.0f} %",
        ])  # fmt: skip
    if len(rows) > 1:
        yield from table(rows)
    if len(d.first) > MOST_PAIRS:
        yield f"and {len(d.first) - MOST_PAIRS:,} pairs more, in differences.csv"


def issue_lines(report: Report) -> Iterator[str]:
    """A line for each code, with the first lines in which it was found."""
    if not report.counts:
        return
    errors, warnings = report.total("error"), report.total("warning")
    yield f"{report.name}: {counted(errors, 'error')}, {counted(warnings, 'warning')}"
    for code, count in report.counts.most_common():
        first = ", ".join(str(issue.line) for issue in report.kept[code] if issue.line)
        where = f" (line {first}{', …' if count > len(report.kept[code]) else ''})" if first else ""
        known = CODES[code]
        yield f"  {code}: {count:,}{where}. {known.what} {known.done} {known.mend}"
