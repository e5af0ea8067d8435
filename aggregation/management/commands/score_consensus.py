"""Say how good a campaign's consensus is, where gold is known."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.actions.scores import ConsensusScore, NoGold, score_run
from aggregation.interfaces.entries import entry
from aggregation.knowledge.files import read_knowledge
from aggregation.knowledge.scores import RelationScore, score_against
from aggregation.management.words import counted, percent
from aggregation.models import Share
from aggregation.queries import RunSummary, latest_run, run_by_key
from annotation.formats.records import FormatError
from annotation.models import Campaign

NAMED = 3  # documents that are listed by name


class Command(BaseCommand):
    help = (
        "Compare a run's consensus with gold: precision, recall and F1 of strict spans over "
        "sentences with at least one label, and of their groups; for choice campaigns the "
        "accuracy, for linking campaigns F1 of clusters. With --gold relation and linking "
        "campaigns are compared with a knowledge base."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--run", metavar="KEY", help="The latest complete run if not given.")
        which.add_argument("--method", help="The latest complete run of this method.")
        parser.add_argument("--seed", type=int, default=0, help="Of the bootstrap.")
        parser.add_argument(
            "--gold", type=Path, metavar="FILE",
            help="What is known, as export_knowledge_base writes it: JSON lines of mentions and "
            "relations.",
        )  # fmt: skip
        parser.add_argument(
            "--overlap", action="store_true",
            help="With --gold: names are the same if they have half in common.",
        )  # fmt: skip

    def handle(
        self,
        *,
        campaign: str,
        run: str | None,
        method: str | None,
        seed: int,
        gold: Path | None,
        overlap: bool,
        **options: Any,
    ) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        chosen = _run(found, run, method)
        relations: RelationScore | None = None
        try:
            if gold is None:
                score = score_run(found, chosen, seed=seed)
            else:
                known = read_knowledge(gold)
                score, relations = score_against(found, chosen, known, overlap=overlap, seed=seed)
        except (NoGold, FormatError, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{chosen.method}, run {chosen.key}")
        for line in [*_relation_lines(relations, seed), *_lines(score, seed, gold is not None)]:
            self.stdout.write(line)
        if shares := entry(found.interface).further_shares(chosen.key, seed):
            self.stdout.write(_in_words(shares).replace(" coreference:", ","))


def _run(campaign: Campaign, key: str | None, method: str | None) -> RunSummary:
    if key is None:
        run = latest_run(campaign, method)
        what = f"a complete run of '{method}'" if method else "a complete run"
    else:
        what = f"a complete run {key}"
        try:
            run = run_by_key(campaign, uuid.UUID(key))
        except ValueError as error:
            raise CommandError(f"'{key}' is no run key; `aggregate` prints it.") from error
    if run is None or run.state != "complete":
        by = f" --method {method}" if method else ""
        raise CommandError(
            f"Campaign '{campaign.slug}' has not got {what}. Make one first: "
            f"./run manage aggregate --campaign {campaign.slug}{by}"
        )
    return run


def _relation_lines(score: RelationScore | None, seed: int) -> list[str]:
    if score is None:
        return []
    counts = score.counts
    told = f"relations: {counts.right:,} right, {counts.predicted:,} in the consensus, "
    told += f"{counts.gold:,} in the file"
    if score.unasked:
        told += f", {score.unasked:,} of them about names that no task asks about"
    return [
        f"{_in_words(score.shares)} of relations in {counted(score.documents, 'document')}",
        told,
        _interval_line(score.shares, "document", "by documents"),
    ]


def _in_words(shares: Sequence[Share]) -> str:
    return " ".join(f"{share.name} {percent(share.value)}" for share in shares)


def _lines(score: ConsensusScore, seed: int, from_file: bool) -> list[str]:
    with_gold = "" if from_file else f" ({counted(score.documents, _source(score))} with gold)"
    lines = [f"{_in_words(score.shares)} over {counted(score.units, score.unit)}{with_gold}"]
    if score.spans is not None:
        lines.append(
            f"spans: {score.spans.right:,} right, {score.spans.predicted:,} in the consensus, "
            f"{score.spans.gold:,} in gold"
        )
        lines.append(f"{_in_words(score.relaxed)}: the parts of spans that are right")
    if not (from_file and score.unit == "mention"):  # one whole: there is nothing to draw
        lines.append(_interval_line(score.shares, _source(score), _way(score, seed)))
    judgment = "token" if score.unit == "sentence" else score.unit
    lines.append(
        f"calibration error {percent(score.calibration_error)} points "
        f"({percent(score.by_chance)} by chance alone) over "
        f"{counted(score.judgments, score.judgment or judgment)}, cross entropy "
        f"{score.cross_entropy:.3f} nats a {judgment}"
    )
    if score.unknown_units:
        lines.append(
            f"left out, gold not known in full: {counted(score.unknown_units, score.unit)}"
        )
    if score.without_gold:
        source = "mention" if from_file and score.unit == "mention" else _source(score)
        lines.append(f"left out, no gold: {_named(score.without_gold, source)}")
    if score.without_answers:
        lines.append(f"left out, no answers: {_named(score.without_answers, _source(score))}")
    return lines


def _source(score: ConsensusScore) -> str:
    """What is drawn for the intervals, and what has gold."""
    return "task" if score.unit == "mention" else "document"


def _way(score: ConsensusScore, seed: int) -> str:
    """How the interval came about."""
    if score.unit == "mention":
        return f"bootstrap over tasks, seed {seed}"
    return "Wilson" if score.unit == "task" else "by documents"


def _interval_line(shares: tuple[Share, ...], source: str, how: str) -> str:
    parts = [
        f"{share.name} {percent(share.interval[0])}–{percent(share.interval[1])}"
        for share in shares
        if share.interval is not None
    ]
    if not parts:
        return f"95 % interval: none, it takes 2 {source}s with gold"
    return f"95 % interval {' '.join(parts)} ({how})"


def _named(documents: list[str], source: str) -> str:
    listed = ", ".join(documents[:NAMED])
    more = len(documents) - NAMED
    return f"{counted(len(documents), source)}: {listed}" + (
        f" and {more:,} more" if more > 0 else ""
    )
