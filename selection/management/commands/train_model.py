"""Train a model on the consensus of campaigns."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.parameters import read_parameters
from aggregation.management.words import counted, percent
from aggregation.models import AggregationRun
from annotation.models import Campaign


class Command(BaseCommand):
    help = (
        "Train a model on the latest consensus of a campaign, or of several of one project and "
        "interface, and store it: a tagger of names, a classifier of texts, or one of relations. "
        "Documents whose answer is known are not learnt from; the model is scored by them. Equal "
        "labels and settings give the model that there is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, action="append", metavar="SLUG")
        parser.add_argument("--learner", help="by its name; the best by cross-validation without")
        parser.add_argument(
            "--param", action="append", default=[], metavar="NAME=VALUE",
            help="a setting of the learner; can be given more than once",
        )  # fmt: skip
        parser.add_argument(
            "--hold-out", type=float, default=1.0, metavar="SHARE",
            help="of the documents whose answer is known (1): they are scored on; of the others "
            "what workers said is learnt",
        )  # fmt: skip
        parser.add_argument("--folds", type=int, default=5, help="of cross-validation; 0: none (5)")
        parser.add_argument("--seed", type=int, default=0)

    def handle(
        self,
        *,
        campaign: list[str],
        learner: str | None,
        param: list[str],
        hold_out: float,
        folds: int,
        seed: int,
        **options: Any,
    ) -> None:
        from selection.actions.models import train
        from selection.interfaces import BEST

        if folds < 0 or folds == 1:
            raise CommandError(f"--folds is {folds}. Give 0, or 2 at least.")
        runs = [self._run(slug) for slug in dict.fromkeys(campaign)]
        try:
            model = train(
                runs, learner=learner or BEST, parameters=read_parameters(param),
                hold_out=hold_out, folds=folds, seed=seed,
            )  # fmt: skip
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Model {model.key}: {model.learner}, learnt from {counted(model.items, 'task')}, "
            f"{counted(model.bytes, 'byte')}."
        )
        for score in model.figures:
            interval = "" if score.low is None else f" ({percent(score.low)}–{percent(score.high)})"
            self.stdout.write(
                f"{score.on}, {counted(score.items, 'item')}: {score.measure} "
                f"{percent(score.value)}{interval}"
            )
        if not any(score.on == "gold" for score in model.figures):
            self.stdout.write(
                "There is no gold to score it by: cross-validation tells which learner does "
                "better, and not how good the model is."
            )
        for what, why in model.problems.items():
            self.stdout.write(f"Without {what}: {why}.")

    def _run(self, slug: str) -> AggregationRun:
        campaign = Campaign.objects.filter(slug=slug).first()
        if campaign is None:
            raise CommandError(f"There is no campaign '{slug}'.")
        runs = AggregationRun.objects.complete().filter(campaign=campaign)
        run = runs.exclude(diagnostics__clamped=True).served_first().first()
        if run is None:
            raise CommandError(f"'{slug}' has no consensus yet. Run: aggregate --campaign {slug}")
        return run
