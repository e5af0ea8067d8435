"""Review: one dispute after the other, decided by one key."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from aggregation.actions import decisions
from aggregation.models import Adjudication
from aggregation.queries.runs import RunSummary, latest_run
from annotation.models import Campaign, Demand, Task
from annotation.text import markdown
from dashboard.access import Permissions, visible_campaign
from dashboard.review.cuts import NoCut
from dashboard.review.deciding import decide_at
from dashboard.review.queries import Review
from dashboard.review.queries import review as review_of
from dashboard.review.queue import Waiting, done, queue

SHOWN = 12  # of the queue
CHANGED = (
    "Answers to this task came in after you opened it, and what you chose is not among them any "
    "more. Nothing was stored. Choose again."
)


@login_required
@require_safe
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """GET `task` (its id; else the first of the queue) and `at` (which dispute of it)."""
    campaign, permissions = _reviewed(request, slug)
    return _page(request, campaign, permissions, request.GET.get("task", ""))


@login_required
def decide(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `task`, `version` and `at` with `choice`, or `verb` = "undo"; the `choice` "cut" comes
    with the numbers of the `first` and the `last` word and the `type`. Where somebody else was
    faster, 409 with their decision, and nothing of this one is stored."""
    campaign, permissions = _reviewed(request, slug)
    address = reverse("manage:review", args=[slug])
    if request.method != "POST":
        return redirect(address)
    name, given = request.POST.get("task", "").replace("\0", ""), request.POST.get("version", "")
    task = tasks_to_review(campaign).filter(external_id=name).first()
    if task is None:
        messages.error(request, f"The campaign has no task “{name[:200]}”. Go on with another one.")
        return redirect(address)
    version = int(given) if given.isascii() and given.isdigit() and len(given) < 12 else 0
    try:
        if request.POST.get("verb") == "undo":
            decisions.take_back(task, version=version, user=request.user)
            return redirect(f"{address}?{urlencode({'task': name})}")
        target = _decide(request, campaign, task, version)
    except decisions.OtherVersion as error:
        return _page(request, campaign, permissions, name, str(error), status=409)
    except decisions.CannotDecide as error:
        messages.error(request, str(error))
        return redirect(f"{address}?{urlencode({'task': name})}")
    except NoCut as error:
        return _page(request, campaign, permissions, name, str(error), status=422)
    if target is None:
        return _page(request, campaign, permissions, name, CHANGED, status=409)
    return redirect(f"{address}?{urlencode(target)}")


def _decide(
    request: HttpRequest, campaign: Campaign, task: Task, version: int
) -> dict[str, str] | None:
    """Where to go on; None where the choice is no longer among the candidates. Raises NoCut."""
    wants_gold = request.POST.get("gold") == "on"
    given = {name: request.POST.get(name, "") for name in ("at", "choice")}
    decided = decide_at(
        campaign, task, version=version, gold=wants_gold, user=request.user, cut=request.POST,
        **given,
    )  # fmt: skip
    if decided is None:
        return None
    if decided.gold is not None:
        name = decided.gold.external_id
        messages.success(request, f"Gold question “{name}” was made of this decision.")
    target = {"last": task.external_id}
    if decided.following:
        target |= {"task": task.external_id, "at": decided.following}
        if wants_gold:
            target["gold"] = "on"
    return target


def _page(
    request: HttpRequest,
    campaign: Campaign,
    permissions: Permissions,
    name: str,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    run = latest_run(campaign)
    waiting = queue(campaign, run)
    ids = [one.id for one in waiting]
    chosen = name.replace("\0", "") or next(iter(ids), "")
    found = _found(request, campaign, run, permissions, chosen)
    place = ids.index(chosen) if chosen in ids else -1
    last = request.GET.get("last", "").replace("\0", "")[:200]
    undone = (
        Adjudication.objects.filter(
            task__campaign=campaign, task__external_id=last, decided_by=request.user.pk
        ).select_related("task").first()
        if last
        else None
    )  # fmt: skip
    context: dict[str, Any] = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "run": run,
        "waiting": _around(waiting, place),
        "total": len(waiting),
        "chosen": chosen,
        "review": found,
        "previous": ids[place - 1] if place > 0 else "",
        "next": ids[place + 1] if place + 1 < len(ids) else "",
        "after": _after(found, ids, chosen),
        "done": done(campaign, request.user),
        "undone": undone,
        "following": _following(found),
        "gold": request.GET.get("gold") == "on",
        "all_lanes": request.GET.get("lanes") == "all",
        "problem": problem,
        "instructions": markdown.render(campaign.instructions.text)
        if campaign.instructions
        else "",
    }
    return render(request, "dashboard/review/review.html", context, status=status)


def _after(found: Review | None, ids: list[str], chosen: str) -> str:
    """The task that is shown when the next decision is stored; "" while this one has more."""
    if found is None or found.open_after(found.at) not in (None, found.at):
        return ""
    return next((name for name in ids if name != chosen), "")


def _following(found: Review | None) -> str:
    """The id of the next place of the same document, decided or not."""
    if found is None or len(found.disputes) < 2:
        return ""
    return found.disputes[(found.at + 1) % len(found.disputes)].id


def _around(waiting: list[Waiting], place: int) -> list[Waiting]:
    first = max(0, min(place - SHOWN // 2, len(waiting) - SHOWN))
    return waiting[first : first + SHOWN]


def _found(
    request: HttpRequest,
    campaign: Campaign,
    run: RunSummary | None,
    permissions: Permissions,
    name: str,
) -> Review | None:
    if run is None or not name:
        return None
    task = get_object_or_404(tasks_to_review(campaign), external_id=name)
    part = request.GET.get("at", "") or request.POST.get("at", "")
    return review_of(campaign, run, task, part=part, with_ids=permissions.can_manage)


def tasks_to_review(campaign: Campaign) -> Any:
    """A gold question is no task that one reviews."""
    plain = Task.objects.filter(campaign=campaign, demand__kind=Demand.Kind.PLAIN)
    return plain.select_related("document", "campaign__project")


def _reviewed(request: HttpRequest, slug: str) -> tuple[Campaign, Permissions]:
    campaign, permissions = visible_campaign(request.user, slug)
    if not permissions.sees_gold:
        raise Http404
    return campaign, permissions
