"""The experiment as lines of text, beside what was published, and as CSV and SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

import numpy as np

from aggregation.management.words import table
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from evaluation.algorithms.pooling import PooledScores
from experiments.evaluation.coverage import Looks, Row
from experiments.evaluation.replica import Replica
from experiments.evaluation.trials import (
    BALANCE,
    CONTROLLED,
    COORDINATED,
    POOLED,
    Figures,
    PoolingGrowth,
    Trajectory,
    Trials,
    Way,
)
from experiments.selection.curves import Curve, curves_svg

WIDTH = 100
# What the variance of simple draws is to be beaten by, at most.
TARGETS = {
    "precision": {BALANCE: 0.18, COORDINATED: 0.18, CONTROLLED: 0.135},
    "recall": {BALANCE: 0.25, COORDINATED: 0.25, CONTROLLED: 0.25},
}
PUBLISHED_LABELS, PUBLISHED_SYSTEMS, TARGET_LABELS = 7_570, 40, 5_000


@dataclass(frozen=True, slots=True)
class Section:
    """A table with its title and remarks."""

    name: str
    title: str
    rows: list[list[str]]
    remarks: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        yield from wrap(self.title, WIDTH)
        yield from table(self.rows)
        for remark in self.remarks:
            yield from wrap(remark, WIDTH)
        yield ""

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.name}.csv"
        with replaced(path) as file:
            for row in self.rows:
                file.write(csv_row(cell.strip() for cell in row))
        return path


def bias_sections(
    replica: Replica, figures: Figures, left_out: PooledScores, size: int, trials: int
) -> Iterator[Section]:
    perfect = int((figures.precision.simple_variance <= 1e-12).sum())
    for name, found, pooled, truth in (
        ("precision", figures.precision, left_out.precision, replica.precision),
        ("recall", figures.recall, left_out.recall, replica.recall),
    ):
        head = ["", "median |bias|", "largest", "Var/simple", "±", "at most", "of sums",
                "coverage", "labels"]  # fmt: skip
        rows = [head]
        apart = pooled - truth
        rows.append([POOLED, *_bias(apart), *["–"] * 6])
        rows += [_row(found, one, TARGETS[name].get(one)) for one in found.values]
        remarks = [
            f"{size} draws a run, {trials} trials. Var/simple is the mean over runs of the "
            "variance over that of simple draws; ± is half of its 95 % interval over trials. "
            "Coverage of 90 % intervals."
        ]
        if name == "precision" and perfect:
            remarks.append(
                f"{perfect} run has no variance by simple draws, for all it says is right: it is "
                "in 'of sums' alone."
            )
        yield Section(f"bias-{name}", f"{name.capitalize()}: bias and variance", rows,
                      tuple(remarks))  # fmt: skip


def _bias(bias: np.ndarray) -> list[str]:
    there = np.abs(bias[~np.isnan(bias)])
    return [f"{np.median(there):.4f}", f"{there.max():.4f}"]


def _row(found: Trials, name: str, target: float | None) -> list[str]:
    mean, half, sums = found.ratios(name)
    covered = found.covered.get(name)
    none = covered is None or not covered.any()
    return [
        name, *_bias(found.bias(name)), f"{mean:.3f}", f"{half:.3f}",
        "–" if target is None else f"{target:g}", f"{sums:.3f}",
        "–" if none or covered is None else f"{covered.mean():.3f}",
        f"{found.labels[name]:,.0f}" if name in found.labels else "–",
    ]  # fmt: skip


def label_section(found: Trajectory, orders: int) -> Section:
    at = [n for n in (1, 5, 10, 20, 30, 40, 69) if n <= len(found.adaptive)]
    rows = [["systems", *(str(n) for n in at)]]
    rows.append(["adaptive, re-used", *(f"{found.adaptive[n - 1]:,.0f}" for n in at)])
    rows.append(["  ± (orders)", *(f"{found.spread[n - 1]:,.0f}" for n in at)])
    rows.append(["adaptive, each alone", *(f"{found.apart[n - 1]:,.0f}" for n in at)])
    rows.append(["fixed, each alone", *(f"{found.draws * n:,}" for n in at)])
    remarks = [
        f"Labels so that each system's 90 % interval is ± {found.width:.3f} or less, as wide as "
        f"{found.draws} draws make it at most; mean over {orders} orders in which systems come. A "
        "system with fewer claims than that is judged whole."
    ]
    if len(found.adaptive) >= PUBLISHED_SYSTEMS:
        reached = found.adaptive[PUBLISHED_SYSTEMS - 1]
        verdict = "reached" if reached <= TARGET_LABELS else "NOT reached"
        remarks.append(
            f"40 systems: {reached:,.0f}; published {PUBLISHED_LABELS:,}, without re-use 20,000; "
            f"at most {TARGET_LABELS:,} was the target, which is {verdict}."
        )
    return Section("labels", "Labels for systems that come one after the other", rows,
                   tuple(remarks))  # fmt: skip


def pooling_section(found: PoolingGrowth) -> Section:
    rows = [["teams", *(str(n) for n in found.teams)]]
    for name, values in (
        ("systems", found.systems),
        ("precision", found.precision),
        ("precision, any document", found.anywhere_precision),
        ("recall", found.recall),
    ):
        form = "{:.0f}" if name == "systems" else "{:+.4f}"
        rows.append([name, *(form.format(value) for value in values)])
    return Section(
        "pooling", "Closed pooling: mean bias of a team that is left out", rows,
        (
            "One provenance of each fill. If the bias goes on as a power, that of precision would "
            f"be .01 with {found.needed:,.0f} systems ({found.anywhere_needed:,.0f} by the "
            "any-document heuristic, whose own errors go the other way and hide the rest).",
        ),
    )  # fmt: skip


def recall_section(ways: Sequence[Way], theta: float, documents: int) -> Section:
    rows = [["", "median |bias|", "relative efficiency", "cost"]]
    rows += [
        [way.name, f"{way.bias:.4f}", f"{way.efficiency:.2f}", f"${way.dollars:,.0f}"]
        for way in ways
    ]
    return Section(
        "recall", "Recall: relative efficiency, the exhaustive way's variance over each one's",
        rows,
        (
            f"{documents} documents annotated in full, at $15; the pool's claims at $0.15; runs of "
            f"a few teams, whose pool has {theta:.2f} of the truth. Median over runs.",
        ),
    )  # fmt: skip


def coverage_section(rows: Sequence[Row]) -> Section:
    lines = [["target", "interval", "coverage", "least", "most", "half-width"]]
    for row in sorted(rows, key=lambda row: not row.ours):
        low, high = row.range
        lines.append([
            row.target, row.method + ("" if row.ours else " (to compare)"),
            f"{row.coverage:.3f}", f"{low:.3f}", f"{high:.3f}", f"{row.half_width:.3f}",
        ])  # fmt: skip
    return Section(
        "coverage", f"Coverage of 90 % intervals in {rows[0].draws:,} draws", _left(lines),
        ("Least and most: over systems, or over pairs of them.",),
    )  # fmt: skip


def _left(lines: list[list[str]]) -> list[list[str]]:
    """The second column flush left too."""
    width = max(len(line[1]) for line in lines)
    return [[line[0], line[1].ljust(width), *line[2:]] for line in lines]


def looks_section(looks: Sequence[Looks], runs: int) -> Section:
    rows = [["", "some look missed", "half-width in the end", "of one look"]]
    rows += [
        [one.method, f"{one.missed:.3f}", f"{one.half_width:.3f}", f"{one.fixed_half_width:.3f}"]
        for one in looks
    ]
    return Section(
        "looks", f"Looking early: share of {runs:,} runs in which some 90 % interval missed", rows
    )


def drawings(
    replica: Replica, figures: Figures, left_out: PooledScores, labels: Trajectory,
    growth: PoolingGrowth,
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """(name, SVG)."""
    order = np.argsort(replica.predictions.sizes)
    x = list(range(1, len(order) + 1))
    curves = [Curve(POOLED, x, list((left_out.precision - replica.precision)[order]))]
    for name in (BALANCE, COORDINATED):
        found = figures.precision
        half = 1.96 * found.values[name].std(axis=0) / np.sqrt(len(found.values[name]))
        curves.append(Curve(name, x, list(found.bias(name)[order]), list(half[order])))
    yield "bias", curves_svg("Bias of precision", "runs, from few claims to many", "bias", curves)
    n = list(range(1, len(labels.adaptive) + 1))
    yield "labels", curves_svg(
        "Labels for systems that come one after the other", "systems", "labels, in thousands",
        [
            Curve(
                "adaptive, re-used", n, list(labels.adaptive / 1e3), list(1.96e-3 * labels.spread)
            ),
            Curve("adaptive, each alone", n, list(labels.apart / 1e3)),
            Curve("fixed, each alone", n, [labels.draws * i / 1e3 for i in n]),
        ],
    )  # fmt: skip
    teams = [float(t) for t in growth.teams]
    yield "pooling", curves_svg(
        "Closed pooling: bias of a team that is left out", "teams in the pool", "bias",
        [
            Curve("precision", teams, list(growth.precision)),
            Curve("precision, any document", teams, list(growth.anywhere_precision)),
            Curve("recall", teams, list(growth.recall)),
        ],
    )  # fmt: skip
