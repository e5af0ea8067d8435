"""Choose the settings of a method."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.actions.tune import campaign_data, file_data
from aggregation.files.data import Repeated
from aggregation.files.targets import check_target
from aggregation.management.parameters import value_of
from aggregation.management.repeated import add_repeated, told_of_repeated
from aggregation.management.words import counted, percent, table
from aggregation.methods.pools import check_jobs
from aggregation.methods.tuning import BOUND, FOLDS, HELD_OUT, Tuned, grid_of, tune
from aggregation.methods.words import CAPPED, METHOD_WORDS
from annotation.actions.progress import Progress
from annotation.formats.output import replaced
from annotation.models import Campaign


class Command(BaseCommand):
    help = (
        "Fit a method with many settings and rank them: by gold where some is known, else by the "
        "lower bound, or by how probable answers are that were held out. Nothing is written but "
        "the surface, where --out asks for it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--campaign", metavar="SLUG")
        where.add_argument("--input", metavar="FILE", help="As aggregate_file takes it.")
        add_repeated(parser)
        parser.add_argument("--method", required=True, help=f"One of {', '.join(METHOD_WORDS)}.")
        parser.add_argument(
            "--grid",
            action="append",
            default=[],
            metavar="NAME=VALUE,VALUE…",
            help="A setting with the values to try; can be given more than once.",
        )
        parser.add_argument(
            "--folds", type=int, default=FOLDS,
            help=f"Of documents; without gold, of the answers that are held out ({FOLDS}).",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0, help="Of folds, bootstrap and method.")
        parser.add_argument("--jobs", type=int, default=1, metavar="N", help="Processes.")
        parser.add_argument("--out", metavar="FILE", help="The whole surface, as JSON lines.")

    def handle(
        self,
        *,
        campaign: str | None,
        input: str | None,
        method: str,
        grid: list[str],
        folds: int,
        seed: int,
        jobs: int,
        repeated: Repeated,
        out: str | None,
        **options: Any,
    ) -> None:
        if folds < 2:
            raise CommandError(f"--folds must be 2 or more, but is {folds}.")
        try:
            if out is not None:
                check_target("--out", Path(out), input or "-")
            check_jobs(jobs)
            if campaign is not None:
                found = Campaign.objects.select_related("project").filter(slug=campaign).first()
                if found is None:
                    raise CommandError(f"There is no campaign '{campaign}'.")
                data = campaign_data(found, method)
            else:
                data = file_data(str(input), method, repeated=repeated)
            points = grid_of(method, dict(_axes(grid)))
            with Progress(self.stderr, len(points), "settings") as progress:
                found_best = tune(
                    method, data, points, seed=seed, folds=folds, jobs=jobs,
                    advance=progress.advance,
                )  # fmt: skip
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from error
        for line in [*told_of_repeated(data.repeated, repeated), *_lines(found_best, method)]:
            self.stdout.write(line)
        if out is not None:
            _write(Path(out), found_best)


def _axes(grid: list[str]) -> Iterator[tuple[str, list[Any]]]:
    for axis in grid:
        name, equals, values = axis.partition("=")
        if not equals or not values:
            raise CommandError(f"--grid {axis} has no values. Write it as NAME=VALUE,VALUE.")
        yield name, [value_of(value) for value in values.split(",")]


def _lines(found: Tuned, method: str) -> Iterator[str]:
    names = list(found.best.values)
    by_gold = found.measure not in (BOUND, HELD_OUT)
    measure = "nats per held-out label" if found.measure == HELD_OUT else found.measure
    head = ["", *names, measure, *(["cross entropy"] if by_gold else []), "seconds"]
    rows = [head]
    for i, setting in enumerate(found.settings, start=1):
        row = [str(i), *(f"{setting.values[name]}" for name in names)]
        row.append(_score(setting.score, found.measure))
        if setting.cross_entropy is not None:
            row.append(f"{setting.cross_entropy:.3f}")
        done = setting.converged or method in CAPPED
        row.append(f"{setting.seconds:.2f}{'' if done else ' (not converged)'}")
        rows.append(row)
    yield from table(rows)
    for note, settings in found.notes.items():
        every = settings == len(found.settings)
        yield note if every else f"{settings} of {len(found.settings)} settings: {note}"
    flags = " ".join(f"--param {name}={value}" for name, value in found.best.values.items())
    yield f"best: --method {method} {flags}"
    if found.measure == BOUND:
        yield "There is no gold: the lower bound chose. It need not be what scores best."
        return
    if found.measure == HELD_OUT:
        yield (
            f"There is no gold: what foresees held-out answers best was chosen, in {found.folds} "
            "folds of answers."
        )
        return
    if found.nested is None:
        yield "Only one document has gold, so there is no honest score."
        return
    told = f"{found.measure} {percent(found.nested)}"
    if found.interval:
        told += f" ({percent(found.interval[0])}–{percent(found.interval[1])})"
    yield (
        f"honest score, settings chosen without the fold they are scored on: {told}; "
        f"{found.folds} folds of {counted(found.documents, 'document')} with gold"
    )


def _score(score: float, measure: str) -> str:
    if measure == BOUND:
        return f"{score:,.1f}"
    return f"{score:.4f}" if measure == HELD_OUT else percent(score)


def _write(path: Path, found: Tuned) -> None:
    lines = [
        json.dumps(
            {
                **setting.values,
                found.measure: setting.score,
                "cross entropy": setting.cross_entropy,
                "seconds": setting.seconds,
                **({"note": setting.note} if setting.note else {}),
            }
        )
        for setting in found.settings
    ]
    with replaced(path) as file:
        file.write("\n".join(lines) + "\n")
