"""Set-up: files, labels, instructions, gold, answers and pay, check, and then the link.

The draft itself is all that is kept: each step shows and saves a part of it by the forms and
actions that its other pages have, and whoever comes back is led to what is not finished.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from annotation.actions.campaigns import preflight
from annotation.interfaces import traits
from annotation.models import Campaign, Project
from dashboard.access import managed_campaign, managed_project
from dashboard.campaigns.links import first_link
from dashboard.campaigns.promise import promise_words
from dashboard.campaigns.saving import changed_by
from dashboard.forms import UploadForm, add_refusals
from dashboard.jobs.files import imports_of, limit
from dashboard.plan.queries import plan
from dashboard.schema.forms import TypesForm, initial_rows
from dashboard.schema.views import MORE, save_types, types_context, with_more_rows
from dashboard.setup.actions import begin_campaign, begin_project
from dashboard.setup.expectations import task_time
from dashboard.setup.forms import BeginForm, step_form
from dashboard.setup.preview import worker_preview
from dashboard.setup.steps import (
    ADVISED_GOLD,
    LINK,
    TITLES,
    SetupFacts,
    first_unfinished,
    setup_facts,
    steps,
)
from dashboard.setup.task_templates import TEMPLATES

ORDER = list(TITLES)
SHOWN_IMPORTS = 5
TEXTS = "instructions"  # the step whose texts are kept as versions


@login_required
def begin(request: HttpRequest) -> HttpResponse:
    """A new project with its first campaign, from a template."""
    form = BeginForm(request.POST if request.method == "POST" else None, is_new=True)
    if form.is_valid():
        data = form.cleaned_data
        try:
            made = begin_project(
                data["template"], name=data["project"], language=data["language"],
                user=request.user,
            )  # fmt: skip
        except ValidationError as error:
            add_refusals(form, error.message_dict, {"name": "project"})
        else:
            return redirect("manage:set-up", made.slug)
    return _begin_page(request, form)


@login_required
def begin_in_project(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    form = BeginForm(request.POST if request.method == "POST" else None, is_new=False)
    if form.is_valid():
        made = begin_campaign(form.cleaned_data["template"], project, user=request.user)
        return redirect("manage:set-up", made.slug)
    return _begin_page(request, form, project)


def _begin_page(
    request: HttpRequest, form: BeginForm, project: Project | None = None
) -> HttpResponse:
    context = {"form": form, "templates": TEMPLATES.items(), "project": project}
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/setup/begin.html", context, status=status)


@login_required
def set_up(request: HttpRequest, slug: str) -> HttpResponse:
    """To the first step that is not finished."""
    campaign = managed_campaign(request.user, slug)
    step = first_unfinished(campaign, setup_facts(campaign))
    return redirect("manage:set-up-step", slug, step)


@login_required
def step(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    """POST saves what the step has. With `auto` it stays there, as a page that saves by itself
    asks; else it goes on."""
    campaign = managed_campaign(request.user, slug)
    if step not in (*ORDER, LINK):
        raise Http404
    if (campaign.state == Campaign.State.DRAFT) == (step == LINK):
        return redirect("manage:set-up", slug) if step == LINK else _is_open(request, campaign)
    if step == LINK:
        return render(request, "dashboard/setup/link.html", _link(campaign))
    facts = setup_facts(campaign)
    if step == "labels" and traits(campaign.interface).product is not None:
        return _labels(request, campaign, facts)
    return _fields(request, campaign, facts, step)


def _is_open(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    messages.info(request, "The campaign is set up already: what can be changed is in Settings.")
    return redirect("manage:campaign", campaign.slug)


def _labels(request: HttpRequest, campaign: Campaign, facts: SetupFacts) -> HttpResponse:
    """The project's own types, by the form that its Labels have."""
    project = campaign.project
    refused = None
    if request.method != "POST":
        types = TypesForm(initial=initial_rows(project.schema))
    elif MORE in request.POST:
        types = with_more_rows(request.POST, project)
    else:
        types = TypesForm(request.POST, initial=initial_rows(project.schema))
        refused = save_types(request, project, types)
        if refused is None:
            return redirect("manage:set-up-step", campaign.slug, _after("labels"))
    context = types_context(request, project, types, refused)
    return _page(request, campaign, facts, "labels", status=422 if refused else 200, **context)


def _fields(request: HttpRequest, campaign: Campaign, facts: SetupFacts, step: str) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form, is_auto = step_form(campaign, step, facts, data), "auto" in request.POST
    if data is not None and form is None:
        return redirect("manage:set-up-step", campaign.slug, _after(step))
    if form is not None and form.is_valid():
        if step == "pay" and not form.cleaned_data.get("pay"):
            form.cleaned_data["budget"] = form.cleaned_data.get("budget") or 0  # unpaid, and said
        saved = changed_by(form, campaign, request.user, unfinished=is_auto and step == TEXTS)
        if saved is not None and not is_auto:
            return redirect("manage:set-up-step", campaign.slug, _after(step))
        campaign = managed_campaign(request.user, campaign.slug)  # as it is now
    status = 422 if form is not None and form.errors else 200
    return _page(request, campaign, facts, step, form=form, status=status)


def _after(step: str) -> str:
    return ORDER[ORDER.index(step) + 1]


def _page(
    request: HttpRequest, campaign: Campaign, facts: SetupFacts, step: str, *, status: int = 200,
    **more: Any,
) -> HttpResponse:  # fmt: skip
    place = ORDER.index(step)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "facts": facts,
        "steps": steps(campaign, facts, step),
        "step": step,
        "title": TITLES[step],
        "before": ORDER[place - 1] if place else "",
        "after": TITLES[ORDER[place + 1]] if step != ORDER[-1] else "",
        "own": traits(campaign.interface),
        **_CONTEXTS.get(step, lambda campaign, facts: {})(campaign, facts),
    }
    return render(request, f"dashboard/setup/{step}.html", context | more, status=status)


def _of_files(campaign: Campaign, facts: SetupFacts) -> dict[str, Any]:
    return {
        "imports": list(campaign.project.imports.all()[:SHOWN_IMPORTS]),
        "upload_form": UploadForm(),
        "limit": limit(),
        "of_campaign": [
            (what, one)
            for what, one in imports_of(campaign).items()
            if what in ("choices", "claims")
        ],
    }


def _of_instructions(campaign: Campaign, facts: SetupFacts) -> dict[str, Any]:
    return {"preview": worker_preview(campaign), "words": _words(campaign)}


def _words(campaign: Campaign) -> int:
    return len(campaign.instructions.text.split()) if campaign.instructions else 0


def _of_gold(campaign: Campaign, facts: SetupFacts) -> dict[str, Any]:
    return {
        "advised": ADVISED_GOLD,
        "promise": promise_words(campaign.project, campaign.interface, campaign),
    }


def _of_pay(campaign: Campaign, facts: SetupFacts) -> dict[str, Any]:
    promise = promise_words(campaign.project, campaign.interface, campaign)
    return _expected(campaign) | {"promise": promise}


def _expected(campaign: Campaign) -> dict[str, Any]:
    time = task_time(campaign)
    return {"time": time, "plan": preflight(campaign), "hourly": time.hourly(campaign.pay_mills)}


def _of_check(campaign: Campaign, facts: SetupFacts) -> dict[str, Any]:
    found = _expected(campaign)
    lacks_gold = not campaign.gold_every or not facts.gold
    return found | {
        "preview": worker_preview(campaign),
        "forecast": plan(campaign)[0],
        "lacks_gold": lacks_gold,
        "flags": len(found["plan"].warnings) + lacks_gold,
        "advised": ADVISED_GOLD,
    }


def _link(campaign: Campaign) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "project": campaign.project,
        "link": first_link(campaign, timezone.now()),
    }


_CONTEXTS: dict[str, Any] = {
    "files": _of_files,
    "labels": lambda campaign, facts: {},
    "instructions": _of_instructions,
    "gold": _of_gold,
    "pay": _of_pay,
    "check": _of_check,
}
