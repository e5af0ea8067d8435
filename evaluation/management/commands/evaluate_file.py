"""Score systems from judged claims, without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from annotation.formats.output import replaced
from annotation.formats.records import FormatError
from evaluation.files.evaluate import evaluate_files
from evaluation.files.issues import written
from evaluation.files.page import page_of
from evaluation.files.pool import METRICS
from evaluation.files.writing import lines_of, write_scores
from evaluation.formats.corpus import read_corpus
from evaluation.formats.matching import EXACT, RULES

TITLE = "Evaluation of systems"
MOST_LOOKS = 20


class Command(BaseCommand):
    help = (
        "Precision, recall and F1 of systems with intervals, ranks and paired differences, from "
        "their submissions and a plan of plan_evaluation with its claims judged. It needs no "
        "database. Writes scores.json, scores.csv, differences.csv, ranks.csv, issues.csv and "
        "report.html to DIR."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "submissions", nargs="+", metavar="SUBMISSION",
            help="JSON lines of claims, mentions with tabs, or TAC's format; .gz or not. A system "
            "is called as its file.",
        )  # fmt: skip
        parser.add_argument(
            "--labels", required=True, metavar="FILE",
            help="The plan, with `correct` from 0 to 1; blank: not judged.",
        )  # fmt: skip
        parser.add_argument(
            "--corpus", metavar="FILE", help="JSON lines of documents, to validate submissions by."
        )
        parser.add_argument(
            "--exhaustive", metavar="FILE",
            help="JSON lines: documents annotated in full, and their claims. Without it recall is "
            "not estimable.",
        )  # fmt: skip
        parser.add_argument(
            "--metric", action="append", default=[], metavar="NAME",
            help=f"{', '.join(METRICS)}; can be given more than once.",
        )  # fmt: skip
        parser.add_argument("--relations", metavar="FILE", help="Another table of relations, CSV.")
        parser.add_argument(
            "--match", choices=list(RULES), default=EXACT,
            help=f"When two mentions are one ({EXACT}): " + "; ".join(
                f"{name}, {what}" for name, what in RULES.items()
            ) + ". The same for the plan and the scores.",
        )  # fmt: skip
        parser.add_argument("--level", type=float, default=0.9, help="Of intervals (0.9).")
        parser.add_argument(
            "--looks", type=int, default=1, metavar="N",
            help="How often you mean to look while labels come in, this time included: the "
            "intervals of so many looks hold together (1).",
        )  # fmt: skip
        parser.add_argument(
            "--team", action="append", default=[], metavar="SYSTEM=TEAM",
            help="Systems of one team agree easily; for --control-variate.",
        )  # fmt: skip
        parser.add_argument(
            "--control-variate", action="store_true",
            help="Learn from how many teams agree; narrower intervals.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0, help="Of the bootstrap.")
        parser.add_argument("--title", default=TITLE, help="Of the page.")
        parser.add_argument("--out", required=True, type=Path, metavar="DIR")

    def handle(
        self, *, submissions: list[str], labels: str, corpus: str | None, exhaustive: str | None,
        metric: list[str], relations: str | None, level: float, looks: int, team: list[str],
        control_variate: bool, seed: int, title: str, match: str, out: Path, **options: Any,
    ) -> None:  # fmt: skip
        if not 0.5 <= level < 1:
            raise CommandError(f"--level must be at least .5 and below 1, but is {level:g}.")
        if not 1 <= looks <= MOST_LOOKS:
            raise CommandError(f"--looks must be from 1 to {MOST_LOOKS}, but is {looks}.")
        if not out.is_dir():
            raise CommandError(f"--out {out} is no folder. Make it first.")
        try:
            texts = None if corpus is None else read_corpus(corpus)
            with written(out / "issues.csv") as told:
                found = evaluate_files(
                    submissions, labels, corpus=texts, exhaustive=exhaustive, metrics=metric,
                    relations=relations, match=match, level=level, looks=looks, seed=seed,
                    teams=dict(_pairs(team)), control_variate=control_variate,
                    stage=self._stage, told=told,
                )  # fmt: skip
            for line in lines_of(found):
                self.stdout.write(line)
            paths = write_scores(found, out)
            with replaced(out / "report.html") as file:
                file.write(page_of(found, title))
        except (ValueError, FormatError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        for path in (*paths, out / "issues.csv", out / "report.html"):
            self.stdout.write(f"wrote {path}")

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance


def _pairs(teams: list[str]) -> Iterator[tuple[str, str]]:
    for pair in teams:
        system, equals, team = pair.partition("=")
        if not equals or not system or not team:
            raise CommandError(f"--team {pair} names no team. Write it as SYSTEM=TEAM.")
        yield system, team
