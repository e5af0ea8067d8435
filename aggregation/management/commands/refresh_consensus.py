"""Add the answers that came after a run to its consensus."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from aggregation.actions.refresh import Refreshed, refresh
from aggregation.management.words import counted
from aggregation.models import AggregationRun
from annotation.models import Campaign, Enrollment

LATE = timedelta(days=1)
log = logging.getLogger("touchstone.refresh_consensus")


class Command(BaseCommand):
    help = (
        "Bring the latest consensus of each campaign that is worked on up to date: tasks with new "
        "answers are judged anew by what the run has learnt, and where many have come in there is "
        "a new run; the first one, when a tenth of the tasks have an answer or the first answer "
        "is an hour old. `work` does it each minute."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--campaign",
            metavar="SLUG",
            help="Without it all that are open, or were worked on a day ago.",
        )

    def handle(self, *, campaign: str | None, verbosity: int, **options: Any) -> None:
        failed = []
        for found in campaigns(campaign):
            try:
                done = refresh(found)
            except ValueError as error:
                self.stderr.write(self.style.ERROR(f"{found.slug}: {error}"))
                failed.append(found.slug)
            except Exception:  # whatever one campaign meets, the others have their turn
                log.exception("refresh_consensus has failed for %s", found.slug)
                failed.append(found.slug)
            else:
                if verbosity or done.outcome in ("refreshed", "new run"):
                    self.stdout.write(f"{found.slug}: {line(done)}")
        if failed:
            raise CommandError(f"The consensus was not refreshed of: {', '.join(failed)}.")


def campaigns(slug: str | None) -> list[Campaign]:
    """Raises CommandError for a campaign that there is not."""
    every = Campaign.objects.select_related("project").order_by("pk")
    if slug is not None:
        if found := every.filter(slug=slug).first():
            return [found]
        raise CommandError(f"There is no campaign '{slug}'.")
    run = AggregationRun.objects.complete().filter(campaign=OuterRef("pk"))
    answered = Enrollment.objects.with_answers().filter(campaign=OuterRef("pk"))
    late = answered.filter(seen_at__gt=timezone.now() - LATE)  # after Pause, or before Close
    at_work = every.published().filter(Q(state=Campaign.State.OPEN) | Exists(late))
    return list(at_work.filter(Exists(run) | Exists(answered)))


def line(done: Refreshed) -> str:
    answers = counted(done.answers, "answer")
    if done.outcome == "refreshed":
        return (
            f"{answers} to {counted(done.tasks, 'task')}; {done.since:,} since the run of "
            f"{done.method}"
        )
    if done.outcome == "new run":
        return f"a new run of {done.method}: {answers} to {counted(done.tasks, 'task')}"
    if done.outcome == "busy":
        return "it is being aggregated now, and is left alone"
    if done.outcome == "waiting":
        if not done.answers:
            return done.reason
        verb = "waits" if done.answers == 1 else "wait"
        return f"{answers} {verb} for a new run: {done.reason}"
    return "nothing new"
