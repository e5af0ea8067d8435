"""What a manager asks of several tasks at once: told first, then done."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from annotation.actions.task_orders import VERBS, CannotOrder, TaskOrder, foresee
from annotation.actions.task_orders import order_tasks as do_order
from annotation.models import Campaign
from dashboard.access import Permissions, managed_campaign
from dashboard.answer_words import counted

MOST_TICKED = 200
NONE = "Tick the tasks that it is about."
MEANWHILE = "These tasks have changed meanwhile. See what it means now."
BUTTONS = {
    "more": "Ask for one more answer",
    "first": "Give out first",
    "usual": "Give out in turn",
    "stop": "Give out no more",
}
DONE = {
    "more": "One more answer is asked for in {}.",
    "first": "Before all others: {}.",
    "usual": "In turn with the others: {}.",
    "stop": "Given out no more: {}.",
}


@login_required
def order_tasks(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `task` (ids) and `verb`: shows what it would mean. With `sure`, the number of answers
    that was wanted as it was shown, it is done, unless that is another one by now."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return _back(request, campaign)
    names = list(dict.fromkeys(name.replace("\0", "") for name in request.POST.getlist("task")))
    verb = request.POST.get("verb", "")
    problem = "" if names else NONE
    if len(names) > MOST_TICKED:
        problem = f"Tick {MOST_TICKED} tasks at most."
    if verb not in VERBS:
        problem = problem or f"Choose what is to be done: {', '.join(BUTTONS.values())}."
    order = None
    if not problem:
        try:
            order = foresee(campaign, names, verb)
            problem = "" if order.tasks else NONE
        except CannotOrder as error:
            problem = str(error)
    if problem or order is None:
        messages.error(request, problem)
        return _back(request, campaign)
    sure = request.POST.get("sure")
    if sure != str(order.wanted):
        return _confirm(request, campaign, order, names, verb, MEANWHILE if sure else "")
    number = do_order(campaign, order, verb, user=request.user)
    messages.success(request, DONE[verb].format(counted(number, "task")))
    return _back(request, campaign)


def _confirm(
    request: HttpRequest,
    campaign: Campaign,
    order: TaskOrder,
    names: list[str],
    verb: str,
    problem: str,
) -> HttpResponse:
    left = None
    if campaign.budget_mills is not None:
        left = max(0, campaign.budget_mills - campaign.committed_mills)
    cost = len(order.changes) * campaign.pay_mills
    context: dict[str, Any] = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": Permissions("manager"),
        "order": order,
        "names": names,
        "verb": verb,
        "button": BUTTONS[verb],
        "cost": cost,
        "left": left,
        "is_short": verb == "more" and left is not None and cost > left,
        "problem": problem,
        "query": _query(request),
    }
    return render(
        request, "dashboard/campaigns/tasks_confirm.html", context, status=422 if problem else 200
    )


def _query(request: HttpRequest) -> str:
    """What of the address says which tasks are shown."""
    return urlencode({name: request.GET[name] for name in ("show", "page") if name in request.GET})


def _back(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    address, query = reverse("manage:tasks", args=[campaign.slug]), _query(request)
    return redirect(f"{address}?{query}" if query else address)
