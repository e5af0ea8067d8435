"""From mentions to a knowledge base: the campaigns that lead there, and the file at the end."""

from __future__ import annotations

import re

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.actions.jobs import enqueue
from dashboard.access import visible_project
from dashboard.interfaces import builds
from dashboard.jobs.views import to_job
from dashboard.knowledge.queries import chain

FORMS = ("jsonl", "tsv")
is_slug = re.compile(r"[-a-zA-Z0-9_]+\Z").match


@login_required
@require_safe
def knowledge(request: HttpRequest, slug: str) -> HttpResponse:
    project, permissions = visible_project(request.user, slug)
    steps = chain(project, with_gold=permissions.sees_gold)
    context = {
        "project": project,
        "permissions": permissions,
        "mentions": steps["mentions"],
        "relations": steps["relations"],
        "clusters": steps["clusters"],
        "builds": builds(),
        "has_run": any(row.method for rows in steps.values() for row in rows),
        "relation_types": project.schema.get("relation_types", ()),
    }
    return render(request, "dashboard/knowledge/knowledge.html", context)


@login_required
def knowledge_file(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """POST `campaign`, any number of them: have the file written. For those who see gold: a run
    that was told the known answers repeats them."""
    project, permissions = visible_project(request.user, slug)
    if form not in FORMS or not permissions.sees_gold:
        raise Http404
    if request.method != "POST":
        return redirect("manage:knowledge", slug)
    campaigns = [name for name in request.POST.getlist("campaign") if is_slug(name)]
    parameters = {"suffix": form, "campaigns": campaigns}
    return to_job(enqueue("export_knowledge_base", parameters, project=project, user=request.user))
