import json
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.management.people import add_by, user_of
from annotation.models import Campaign
from annotation.models.pseudonyms import public_name
from annotation.queries.worker_names import worker_name
from selection.actions.workers import NothingToSelectBy, Selected, select_workers

SHOWN = 20  # workers that are listed
SHOWN_AS_JSON = 200


class Command(BaseCommand):
    help = (
        "Keep the workers who do best on hidden gold, at most K of them, and pause the others with "
        "the reason. What a person decided of a worker stays. Without a campaign: every open one "
        "that is set to select its workers each night."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", help="its slug")
        parser.add_argument("--keep", type=int, metavar="K", help="at most so many workers")
        parser.add_argument(
            "--estimator", choices=("unbiased", "plug-in"), default="unbiased",
            help="of a worker's worth; plug-in keeps more (unbiased)",
        )  # fmt: skip
        parser.add_argument(
            "--above-chance", action="store_true", help="keep nobody who is mostly wrong"
        )
        parser.add_argument("--seed", type=int, default=0, help="of the lots among equals (0)")
        parser.add_argument("--dry-run", action="store_true", help="tell, and change nothing")
        add_by(parser)
        parser.add_argument("--json", action="store_true", help="a line of JSON for each campaign")

    def handle(
        self, *, campaign: str | None, keep: int | None, by: str | None, **options: Any
    ) -> None:
        if keep is not None and keep < 1:
            raise CommandError(f"--keep is {keep}. Keep at least 1 worker.")
        chosen = self._campaigns(campaign, keep)
        user = user_of(by)
        if not chosen and not options["json"]:
            self.stdout.write("No open campaign is set to select its workers each night.")
        failed: list[Exception] = []
        for row in chosen:
            try:
                self._select(row, keep or row.nightly_selection.keep_workers, user, options)
            except (NothingToSelectBy, locks.Held) as error:
                failed.append(error)
        if failed:
            failed.sort(key=lambda error: isinstance(error, locks.Held))  # that is the least
            raise CommandError(" ".join(map(str, failed))) from failed[0]

    def _campaigns(self, slug: str | None, keep: int | None) -> list[Campaign]:
        rows = Campaign.objects.select_related("project", "nightly_selection").order_by("pk")
        if slug is None:
            return list(rows.open().filter(nightly_selection__isnull=False))
        found = rows.filter(slug=slug).first()
        if found is None:
            raise CommandError(f"There is no campaign '{slug}'.")
        if keep is None and not hasattr(found, "nightly_selection"):
            raise CommandError(f"How many workers may '{slug}' keep? Add --keep K.")
        return [found]

    def _select(self, campaign: Campaign, keep: int, user: Any, options: dict[str, Any]) -> None:
        made = select_workers(
            campaign, keep, estimator=options["estimator"],
            above_chance=options["above_chance"] or None, seed=options["seed"],
            apply=not options["dry_run"], user=user,
        )  # fmt: skip
        if options["json"]:
            self.stdout.write(json.dumps(as_json(made, is_dry=options["dry_run"])))
            return
        selection = made.selection
        moved = [row for row in made.workers if row.state_after != row.state_before]
        self.stdout.write(
            f"{campaign.slug}: {selection.kept} of {selection.tested} tested workers are kept "
            f"(at most {keep}); {len(moved)} change their state"
            f"{', or would' if options['dry_run'] else ''}."
        )
        if selection.empty:
            self.stdout.write(str(selection.why_empty))
        else:
            self.stdout.write(f"F = {selection.crowd:.2f} by the answers that chose them.")
            if selection.held_out is None:
                self.stdout.write(
                    "For F of sets chosen from half the gold, workers need four answers to gold."
                )
            else:
                self.stdout.write(
                    f"F = {selection.held_out:.2f} of sets chosen from half the gold, by the other "
                    f"half (95 %: {selection.low:.2f} to {selection.high:.2f})."
                )
        for row in made.workers[:SHOWN]:
            accuracy = "  –" if row.accuracy is None else f"{row.accuracy:.2f}"
            score = "    –" if row.score is None else f"{row.score:5.2f}"
            self.stdout.write(
                f"  {public_name(row.enrollment):<24} {row.number:>4} gold  accuracy "
                f"{accuracy}  q {score}  {row.reason.replace('_', ' ')}: "
                f"{row.state_before} → {row.state_after}"
            )
        if len(made.workers) > SHOWN:
            self.stdout.write(f"  … and {len(made.workers) - SHOWN} more.")
        for warning in made.warnings:
            self.stdout.write(self.style.WARNING(str(warning)))


def as_json(made: Selected, *, is_dry: bool) -> dict[str, Any]:
    """For a page: numbers of all workers, and the first of them by name."""
    selection, campaign = made.selection, made.selection.campaign
    after = Counter(row.state_after for row in made.workers)
    moved = Counter(row.state_after for row in made.workers if row.state_after != row.state_before)
    works = {"selected", campaign.open_to}  # the states in which tasks are given out
    return {
        "kept": selection.kept, "tested": selection.tested, "budget": selection.budget,
        "estimator": selection.estimator, "crowd": selection.crowd,
        "held_out": selection.held_out, "low": selection.low,
        "high": selection.high, "empty": str(selection.why_empty or ""),
        "parameters": selection.parameters,
        "moved": moved, "left": sum(after[state] for state in works),
        "warnings": [*map(str, made.warnings)],
        "number": len(made.workers), "is_dry": is_dry,
        "workers": [
            {
                "key": str(row.enrollment.key),
                "name": worker_name(row.enrollment, with_ids=True),
                "number": row.number, "accuracy": row.accuracy, "low": row.low, "high": row.high,
                "score": row.score, "chosen": row.chosen, "reason": row.reason,
                "before": row.state_before, "after": row.state_after,
                "overruled": row.enrollment.overruled,
            }
            for row in made.workers[:SHOWN_AS_JSON]
        ],
    }  # fmt: skip
