import logging
from collections.abc import Iterator
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Exists, OuterRef

from aggregation.management.words import counted
from annotation.models import Campaign, Enrollment

log = logging.getLogger("touchstone.night")


class Command(BaseCommand):
    help = (
        "The night's work, for cron: end the leases that are over, score gold, aggregate every "
        "open campaign that has answers, look at gold and workers, keep the best where a campaign "
        "says how many, ask for answers where there is doubt, clear old log-ins, check the "
        "counters. A step that fails does not keep the others back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--method", help="of the aggregation; each interface's own without it")

    def handle(self, *, method: str | None, **options: Any) -> None:
        failed = []
        for step in steps(method):
            name = " ".join(step)
            self.stdout.write(f"{name}:", ending=" ")
            self.stdout.flush()
            try:
                call_command(*step, stdout=self.stdout, stderr=self.stderr)
            except CommandError as error:
                self.stderr.write(self.style.ERROR(str(error)))
                failed.append(name)
            except Exception:  # whatever one step meets, the others have their turn
                log.exception("%s has failed", name)
                failed.append(name)
        if failed:
            raise CommandError(
                f"{counted(len(failed), 'step')} of the night failed: {'; '.join(failed)}."
            )


def steps(method: str | None) -> Iterator[list[str]]:
    """Each a command as it could be given alone; some belong to the apps above this one."""
    yield ["expire_assignments"]
    yield ["score_gold"]
    answered = Enrollment.objects.filter(campaign=OuterRef("pk"), submitted__gt=0)
    campaigns = Campaign.objects.filter(Exists(answered), state=Campaign.State.OPEN)
    for slug in campaigns.order_by("pk").values_list("slug", flat=True):
        yield ["aggregate", "--campaign", slug, *(["--method", method] if method else [])]
    for step in ("check_gold", "flag_workers", "select_workers"):
        yield [step]
    yield ["adjust_redundancy", "--all"]
    yield ["clear_log_ins"]
    yield ["check_integrity"]
