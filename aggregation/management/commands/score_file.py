"""Say how good a file of tags or labels is, where the truth is known; without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.files.scores import FileScore, Share, score_files
from aggregation.management.words import counted, percent, table
from annotation.actions.progress import Progress

NAMED = 3  # documents that are listed by name


class Command(BaseCommand):
    help = (
        "Compare a file that `aggregate_file` wrote with gold: precision, recall and F1 of strict "
        "and relaxed spans over sentences with at least one label; for items the accuracy. It "
        "needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "predicted", metavar="PRED", help="JSON lines (id, tags, confidence) or CSV (item, "
            "label, confidence), .gz or not.",
        )  # fmt: skip
        parser.add_argument(
            "gold", metavar="GOLD", help="JSON lines (id, gold, sent_starts; the file that was "
            "aggregated will do) or CSV (item, and gold or label).",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0, help="Of the bootstrap.")
        parser.add_argument(
            "--conlleval",
            action="store_true",
            help="An I-x without an open x begins a span, as in the script of that name, by which "
            "many papers score. Without it such a tag makes no span.",
        )

    def handle(
        self, *, predicted: str, gold: str, seed: int, conlleval: bool, **options: Any
    ) -> None:
        if predicted == gold == "-":
            raise CommandError("Only one of the two can be the standard input. Name a file.")
        try:
            score = score_files(predicted, gold, seed=seed, conlleval=conlleval, stage=self._stage)
        except ValueError as error:
            raise CommandError(str(error)) from error
        for line in _lines(score, seed, conlleval):
            self.stdout.write(line)

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance


def _lines(score: FileScore, seed: int, conlleval: bool) -> Iterator[str]:
    of_spans = score.spans is not None
    drawn = "document" if of_spans else "item"
    over = counted(score.units, "sentence" if of_spans else "item")
    where = f" ({counted(score.documents, 'document')} with gold)" if of_spans else ""
    yield f"{_values(score.strict)} over {over}{where}"
    yield _interval(score.strict, drawn, "by documents" if of_spans else "Wilson")
    if score.relaxed:
        yield f"relaxed {_values(score.relaxed)}, which counts the parts of spans that match"
        yield _interval(score.relaxed, drawn, f"bootstrap over {drawn}s, seed {seed}")
    if score.spans is not None:
        yield (
            f"spans: {score.spans.right:,} right, {score.spans.predicted:,} predicted, "
            f"{score.spans.gold:,} in gold"
        )
    if any(score.stray) or conlleval:
        predicted, gold = score.stray
        yield (
            f"I- tags without an open span of their type: {predicted:,} predicted, {gold:,} in "
            f"gold; {'each begins a span (--conlleval)' if conlleval else 'they make no span'}"
        )
    if len(score.types) > 1:
        yield from table([
            ["strict, by type", "P", "R", "F1", "in gold"],
            *([name, percent(one.precision), percent(one.recall), percent(one.f1), f"{one.gold:,}"]
              for name, one in score.types.items()),
        ])  # fmt: skip
    if score.judgments:
        yield (
            f"calibration error {percent(score.calibration_error)} points "
            f"({percent(score.by_chance)} by chance alone), cross entropy of right or wrong "
            f"{score.cross_entropy:.4f} nats, over "
            f"{counted(score.judgments, 'labelled token' if of_spans else 'item')}"
        )
    else:
        yield "calibration: not known, the file has no confidences"
    yield from _span_lines(score)
    if score.unlabelled:
        yield f"left out, nobody labelled a token: {counted(score.unlabelled, 'sentence')}"
    if score.unknown:
        yield f"left out, gold not known in full: {counted(score.unknown, 'sentence')}"
    if score.without_gold:
        yield f"left out, no gold: {_named(score.without_gold, drawn)}"
    if score.not_predicted:
        yield f"in gold alone: {_named(score.not_predicted, drawn)}"


def _span_lines(score: FileScore) -> Iterator[str]:
    """Nearly all words are O and easy, so these stand apart: they are what is bought."""
    check = score.span_check
    if check is None:
        return
    for name, part in (
        ("spans", check.spans), ("words of spans", check.entities), ("words outside", check.others),
    ):  # fmt: skip
        yield (
            f"calibration error of {name}: {percent(part.error)} points "
            f"({percent(part.by_chance)} by chance alone), over {int(part.count.sum()):,}"
        )
    yield f"expected F1 {percent(check.expected_f1)}, true F1 {percent(check.f1)}"


def _values(shares: tuple[Share, ...]) -> str:
    return " ".join(f"{share.name} {percent(share.value)}" for share in shares)


def _interval(shares: tuple[Share, ...], drawn: str, how: str) -> str:
    parts = [
        f"{share.name} {percent(share.interval[0])}–{percent(share.interval[1])}"
        for share in shares
        if share.interval is not None
    ]
    if not parts:
        return f"  95 % interval: none, it takes 2 {drawn}s with gold"
    return f"  95 % interval {' '.join(parts)} ({how})"


def _named(names: list[str], noun: str) -> str:
    listed = ", ".join(names[:NAMED])
    more = len(names) - NAMED
    return f"{counted(len(names), noun)}: {listed}" + (f" and {more:,} more" if more > 0 else "")
