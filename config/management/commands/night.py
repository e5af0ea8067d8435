import logging
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Exists, OuterRef
from django.template.defaultfilters import pluralize

from annotation.models import Campaign, Enrollment

EACH = "{campaign}"  # a step that names it is done for each open campaign that has answers
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
                f"{len(failed)} step{pluralize(len(failed))} of the night failed: "
                f"{'; '.join(failed)}."
            )


def steps(method: str | None) -> Iterator[list[str]]:
    """Each a command as it could be given alone."""
    for words in (step.split() for step in settings.NIGHT_STEPS):
        if words[0] == "aggregate" and method:
            words += ["--method", method]
        if EACH not in words:
            yield words
            continue
        for slug in _campaigns():
            yield [slug if word == EACH else word for word in words]


def _campaigns() -> list[str]:
    answered = Enrollment.objects.with_answers().filter(campaign=OuterRef("pk"))
    found = Campaign.objects.open().filter(Exists(answered))
    return list(found.order_by("pk").values_list("slug", flat=True))
