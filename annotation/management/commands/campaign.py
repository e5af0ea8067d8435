from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.actions import campaigns, links, locks, tokens
from annotation.management.amounts import mills
from annotation.models import Campaign, CampaignLink
from annotation.queries import work


class Command(BaseCommand):
    help = "Look at a campaign, open, pause or close it; print, add or end its links for workers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the campaign")
        parser.add_argument(
            "verb",
            choices=[
                "check", "open", "pause", "close", "link", "links", "new-link", "end-link", "budget"
            ],
            help="check: progress, cost, what is missing; open, pause, close: its life; "
            "link: for workers; links: all of them; new-link, end-link: add one, end one; "
            "budget: change what may be spent",
        )  # fmt: skip
        parser.add_argument("--amount", type=float, help="with budget: the new budget in all")
        parser.add_argument(
            "--worker", metavar="NAME", help="with link, new-link: a personal link for this worker"
        )
        parser.add_argument("--note", default="", help="with new-link: whom you give it to")
        parser.add_argument(
            "--ends", metavar="TIME", help="with new-link: 2027-01-31 or 2027-01-31T18:00"
        )
        parser.add_argument("--number", type=int, help="with end-link: which one (see links)")
        parser.add_argument(
            "--server", default=settings.SITE_URL, help=f"where links point ({settings.SITE_URL})"
        )

    def handle(self, *, slug: str, verb: str, **options: Any) -> None:
        campaign = Campaign.objects.select_related("project").filter(slug=slug).first()
        if campaign is None:
            raise CommandError(f"There is no campaign '{slug}'.")
        try:
            getattr(self, f"_{verb.replace('-', '_')}")(campaign, options)
        except (campaigns.NotReady, campaigns.WrongState, links.WrongLink, locks.Held) as error:
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
        """The one that there is; of a worker who has none yet, a new one."""
        worker = options["worker"]
        if worker is None and campaign.is_assigned:
            raise CommandError(
                "An assigned campaign has personal links only: name the worker with --worker."
            )
        if worker is None:
            link = links.public_link(campaign)
        else:
            link = links.personal_links(campaign, [worker]).get(worker)
            if link is None and not campaign.links.filter(worker__external_id=worker).exists():
                link = links.create_link(campaign, worker=worker)
        if link is None:
            named = f" --worker {worker}" if worker else ""
            raise CommandError(
                f"Each such link of '{campaign.slug}' has ended. Make a new one: "
                f"campaign {campaign.slug} new-link{named}"
            )
        self.stdout.write(_address(link, campaign, options))

    def _links(self, campaign: Campaign, options: dict[str, Any]) -> None:
        now = timezone.now()
        for link in campaign.links.select_related("worker", "ended_by").iterator():
            told = f"{link.number:>4}  for {link.for_whom}"
            end = link.ended_at or link.ends_at
            if end is not None and link.has_ended(now):
                by = f" by {link.ended_by.get_username()}" if link.ended_by else ""
                self.stdout.write(f"{told}, ended {_local_time(end)}{by}")
            else:
                until = f", until {_local_time(end)}" if end else ""
                self.stdout.write(f"{told}{until}: {_address(link, campaign, options)}")

    def _new_link(self, campaign: Campaign, options: dict[str, Any]) -> None:
        link = links.create_link(
            campaign, worker=options["worker"] or "", note=options["note"],
            ends_at=_time(options["ends"]),
        )  # fmt: skip
        self.stdout.write(_address(link, campaign, options))

    def _end_link(self, campaign: Campaign, options: dict[str, Any]) -> None:
        if options["number"] is None:
            raise CommandError(
                f"Say which link: --number N. `campaign {campaign.slug} links` lists them."
            )
        link = links.end_link(campaign, options["number"])
        self.stdout.write(
            f"Link {link.number}, for {link.for_whom}, has ended. Whoever has joined goes on."
        )


def _address(link: CampaignLink, campaign: Campaign, options: dict[str, Any]) -> str:
    link.campaign = campaign
    return f"{options['server'].rstrip('/')}/join/{tokens.token_of(link)}/"


def _local_time(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M")


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(
            f"--ends is '{text}'. Write a day or a time, such as 2027-01-31 or 2027-01-31T18:00."
        ) from error
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
