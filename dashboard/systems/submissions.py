"""A submission: its report, its files, and its withdrawal."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from dashboard.access import managed_submission, visible_submission
from dashboard.systems.queries import report_of
from evaluation.actions.submissions import CannotSubmit
from evaluation.actions.submissions import withdraw as withdraw_submission
from evaluation.models import Submission


@login_required
@require_safe
def submission(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    found, access = visible_submission(request.user, key)
    current = Submission.objects.current().filter(pk=found.pk).exists()
    context: dict[str, Any] = {
        "submission": found,
        "period": found.period,
        "team": found.system.team,
        "manages": access.manages or access.submits,
        "report": report_of(found),
        "is_current": current,
        "versions": found.system.submissions.filter(period=found.period).order_by("-version"),
    }
    if access.permissions is not None:
        context |= {"project": found.period.project, "permissions": access.permissions}
    return render(request, "dashboard/systems/submission.html", context)


@login_required
@require_safe
def download(request: HttpRequest, key: uuid.UUID, what: str) -> FileResponse:
    found, _ = visible_submission(request.user, key)
    stem = f"{found.system.name}-{found.version}"
    files: dict[str, tuple[Path, str]] = {
        "file": (found.content, found.file_name),
        "annotated": (found.annotated, f"{stem}-annotated.tsv.gz"),
        "issues": (found.issues, f"{stem}-issues.csv"),
    }
    path, name = files.get(what, (None, ""))
    if path is None or not path.is_file():
        raise Http404
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=name, content_type="application/octet-stream"
    )


@login_required
def withdraw(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """POST."""
    found = managed_submission(request.user, key)
    if request.method == "POST":
        try:
            withdraw_submission(found, user=request.user)
        except CannotSubmit as error:
            messages.error(request, str(error))
        else:
            messages.success(request, "It is withdrawn, and scored no more.")
    return redirect("manage:submission", key)
