"""From an entity campaign to campaigns for relations and for linking: the draft, and its tasks."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from aggregation.queries import latest_run
from annotation.actions.campaigns import create_campaign
from annotation.actions.jobs import enqueue
from annotation.interfaces import Product, traits
from annotation.models import Campaign
from dashboard.access import managed_campaign
from dashboard.campaigns.building_forms import BuildForm, NextForm, SourceForm
from dashboard.campaigns.campaign_form import FIELDS
from dashboard.forms import add_refusals
from dashboard.interfaces import pages_of
from dashboard.jobs.views import to_job


@login_required
def next_campaign(request: HttpRequest, slug: str, interface: str) -> HttpResponse:
    """A draft of `interface` made from this entity campaign, with its tasks."""
    source = managed_campaign(request.user, slug)
    built = pages_of(interface).built
    if traits(source.interface).product is not Product.MENTIONS or built is None:
        raise Http404
    data = request.POST if request.method == "POST" else None
    form = built.form(data, initial=built.form.proposed(source))
    build_form = built.build_form(source.project, data)
    run = latest_run(source)
    if data is not None and run is not None and form.is_valid() & build_form.is_valid():
        made = _made(form, source, request)
        if made is not None:
            messages.success(request, f"“{made.name}” is a draft: look at it, then open it.")
            return _build(request, source, made, build_form, built.command)
    context = {
        "campaign": source,
        "project": source.project,
        "run": run,
        "interface": interface,
        "built": built,
        "is_lacking": built.lacks(source.project.schema),
        "form": form,
        "build_form": build_form,
    }
    status = 200 if data is None else 422
    return render(request, "dashboard/campaigns/next_campaign.html", context, status=status)


@login_required
def campaign_tasks(request: HttpRequest, slug: str) -> HttpResponse:
    """The tasks of a relation or linking campaign: made, or what is new added to them."""
    into = managed_campaign(request.user, slug)
    built = pages_of(into.interface).built
    if built is None:
        raise Http404
    if into.state == Campaign.State.CLOSED:
        messages.error(request, "The campaign is closed: it takes no more tasks.")
        return redirect("manage:campaign", slug)
    data = request.POST if request.method == "POST" else None
    source_form = SourceForm(into, data, initial={"source": into.options.get("from")})
    build_form = built.build_form(into.project, data)
    if data is not None and source_form.is_valid() & build_form.is_valid():
        return _build(request, source_form.cleaned_data["source"], into, build_form, built.command)
    context = {
        "campaign": into,
        "project": into.project,
        "form": source_form,
        "build_form": build_form,
        "built": built,
    }
    status = 200 if data is None else 422
    return render(request, "dashboard/campaigns/campaign_tasks.html", context, status=status)


def _made(form: NextForm, source: Campaign, request: HttpRequest) -> Campaign | None:
    settings = form.settings()
    settings["options"] |= {"from": source.slug}
    try:
        return create_campaign(source.project, **settings, user=request.user)
    except ValidationError as error:
        refused = error.message_dict
        if "slug" in refused:
            refused["slug"] = ["Another campaign has this short name. Choose another."]
        add_refusals(form, refused, FIELDS)
    return None


def _build(
    request: HttpRequest, source: Campaign, into: Campaign, form: BuildForm, kind: str
) -> HttpResponse:
    """Ask for the tasks; to the page that says what comes of it."""
    parameters = {"campaign": source.slug, **form.parameters()}
    return to_job(enqueue(kind, parameters, campaign=into, user=request.user))
