"""Documents of a period are drawn evenly and annotated in full, so that recall can be estimated."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from evaluation.models import EvaluationPeriod


class Command(BaseCommand):
    help = (
        "Draw as many documents of an evaluation period as the interval of recall takes, at least "
        "20, and ask for the names in them; evaluate_submissions goes on from there: documents "
        "that name the same again, up to 100 in all, and how the names of each sentence are "
        "related. Run again with a smaller half-width it adds documents."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--period", type=uuid.UUID, required=True, metavar="KEY")
        parser.add_argument("--half-width", type=float, default=0.05, metavar="SHARE")
        parser.add_argument("--largest", type=int, default=100, help="documents in all")
        parser.add_argument("--pay", type=float, required=True, help="for the names of a document")
        parser.add_argument(
            "--pair-pay", type=float, help="for a pair of names (default: as for a document)"
        )
        parser.add_argument("--redundancy", type=int, default=3, help="answers to each task")

    def handle(
        self, *, period: uuid.UUID, half_width: float, largest: int, pay: float,
        pair_pay: float | None, redundancy: int, **options: Any,
    ) -> None:  # fmt: skip
        row = EvaluationPeriod.objects.select_related("project").filter(key=period).first()
        if row is None:
            raise CommandError(f"There is no evaluation period '{period}'.")
        from evaluation.actions.recall import make_campaigns, sample_documents  # with numerics

        try:
            names, relations = make_campaigns(
                row, pay_mills=round(pay * 1000), redundancy=redundancy,
                pair_mills=None if pair_pay is None else round(pair_pay * 1000),
            )  # fmt: skip
            sample = sample_documents(
                row, half_width=half_width, names=names, relations=relations, largest=largest
            )
        except (ValueError, locks.Held) as error:
            raise CommandError(str(error)) from error
        drawn = sample.documents.filter(kind="uniform").count()
        self.stdout.write(
            f"{drawn:,} documents drawn evenly; their names are asked for in "
            f"'{sample.names.slug}', their relations then in '{sample.relations.slug}'."
        )
