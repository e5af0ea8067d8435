"""Run the experiments of data selection: pickers beside a random choice of the same size."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from experiments.coverage import short_texts
from experiments.coverage.report import (
    goal_lines,
    paired_lines,
    table_lines,
    write_curves,
    write_table,
)
from experiments.coverage.spambase import (
    COMPARED,
    CURVE,
    comparisons,
    read_problem,
    repeats,
    sizes,
)
from experiments.coverage.trials import (
    COVERAGE,
    DEFAULT,
    MEASURES,
    RANDOM,
    Results,
    joined,
    run_trials,
    runners,
)


class Command(BaseCommand):
    help = (
        "Choose items of FILE (CSV with a header: numbers, and a column of 0 and 1), teach four "
        "classifiers with them, and score these on 900 held-out items: coverage, facility location "
        "and our default beside all items and beside random ones. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", type=Path, metavar="FILE", help="Spambase, for the paper's.")
        parser.add_argument("--label", default="spam", metavar="COLUMN", help="The class (spam).")
        parser.add_argument("--repeats", type=int, default=60, help="Splits (60), paired.")
        parser.add_argument(
            "--curves", type=int, default=0, metavar="REPEATS",
            help="Also learning curves from 50 to 3,700 items, over so many splits (slow: half a "
            "minute each).",
        )  # fmt: skip
        parser.add_argument(
            "--texts", type=int, default=10, metavar="REPEATS",
            help="Of the second experiment's stand-in (10); 0 leaves it out.",
        )  # fmt: skip
        parser.add_argument(
            "--tuning", action="store_true",
            help="On the odd seeds, on which settings are chosen, and not on those that are "
            "reported.",
        )  # fmt: skip
        parser.add_argument("--out", type=Path, metavar="DIR", help="For CSV and SVG files.")

    def handle(
        self,
        *,
        data: Path,
        label: str,
        repeats: int,
        curves: int,
        texts: int,
        tuning: bool,
        out: Path | None,
        **options: Any,
    ) -> None:
        for option, value, least in (("repeats", repeats, 1), ("curves", curves, 0)):
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        if texts < 0:
            raise CommandError(f"--texts must be 0 or more, but is {texts}.")
        if out is not None and not out.is_dir():
            raise CommandError(f"--out {out} is no folder. Make it first.")
        if not data.is_file():
            raise CommandError(f"There is no file {data}. The data are not part of the project.")
        began = time.perf_counter()
        try:
            self._first(data, label, repeats, curves, tuning, out)
            if texts:
                self._second(texts, tuning, out)
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")

    def _first(
        self, data: Path, label: str, number: int, curves: int, tuning: bool, out: Path | None
    ) -> None:
        problem = read_problem(data, label)
        run = partial(run_trials, problem, runners())
        with Progress(self.stderr, number, data.name) as progress:
            results = run(
                sizes(problem, COMPARED), repeats(number, tuning=tuning), advance=progress.advance
            )
        for measure in MEASURES[:4]:
            self._tell(table_lines(results, measure))
        self._tell(paired_lines(results, RANDOM))
        self._tell(goal_lines(comparisons(results)))
        if out is not None:
            self.stdout.write(f"wrote {write_table(results, out / 'coverage.csv')}")
        if curves:
            with Progress(self.stderr, curves, "learning curves") as progress:
                whole = run(
                    sizes(problem, CURVE), repeats(curves, tuning=tuning), advance=progress.advance
                )
            self._tell(table_lines(whole))
            if out is not None:
                self._curves(whole, out)

    def _curves(self, results: Results, out: Path) -> None:
        written = [write_table(results, out / "coverage-curves.csv")]
        written += write_curves(results, out, "coverage", "F1 on held-out items")
        for path in written:
            self.stdout.write(f"wrote {path}")

    def _second(self, number: int, tuning: bool, out: Path | None) -> None:
        chosen, drawn = short_texts.CHOSEN, short_texts.DRAWN
        every = short_texts.ITEMS - short_texts.GOLD
        parts = []
        with Progress(self.stderr, number, "short texts") as progress:
            for seed in repeats(number, tuning=tuning):
                problem = short_texts.made_problem(seed)
                parts.append(run_trials(problem, runners(), (chosen, drawn, every), [seed]))
                progress.advance()
        results = joined(parts)
        self.stdout.write(
            f"STAND-IN for the paper's tweets: {short_texts.ITEMS:,} simulated texts, "
            f"{short_texts.JUDGMENTS} judgments each, {short_texts.GOLD:,} gold. It says nothing "
            "of tweets."
        )
        for measure in MEASURES[:4]:
            self._tell(table_lines(results, measure))
        for method in (COVERAGE, DEFAULT):
            means, errors = results.against(method, chosen, RANDOM, drawn)
            told = ", ".join(f"{m:+.3f} ± {e:.3f}" for m, e in zip(means, errors, strict=True))
            self.stdout.write(f"{method} {chosen:,} less random {drawn:,}: {told}")
        if out is not None:
            self.stdout.write(f"wrote {write_table(results, out / 'short-texts.csv')}")

    def _tell(self, lines: Any) -> None:
        for line in lines:
            self.stdout.write(line)
        self.stdout.write("")
