"""A new campaign. What comes after is on the campaign's own page."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.actions.campaigns import create_campaign
from annotation.interfaces import AnswerError
from annotation.models import Campaign, Entity, ImportedAnswer, Project
from annotation.views.manage.access import managed_project
from annotation.views.manage.campaign_form import FIELDS, CampaignForm
from annotation.views.manage.forms import add_refusals


@login_required
def new_campaign(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    form = CampaignForm(
        request.POST if request.method == "POST" else None,
        initial={"linking": Entity.objects.filter(project=project).exists()},
    )
    if form.is_valid() and (made := _made(form, project, request)):
        messages.success(request, f"“{made.name}” is a draft: look at it, then open it.")
        return redirect("manage:campaign", made.slug)
    gold = ImportedAnswer.objects.filter(
        document__project=project,
        document__import_run__state="complete",
        interface=Campaign.Interface.ENTITY,
        source=ImportedAnswer.Source.GOLD,
    )
    context = {"project": project, "form": form, "gold": gold.count()}
    status = 422 if form.is_bound else 200
    return render(request, "manage/new_campaign.html", context, status=status)


def _made(form: CampaignForm, project: Project, request: HttpRequest) -> Campaign | None:
    try:
        return create_campaign(project, **form.settings(), user=request.user)
    except ValidationError as error:
        refused = error.message_dict
        if "slug" in refused:
            refused["slug"] = ["Another campaign has this short name. Choose another."]
        add_refusals(form, refused, FIELDS)
    except AnswerError as error:
        add_refusals(form, {path.rpartition(".")[2]: [problem] for path, problem in error.errors})
    return None
