"""What in a campaign waits for somebody: sentences with the way out, the most urgent first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from aggregation.queries.campaigns import CampaignPage
from annotation.actions.rollups import RECOUNT_AFTER
from annotation.models import Campaign

QUIET = timedelta(hours=24)  # an open campaign without an answer for so long is told
BEHIND = RECOUNT_AFTER + timedelta(minutes=10)  # nobody has counted an open campaign for so long
NEW_ANSWERS = 0.1  # part of what a run has seen that makes a new one worth its while


@dataclass(frozen=True, slots=True)
class Need:
    text: str
    command: str = ""
    anchor: str = ""  # of the part of the page where it is put right


def needs(page: CampaignPage, now: datetime) -> list[Need]:
    """For an opened campaign; what a draft lacks, its preflight says. No queries."""
    found = [*_money(page), *_work(page, now), *_runs(page)]
    if page.paused_count:
        verb = "worker is" if page.paused_count == 1 else "workers are"
        found.append(Need(f"{page.paused_count:,} {verb} paused.", anchor="workers"))
    if not page.campaign.instructions_id:
        found.append(
            Need("There are no instructions: workers see the task alone.", anchor="instructions")
        )
    return found


def _money(page: CampaignPage) -> list[Need]:
    campaign, money = page.campaign, page.money
    if campaign.state == Campaign.State.CLOSED or money.left is None or not campaign.pay_mills:
        return []
    missing = page.tally.wanted - page.tally.received if page.tally else 0
    if missing and money.left + money.promised < campaign.pay_mills:
        return [Need("The budget is used up: no task is given out. Raise it.", anchor="budget")]
    if money.affordable is not None and money.affordable < missing:
        lacking = missing - money.affordable
        return [
            Need(
                f"The budget ends before the answers do: about {lacking:,} of the {missing:,} that "
                "are missing can't be paid. Raise it.",
                anchor="budget",
            )
        ]
    return []


def _work(page: CampaignPage, now: datetime) -> list[Need]:
    campaign, tally = page.campaign, page.tally
    if campaign.state != Campaign.State.OPEN:
        return []
    found = []
    if tally is None or now - tally.counted_at > BEHIND:
        found.append(
            Need(
                "These numbers are not up to date: nothing counts the answers. Start the loop that "
                "does, or ask who runs this server to.",
                command="./run manage work",
            )
        )
    if tally is not None and tally.wanted > tally.received:
        last = page.pace.last_answer or campaign.opened_at
        if last is not None and now - last > QUIET:
            found.append(
                Need(
                    "No answer has come in for more than a day. Send the link to workers.",
                    anchor="link",
                )
            )
    elif tally is not None and tally.wanted:
        found.append(Need("All answers are in: close the campaign.", anchor="state"))
    return found


def _runs(page: CampaignPage) -> list[Need]:
    campaign = page.campaign
    received = page.tally.received if page.tally else 0
    if not received or campaign.interface not in ("entity", "choice"):
        return []
    again = f"./run manage aggregate --campaign {campaign.slug} --method dawid-skene"
    if not page.runs:
        return [Need("The answers have not been aggregated yet.", command=again)]
    if page.runs[0].state == "failed":
        return [Need(f"The last aggregation failed. {page.runs[0].error}", command=again)]
    if page.latest is not None:
        new = received - page.latest.diagnostics.get("answers", 0)
        if new > NEW_ANSWERS * received:
            said = "1 answer has" if new == 1 else f"{new:,} answers have"
            return [Need(f"{said} come since the last aggregation.", command=again)]
    return []
