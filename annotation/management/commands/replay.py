from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.text import slugify

from annotation.actions import locks
from annotation.actions.campaigns import NotReady
from annotation.actions.documents import ImportFailed
from annotation.actions.progress import Progress
from annotation.management import replay
from annotation.management.commands.create_project import add_manager, manager_named
from annotation.management.commands.members import who_sees
from annotation.models import Assignment


class Command(BaseCommand):
    help = (
        "Send recorded answers through a running server: makes the project, the documents and an "
        "assigned campaign, then acts as the workers over HTTP. Run again, it goes on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="JSON lines with a field 'workers' (.gz too)")
        parser.add_argument(
            "--server", default=settings.SITE_URL, help=f"where it is ({settings.SITE_URL})"
        )
        parser.add_argument("--clients", type=int, default=8, help="workers at a time (8)")
        parser.add_argument("--project", help="slug of project and campaign; by the file's name")
        add_manager(parser)

    def handle(
        self,
        *,
        file: Path,
        server: str,
        clients: int,
        project: str | None,
        manager: str | None,
        **options: Any,
    ) -> None:
        if clients < 1:
            raise CommandError(f"--clients is {clients}. Use at least one.")
        slug = project or f"replay-{slugify(file.name.split('.')[0])}"
        try:
            with locks.hold(f"replay:{slug}"):
                self._replay(file, server, clients, slug, manager_named(manager))
        except ValidationError as error:
            raise CommandError(f"'{slug}' can't be set up: {' '.join(error.messages)}") from error
        except (replay.ReplayError, ImportFailed, NotReady, locks.Held) as error:
            raise CommandError(str(error)) from error

    def _replay(self, file: Path, server: str, clients: int, slug: str, manager: Any) -> None:
        recording = replay.read_recording(file)
        campaign, run = replay.set_up(file, recording, slug, manager)
        self.stdout.write(
            f"Campaign '{campaign.slug}': {recording.documents:,} documents ({run.added:,} new), "
            f"{len(recording.answers):,} workers, {recording.total:,} recorded answers."
        )
        self.stdout.write(who_sees(campaign.project))
        done = Assignment.objects.submitted().filter(enrollment__campaign=campaign).count()
        left = recording.total - done
        if done:
            self.stdout.write(f"{done:,} are there already; {left:,} are left.")
        with Progress(self.stderr, left, "answers") as bar:
            outcome = replay.drive(campaign, recording, server, clients, bar.advance)
        stored = Assignment.objects.submitted().filter(enrollment__campaign=campaign).count()
        if outcome.latencies:
            rate = outcome.submitted / outcome.seconds
            at = {share: outcome.quantile(share) * 1000 for share in (0.5, 0.95, 0.99, 1.0)}
            self.stdout.write(
                f"{outcome.submitted:,} submitted in {outcome.seconds:.1f} s by {clients} clients: "
                f"{rate:.1f} cycles a second; latency p50 {at[0.5]:.0f}, p95 {at[0.95]:.0f}, "
                f"p99 {at[0.99]:.0f}, max {at[1.0]:.0f} ms; {outcome.retries} retries, "
                f"{outcome.duplicates} repetitions."
            )
        if stored != recording.total:
            raise CommandError(
                f"{stored:,} of {recording.total:,} answers are stored. Run the command again."
            )
        self.stdout.write(
            f"All {stored:,} answers are stored. Go on: ./run manage aggregate --campaign {slug}"
        )
