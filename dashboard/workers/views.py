"""All workers of a campaign, and what a manager does with several of them at once."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.models import Campaign, Enrollment
from annotation.queries.worker_names import worker_name
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.workers.forms import StatesForm
from dashboard.workers.queries import ANY, ORDERS, names_of, worker_table
from selection.actions.states import Moved, set_states
from selection.models import WorkerFlag

MOST_PAGES = 1_000_000
MOST_TICKED = 200
DONE_WORDS = {"pause": "paused", "block": "blocked", "admit": "back in"}
REFUSALS = 5  # that are told
NOBODY = "Tick the workers whom it is about."


@login_required
@require_safe
def workers(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    return _page(request, campaign, permissions)


@login_required
def worker_states(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `worker` (keys), `verb` and `reason`: asks once more, and with `sure` does it."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return _back(request, campaign)
    form = StatesForm(request.POST)
    keys = _keys(request)
    if not keys:
        form.add_error(None, NOBODY)
    elif len(keys) > MOST_TICKED:
        form.add_error(None, f"Tick {MOST_TICKED} workers at most.")
    if not form.is_valid():
        return _page(
            request, campaign, Permissions("manager"), status=422, form=form, ticked=set(keys)
        )  # fmt: skip
    data = form.cleaned_data
    if not data["sure"]:
        return _confirm(request, campaign, keys, form)
    moved = set_states(campaign, keys, data["verb"], data["reason"], user=request.user)
    _report_moves(request, moved, data["verb"])
    return _back(request, campaign)


def _confirm(
    request: HttpRequest, campaign: Campaign, keys: list[uuid.UUID], form: StatesForm
) -> HttpResponse:
    found = names_of(campaign, keys)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "workers": [(row, worker_name(row, with_ids=True)) for row in found],
        "verb": form.cleaned_data["verb"],
        "reason": form.cleaned_data["reason"],
        "query": _query(request),
    }
    return render(request, "dashboard/workers/workers_confirm.html", context)


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
    form: StatesForm | None = None, ticked: set[uuid.UUID] | None = None,
) -> HttpResponse:  # fmt: skip
    state, flag = request.GET.get("state", ""), request.GET.get("flag", "")
    table = worker_table(
        campaign, order=request.GET.get("order", ""), state=state, flag=flag,
        page=_number(request), with_gold=permissions.sees_gold, with_ids=permissions.sees_earnings,
    )  # fmt: skip
    context: dict[str, Any] = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "table": table,
        "heads": _heads(table.order),
        "state": state,
        "flag": flag,
        "states": Enrollment.State.choices,
        "flags": [(ANY, "any"), *WorkerFlag.Kind.choices],
        "is_filtered": bool(state or flag),
        "form": form or StatesForm(),
        "ticked": ticked or set(),
        "query": _query(request),
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


def _number(request: HttpRequest) -> int:
    given = request.GET.get("page", "")
    return min(int(given), MOST_PAGES) if given.isascii() and given.isdigit() else 1


def _query(request: HttpRequest) -> str:
    """What of the address says which workers are shown."""
    names = ("order", "state", "flag", "page")
    kept = {name: request.GET[name] for name in names if request.GET.get(name)}
    return urlencode(kept)


def _back(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    address = reverse("manage:workers", args=[campaign.slug])
    query = _query(request)
    return redirect(f"{address}?{query}" if query else address)
