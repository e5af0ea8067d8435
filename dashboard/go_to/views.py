"""Go to…: as a dialog over any page, and as a page of its own where no script runs."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.go_to.queries import Place, places

LONGEST = 100


@login_required
@require_safe
def go_to(request: HttpRequest) -> HttpResponse:
    """`q`: a few letters; `campaign` or `project`: where the person stands."""
    context = {
        "places": _found(request), "words": _words(request),
        "standing": {name: request.GET.get(name, "") for name in ("campaign", "project")},
    }  # fmt: skip
    return render(request, "dashboard/go_to/go_to.html", context)


@login_required
@require_safe
def go_to_data(request: HttpRequest) -> JsonResponse:
    """The same for the dialog (static/js/dashboard/go-to.js)."""
    return JsonResponse({"places": [place.to_json() for place in _found(request)]})


def _found(request: HttpRequest) -> list[Place]:
    return places(
        request.user, _words(request), campaign=_clean(request.GET.get("campaign", "")),
        project=_clean(request.GET.get("project", "")),
    )  # fmt: skip


def _words(request: HttpRequest) -> str:
    return " ".join(_clean(request.GET.get("q", "")).split())[:LONGEST]


def _clean(given: str) -> str:
    return given.replace("\0", "")  # PostgreSQL takes none
