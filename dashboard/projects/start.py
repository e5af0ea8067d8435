"""The start page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.queries import work


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The projects that are listed, and those of the person who is logged in."""
    mine = set(Project.objects.visible_to(request.user).values_list("slug", flat=True))
    projects = work.project_rows(Project.objects.listed_for(request.user), drafts_of=mine)
    return render(request, "dashboard/projects/start.html", {"projects": projects, "mine": mine})
