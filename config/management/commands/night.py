import logging
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.defaultfilters import pluralize
from django.utils import timezone

from aggregation.queries.due import nightly
from annotation.actions import locks
from annotation.actions.night import begin_night, begin_step, broken_off, end_step
from annotation.models import Campaign

EACH = "{campaign}"  # a step that names it is done for each that `nightly` names
MISTAKE = "It broke off by a mistake in the program. The log tells more."
log = logging.getLogger("touchstone.night")


class Command(BaseCommand):
    help = (
        "The night's work, which `work` does at NIGHT_HOUR, or cron: end the leases that are over, "
        "score gold, aggregate every campaign that has new answers, look at gold and workers, keep "
        "the best where a campaign says how many, ask for answers where there is doubt, score "
        "systems, delete old runs, log-ins and jobs, check the counters. A step that fails does "
        "not keep the others back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--method", help="of the aggregation; each interface's own without it")

    def handle(self, *, method: str | None, **options: Any) -> None:
        try:
            with locks.hold("night"):
                failed = self._do(method)
        except locks.Held as error:
            raise CommandError(str(error)) from error
        if failed:
            raise CommandError(
                f"{len(failed)} step{pluralize(len(failed))} of the night failed: "
                f"{'; '.join(failed)}."
            )

    def _do(self, method: str | None) -> list[str]:
        """The steps that failed. What became of each stands in the record of nights. A step that
        ended its process, last time, comes after those that it kept back."""
        failed, night, last = [], begin_night(), broken_off()
        planned = [(" ".join(step), step, campaign) for step, campaign in steps(method)]
        for name, step, campaign in sorted(planned, key=lambda one: one[0] in last):
            self.stdout.write(f"{name}:", ending=" ")
            self.stdout.flush()
            row = begin_step(night, name, campaign)
            error = self._error_of(step)
            end_step(row, error)
            if error:
                failed.append(name)
        return failed

    def _error_of(self, step: list[str]) -> str:
        """For people; "" where it went well, or another is at that work."""
        try:
            call_command(*step, stdout=self.stdout, stderr=self.stderr)
        except CommandError as error:
            if isinstance(error.__cause__, locks.Held):
                self.stdout.write(str(error))
                return ""
            self.stderr.write(self.style.ERROR(str(error)))
            return str(error)
        except Exception:  # whatever one step meets, the others have their turn
            log.exception("%s has failed", " ".join(step))
            return MISTAKE
        return ""


def steps(method: str | None) -> Iterator[tuple[list[str], Campaign | None]]:
    """Each a command as it could be given alone, and the campaign that it is for."""
    for words in (step.split() for step in settings.NIGHT_STEPS):
        if words[0] == "aggregate" and method:
            words += ["--method", method]
        if not any(EACH in word for word in words):
            yield words, None
            continue
        for campaign in nightly(timezone.now()).order_by("pk"):
            yield [word.replace(EACH, campaign.slug) for word in words], campaign
