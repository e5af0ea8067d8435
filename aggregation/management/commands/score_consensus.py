"""Say how good a campaign's consensus is, where gold is known."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.defaultfilters import pluralize

from aggregation.actions.scores import ConsensusScore, NoGold, Share, score_run
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
        for line in _lines(score, found.interface, seed):
            self.stdout.write(line)


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


def _lines(score: ConsensusScore, interface: str, seed: int) -> list[str]:
    shares = " ".join(f"{share.name} {_percent(share.value)}" for share in score.shares)
    unit, judgment = ("sentence", "token") if interface == "entity" else ("task", "task")
    documents = _counted(score.documents, "document")
    lines = [f"{shares} over {_counted(score.units, unit)} ({documents} with gold)"]
    if score.spans is not None:
        lines.append(
            f"spans: {score.spans.right:,} right, {score.spans.predicted:,} in the consensus, "
            f"{score.spans.gold:,} in gold"
        )
    lines.append(_interval_line(score.shares, seed))
    lines.append(
        f"calibration error {_percent(score.calibration_error)} points over "
        f"{_counted(score.judgments, judgment)}"
    )
    if score.unknown_units:
        lines.append(f"left out, gold not known in full: {_counted(score.unknown_units, unit)}")
    if score.without_gold:
        lines.append(f"left out, no gold: {_named(score.without_gold)}")
    if score.without_answers:
        lines.append(f"left out, no answers: {_named(score.without_answers)}")
    return lines


def _interval_line(shares: tuple[Share, ...], seed: int) -> str:
    parts = [
        f"{share.name} {_percent(share.interval[0])}–{_percent(share.interval[1])}"
        for share in shares
        if share.interval is not None
    ]
    if not parts:
        return "95 % interval: none, it takes 2 documents with gold"
    return f"95 % interval {' '.join(parts)} (bootstrap over documents, seed {seed})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def _named(documents: list[str]) -> str:
    listed = ", ".join(documents[:NAMED])
    more = len(documents) - NAMED
    return f"{_counted(len(documents), 'document')}: {listed}" + (
        f" and {more:,} more" if more > 0 else ""
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{pluralize(number)}"
