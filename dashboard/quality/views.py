"""Is it right? What gold, agreement and calibration say of a campaign's labels."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.gold.views import permitted
from dashboard.live import campaign_state, is_known
from dashboard.quality.queries import QUESTIONS, quality_page


@login_required
@require_safe
def quality(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = permitted(request, slug)
    state = campaign_state(campaign, timezone.now())
    if is_known(request, state):
        return HttpResponseNotModified()
    page = quality_page(campaign)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "page": page,
        "questions": page.questions.rows[:QUESTIONS],
        "target": campaign.wanted,
        "sample_format": "csv" if page.names.takes_classes else "jsonl",
        "live_state": state,
    }
    return render(request, "dashboard/quality/quality.html", context)
