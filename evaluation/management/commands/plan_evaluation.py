"""Choose the claims to judge, and say what it will cost, without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import counted, table
from annotation.actions.progress import Progress
from annotation.formats.records import FormatError
from evaluation.files.issues import written
from evaluation.files.plan import Planned, Prices, plan_file
from evaluation.files.pool import METRICS
from evaluation.files.writing import issue_lines
from evaluation.formats.corpus import read_corpus
from evaluation.formats.matching import EXACT, RULES


class Command(BaseCommand):
    help = (
        "The claims of systems that have to be judged so that each system's precision is known to "
        "± the half-width: as CSV with their probabilities, in an order in which any beginning is "
        "a random sample. Fill its column `correct` and give it to evaluate_file. It needs no "
        "database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("submissions", nargs="+", metavar="SUBMISSION")
        parser.add_argument("--half-width", type=float, required=True, metavar="W", help="As .03.")
        parser.add_argument("--level", type=float, default=0.9, help="Of the interval (0.9).")
        parser.add_argument(
            "--metric", action="append", default=[], metavar="NAME",
            help=f"{', '.join(METRICS)}; of several the claims are drawn from their mixture.",
        )  # fmt: skip
        parser.add_argument(
            "--labels", metavar="FILE", help="An earlier plan with its judgments, to be used again."
        )
        parser.add_argument(
            "--corpus", metavar="FILE",
            help="JSON lines of documents: validates, and puts question and passage into the plan.",
        )  # fmt: skip
        parser.add_argument("--relations", metavar="FILE", help="Another table of relations, CSV.")
        parser.add_argument(
            "--match", choices=list(RULES), default=EXACT,
            help=f"When two mentions are one ({EXACT}): " + "; ".join(
                f"{name}, {what}" for name, what in RULES.items()
            ) + ". The same for the plan and the scores.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0, help="Keep it from plan to plan.")
        parser.add_argument("--price", type=float, default=0.05, help="Of an answer, in dollars.")
        parser.add_argument("--answers", type=float, default=3.0, help="For each claim.")
        parser.add_argument("--fee", type=float, default=0.0, help="Of the platform, as .2.")
        parser.add_argument(
            "--document-price", type=float, default=15.0, help="Of a document annotated in full."
        )
        parser.add_argument("--issues", type=Path, metavar="FILE", help="What is wrong, as CSV.")
        parser.add_argument("--out", required=True, type=Path, metavar="PLAN.csv")

    def handle(
        self, *, submissions: list[str], half_width: float, level: float, metric: list[str],
        labels: str | None, corpus: str | None, relations: str | None, seed: int, price: float,
        match: str, answers: float, fee: float, document_price: float, issues: Path | None,
        out: Path, **options: Any,
    ) -> None:  # fmt: skip
        if not 0 < half_width < 0.5:
            raise CommandError(f"--half-width must lie between 0 and .5, but is {half_width:g}.")
        if not 0.5 <= level < 1:
            raise CommandError(f"--level must be at least .5 and below 1, but is {level:g}.")
        for option, value in (("price", price), ("answers", answers), ("fee", fee), ("seed", seed),
                              ("document-price", document_price)):  # fmt: skip
            if value < 0:
                raise CommandError(f"--{option} must be 0 or more, but is {value:g}.")
        prices = Prices(price, answers, fee, document_price)
        settings: dict[str, Any] = {
            "width": half_width, "level": level, "metrics": metric, "labels": labels,
            "relations": relations, "match": match, "seed": seed, "stage": self._stage,
        }  # fmt: skip
        try:
            settings["corpus"] = None if corpus is None else read_corpus(corpus)
            if issues is None:
                found = plan_file(submissions, out, **settings)
            else:
                with written(issues) as told:
                    found = plan_file(submissions, out, told=told, **settings)
        except (ValueError, FormatError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        for line in _lines(found, prices):
            self.stdout.write(line)
        self.stdout.write(f"wrote {out}")

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance


def _lines(found: Planned, prices: Prices) -> Iterator[str]:
    sizes, plan = found.pool.predictions.sizes, found.plan
    head = ["", "claims", "alone", "added", "±"]
    several = len(found.metrics) > 1
    rows = [[*head, *(f"share for {name}" for name in found.metrics)] if several else head]
    for i, name in enumerate(found.pool.systems):
        row = [
            name, f"{sizes[i]:,}", f"{found.alone[i]:,.0f}", f"{plan.labels[i]:,.0f}",
            f"{plan.half_widths[i]:.3f}" if sizes[i] else "–",
        ]  # fmt: skip
        if several:
            row += [f"{found.effective[metric][i]:.2f}" for metric in found.metrics]
        rows.append(row)
    yield from table(rows)
    yield (
        f"Judgments for ± {found.width:g} with {100 * found.level:g} % intervals, at most; 'alone' "
        "is without the other systems, 'added' what each adds in this order."
    )
    known = f", {found.known:,} judged before" if found.known else ""
    yield (
        f"{counted(found.new, 'claim')} to judge{known}: {prices.answers:g} answers each, "
        f"${found.new * prices.claim:,.2f}; each system alone would take "
        f"{found.alone.sum():,.0f} judgments, ${found.alone.sum() * prices.claim:,.2f}"
    )
    yield (
        f"for recall: about {counted(found.documents, 'document')} annotated in full, "
        f"${found.documents * prices.document:,.0f}"
    )
    for report in found.pool.reports:
        yield from issue_lines(report)
