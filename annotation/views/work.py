"""What stands behind a campaign's link: the worker's page, or why there is none."""

from __future__ import annotations

import zlib
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_noop
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from annotation.actions import tokens
from annotation.interfaces import Product, traits
from annotation.models import Campaign, Entity
from annotation.sentences import workers
from annotation.text import markdown
from annotation.views.first_page import first_page_context, is_due
from annotation.views.languages import chosen_language, page_language
from annotation.views.scripts import language_suffix, part_addresses

STATES = {  # of a campaign in which nobody works now
    "draft": gettext_noop("draft"), "open": gettext_noop("open"),
    "paused": gettext_noop("paused"), "closed": gettext_noop("closed"),
}  # fmt: skip


@require_safe
def join(request: HttpRequest, link: str) -> HttpResponse:
    """Looking at the page enrols nobody and sets no cookie; joining itself is a POST to the API."""
    try:
        campaign_slug = tokens.read_link(link).campaign
    except tokens.BadToken as error:
        with translation.override(page_language(request)):
            return _bad_link(request, error)
    campaign = get_object_or_404(
        Campaign.objects.select_related("instructions", "consent", "project"),
        slug=campaign_slug,
    )
    came_back = "mine" in request.GET and campaign.state != Campaign.State.DRAFT
    show: Any = _work if campaign.state == Campaign.State.OPEN or came_back else _notice
    if settings.FRAME_HOSTS:
        show = xframe_options_exempt(csp_replace({"frame-ancestors": settings.FRAME_HOSTS})(show))
    with translation.override(page_language(request, campaign.language)):
        answer = show(request, campaign, link)
    patch_vary_headers(answer, ("Accept-Language",))
    # The address may be a personal link. It is no other address's business, nor of a web server's
    # log of who came from where.
    answer["Referrer-Policy"] = "strict-origin"
    return answer


def _bad_link(request: HttpRequest, error: tokens.BadToken) -> HttpResponse:
    context = _language() | {"message": workers.sentence(error.problem)}
    return render(request, "annotation/bad_link.html", context, status=404)


def _work(request: HttpRequest, campaign: Campaign, link: str) -> HttpResponse:
    """Where the campaign is not open it asks for nothing: a worker is there for their past."""
    is_open = campaign.state == Campaign.State.OPEN
    instructions, consent = campaign.instructions, campaign.consent
    work = {
        "link": link,
        "public": tokens.read_link(link).worker is None,
        "campaign": campaign.slug,
        "interface": campaign.interface,
        "currency": campaign.currency,
        "pay_mills": campaign.pay_mills,
        "lease_minutes": campaign.lease_minutes,
        "skip_limit": campaign.skip_limit,
        "instructions": instructions.number if instructions and is_open else 0,
        "consent": consent.number if consent else 0,
        "agree": _asked(campaign) if is_open else "",
        "api": reverse("api:join").removesuffix("join/"),
        **({"all_or_nothing": True} if traits(campaign.interface).all_or_nothing else {}),
        **work_files(campaign),
    }
    return work_page(request, campaign, work)


def work_page(
    request: HttpRequest, campaign: Campaign, work: dict[str, Any], **more: Any
) -> HttpResponse:
    """The page itself; `work` is what its script is told. Also for a manager who answers tasks."""
    instructions, consent = campaign.instructions, campaign.consent
    context = _context(campaign) | {
        "instruction_steps": markdown.steps(instructions.text) if instructions else (),
        # Where nobody has written what is to be done, what there is to choose from says something.
        "types": campaign.project.schema.get("entity_types", ())
        if traits(campaign.interface).product is Product.MENTIONS
        else (),
        "consent_html": markdown.render(consent.text) if consent else "",
        "script": f"bundles/work-{campaign.interface}{language_suffix()}.js",
        "languages": settings.LANGUAGES if len(settings.LANGUAGES) > 1 else (),
        "work": work,
        **(first_page_context(campaign) if work["agree"] else {}),
    }
    return render(request, "annotation/work.html", context | more)


def work_files(campaign: Campaign) -> dict[str, Any]:
    """What the script finds beside itself. One query."""
    return {
        "parts": part_addresses(campaign.interface),
        "knowledge_base": Entity.objects.filter(project=campaign.project_id).exists(),
    }


def _language() -> dict[str, Any]:
    return {"language": translation.get_language(), "is_rtl": translation.get_language_bidi()}


def _asked(campaign: Campaign) -> str:
    """What a worker reads before the first task, in short; another text, another word."""
    if not is_due(campaign):
        return ""
    number = campaign.consent.number if campaign.consent else 0
    return f"{number}-{zlib.crc32(campaign.content_warning.encode()):x}"


def _notice(request: HttpRequest, campaign: Campaign, link: str) -> HttpResponse:
    """There is nothing to do at the moment."""
    more = {"state": translation.gettext(STATES[campaign.state]), "asked": chosen_language(request)}
    return render(request, "annotation/join.html", _context(campaign) | more)


def _context(campaign: Campaign) -> dict[str, Any]:
    text = campaign.instructions.text if campaign.instructions else ""
    return _language() | {
        "campaign": campaign,
        "project": campaign.project,
        "instructions_html": markdown.render(text) if text else "",
    }
