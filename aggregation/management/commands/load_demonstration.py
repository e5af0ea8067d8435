from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.demonstration import run_chain
from aggregation.queries import latest_run
from annotation.actions import locks
from annotation.demonstration import access, choices, load
from annotation.models import Campaign, Project

METHODS = {
    load.CAMPAIGN: ("mv-token", "dawid-skene", "bsc-seq"),
    choices.CAMPAIGN: ("majority", "dawid-skene"),
}


class Command(BaseCommand):
    help = (
        "Load two small projects of our own with the answers of a simulated crowd, once, and print "
        "where to look at them: one campaign after another until a knowledge base comes out. The "
        "links are kept in DATA_DIR/demonstration.txt, files in DATA_DIR/demonstration."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--at", default="http://127.0.0.1:8000", help="where the server is, for the links"
        )

    def handle(self, *, at: str, **options: Any) -> None:
        file = settings.DATA_DIR / "demonstration.txt"
        try:
            with locks.hold("load_demonstration"):
                manager, password = access.manager(file)
                if not Project.objects.filter(slug=load.PROJECT).exists():
                    self.stdout.write("Loading the demonstration; this is done once.")
                    load.load(manager)
                campaign = Campaign.objects.filter(slug=load.CAMPAIGN).first()
                for one in Campaign.objects.filter(slug__in=METHODS):
                    self._aggregate(one)
                run_chain(manager, settings.DATA_DIR / "demonstration", self.stdout.write)
                rows = access.lines(at.rstrip("/"), campaign, password)
                settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
                access.keep(file, rows)
        except (locks.Held, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join([*rows, f"{'Kept in':<18}{file}"]))

    def _aggregate(self, campaign: Campaign) -> None:
        """What is missing of the runs; a start that was broken off is made up for."""
        missing = [
            method for method in METHODS[campaign.slug] if latest_run(campaign, method) is None
        ]
        if missing:
            from aggregation.actions import aggregate  # numerics: seconds, at the first start only

            for method in missing:
                aggregate(campaign, method)
