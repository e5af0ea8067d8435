from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.models import Campaign

RULES = ("confidence", "majority")


class Command(BaseCommand):
    help = (
        "Give out no more the tasks that are certain, and ask for one more answer to those in "
        "doubt, up to the campaign's maximum. Aggregate first. Run it as often as you like: a task "
        "that waits for an answer is not asked for again. Those are asked for first where most is "
        "expected to be wrong, a fortieth of the tasks at once, so that their answers can tell of "
        "the others. Without a campaign: every open one that has a target."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", help="its slug")
        parser.add_argument("--target", type=float, help="confidence; the campaign's own without")
        parser.add_argument(
            "--rule", choices=RULES, default="confidence",
            help="majority: stop where one class is --lead votes ahead (confidence)",
        )  # fmt: skip
        parser.add_argument("--lead", type=int, default=2, help="of --rule majority (2)")
        parser.add_argument("--most", type=int, help="ask for at most so many at once")
        parser.add_argument("--all", action="store_true", help="ask for all that are in doubt")

    def handle(self, *, campaign: str | None, **options: Any) -> None:
        if options["target"] is not None and not 0 < options["target"] <= 1:
            raise CommandError(f"--target is {options['target']}. Give a share, such as .9.")
        if options["most"] is not None and options["most"] < 1:
            raise CommandError(f"--most is {options['most']}. Ask for 1 at least.")
        quiet = options["verbosity"] == 0
        chosen = self._campaigns(campaign)
        if not chosen:
            if not quiet:
                self.stdout.write("No open campaign has a target confidence.")
            return
        # Only now: each minute the loop asks, and mostly there is nothing to do.
        from selection.actions.redundancy import (
            CannotAdjust,
            NoConsensus,
            adjust_redundancy,
            small_step,
        )

        failed: list[Exception] = []
        for row in chosen:
            try:
                most = None if options["all"] else options["most"] or small_step(row)
                made = adjust_redundancy(
                    row, target=options["target"], rule=options["rule"], lead=options["lead"],
                    most=most,
                )  # fmt: skip
            except NoConsensus as error:
                if campaign is not None:
                    failed.append(error)
                elif not quiet:
                    self.stdout.write(str(error))
                continue
            except (CannotAdjust, locks.Held, ValueError) as error:
                failed.append(error)
                continue
            if quiet and not (made.asked or made.closed):
                continue
            self.stdout.write(
                f"{row.slug}: {made.certain:,} tasks are certain, {made.asked:,} ask for one more "
                f"answer, {made.closed:,} are given out no more, {made.full:,} stay in doubt with "
                f"{row.max_redundancy} answers. {made.received:,} answers so far, {made.saved:,} "
                f"saved against {row.max_redundancy} for each."
            )
        if failed:
            failed.sort(key=lambda error: isinstance(error, locks.Held))  # that is the least
            raise CommandError(" ".join(map(str, failed))) from failed[0]

    def _campaigns(self, slug: str | None) -> list[Campaign]:
        rows = Campaign.objects.select_related("project").order_by("pk")
        if slug is None:
            return list(rows.adaptive())
        found = rows.filter(slug=slug).first()
        if found is None:
            raise CommandError(f"There is no campaign '{slug}'.")
        return [found]
