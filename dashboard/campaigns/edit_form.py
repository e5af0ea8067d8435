"""The form that changes a campaign: with what it has, and only what of it may be changed now."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from annotation.actions.campaigns import editable
from annotation.actions.campaigns.editing import in_options
from annotation.models import Campaign
from dashboard.campaigns.campaign_form import FIELDS, CampaignForm
from dashboard.interfaces import pages_of

CONSENT_HELP = (
    "Markdown. Version {number} stands, and workers have agreed to it. A change makes version "
    "{next}: every worker is asked again before the next task, and whoever does not agree gets "
    "none. Left empty, nobody is asked any more."
)


def edit_form(
    campaign: Campaign, data: Any = None, *, only: Collection[str] | None = None
) -> CampaignForm:
    """At most one query. `only`: these of its fields alone."""
    kind = pages_of(campaign.interface).form
    form = kind(data, initial=kind.initial_of(campaign))
    fields = {FIELDS.get(name, name) for name in editable(campaign)}
    fields |= {part for name in fields & kind.parts.keys() for part in kind.parts[name]}
    if only is not None:
        fields &= set(only)
    for name in form.fields.keys() - fields:  # the short name stands in links, and so stays
        del form.fields[name]
    if campaign.consent and campaign.state != Campaign.State.DRAFT and "consent" in form.fields:
        number = campaign.consent.number
        form.fields["consent"].help_text = CONSENT_HELP.format(number=number, next=number + 1)
    return form


def values_of(campaign: Campaign) -> dict[str, Any]:
    """What the campaign has now, by the names that `edit_campaign` has; texts as versions are
    read."""
    names = editable(campaign)
    own = in_options(campaign.interface)
    texts = {"instructions": campaign.instructions, "consent": campaign.consent}
    found: dict[str, Any] = {}
    for name in names:
        if name in texts:
            version = texts[name]
            found[name] = version.text if version else ""
        else:
            found[name] = (
                campaign.options.get(name) if name in own else getattr(campaign, name, None)
            )
    return found
