"""How a gold score stands to what is needed. The tone says nothing by itself: a mark in it lies
below the dashed line."""

from __future__ import annotations

from annotation.models import Campaign
from dashboard.campaigns.queries import GoldMean


def needed(campaign: Campaign) -> float | None:
    """The score by which workers qualify; None where nobody has to."""
    return campaign.pass_score if campaign.training_size or campaign.exam_size else None


def tone_of(score: GoldMean | None, campaign: Campaign) -> str:
    """Below what is needed: surely (danger), or as far as can be told (warn)."""
    line = needed(campaign)
    if score is None or score.interval is None or line is None:
        return ""
    if score.interval[1] < line:
        return "k-danger"
    return "k-warn" if score.mean < line else ""
