from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import campaigns, locks, tokens
from annotation.management.commands.create_campaign import mills
from annotation.models import Campaign
from annotation.queries import work


class Command(BaseCommand):
    help = "Look at a campaign, open, pause or close it, or print its link for workers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the campaign")
        parser.add_argument(
            "verb",
            choices=["check", "open", "pause", "close", "link", "budget"],
            help="check: progress, cost, what is missing; open, pause, close: its life; "
            "link: for workers; budget: change what may be spent",
        )
        parser.add_argument("--amount", type=float, help="with budget: the new budget in all")
        parser.add_argument("--worker", help="with link: a personal link for this invited worker")
        parser.add_argument(
            "--server", default=settings.SITE_URL, help=f"where links point ({settings.SITE_URL})"
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
        status = work.campaign_status(campaign)
        self.stdout.write(
            f"{campaign.name} ({campaign.interface}, {campaign.state}): "
            f"{status.complete:,} of {status.tasks:,} tasks complete, "
            f"{status.received:,} of {status.wanted:,} answers, {status.leased:,} leased, "
            f"{status.workers:,} workers."
        )
        budget = campaign.budget_mills
        limit = "no limit" if budget is None else f"{budget / 1000:,.2f}"
        self.stdout.write(
            f"Spent or promised: {campaign.committed_mills / 1000:,.2f} of {limit} "
            f"{campaign.currency}. Gold questions, beside these tasks: {status.gold:,}."
        )
        if budget is not None and budget - campaign.committed_mills < campaign.pay_mills:
            self.stdout.write(
                self.style.WARNING(
                    "Look: The budget is used up. Raise it: "
                    f"./run manage campaign {campaign.slug} budget --amount …"
                )
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
        if campaign.state == Campaign.State.OPEN:
            told = " already"
        else:
            made = campaigns.open_campaign(campaign)
            tasks = "1 task was" if made == 1 else f"{made:,} tasks were"
            told = f"; {tasks} made" if made else ""  # some kinds have theirs before they open
        self.stdout.write(f"Campaign '{campaign.slug}' is open{told}.")
        if campaign.is_assigned:
            self.stdout.write(
                f"Each worker has a link: ./run manage campaign {campaign.slug} link --worker …"
            )
        else:
            self._link(campaign, options)

    def _budget(self, campaign: Campaign, options: dict[str, Any]) -> None:
        amount = mills(options["amount"], "--amount")
        if amount is None:
            raise CommandError("Say how much may be spent in all: --amount 25.00")
        campaigns.set_budget(campaign, amount)
        self.stdout.write(f"{amount / 1000:,.2f} {campaign.currency} may be spent in all.")

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
