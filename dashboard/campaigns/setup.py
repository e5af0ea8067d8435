"""A new campaign, and a change of one. What comes after is on the campaign's own page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.actions.campaigns import create_campaign
from annotation.interfaces import AnswerError
from annotation.models import Campaign, Entity, Project
from annotation.text import markdown
from annotation.text.markdown import LONGEST_TEXT
from dashboard.access import managed_campaign, managed_project
from dashboard.campaigns.campaign_form import FIELDS, CampaignForm
from dashboard.campaigns.consequences import Consequence, consequences, digest_of
from dashboard.campaigns.edit_form import edit_form, values_of
from dashboard.campaigns.promise import promise_words
from dashboard.campaigns.saving import add_refused_options, changed_by
from dashboard.forms import add_refusals
from dashboard.interfaces import offers
from dashboard.setup.steps import known_answers

MADE = "entity"  # what is made where nothing else is chosen


@login_required
def new_campaign(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    has_entries = _has_entries(project)
    offered = offers()
    chosen = request.GET.get("interface", MADE)
    if chosen not in offered:
        chosen = MADE
    own = offered.pop(chosen)
    form = own.form(
        request.POST if request.method == "POST" else None, initial={"linking": has_entries}
    )
    if form.is_valid() and (made := _made(form, project, request)):
        messages.success(request, f"“{made.name}” is a draft: look at it, then open it.")
        return redirect("manage:campaign", made.slug)
    return _page(
        request, "dashboard/campaigns/new_campaign.html", project, form, has_entries=has_entries,
        pages=own, others=offered,
    )  # fmt: skip


@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """All of a draft; of a campaign that was opened, what workers and answers do not suffer by.
    What a change does is told first, and saved by a second press (`told`); `preview` is answered
    with the instructions as workers would read them, and nothing else."""
    campaign = managed_campaign(request.user, slug)
    if campaign.state == Campaign.State.CLOSED:
        messages.error(request, "The campaign is closed: nothing of it changes any more.")
        return redirect("manage:campaign", slug)
    if "preview" in request.POST:
        text = request.POST.get("instructions", "")[:LONGEST_TEXT]
        shown = {"as_read": markdown.render(text)}
        return render(request, "dashboard/campaigns/_as_read.html", shown)
    form = edit_form(campaign, request.POST if request.method == "POST" else None)
    told: list[Consequence] = []
    if form.is_valid():
        told = consequences(campaign, values_of(campaign), form.chosen())
        if not told or request.POST.get("told") == digest_of(told):
            changed = changed_by(form, campaign, request.user)
            if changed is not None:
                messages.success(request, _save_message(campaign, changed))
                return redirect("manage:settings", slug)
        elif not _would_save(form, campaign, request):
            told = []
    context = {
        "told": told,
        "told_digest": digest_of(told) if told else "",
        "campaign": campaign,
        "is_draft": campaign.state == Campaign.State.DRAFT,
        "has_entries": _has_entries(campaign.project),
        "as_read": markdown.render(form["instructions"].value() or ""),
    }
    return _page(
        request, "dashboard/campaigns/edit_campaign.html", campaign.project, form, **context
    )


def edit_words(campaign: Campaign) -> dict[str, Any]:
    """What stands beside the fields of a campaign that is open. Four queries at most."""
    project = campaign.project
    return {
        "promise": promise_words(project, campaign.interface, campaign),
        "gold": known_answers(project, campaign.interface),
        "has_entries": _has_entries(project),
    }


def _would_save(form: CampaignForm, campaign: Campaign, request: HttpRequest) -> bool:
    """Tried and taken back, so that what the action refuses is told by the first press."""
    with transaction.atomic():
        changed = changed_by(form, campaign, request.user)
        transaction.set_rollback(True)
    return changed is not None


def _save_message(campaign: Campaign, changed: list[str]) -> str:
    if not changed:
        return "Nothing has changed."
    if campaign.state == Campaign.State.DRAFT:
        return "Saved."
    sentences = ["Saved."]
    if "instructions" in changed:
        sentences.append("Workers read the new instructions before their next task.")
    if "consent" in changed:
        campaign.refresh_from_db(fields=["consent"])
        sentences.append(
            "Every worker is asked to agree to the new text before the next task."
            if campaign.consent_id
            else "Nobody is asked to agree any more."
        )
    return " ".join(sentences)


def _page(
    request: HttpRequest, template: str, project: Project, form: CampaignForm, **more: Any
) -> HttpResponse:
    campaign: Campaign | None = more.get("campaign")
    promise = promise_words(project, campaign.interface if campaign else form.interface, campaign)
    gold = known_answers(project, form.interface)
    context = {"project": project, "form": form, "gold": gold, "promise": promise} | more
    refused = form.is_bound and (form.errors or not context.get("told"))
    return render(request, template, context, status=422 if refused else 200)


def _has_entries(project: Project) -> bool:
    return Entity.objects.filter(project=project).exists()


def _made(form: CampaignForm, project: Project, request: HttpRequest) -> Campaign | None:
    try:
        return create_campaign(project, **form.settings(), user=request.user)
    except ValidationError as error:
        refused = error.message_dict
        if "slug" in refused:
            refused["slug"] = ["Another campaign has this short name. Choose another."]
        add_refusals(form, refused, FIELDS)
    except AnswerError as error:
        add_refused_options(form, error)
    return None
