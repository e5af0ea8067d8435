"""What the frame of the managers' pages draws: icons, and the bar of sections."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from annotation.models import Campaign
from dashboard.access import Permissions
from dashboard.campaigns import forecast
from dashboard.campaigns.links import LinkRow, first_link
from dashboard.frame import OUTSIDE, Bar, campaign_bar, project_bar
from dashboard.icons import ICONS

register = template.Library()
# Pages that don't say what a person may do there are open to managers alone (dashboard.access).
MANAGER = Permissions("manager")


@register.simple_tag
def icon(name: str, state: str = "") -> SafeString:
    """A drawing beside words that say the same. `state`: ok, warn or danger."""
    return format_html(
        '<svg class="i{}" viewBox="0 0 20 20" aria-hidden="true">{}</svg>',
        f" {state}" if state else "",
        mark_safe(ICONS[name]),
    )


@register.filter
def initials(user: Any) -> str:
    """Two letters that stand for a person: of both names, or of the name of the account."""
    words = (user.get_full_name() or user.get_username()).split()
    letters = words[0][:1] + words[-1][:1] if len(words) > 1 else "".join(words)[:2]
    return letters.upper()


@register.filter
def is_early(campaign: Campaign) -> bool:
    return forecast.is_early(campaign)


@register.simple_tag(takes_context=True)
def sections(context: Context) -> Bar:
    """The bar of the campaign that the page is of, else of the project; empty elsewhere. A page
    that stands for several says to which other one it belongs."""
    campaign, project = context.get("campaign"), context.get("project")
    permissions = context.get("permissions") or MANAGER
    match = getattr(context.get("request"), "resolver_match", None)
    page = context.get("belongs_to") or (match.url_name if match else "")
    if page in OUTSIDE:
        return Bar()
    if campaign is not None and campaign.pk:
        return campaign_bar(campaign, permissions, page)
    if project is not None and project.pk:
        return project_bar(project, permissions, page)
    return Bar()


@register.simple_tag
def worker_link(campaign: Campaign) -> LinkRow | None:
    """By which everybody can join, while there is something to join. One query."""
    if campaign.state not in (Campaign.State.OPEN, Campaign.State.PAUSED):
        return None
    return first_link(campaign, timezone.now())
