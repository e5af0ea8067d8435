"""One aggregation run: how it went, how good it is, what it says of each worker."""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from aggregation.actions.pruning import KEPT, pin, unpin
from aggregation.interfaces import words_of
from aggregation.methods.words import METHOD_WORDS
from aggregation.models import AggregationRun, CoreferenceFacts, GoldFacts, Share
from aggregation.queries.runs import run_by_key
from annotation.interfaces import Product, traits
from dashboard.access import managed_campaign, visible_campaign
from dashboard.campaigns.overview import quality_of
from dashboard.charts import calibration_chart
from dashboard.interfaces import builds
from dashboard.live import campaign_state as live_state
from dashboard.live import is_known
from dashboard.results.downloads import DownloadForm
from dashboard.results.queries import jobs_of, results_page
from dashboard.results.reliabilities import reliabilities

NAMES = {"P": "Precision of spans", "R": "Recall of spans", "F1": "F1 of spans"}
ROWS = 50  # workers on a page
MOST = 10**9


@login_required
@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    own, now = traits(campaign.interface), timezone.now()
    state = live_state(campaign, now)
    if is_known(request, state):
        return HttpResponseNotModified()
    page = results_page(campaign, with_ids=permissions.sees_earnings)
    quality = quality_of(page.latest) if permissions.sees_gold else None
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "page": page,
        "jobs": jobs_of(campaign, permissions),
        "live_state": state,
        "quality": quality,
        "measure": quality.name if quality else "",
        "words": words_of(campaign.interface),
        "builds": builds() if own.product is Product.MENTIONS and permissions.can_manage else {},
        "shows_answers": own.on_documents,
        "download_form": DownloadForm(campaign, initial=request.GET.dict()),
    }
    return render(request, "dashboard/results/results.html", context)


@login_required
@require_safe
def run(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    found = run_by_key(campaign, key)
    if found is None:
        raise Http404
    given = request.GET.get("from", "")
    first = min(max(int(given), 1), MOST) if given.isascii() and given.isdigit() else 1
    workers = reliabilities(
        campaign, found, ROWS, with_ids=permissions.sees_earnings, first=first - 1
    )
    last = first + len(workers.rows) - 1
    gold = found.facts.gold if permissions.sees_gold else None
    names = words_of(campaign.interface)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "run": found,
        "names": names,
        "kept": KEPT,
        "words": METHOD_WORDS.get(found.method, ""),
        "parameters": sorted(found.parameters.items()),
        "workers": workers,
        "first": first,
        "last": last,
        "earlier": max(1, first - ROWS) if first > 1 else 0,
        "later": last + 1 if last < workers.number else 0,
        "agreement": [
            *found.facts.agreement,
            *(found.facts.coreference.agreement if found.facts.coreference else ()),
        ],
        "gold": gold,
        "span_facts": found.facts.spans,
        "measures": _measures(gold, found.facts.coreference) if gold else [],
        "diagram": calibration_chart(
            "Calibration", gold.bins, judged=gold.judgment or names.judgment
        )
        if gold
        else None,
    }
    return render(request, "dashboard/results/run.html", context)


@login_required
def pin_run(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST: the run is kept from pruning, or with `pinned` 0 no longer."""
    campaign = managed_campaign(request.user, slug)
    found = get_object_or_404(AggregationRun, campaign=campaign, key=key)
    if request.method == "POST":
        keep = request.POST.get("pinned") != "0"
        if not (pin if keep else unpin)(found, user=request.user):
            messages.error(request, "The run is being deleted, and can't be pinned any more.")
        elif keep:
            messages.success(request, "Pinned: the run is kept.")
        else:
            messages.success(request, "Unpinned: the run is kept no longer than the others.")
    return redirect("manage:run", campaign.slug, found.key)


def _measures(gold: GoldFacts, coreference: CoreferenceFacts | None) -> list[Share]:
    """Spans whole, then in parts, then the groups of mentions where workers made any."""
    relaxed = [
        replace(share, name=f"{share.name.replace('relaxed F1', 'F1 of spans')}, parts counted")
        for share in gold.relaxed[-1:]
    ]
    groups = coreference.gold or () if coreference else ()
    strict, together = (
        [replace(share, name=_title(share.name)) for share in shares]
        for shares in (gold.shares, groups)
    )
    return [*strict, *relaxed, *together]


def _title(name: str) -> str:
    return NAMES.get(name, name[:1].upper() + name[1:])
