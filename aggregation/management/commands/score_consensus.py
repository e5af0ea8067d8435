"""Say how good a campaign's consensus is, where gold is known."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.actions.coreference import coreference_score
from aggregation.actions.scores import ConsensusScore, NoGold, Share, score_run
from aggregation.management.words import counted, percent
from aggregation.queries import RunSummary, latest_run, run_by_key
from annotation.models import Campaign

NAMED = 3  # documents that are listed by name


class Command(BaseCommand):
    help = (
        "Compare a run's consensus with gold: precision, recall and F1 of strict spans over "
        "sentences with at least one label; for choice campaigns the accuracy."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--run", metavar="KEY", help="The latest complete run if not given.")
        which.add_argument("--method", help="The latest complete run of this method.")
        parser.add_argument("--seed", type=int, default=0, help="Of the bootstrap.")

    def handle(
        self, *, campaign: str, run: str | None, method: str | None, seed: int, **options: Any
    ) -> None:
        found = Campaign.objects.filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        chosen = _run(found, run, method)
        try:
            score = score_run(found, chosen, seed=seed)
        except (NoGold, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{chosen.method}, run {chosen.key}")
        for line in _lines(score, seed):
            self.stdout.write(line)
        if found.interface == "entity" and (shares := coreference_score(chosen.key, seed=seed)):
            told = " ".join(f"{share.name} {percent(share.value)}" for share in shares)
            self.stdout.write(told.replace(" coreference:", ","))


def _run(campaign: Campaign, key: str | None, method: str | None) -> RunSummary:
    if key is None:
        run = latest_run(campaign, method)
        what = f"a complete run of '{method}'" if method else "a complete run"
    else:
        what = f"a run {key}"
        try:
            run = run_by_key(campaign, uuid.UUID(key))
        except ValueError as error:
            raise CommandError(f"'{key}' is no run key; `aggregate` prints it.") from error
    if run is None:
        raise CommandError(
            f"Campaign '{campaign.slug}' has not got {what}. Run `aggregate --campaign "
            f"{campaign.slug} --method {method or 'METHOD'}` first."
        )
    return run


def _lines(score: ConsensusScore, seed: int) -> list[str]:
    shares = " ".join(f"{share.name} {percent(share.value)}" for share in score.shares)
    documents = counted(score.documents, _source(score))
    lines = [f"{shares} over {counted(score.units, score.unit)} ({documents} with gold)"]
    if score.spans is not None:
        lines.append(
            f"spans: {score.spans.right:,} right, {score.spans.predicted:,} in the consensus, "
            f"{score.spans.gold:,} in gold"
        )
        relaxed = " ".join(f"{share.name} {percent(share.value)}" for share in score.relaxed)
        lines.append(f"{relaxed}: the parts of spans that are right")
    lines.append(_interval_line(score.shares, seed, _source(score)))
    judgment = "token" if score.unit == "sentence" else score.unit
    lines.append(
        f"calibration error {percent(score.calibration_error)} points, cross entropy "
        f"{score.cross_entropy:.3f} nats over {counted(score.judgments, judgment)}"
    )
    if score.unknown_units:
        lines.append(
            f"left out, gold not known in full: {counted(score.unknown_units, score.unit)}"
        )
    if score.without_gold:
        lines.append(f"left out, no gold: {_named(score.without_gold, _source(score))}")
    if score.without_answers:
        lines.append(f"left out, no answers: {_named(score.without_answers, _source(score))}")
    return lines


def _source(score: ConsensusScore) -> str:
    """What is drawn for the intervals, and what has gold."""
    return "task" if score.unit == "mention" else "document"


def _interval_line(shares: tuple[Share, ...], seed: int, source: str) -> str:
    parts = [
        f"{share.name} {percent(share.interval[0])}–{percent(share.interval[1])}"
        for share in shares
        if share.interval is not None
    ]
    if not parts:
        return f"95 % interval: none, it takes 2 {source}s with gold"
    return f"95 % interval {' '.join(parts)} (bootstrap over {source}s, seed {seed})"


def _named(documents: list[str], source: str) -> str:
    listed = ", ".join(documents[:NAMED])
    more = len(documents) - NAMED
    return f"{counted(len(documents), source)}: {listed}" + (
        f" and {more:,} more" if more > 0 else ""
    )
