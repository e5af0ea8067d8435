"""Who is who: names that nobody has linked yet are asked about in a linking campaign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aggregation.knowledge.linking_tasks import Blocks, blocks_of, make_tasks, unknown_blocks
from annotation.actions import audit, locks
from annotation.actions.campaigns import open_campaign
from annotation.models import Campaign
from evaluation.actions.recall_requests import check_links
from evaluation.arrays.links import cards_without_link
from evaluation.models import EvaluationPeriod


@dataclass(frozen=True, slots=True)
class Asked:
    """`there`: tasks that the campaign had already; `alone`: names like no other, which nobody is
    asked about."""

    cards: int
    made: int
    there: int
    alone: int


def ask_who_is_who(period: EvaluationPeriod, *, user: Any = None) -> Asked:
    """Tasks in the period's linking campaign, in blocks of similar names. Done again it adds what
    is new. Audited. Raises CannotSample, or locks.Held."""
    campaign = check_links(period, period.links)
    with locks.hold(f"campaign:{campaign.slug}"):
        cards, blocks = _blocks(period)
        made, in_tasks = make_tasks(campaign, blocks)
        if made:
            audit.record(
                period.project, "ask who is who", period.name, user=user,
                after={"tasks": made, "names": in_tasks},
            )  # fmt: skip
    campaign.refresh_from_db(fields=["state"])
    if campaign.state == Campaign.State.DRAFT and campaign.tasks.exists():
        open_campaign(campaign, user=user)
    return Asked(cards, made, len(blocks.cards) - made, blocks.alone)


def links_forecast(period: EvaluationPeriod) -> dict[str, int]:
    """How many names have no link, and how many tasks would ask about those that are like others
    and that no task holds yet."""
    cards, blocks = _blocks(period)
    into = period.links
    new = unknown_blocks(blocks, into) if into is not None else blocks.cards
    return {"names": cards, "tasks": len(new), "alone": blocks.alone}


def _blocks(period: EvaluationPeriod) -> tuple[int, Blocks]:
    cards = cards_without_link(period)
    return len(cards), blocks_of(cards) if cards else Blocks([], 0, 0, 0)
