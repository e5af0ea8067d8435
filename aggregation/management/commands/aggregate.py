"""Infer the consensus of a campaign from its answers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import (
    BaseCommand,
    CommandError,
    CommandParser,
    OutputWrapper,
)
from django.utils.timezone import is_aware, make_aware

from aggregation.actions.compare import Comparison, MethodComparison, compare
from aggregation.actions.defaults import default_for
from aggregation.actions.differing import verdict_of
from aggregation.actions.repeat import repeat
from aggregation.actions.runs import aggregate
from aggregation.actions.scores import CrowdScore
from aggregation.files.differing import read_known
from aggregation.management.parameters import read_parameters
from aggregation.management.words import counted, ending, percent, table
from aggregation.methods.registry import METHODS, methods_for
from aggregation.methods.words import CAPPED, METHOD_WORDS
from aggregation.models import AGREEMENT_TASKS, AggregationRun, Share
from aggregation.queries.runs import run_by_key
from annotation.actions import locks
from annotation.actions.progress import Progress
from annotation.models import Campaign

ALL = "all"


class Command(BaseCommand):
    help = (
        "Infer the consensus of each task, and what each worker is worth, from all counted "
        "answers of a campaign. Where nothing has changed since the latest run, that one is named "
        "and none is stored. With --compare methods are run side by side and nothing is written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--method",
            help=f"One of {', '.join(METHOD_WORDS)}. Without it the interface's own is taken.",
        )
        which.add_argument(
            "--compare",
            metavar="METHODS",
            help="Names with commas between, or 'all'; the others are compared with the first.",
        )
        which.add_argument(
            "--like",
            type=uuid.UUID,
            metavar="RUN",
            help="The method, settings, seed and use of gold of an earlier run.",
        )
        parser.add_argument(
            "--as-of",
            metavar="TIME",
            help="With --like: make that run again from the answers received by TIME, such as "
            "2026-11-22T08:00:00.123456+00:00, to the byte. Where what it read can't be reached, "
            "nothing is made, and it says what changed.",
        )
        parser.add_argument(
            "--param",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="A setting of the method; can be given more than once.",
        )
        parser.add_argument("--seed", type=int, help="of what is drawn (0)")
        parser.add_argument(
            "--clamp-gold",
            action="store_true",
            help="Learn from known answers and from the answers to gold questions.",
        )
        parser.add_argument(
            "--known",
            type=Path,
            metavar="FILE.csv",
            help="Tasks with gold, as export_annotations --what differing writes them: where the "
            "method and a plain vote differ, the one that is right more often is taken.",
        )
        parser.add_argument("--jobs", type=int, default=1, metavar="N", help="Processes.")

    def handle(
        self, *, campaign: str, compare: str | None, like: uuid.UUID | None, **options: Any
    ) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        if options["as_of"] is not None and like is None:
            raise CommandError("--as-of needs --like RUN: it makes a run again.")
        try:
            if compare is not None:
                self._compare(found, compare, **options)
            elif like is not None:
                self._like(found, like, **options)
            else:
                self._aggregate(found, **options)
        except (ValueError, locks.Held) as error:
            raise CommandError(str(error)) from error

    def _aggregate(
        self,
        campaign: Campaign,
        *,
        method: str | None,
        param: list[str],
        seed: int | None,
        clamp_gold: bool,
        jobs: int,
        known: Path | None = None,
        **options: Any,
    ) -> None:
        answered = None if known is None else _answered(known)
        parameters = read_parameters(param)
        by_default = method is None and not campaign.served_method  # what is chosen stays
        if method is None:
            default = default_for(campaign, from_gold=not clamp_gold)
            method, parameters = default.method, {**default.parameters, **parameters}
            self.stdout.write(f"{method} was chosen: {default.why}.")
            if jobs > 1 and "pool" not in METHODS[method].can_use:
                self.stdout.write(f"{method} works in one process.")
                jobs = 1
        with Progress(self.stderr, None, "answers and tasks") as progress:
            run = aggregate(
                campaign,
                method,
                seed=seed or 0,
                parameters=parameters,
                clamp_gold=clamp_gold,
                jobs=jobs,
                advance=progress.advance,
            )
        self._tell(run)
        told = run.facts.differing
        if answered is not None:
            self._decide(campaign, run, answered)
        elif by_default and told is not None and told.vote_taken:
            other = default_for(campaign)
            self.stdout.write(f"{other.method} was chosen: {other.why}.")
            self._tell(aggregate(campaign, other.method, seed=run.seed))

    def _decide(self, campaign: Campaign, run: AggregationRun, answered: Mapping[str, str]) -> None:
        found = run_by_key(campaign, run.key)
        assert found is not None
        verdict = verdict_of(campaign, found, answered)
        self.stdout.write(verdict.sentence(run.method))
        if verdict.vote_taken:
            self._tell(aggregate(campaign, "majority", seed=run.seed))

    def _like(
        self,
        campaign: Campaign,
        key: uuid.UUID,
        *,
        as_of: str | None,
        param: list[str],
        seed: int | None,
        clamp_gold: bool,
        jobs: int,
        **options: Any,
    ) -> None:
        if param or seed is not None or clamp_gold:
            raise CommandError(
                "--like takes the settings of the run: leave out --param, --seed and --clamp-gold."
            )
        run = AggregationRun.objects.filter(campaign=campaign, key=key).first()
        if run is None:
            raise CommandError(f"Campaign '{campaign.slug}' has no run {key}.")
        with Progress(self.stderr, None, "answers and tasks") as progress:
            if as_of is not None:
                made = repeat(run, moment(as_of), jobs=jobs, advance=progress.advance)
            else:
                made = aggregate(
                    campaign,
                    run.method,
                    seed=run.seed,
                    parameters=run.parameters,
                    clamp_gold=run.facts.clamped,
                    jobs=jobs,
                    advance=progress.advance,
                )
        self._tell(made)

    def _tell(self, run: AggregationRun) -> None:
        if run.is_repeated:
            self.stdout.write(
                f"Nothing has changed since run {run.key} of {run.method}, finished at "
                f"{run.finished_at:%Y-%m-%d %H:%M} UTC: it stands, and no other is stored."
            )
            return
        facts = run.facts
        fit = ending(run.method, facts.iterations, facts.converged)
        self.stdout.write(
            f"{run.method}: {counted(facts.tasks, 'task')}, "
            f"{counted(facts.answers, 'answer')}, {counted(facts.workers, 'worker')}; "
            f"{fit}, {facts.seconds:.1f} s; run {run.key}"
        )
        if facts.note:
            self.stdout.write(facts.note)

    def _compare(
        self,
        campaign: Campaign,
        names: str,
        *,
        param: list[str],
        seed: int | None,
        clamp_gold: bool,
        jobs: int,
        **options: Any,
    ) -> None:
        if param or clamp_gold:
            raise CommandError(
                "--compare runs each method with its defaults: leave out --param and --clamp-gold."
            )
        found = compared(campaign, names, self.stderr, seed=seed or 0, jobs=jobs)
        for line in [*table(cells_of(found.rows)), *notes_of(found)]:
            self.stdout.write(line)


def compared(
    campaign: Campaign, names: str, stderr: TextIO | OutputWrapper, *, seed: int = 0, jobs: int = 1
) -> Comparison:
    """With its progress. Raises ValueError, locks.Held."""
    chosen = [name.strip() for name in names.split(",")]
    if names == ALL:
        chosen = methods_for(campaign.interface)
        best = default_for(campaign).method
        chosen.sort(key=lambda name: name != best)
    with Progress(stderr, None, "answers") as progress:
        return compare(campaign, chosen, seed=seed, jobs=jobs, advance=progress.advance)


def moment(text: str) -> datetime:
    """Raises CommandError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(
            f"--as-of is '{text}'. Write a time, such as 2026-11-22T08:00:00.123456+00:00."
        ) from None
    return found if is_aware(found) else make_aware(found)


def _in_words(share: Share) -> str:
    interval = f" ({share.interval[0]:.3f}–{share.interval[1]:.3f})" if share.interval else ""
    return f"{share.name} {'–' if share.value is None else f'{share.value:.3f}'}{interval}"


def cells_of(rows: list[MethodComparison]) -> list[list[str]]:
    """A row with the names of the columns, then one for each method."""
    scored = _scored(rows)
    head = ["method"]
    if scored is not None:
        head += [share.name for share in scored.shares]
        head += [f"95 % of {scored.shares[-1].name}", "cross entropy", "calibration error"]
    head += [f"same as {rows[0].method}", "iterations", "seconds"]
    cells = [head]
    for row in rows:
        cell = [row.method]
        if scored is not None and row.score is not None:
            last = row.score.shares[-1]
            cell += [percent(share.value) for share in row.score.shares]
            cell += [
                f"{percent(last.interval[0])}–{percent(last.interval[1])}"
                if last.interval
                else "–",
                f"{row.score.cross_entropy:.3f}",
                percent(row.score.calibration_error),
            ]
        facts = row.diagnostics
        ended = "" if facts.converged or row.method in CAPPED else " (not converged)"
        cell += [
            percent(row.agreement) if row is not rows[0] else "–",
            f"{facts.iterations}{ended}" if facts.iterations else "–",
            f"{facts.seconds:.2f}",
        ]
        cells.append(cell)
    return cells


def notes_of(found: Comparison) -> list[str]:
    """What stands below the table."""
    lines = [f"{row.method}: {note}" for row in found.rows if (note := row.diagnostics.note)]
    scored = _scored(found.rows)
    if scored is not None:
        lines.append(
            f"over {counted(scored.units, scored.unit)} of "
            f"{counted(scored.documents, 'document')} with gold, which the intervals are over"
        )
    rough = (
        f" (intervals are rough: fewer than {AGREEMENT_TASKS} tasks)"
        if found.tasks < AGREEMENT_TASKS
        else ""
    )
    return [*lines, f"between workers: {'; '.join(map(_in_words, found.between))}{rough}"]


def _scored(rows: list[MethodComparison]) -> CrowdScore | None:
    return next((row.score for row in rows if row.score is not None), None)


def _answered(path: Path) -> dict[str, str]:
    """The known class of each task. Raises ValueError."""
    found = read_known(path).items.items()
    return {name: one.label for name, one in found if one.label is not None}
