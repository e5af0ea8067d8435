from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation import queries
from annotation.actions import campaigns, locks, tokens
from annotation.models import Campaign


class Command(BaseCommand):
    help = "Look at a campaign, open, pause or close it, or print its link for workers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the campaign")
        parser.add_argument("verb", choices=["check", "open", "pause", "close", "link"])
        parser.add_argument("--worker", help="with link: a personal link for this invited worker")
        parser.add_argument(
            "--server", default="http://127.0.0.1:8000", help="with link: where the server is"
        )

    def handle(self, *, slug: str, verb: str, **options: Any) -> None:
        campaign = Campaign.objects.select_related("project").filter(slug=slug).first()
        if campaign is None:
            raise CommandError(f"There is no campaign '{slug}'.")
        try:
            getattr(self, f"_{verb}")(campaign, options)
        except (campaigns.NotReady, campaigns.WrongState, locks.Held) as error:
            raise CommandError(str(error)) from error

    def _check(self, campaign: Campaign, options: dict[str, Any]) -> None:
        status = queries.campaign_status(campaign)
        self.stdout.write(
            f"{campaign.name} ({campaign.interface}, {campaign.state}): "
            f"{status.complete:,} of {status.tasks:,} tasks complete, "
            f"{status.received:,} of {status.wanted:,} answers, {status.leased:,} leased, "
            f"{status.workers:,} workers."
        )
        plan = campaigns.preflight(campaign)
        self.stdout.write(
            f"Planned: {plan.tasks:,} tasks, {plan.answers:,} answers, "
            f"{plan.cost_mills / 1000:,.2f} {campaign.currency}."
        )
        for warning in plan.warnings:
            self.stdout.write(self.style.WARNING(f"Look: {warning}"))
        for problem in plan.problems:
            self.stdout.write(self.style.ERROR(f"Missing: {problem}"))
        if campaign.state == Campaign.State.DRAFT and not plan.problems:
            self.stdout.write("Ready to open.")

    def _open(self, campaign: Campaign, options: dict[str, Any]) -> None:
        made = campaigns.open_campaign(campaign)
        self.stdout.write(f"Campaign '{campaign.slug}' is open; {made:,} tasks were made.")
        self._link(campaign, options)

    def _pause(self, campaign: Campaign, options: dict[str, Any]) -> None:
        campaigns.pause_campaign(campaign)
        self.stdout.write(f"Campaign '{campaign.slug}' is paused; leased tasks may be submitted.")

    def _close(self, campaign: Campaign, options: dict[str, Any]) -> None:
        campaigns.close_campaign(campaign)
        self.stdout.write(f"Campaign '{campaign.slug}' is closed; leased tasks may be submitted.")

    def _link(self, campaign: Campaign, options: dict[str, Any]) -> None:
        worker = options["worker"]
        if worker is None and campaign.is_assigned:
            raise CommandError(
                "An assigned campaign has personal links only: name the worker with --worker."
            )
        token = tokens.campaign_link(campaign, worker)
        self.stdout.write(f"{options['server'].rstrip('/')}/join/{token}/")
