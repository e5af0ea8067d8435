"""What pages foretell of a campaign: one rule for all, so that no two of them differ."""

from __future__ import annotations

from annotation.models import Campaign, CampaignForecast


def is_early(campaign: Campaign) -> bool:
    """Whether the campaign, which comes with its forecast, is too young for anything to be foretold
    of it: quality, cost and end alike."""
    if campaign.state == Campaign.State.CLOSED:
        return False
    found = _stored(campaign)
    return found is None or found.reason == CampaignForecast.Reason.EARLY


def cost_forecast(campaign: Campaign) -> CampaignForecast | None:
    """The stored row, if it tells what all answers will have cost: of an open or paused campaign
    that pays and isn't too young. Then `cost_mills` and both ends of its interval are there."""
    if campaign.state == Campaign.State.CLOSED or is_early(campaign) or not campaign.pay_mills:
        return None
    found = _stored(campaign)
    return None if found is None or found.cost_mills is None else found


def _stored(campaign: Campaign) -> CampaignForecast | None:
    return getattr(campaign, "forecast", None)
