"""What stands behind a campaign's link: the worker's page, or why there is none."""

from __future__ import annotations

import zlib
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from annotation.actions import tokens
from annotation.models import Campaign, Entity
from annotation.sentences import workers
from annotation.text import markdown


@require_safe
def join(request: HttpRequest, link: str) -> HttpResponse:
    """Looking at the page enrols nobody and sets no cookie; joining itself is a POST to the API."""
    try:
        campaign_slug = tokens.read_link(link).campaign
    except tokens.BadToken as error:
        message = workers.sentence(error.problem)
        return render(request, "annotation/bad_link.html", {"message": message}, status=404)
    campaign = get_object_or_404(
        Campaign.objects.select_related("instructions", "consent", "project"),
        slug=campaign_slug,
    )
    came_back = "mine" in request.GET and campaign.state != Campaign.State.DRAFT
    show: Any = _work if campaign.state == Campaign.State.OPEN or came_back else _notice
    if settings.FRAME_HOSTS:
        show = xframe_options_exempt(csp_replace({"frame-ancestors": settings.FRAME_HOSTS})(show))
    answer = show(request, campaign, link)
    # The address may be a personal link. It is no other address's business, nor of a web server's
    # log of who came from where.
    answer["Referrer-Policy"] = "strict-origin"
    return answer


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
        "rights": static("js/worker/rights/rights.js"),
        "knowledge_base": Entity.objects.filter(project=campaign.project_id).exists(),
    }
    context = _context(campaign) | {
        "instruction_steps": markdown.steps(instructions.text) if instructions else (),
        "consent_html": markdown.render(consent.text) if consent else "",
        "work": work,
    }
    return render(request, "annotation/work.html", context)


def _asked(campaign: Campaign) -> str:
    """What a worker reads before the first task, in short; another text, another word."""
    if campaign.consent is None and not campaign.content_warning:
        return ""
    number = campaign.consent.number if campaign.consent else 0
    return f"{number}-{zlib.crc32(campaign.content_warning.encode()):x}"


def _notice(request: HttpRequest, campaign: Campaign, link: str) -> HttpResponse:
    """There is nothing to do at the moment."""
    return render(request, "annotation/join.html", _context(campaign))


def _context(campaign: Campaign) -> dict[str, Any]:
    text = campaign.instructions.text if campaign.instructions else ""
    return {
        "campaign": campaign,
        "project": campaign.project,
        "instructions_html": markdown.render(text) if text else "",
    }
