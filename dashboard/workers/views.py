"""All workers of a campaign, and what a manager does with several of them at once."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.models import Campaign
from annotation.queries.worker_names import worker_name
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.addresses import number_in
from dashboard.campaigns.forms import StateForm
from dashboard.live import campaign_state, is_known
from dashboard.workers.consequences import consequences
from dashboard.workers.forms import VerbForm
from dashboard.workers.queries import ORDERS, worker_table
from dashboard.workers.tones import needed
from selection.actions.states import Moved, set_states

MOST_TICKED = 200
LONGEST_SEARCH = 100
DONE_WORDS = {"pause": "paused", "block": "blocked", "admit": "back in"}
REFUSALS = 5  # that are told
NOBODY = "Tick the workers whom it is about."


@login_required
@require_safe
def workers(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    state = campaign_state(campaign, timezone.now())
    if is_known(request, state):
        return HttpResponseNotModified()
    return _page(request, campaign, permissions, live_state=state)


@login_required
def worker_states(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `worker` (keys) and `verb`: shows what would become of them, and asks for the reason
    that they read. With `sure` it is done."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return _back(request, campaign)
    is_sure = "sure" in request.POST
    form = StateForm(request.POST) if is_sure else VerbForm(request.POST)
    is_valid, keys = form.is_valid(), _keys(request)
    problem = NOBODY if not keys else ""
    if len(keys) > MOST_TICKED:
        problem = f"Tick {MOST_TICKED} workers at most."
    problem = problem or " ".join(map(str, form.errors.get("verb", [])))
    if problem:
        return _page(
            request, campaign, Permissions("manager"), status=422, problem=problem,
            ticked=set(keys),
        )  # fmt: skip
    verb = form.cleaned_data["verb"]
    if not is_sure or not is_valid:
        return _confirm(request, campaign, keys, verb, form if is_sure else None)
    moved = set_states(campaign, keys, verb, form.cleaned_data["reason"], user=request.user)
    _report_moves(request, moved, verb)
    return _back(request, campaign)


def _confirm(
    request: HttpRequest,
    campaign: Campaign,
    keys: list[uuid.UUID],
    verb: str,
    refused: StateForm | None,
) -> HttpResponse:
    found = consequences(campaign, keys, verb, timezone.now())
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": Permissions("manager"),
        "workers": [(row, worker_name(row, with_ids=True)) for row in found.workers],
        "found": found,
        "verb": verb,
        "form": refused or StateForm(),
        "query": _query(request),
    }
    return render(
        request, "dashboard/workers/workers_confirm.html", context, status=422 if refused else 200
    )


def _report_moves(request: HttpRequest, moved: Moved, verb: str) -> None:
    message = f"{moved.done:,} worker{'' if moved.done == 1 else 's'} {DONE_WORDS[verb]}."
    if moved.same:
        message += f" {moved.same:,} {'was' if moved.same == 1 else 'were'} so already."
    messages.success(request, message)
    for problem in moved.refused[:REFUSALS]:
        messages.error(request, problem)
    if (more := len(moved.refused) - REFUSALS) > 0:
        messages.error(request, f"{more:,} more stay as they are.")


def _page(
    request: HttpRequest, campaign: Campaign, permissions: Permissions, *, status: int = 200,
    problem: str = "", ticked: set[uuid.UUID] | None = None, live_state: str = "",
) -> HttpResponse:  # fmt: skip
    asked = {name: _clean(request.GET.get(name, "")) for name in ("state", "flag", "appeals")}
    search = _clean(request.GET.get("q", "")).strip()[:LONGEST_SEARCH]
    table = worker_table(
        campaign, order=request.GET.get("order", ""), search=search, page=number_in(request),
        with_gold=permissions.sees_gold, with_ids=permissions.sees_earnings, **asked,
    )  # fmt: skip
    context: dict[str, Any] = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "table": table,
        "heads": _heads(table.order),
        "needed": needed(campaign),
        "search": search,
        "asked": asked,
        "is_filtered": bool(search or any(asked.values())),
        "problem": problem,
        "ticked": ticked or set(),
        "query": _query(request),
        "live_state": live_state,
    }
    return render(request, "dashboard/workers/workers.html", context, status=status)


def _heads(order: str) -> dict[str, dict[str, str]]:
    """For each column that can be sorted: where its head leads, and what it says now."""
    heads = {}
    for name, (_, largest_first) in ORDERS.items():
        turned = order == f"-{name}"
        is_now = turned or order == name
        falls = largest_first != turned
        heads[name] = {
            "order": f"-{name}" if is_now and not turned else name,
            "sort": ("descending" if falls else "ascending") if is_now else "",
        }
    return heads


def _keys(request: HttpRequest) -> list[uuid.UUID]:
    found = []
    for given in request.POST.getlist("worker"):
        try:
            found.append(uuid.UUID(given))
        except ValueError:
            continue
    return list(dict.fromkeys(found))


def _clean(given: str) -> str:
    return given.replace("\0", "")  # PostgreSQL takes none


def _query(request: HttpRequest) -> str:
    """What of the address says which workers are shown."""
    names = ("order", "state", "flag", "appeals", "q", "page")
    kept = {name: request.GET[name] for name in names if request.GET.get(name)}
    return urlencode(kept)


def _back(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    address = reverse("manage:workers", args=[campaign.slug])
    query = _query(request)
    return redirect(f"{address}?{query}" if query else address)
