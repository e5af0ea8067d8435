"""Results of a campaign, which method serves its labels, and one aggregation run: how it went, how
good it is, what it says of each worker."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from aggregation.actions.pruning import KEPT, pin, unpin
from aggregation.actions.serving import CannotServe, serve
from aggregation.interfaces import words_of
from aggregation.methods.words import METHOD_WORDS
from aggregation.models import AggregationRun, CoreferenceFacts, GoldFacts, Share
from aggregation.queries.runs import latest_of_methods, latest_run, run_by_key
from annotation.interfaces import Product, traits
from annotation.models import Campaign
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.addresses import number_in
from dashboard.campaigns.consequences import digest_of
from dashboard.campaigns.overview import quality_of
from dashboard.interfaces import builds
from dashboard.live import campaign_state as live_state
from dashboard.live import is_known
from dashboard.quality.calibration import calibration_of
from dashboard.results.downloads import DownloadForm
from dashboard.results.queries import jobs_of, results_page
from dashboard.results.reliabilities import reliabilities
from dashboard.results.serving import ServedForm, of_serving

NAMES = {"P": "Precision of spans", "R": "Recall of spans", "F1": "F1 of spans"}
ROWS = 50  # workers on a page


@login_required
@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    state = live_state(campaign, timezone.now())
    if is_known(request, state):
        return HttpResponseNotModified()
    return _page(request, campaign, permissions, state)


@login_required
def serve_method(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `method`: what it changes is told, and with `told`, the digest of that, it is done."""
    campaign = managed_campaign(request.user, slug)
    back = f"{reverse('manage:results', args=[campaign.slug])}#methods"
    if request.method != "POST":  # a refused form leaves its address; whoever loads that again
        return redirect(back)
    form, more = ServedForm(campaign, request.POST, runs=latest_of_methods(campaign)), {}
    if form.is_valid():
        method = form.cleaned_data["method"]
        told = of_serving(campaign, method, latest_run(campaign))
        digest = digest_of([told])
        if method == campaign.served_method:
            messages.info(request, f"Labels come from {method or 'the latest run'} already.")
            return redirect(back)
        if request.POST.get("told") == digest:
            try:
                serve(campaign, method, user=request.user)
            except CannotServe as error:  # its last run was deleted meanwhile
                form.add_error("method", str(error))
            else:
                messages.success(request, f"Labels come from {method or 'the latest run'} now.")
                return redirect(back)
        else:
            more = {"told": told, "told_digest": digest}
    state = live_state(campaign, timezone.now())
    return _page(
        request, campaign, Permissions("manager"), state, status=200 if more else 422,
        served_form=form, **more,
    )  # fmt: skip


def _page(
    request: HttpRequest,
    campaign: Campaign,
    permissions: Permissions,
    state: str,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    own = traits(campaign.interface)
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
        "download_form": DownloadForm(
            campaign,
            initial=request.GET.dict(),
            tenths=page.latest.facts.confidence if page.latest else None,
        ),
    }
    if page.methods is not None and permissions.can_manage:
        context["served_form"] = ServedForm(campaign, runs=page.methods.latest)
    return render(request, "dashboard/results/results.html", context | more, status=status)


@login_required
@require_safe
def run(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    found = run_by_key(campaign, key)
    if found is None:
        raise Http404
    first = number_in(request, "from")
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
        "diagram": calibration_of(gold, names) if gold else None,
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
