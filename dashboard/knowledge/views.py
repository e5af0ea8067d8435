"""From mentions to a knowledge base: the campaigns that lead there, and the file at the end."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard import subprocesses
from dashboard.access import visible_project
from dashboard.interfaces import builds
from dashboard.knowledge.queries import chain

COMMAND = "export_knowledge_base"
SECONDS = 20  # a request has thirty
FORMS = {"jsonl": "application/x-ndjson", "tsv": "text/tab-separated-values; charset=utf-8"}
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
@require_safe
def knowledge_file(request: HttpRequest, slug: str, form: str) -> HttpResponse | FileResponse:
    """For those who see gold: a run that was told the known answers repeats them."""
    _, permissions = visible_project(request.user, slug)
    if form not in FORMS or not permissions.sees_gold:
        raise Http404
    options = [("project", slug)]
    options += [("campaign", name) for name in request.GET.getlist("campaign") if is_slug(name)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"knowledge.{form}"
        try:
            ended = subprocesses.run(COMMAND, [*options, ("out", str(path))], seconds=SECONDS)
            if not ended.is_done:
                by_hand = subprocesses.command_line(COMMAND, [*options, ("out", path.name)])
                raise subprocesses.Failed(
                    f"To write the file takes longer than a page can. Write it by: {by_hand}"
                )
        except subprocesses.Failed as error:
            messages.error(request, str(error))
            return redirect("manage:knowledge", slug)
        content = path.open("rb")  # it stays readable when its folder is gone
    return FileResponse(
        content,
        as_attachment=True,
        filename=f"{slug}-{timezone.localdate():%Y-%m-%d}.{form}",
        content_type=FORMS[form],
    )
