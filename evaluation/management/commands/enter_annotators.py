"""Human annotators on the leaderboard of an evaluation period."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.models import Campaign
from evaluation.actions.annotators import enter_annotators
from evaluation.models import EvaluationPeriod


class Command(BaseCommand):
    help = (
        "Enter what the last run of a relation campaign has found as a system of people. It says "
        "what a system could reach, where they annotated all documents of the period."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--period", type=uuid.UUID, required=True, metavar="KEY")
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--name", default="Crowd, as a system")

    def handle(self, *, period: uuid.UUID, campaign: str, name: str, **options: Any) -> None:
        row = EvaluationPeriod.objects.select_related("project").filter(key=period).first()
        source = Campaign.objects.filter(slug=campaign).first()
        if row is None or source is None:
            what = f"period '{period}'" if row is None else f"campaign '{campaign}'"
            raise CommandError(f"There is no {what}.")
        try:
            made = enter_annotators(row, source, name)
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{made}: its claims are validated by a job.")
