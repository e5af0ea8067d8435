"""Whom a campaign goes on with: tried, done, and done each night."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions.campaigns import WrongState, edit_campaign
from annotation.actions.jobs import enqueue
from annotation.actions.locks import Held
from annotation.models import Campaign, Enrollment, Job
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.addresses import number_in
from dashboard.jobs.views import to_job
from dashboard.workers.forms import RulesForm, SelectForm
from dashboard.workers.selections import selection_page
from selection.actions.rules import keep_each_night
from selection.queries.rules import kept_each_night
from selection.queries.words import reason_in_words


@login_required
@require_safe
def selection(request: HttpRequest, slug: str) -> HttpResponse:
    """With `preview`, the key of a job, also whom it would keep."""
    campaign, permissions = visible_campaign(request.user, slug)
    preview = _preview(campaign, request.GET.get("preview", "")) if permissions.can_manage else None
    if preview is None:
        return _page(request, campaign, permissions)
    return _page(
        request, campaign, permissions, outcome=_in_words(preview.result["outcome"]),
        form=SelectForm(initial=SelectForm.chosen(preview.parameters)),
    )  # fmt: skip


@login_required
def try_selection(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `keep`, `estimator`, `above_chance` and `verb`: try tells what would be, apply does it.
    Each is a job."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return redirect("manage:selection", slug)
    if campaign.state == Campaign.State.CLOSED:
        messages.error(request, "The campaign is closed: nobody works on it any more.")
        return redirect("manage:selection", slug)
    form = SelectForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, Permissions("manager"), status=422, form=form)
    parameters = form.parameters()
    if request.POST.get("verb") == "apply":
        asked = enqueue("select_workers", parameters, campaign=campaign, user=request.user)
    else:
        parameters["dry-run"] = True
        asked = enqueue("preview_selection", parameters, campaign=campaign, user=request.user)
    return to_job(asked)


@login_required
def selection_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `keep_workers` and `open_to`."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return redirect("manage:selection", slug)
    form = RulesForm(request.POST)
    if form.is_valid():
        try:
            rules = form.cleaned_data
            changed = edit_campaign(campaign, open_to=rules["open_to"], user=request.user)
            nightly = keep_each_night(campaign, rules["keep_workers"], user=request.user)
        except (WrongState, Held) as error:
            messages.error(request, str(error))
        else:
            sentences = "Saved." if changed or nightly else "Nothing has changed."
            messages.success(request, f"{sentences} {_rules_in_words(form.cleaned_data)}")
        return redirect("manage:selection", slug)
    return _page(request, campaign, Permissions("manager"), status=422, rules_form=form)


def _preview(campaign: Campaign, key: str) -> Job | None:
    """The preview that an address names, if it is one of this campaign and done."""
    try:
        rows = campaign.jobs.filter(kind="preview_selection", key=uuid.UUID(key), state="done")
    except ValueError:
        return None
    return rows.first()


def _in_words(outcome: dict[str, Any]) -> dict[str, Any]:
    for row in outcome["workers"]:
        row |= {"is_barred": row["reason"] == "barred", "reason": reason_in_words(row["reason"])}
    return outcome


def _rules_in_words(rules: dict[str, Any]) -> str:
    most = rules["keep_workers"]
    nightly = f"Each night at most {most:,} are kept." if most else "Nobody is selected by night."
    alone = rules["open_to"] == Campaign.OpenTo.SELECTED
    return f"{nightly} {'Only the selected get tasks.' if alone else 'Who qualifies gets tasks.'}"


def _page(
    request: HttpRequest,
    campaign: Campaign,
    permissions: Permissions,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    number = number_in(request)
    page = selection_page(campaign, timezone.now(), page=number, with_gold=permissions.sees_gold)
    outcome, nightly = more.get("outcome"), kept_each_night(campaign)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "page": page,
        "number": number,
        "form": SelectForm(initial=_proposed(campaign, page, nightly)),
        "rules_form": RulesForm(
            initial={
                "keep_workers": nightly, "open_to": campaign.open_to
            }
        ),
        "time_of_outcome": page.pool.time_of(outcome["left"]) if outcome else None,
        "selected": Enrollment.State.SELECTED,
    }  # fmt: skip
    return render(request, "dashboard/workers/selection.html", context | more, status=status)


def _proposed(campaign: Campaign, page: Any, nightly: int | None) -> dict[str, Any]:
    """As the last time; else what each night does, or enough for the answers of a task twice."""
    if page.selections:
        last = page.selections[0]
        return {
            "keep": last.budget, "estimator": last.estimator,
            "above_chance": last.parameters.get("above_chance") and not last.parameters["graded"],
        }  # fmt: skip
    return {"keep": nightly or 2 * campaign.redundancy}
