"""A labelling loop over recorded answers: what it learns beside a random choice, and from all."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from experiments.recorded_loop.recording import read_recording
from experiments.recorded_loop.report import keep_point, kept_points, lines_of
from experiments.recorded_loop.trials import ALL, PICKERS, run_all, run_loop


class Command(BaseCommand):
    help = (
        "Let a labelling loop choose among the articles of FILE (JSON lines with gold), whose "
        "recorded answers are its workers: strict F1 of the labels of what it has chosen, and of "
        "the tagger that learns from them on articles that are only scored, beside as many words "
        "chosen at random, and beside all. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", type=Path, metavar="FILE")
        parser.add_argument(
            "--held-out", type=int, default=50, help="articles that are only scored (50)"
        )
        parser.add_argument(
            "--budgets", default="20,40,60,80", metavar="N,N",
            help="articles' worth of answers after each round (20,40,60,80)",
        )  # fmt: skip
        parser.add_argument("--seeds", type=int, default=6, help="random starts (6)")
        parser.add_argument(
            "--keep", type=Path, metavar="FILE.jsonl",
            help="what was done is kept here, and not done again by the next call",
        )  # fmt: skip

    def handle(
        self,
        *,
        data: Path,
        held_out: int,
        budgets: str,
        seeds: int,
        keep: Path | None,
        **options: Any,
    ) -> None:
        if seeds < 1 or held_out < 1:
            raise CommandError("--seeds and --held-out must be 1 at least.")
        try:
            rounds = [float(one) for one in budgets.split(",")]
        except ValueError as error:
            raise CommandError(f"--budgets {budgets}: give numbers, such as 20,40.") from error
        if not rounds or rounds[0] <= 0 or sorted(set(rounds)) != rounds:
            raise CommandError(f"--budgets {budgets}: each must be above the one before.")
        if not data.is_file():
            raise CommandError(f"There is no file {data}. The data are not part of the project.")
        began = time.perf_counter()
        try:
            recording = read_recording(data, held_out)
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from error
        points = kept_points(keep)
        done = {(point.method, point.seed) for point in points if point.budget == rounds[-1]}
        with Progress(self.stderr, seeds * len(PICKERS) * len(rounds), recording.name) as progress:
            if not any(point.method == ALL for point in points):
                points.append(run_all(recording))
                keep_point(keep, points[-1])
            for seed in range(seeds):
                for method in PICKERS:
                    if (method, seed) in done:
                        progress.advance(len(rounds))
                        continue
                    found = list(
                        run_loop(recording, method, rounds, seed, advance=progress.advance)
                    )
                    for point in found:
                        keep_point(keep, point)
                    points += found
        self.stdout.write(
            f"{recording.name}: {len(recording.free)} articles to choose from, "
            f"{len(recording.scored)} only scored."
        )
        for line in lines_of([p for p in points if p.method == ALL or p.seed < seeds]):
            self.stdout.write(line)
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")
