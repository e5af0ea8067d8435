"""The worker's page for a manager: to answer tasks that become gold, or only to try it."""

from __future__ import annotations

import copy
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from annotation.actions.gold_answers import USES
from annotation.models import Campaign
from annotation.views.work import work_files, work_page
from dashboard.access import managed_campaign

SALT = "touchstone.answering"
TRY = "try"
HEADINGS = {
    "hidden": "Your answers become hidden gold",
    "practice": "Your answers become practice tasks",
    "exam": "Your answers become exam tasks",
    TRY: "A try: nothing is kept",
}
LEASE_MINUTES = 12 * 60  # as long as the page's key holds
MANY = 1_000


@login_required
@require_safe
def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """`use` says what becomes of the answers: hidden, practice, exam, or try."""
    campaign = managed_campaign(request.user, slug)
    use = request.GET.get("use", USES[0])
    use = use if use in HEADINGS else USES[0]
    if use != TRY and (campaign.state == Campaign.State.CLOSED or campaign.is_assigned):
        messages.error(request, "This campaign takes no gold any more.")
        return redirect("manage:gold", slug)
    is_draft = campaign.state == Campaign.State.DRAFT
    page = (
        reverse("manage:set-up-step", args=[slug, "gold" if use != TRY else "check"])
        if is_draft
        else reverse("manage:gold", args=[slug])
    )
    shown = copy.copy(campaign)
    shown.name = f"{HEADINGS[use]} · {campaign.name}"
    shown.consent, shown.content_warning = None, ""
    with translation.override("en"):
        return work_page(
            request, shown, _work(request.user, campaign, use),
            way_back={
                "address": page, "words": "Back", "where": "to set-up" if is_draft else "to gold"
            },
            languages=(),
        )  # fmt: skip


def _work(user: Any, campaign: Campaign, use: str) -> dict[str, Any]:
    instructions = campaign.instructions
    return {
        # Signed, for this person, campaign and use: the page sends no cookie, as workers' do not.
        "link": signing.dumps({"user": user.pk, "campaign": campaign.slug, "use": use}, salt=SALT),
        "public": False,
        "campaign": campaign.slug,
        "interface": campaign.interface,
        "currency": campaign.currency,
        "pay_mills": 0,
        "lease_minutes": LEASE_MINUTES,
        "skip_limit": MANY,
        "instructions": instructions.number if instructions else 0,
        "consent": 0,
        "agree": "",
        "api": reverse("api:answering", args=["join/"]).removesuffix("join/"),
        **work_files(campaign),
    }
