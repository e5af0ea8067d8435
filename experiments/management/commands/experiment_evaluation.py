"""Run the published simulation of on-demand evaluation again, and see what intervals cover."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from annotation.formats.output import replaced
from evaluation.algorithms.pooling import leave_one_team_out
from experiments.evaluation.coverage import coverage_table, looks_table
from experiments.evaluation.replica import BadMargins, Replica, make_replica, read_margins
from experiments.evaluation.report import (
    PUBLISHED_SYSTEMS,
    Section,
    bias_sections,
    coverage_section,
    drawings,
    label_section,
    looks_section,
    pooling_section,
    recall_section,
)
from experiments.evaluation.trials import (
    label_trajectory,
    pooling_growth,
    recall_ways,
    run_trials,
)

ORDERS = 20
DOCUMENTS, TEAMS = 100, 5


class Command(BaseCommand):
    help = (
        "Simulate an evaluation campaign from its margins (CSV: run, submitted, correct): bias and "
        "variance of pooled, simple, joint and coordinated estimates, labels for systems that come "
        "one after the other, recall four ways, the bias of closed pooling. Without a file, what "
        "intervals cover. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "margins", nargs="?", type=Path, metavar="MARGINS.csv",
            help="Left out: the coverage of intervals on a made pool.",
        )  # fmt: skip
        parser.add_argument("--trials", type=int, default=600)
        parser.add_argument("--draws", type=int, default=100, help="Of each run, in each trial.")
        parser.add_argument(
            "--coverage", type=int, default=4_000, metavar="N", help="Draws of the coverage table."
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--out", type=Path, metavar="DIR", help="For CSV and SVG files.")

    def handle(
        self, *, margins: Path | None, trials: int, draws: int, coverage: int, seed: int,
        out: Path | None, **options: Any,
    ) -> None:  # fmt: skip
        for option, value, least in (
            ("trials", trials, 4), ("draws", draws, 2), ("coverage", coverage, 2), ("seed", seed, 0)
        ):  # fmt: skip
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        if out is not None and not out.is_dir():
            raise CommandError(f"--out {out} is no folder. Make it first.")
        if margins is not None and not margins.is_file():
            raise CommandError(f"There is no file {margins}. The data are not part of the project.")
        began = time.perf_counter()
        try:
            sections = (
                self._coverage(coverage, seed)
                if margins is None
                else self._replica(margins, trials, draws, seed, out)
            )
            for section in sections:
                for line in section.lines():
                    self.stdout.write(line)
                if out is not None:
                    self.stdout.write(f"wrote {section.write(out)}")
        except BadMargins as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        self.stdout.write(f"seed {seed}; {time.perf_counter() - began:.1f} s")

    def _coverage(self, draws: int, seed: int) -> Iterator[Section]:
        with Progress(self.stderr, draws, "coverage") as progress:
            rows = coverage_table(draws, seed, progress.advance)
        yield coverage_section(rows)
        runs = min(draws, 1_000)
        with Progress(self.stderr, runs, "looking early") as progress:
            looks = looks_table(runs, seed, progress.advance)
        yield looks_section(looks, runs)

    def _replica(
        self, margins: Path, trials: int, draws: int, seed: int, out: Path | None
    ) -> Iterator[Section]:
        rng = np.random.default_rng(seed)
        replica = make_replica(read_margins(margins), rng)
        self.stdout.write(_size(replica))
        with Progress(self.stderr, trials, "trials") as progress:
            figures = run_trials(replica, draws, trials, rng, progress.advance)
        left_out = leave_one_team_out(
            replica.predictions, replica.metric, replica.correct, replica.team, truth=replica.truth
        )
        yield from bias_sections(replica, figures, left_out, draws, trials)
        labels = label_trajectory(
            replica, min(PUBLISHED_SYSTEMS, len(replica.runs)), 500, ORDERS, rng
        )
        yield label_section(labels, ORDERS)
        teams = len(np.unique(replica.team))
        numbers = [n for n in (2, 4, 8, 12) if n < teams] + [teams]
        growth = pooling_growth(replica, numbers, ORDERS, rng)
        yield pooling_section(growth)
        with Progress(self.stderr, trials, "recall") as progress:
            ways, theta = recall_ways(
                replica, min(TEAMS, teams), DOCUMENTS, 500, trials, rng, progress.advance
            )
        yield recall_section(ways, theta, DOCUMENTS)
        if out is None:
            return
        for name, svg in drawings(replica, figures, left_out, labels, growth):
            with replaced(out / f"{name}.svg") as file:
                file.write(svg)
            self.stdout.write(f"wrote {out / name}.svg")


def _size(replica: Replica) -> str:
    p = replica.predictions
    return (
        f"{len(replica.runs)} runs of {len(np.unique(replica.team))} teams, {p.n_claims:,} "
        f"instances in the pool, {len(p.claim):,} predictions"
    )
