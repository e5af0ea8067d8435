"""The record of a project's changes, with filters, for its managers."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.access import Permissions, managed_project
from dashboard.newest_first import before_of
from dashboard.record.forms import RecordForm
from dashboard.record.queries import RecordPage, people_and_actions, record


@login_required
@require_safe
def changes(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    form = RecordForm(request.GET, *people_and_actions(project))
    is_valid = form.is_valid()
    page = (
        record(project, form.cleaned_data, before_of(request)) if is_valid else RecordPage([], None)
    )
    context = {
        "project": project,
        "permissions": Permissions("manager"),
        "form": form,
        "page": page,
        "is_filtered": any(request.GET.values()),
    }
    return render(request, "dashboard/record/record.html", context, status=200 if is_valid else 422)
