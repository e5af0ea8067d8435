"""The documents of a project, and one of them with its answers as lanes."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import Document
from dashboard.access import visible_project
from dashboard.addresses import number_in
from dashboard.documents.document import LANES, document_page
from dashboard.documents.queries import SHOWN, document_list

LONGEST_SEARCH = 200


@login_required
@require_safe
def documents(request: HttpRequest, slug: str) -> HttpResponse:
    project, permissions = visible_project(request.user, slug)
    search = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    found = document_list(
        project,
        campaign=request.GET.get("campaign", ""),
        search=search,
        uncertain_first=request.GET.get("order") == "uncertain",
        show=request.GET.get("show", ""),
        after=request.GET.get("after", "").replace("\0", ""),
        with_gold=permissions.sees_gold,
    )
    context = {
        "project": project,
        "permissions": permissions,
        "list": found,
        "search": search,
        "shown": SHOWN if permissions.sees_gold else (),
    }
    return render(request, "dashboard/documents/documents.html", context)


@login_required
@require_safe
def document(request: HttpRequest, slug: str, document: str) -> HttpResponse:
    project, permissions = visible_project(request.user, slug)
    if "\0" in document:  # no name has one, and PostgreSQL takes none
        raise Http404
    row = get_object_or_404(Document.objects.visible(), project=project, external_id=document)
    first = number_in(request, "from")
    page = document_page(
        project,
        row,
        campaign=request.GET.get("campaign", ""),
        part=number_in(request, "part"),
        first=first,
        with_gold=permissions.sees_gold,
        with_ids=permissions.sees_earnings,
    )
    context = {
        "project": project,
        "permissions": permissions,
        "page": page,
        "earlier": max(1, first - LANES) if page.first > 1 else 0,
        "later": page.last + 1 if page.last < page.answers else 0,
    }
    return render(request, "dashboard/documents/document.html", context)
