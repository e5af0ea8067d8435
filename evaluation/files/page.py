"""Scores as a page of HTML that stands alone: no script, nothing from anywhere else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape

import numpy as np

from evaluation.files.scores import Comparison, Evaluation, MetricScores, Score
from evaluation.files.writing import NONE, effective_text, score_text
from evaluation.formats.issues import CODES, Report

STYLE = """
:root { color-scheme: light dark;
  --paper: light-dark(#fdfcf9, #191a1d); --ink: light-dark(#1d1f23, #e8e6e1);
  --soft: light-dark(#5d6068, #a5a6a3); --line: light-dark(#dedad0, #383a3f);
  --accent: light-dark(#0d5a62, #85cfd6); --bar: light-dark(#0d5a6222, #85cfd633); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
  color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif; }
h1 { font: 400 1.75rem/1.25 Georgia, serif; margin: 0 0 0.5rem; }
h2 { font: 400 1.25rem/1.35 Georgia, serif; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 0.9375rem; margin: 1.5rem 0 0.25rem; }
p { max-width: 42rem; margin: 0.5rem 0; } .soft { color: var(--soft); }
.wide { overflow-x: auto; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; text-align: right;
  border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: baseline; }
th { font-weight: 600; color: var(--soft); } tbody th, th:first-child { text-align: left; }
tbody th { color: var(--ink); font-weight: 600; }
td small { color: var(--soft); margin-left: 0.35rem; }
.rank { background: color-mix(in srgb, var(--accent) var(--share), var(--paper));
  padding: 0.35rem 0.5rem; }
svg { display: block; width: 100%; height: auto; max-width: 32rem; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
.grid { stroke: var(--line); } .range { stroke: var(--accent); stroke-width: 3; }
.point { fill: var(--accent); } ul { padding-left: 1.2rem; max-width: 42rem; margin: 0.25rem 0; }
tbody th { position: sticky; left: 0; background: var(--paper); }
@media (max-width: 40rem) { td small { display: block; margin: 0; } }
"""
LEFT, RIGHT, ROW, WIDTH, TOP = 112, 18, 24, 420, 22
LONGEST_NAME = 15
MOST_RANKED = 30


def page_of(found: Evaluation, title: str) -> str:
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
            f"<h1>{escape(title)}</h1>",
            *_head(found),
            *(line for one in found.metrics for line in _metric(one, found)),
            *_recalls(found),
            *(line for one in found.comparisons for line in _comparison(one, found)),
            *_issues(found.pool.reports),
            "</main></body></html>\n",
        ]
    )


def _head(found: Evaluation) -> Iterator[str]:
    yield (
        f"<p>{len(found.pool.systems):,} systems made {len(found.pool.keys):,} different claims, "
        f"of which {found.judged_claims:,} were judged (pool {found.pool.version}). Method: "
        f"{escape(found.method)}. Beside "
        f"each score stands its {100 * found.level:g} % interval: in {100 * found.level:g} of a "
        "hundred such evaluations it holds the true score.</p>"
    )
    if found.notes:
        yield f"<ul>{''.join(f'<li>{escape(note)}</li>' for note in found.notes)}</ul>"


def _metric(one: MetricScores, found: Evaluation) -> Iterator[str]:
    names, sizes = found.pool.systems, found.pool.predictions.sizes
    yield f"<h2>Scores, {escape(one.metric)} metric</h2>"
    scores = (one.precision, one.recall, one.f1)
    rows = (
        [
            *(_score(score, i) for score in scores),
            f"{sizes[i]:,}", f"{found.judged[i]:,}", effective_text(one.effective[i]),
        ]
        for i in range(len(names))
    )  # fmt: skip
    heads = ("System", "Precision", "Recall", "F1", "Claims", "Judged", "Effective judgments")
    yield from _table(heads, names, rows)
    reasons = dict.fromkeys(why for score in scores for why in score.why if why)
    for reason in reasons:
        yield f'<p class="soft">{NONE.capitalize()}: {escape(reason)}.</p>'
    for score in scores:
        if not np.isnan(score.value).all():
            yield f"<h3>{escape(score.name.capitalize())}</h3>"
            yield from _forest(score, names)


def _score(score: Score, i: int) -> str:
    if math.isnan(score.value[i]):
        return f'<span class="soft">{NONE}</span>'
    return f"{score.value[i]:.3f}<small>{score.low[i]:.3f}–{score.high[i]:.3f}</small>"


def _forest(score: Score, names: tuple[str, ...]) -> Iterator[str]:
    """Points with their intervals, the best first."""
    order = [i for i in np.argsort(-np.nan_to_num(score.value, nan=-1)) if score.value[i] >= 0]
    low = min(float(np.nanmin(score.low)), 1.0)
    high = max(float(np.nanmax(score.high)), 0.0)
    step = 0.05 if high - low < 0.35 else 0.1 if high - low < 0.75 else 0.2
    first, last = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    last = max(last, first + step)
    height = TOP + ROW * len(order) + 8

    def x(value: float) -> float:
        return round(LEFT + (value - first) / (last - first) * (WIDTH - LEFT - RIGHT), 1)

    label = f"{score.name} of the systems with intervals; the table above has the numbers"
    yield f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">'
    for k in range(round((last - first) / step) + 1):
        at = first + k * step
        yield f'<path class="grid" d="M{x(at)} {TOP}V{height - 4}"/>'
        yield f'<text class="soft" x="{x(at)}" y="14" text-anchor="middle">{at:.2f}</text>'
    for row, i in enumerate(order):
        y = TOP + ROW * row + ROW / 2
        name = names[i] if len(names[i]) <= LONGEST_NAME else f"{names[i][: LONGEST_NAME - 1]}…"
        yield f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
        yield f'<path class="range" d="M{x(score.low[i])} {y}H{x(score.high[i])}"/>'
        yield f'<circle class="point" cx="{x(score.value[i])}" cy="{y}" r="5"/>'
    yield "</svg>"


def _recalls(found: Evaluation) -> Iterator[str]:
    if found.theta is None:
        return
    yield "<h2>Recall, three ways</h2>"
    yield (
        f"<p>The pool of all systems has {score_text(found.theta, 0)} of what is true. Recall can "
        "be read off the documents alone, or as the system's share of the pool's correct claims "
        "times the pool's recall; the hybrid has the best of both. × 2 says that the first way "
        "would take twice as many documents.</p>"
    )
    rows = (
        [f"{_score(score, i)} <small>× {gain[i]:.1f}</small>" if math.isfinite(gain[i])
         else _score(score, i) for score, gain in found.other_recalls]
        for i in range(len(found.pool.systems))
    )  # fmt: skip
    heads = ("System", *(score.name.capitalize() for score, _ in found.other_recalls))
    yield from _table(heads, found.pool.systems, rows)


def _comparison(one: Comparison, found: Evaluation) -> Iterator[str]:
    names, d = found.pool.systems, one.differences
    if len(names) < 2:
        return
    known = [i for i in range(len(names)) if not math.isnan(one.ranks[i, 0])]
    yield f"<h2>Comparison, {escape(one.of)}</h2>"
    yield "<p>How probable each rank is.</p>"
    shown = sorted(known, key=lambda i: float(one.ranks[i] @ np.arange(len(names))))[:MOST_RANKED]
    ranks = range(min(len(known), MOST_RANKED))
    rows = ([_rank(float(one.ranks[i, r])) for r in ranks] for i in shown)
    yield from _table(("System", *(str(r + 1) for r in ranks)), [names[i] for i in shown], rows,
                      ready=True)  # fmt: skip
    pairs = [k for k in range(len(d.first)) if not math.isnan(d.value[k])]
    pairs = sorted(pairs, key=lambda k: -abs(float(d.value[k])))
    if not pairs:
        return
    yield (
        "<p>Differences are of the same judged claims, so what both systems share cancels out.</p>"
    )
    told = pairs[: MOST_RANKED * 2]
    heads = ("First – second", "Difference", "Interval", "The first is better")
    yield from _table(
        heads,
        [f"{names[d.first[k]]} – {names[d.second[k]]}" for k in told],
        (
            [_signed(d.value[k]), f"{_signed(d.low[k])} to {_signed(d.high[k])}",
             f"{100 * d.above[k]:.0f} %"]
            for k in told
        ),
    )  # fmt: skip
    if len(pairs) > len(told):
        yield f'<p class="soft">The other {len(pairs) - len(told):,} are in differences.csv.</p>'


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _rank(share: float) -> str:
    text = "" if share < 0.005 else f"{100 * share:.0f} %"
    return f'<td class="rank" style="--share: {45 * share:.0f}%">{text}</td>'


def _issues(reports: Iterable[Report]) -> Iterator[str]:
    told = [report for report in reports if report.counts]
    if not told:
        return
    yield "<h2>What is wrong in the submissions</h2>"
    for report in told:
        yield f"<h3>{escape(report.name)}</h3><ul>"
        for code, count in report.counts.most_common():
            known = CODES[code]
            lines = ", ".join(str(issue.line) for issue in report.kept[code] if issue.line)
            where = f" (line {lines}{', …' if count > len(report.kept[code]) else ''})"
            what = f"{known.what} {known.done} {known.mend}"
            yield f"<li><b>{code}</b>: {count:,}{where if lines else ''}. {escape(what)}</li>"
        yield "</ul>"
    yield '<p class="soft">issues.csv has each of them with its line and what was found.</p>'


def _table(
    heads: Iterable[str], names: Iterable[str], rows: Iterable[list[str]], *, ready: bool = False
) -> Iterator[str]:
    """Cells are HTML; `ready` ones are whole <td>."""
    yield '<div class="wide"><table><thead><tr>'
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for name, row in zip(names, rows, strict=True):
        cells = "".join(row) if ready else "".join(f"<td>{cell}</td>" for cell in row)
        yield f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
    yield "</tbody></table></div>"
