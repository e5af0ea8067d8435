from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper

from aggregation.queries import latest_run
from annotation.actions import locks
from annotation.models import Campaign
from demonstration import access, choices, desk, load
from demonstration.chain_runs import run_chain
from demonstration.labels import write_labels
from demonstration.loop import run_loop
from demonstration.night import run_night
from demonstration.systems import run_systems

METHODS = {
    load.CAMPAIGN: ("mv-token", "dawid-skene", "bsc-seq"),
    choices.CAMPAIGN: ("majority", "dawid-skene"),
}


class Command(BaseCommand):
    help = (
        "Print how to log in, then load small projects of our own with the answers of a "
        "simulated crowd, once, and print where to look at them: one campaign after another until "
        "a knowledge base comes out, with a leaderboard of three made systems; then a third with a "
        "labelling loop. The links are kept in "
        "DATA_DIR/demonstration.txt, files in DATA_DIR/demonstration. The server may be at work "
        "meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--at", default="http://127.0.0.1:8000", help="where the server is, for the links"
        )
        parser.add_argument(
            "--log", type=Path, metavar="FILE", help="tell the steps there, and only links here"
        )

    def handle(self, *, at: str, log: Path | None, **options: Any) -> None:
        try:
            with ExitStack() as stack:
                steps = self.stdout
                if log:
                    file = log.open("a", buffering=1, encoding="utf-8")
                    steps = OutputWrapper(stack.enter_context(file))
                stack.enter_context(locks.hold("load_demonstration"))
                self._load(at.rstrip("/"), steps.write)
        except (locks.Held, OSError) as error:
            raise CommandError(str(error)) from error

    def _load(self, server: str, report: Callable[[str], Any]) -> None:
        file = settings.DATA_DIR / "demonstration.txt"
        manager, password = access.manager(file)
        rows = access.account_lines(server, password)
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        access.keep(file, rows)  # at once: the password is nowhere else
        self.stdout.write("\n".join(rows))
        complete = load.is_complete()
        if not complete:
            self.stdout.write("The demonstration is being loaded; this is done once.")
        self.stdout.flush()  # whoever reads a pipe need not wait for what follows
        if not complete:
            load.load(manager)
        campaigns = list(Campaign.objects.filter(slug__in=METHODS))
        for one in campaigns:
            self._aggregate(one, METHODS[one.slug][:-1])
        run_night({slug: methods[-1] for slug, methods in METHODS.items()})
        for one in campaigns:
            self._aggregate(one, METHODS[one.slug])
        campaign = Campaign.objects.select_related("project").filter(slug=load.CAMPAIGN).first()
        if campaign is not None and campaign.state == Campaign.State.OPEN:
            desk.run_jobs(campaign, manager)
        folder = settings.DATA_DIR / "demonstration"
        write_labels(folder)
        run_chain(manager, folder, report)
        more = access.campaign_lines(server, campaign)
        access.keep(file, rows + more)
        self.stdout.write("\n".join(more))
        self.stdout.flush()
        run_loop(manager, report)
        run_systems(manager, report)
        loops = access.loop_lines(server)
        access.keep(file, rows + more + loops)
        self.stdout.write("\n".join([*loops, f"{'Kept in':<18}{file}"]))

    def _aggregate(self, campaign: Campaign, methods: Sequence[str]) -> None:
        """What is missing of the runs; a start that was broken off is made up for."""
        missing = [method for method in methods if latest_run(campaign, method) is None]
        if missing:
            from aggregation.actions.runs import (
                aggregate,  # numerics: seconds, at the first start only
            )

            for method in missing:
                aggregate(campaign, method)
