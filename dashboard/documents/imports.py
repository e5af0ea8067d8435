"""Documents in by a page: choose a file, look at what it would bring, import; and undo it."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from annotation.actions import locks
from annotation.actions.documents import (
    DocumentsInUse,
    ImportFailed,
    TakesTooLong,
    Upload,
    discard_upload,
    find_upload,
    import_upload,
    is_large,
    read_upload,
    report_of,
    store_upload,
    undo_import,
)
from annotation.actions.jobs import enqueue
from annotation.models import Project
from dashboard.access import managed_project
from dashboard.documents.uploads import is_too_large
from dashboard.forms import FORMATS, UploadForm
from dashboard.jobs.views import to_job

MEGABYTE = 1024 * 1024
REJECTED_ON_A_PAGE = 50
MOST_TO_UNDO = 500  # documents that are removed within a quarter of a second; more by a job
SECONDS = 2  # that a small file may take to read; a packed one may hold more than its size tells


class TooLarge(Exception):
    """The body was read past, and the file with it."""


@login_required
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    form, problem = UploadForm(), None
    if request.method == "POST":
        form = UploadForm(request.POST, request.FILES)
        try:
            if (sent := _sent(request, project, form)) is not None:
                return sent
        except (TooLarge, ImportFailed) as error:
            problem = error
    context = {
        "project": project,
        "form": form,
        "problem": problem,
        "by_command": isinstance(problem, TooLarge),
        "limit": _limit(),
    }
    return render(
        request, "dashboard/documents/import.html", context, status=422 if form.is_bound else 200
    )


def _sent(request: HttpRequest, project: Project, form: UploadForm) -> HttpResponse | None:
    """To the preview, or to the job that makes one of a large file. None where the form says what
    is wrong."""
    if is_too_large(request):
        raise TooLarge(f"The file is larger than {_limit()} MB.")
    if not form.is_valid():
        return None
    file = form.cleaned_data["file"]
    format = form.cleaned_data["format"] or "auto"
    key = store_upload(project, request.user, file.chunks())
    about = {"name": file.name, "format": format}
    if not is_large(project, request.user, key):
        try:
            read_upload(project, request.user, key, **about, seconds=SECONDS)
            return redirect("manage:import-preview", project.slug, key)
        except TakesTooLong:
            pass
    parameters = {"upload": str(key), **about}
    return to_job(enqueue("read_upload", parameters, project=project, user=request.user))


@login_required
def preview(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST `import` or `cancel`; else the rows as they will be read, and all that is rejected."""
    project = managed_project(request.user, slug)
    upload = find_upload(project, request.user, key)
    if upload is None:
        messages.error(
            request, "This upload is not kept any more: it was imported, or replaced. Choose the "
            "file again if its documents are not here.",
        )  # fmt: skip
        return redirect("manage:import", project.slug)
    if request.method != "POST":
        return render(
            request, "dashboard/documents/import_preview.html", _preview(request, project, upload)
        )
    if "cancel" in request.POST:
        discard_upload(upload)
        return redirect("manage:import", project.slug)
    if not upload.is_small:
        parameters = {"upload": upload.key}
        return to_job(enqueue("import_upload", parameters, project=project, user=request.user))
    try:
        run = import_upload(project, upload, user=request.user)
    except (ImportFailed, locks.Held) as error:
        messages.error(request, str(error))
        return redirect("manage:import-preview", project.slug, upload.key)
    discard_upload(upload)
    messages.success(request, f"{_documents(run.added)} of {run.file_name} imported.")
    return redirect("manage:project", project.slug)


@login_required
@require_safe
def rejected_of_upload(request: HttpRequest, slug: str, key: uuid.UUID) -> FileResponse:
    project = managed_project(request.user, slug)
    upload = find_upload(project, request.user, key)
    if upload is None:
        raise Http404
    return _report(upload.report, upload.name)


@login_required
@require_safe
def rejected_of_import(request: HttpRequest, slug: str, key: uuid.UUID) -> FileResponse:
    project = managed_project(request.user, slug)  # what is wrong with gold tells of gold
    run = get_object_or_404(project.imports, key=key)
    return _report(report_of(run), run.file_name)


@login_required
def undo(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    project = managed_project(request.user, slug)
    run = get_object_or_404(project.imports.select_related("project"), key=key)
    if request.method == "POST" and run.added > MOST_TO_UNDO:
        parameters = {"import": str(run.key)}
        return to_job(enqueue("undo_import", parameters, project=project, user=request.user))
    if request.method == "POST":
        try:
            removed = undo_import(run, user=request.user)
            messages.success(request, f"{_documents(removed)} of {run.file_name} removed.")
        except (DocumentsInUse, locks.Held) as error:
            messages.error(request, str(error))
        return redirect("manage:project", project.slug)
    context = {"project": project, "run": run}
    return render(request, "dashboard/documents/import_undo.html", context)


def _preview(request: HttpRequest, project: Project, upload: Upload) -> dict[str, Any]:
    found = upload.preview
    pages = Paginator(range(found.rejected), REJECTED_ON_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    colours = {one["name"]: one["colour"] for one in project.schema.get("entity_types", ())}
    return {
        "project": project,
        "upload": upload,
        "preview": found,
        "format": FORMATS[found.format],
        "rows": [
            (row, [(text, name, colours.get(name)) for text, name in row.pieces])
            for row in found.rows
        ],
        "unused": list(found.unused.items()),  # a field may be called "items"
        "page": page,
        "rejected": upload.rejected(page.start_index() - 1, REJECTED_ON_A_PAGE),
    }


def _report(path: Path, name: str) -> FileResponse:
    """The rejected lines as a file. 404 where there are none, or the report was thrown away."""
    if not path.exists():
        raise Http404
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"{name}.rejected.jsonl",
        content_type="application/x-ndjson",
    )


def _documents(number: int) -> str:
    return f"{number:,} document{'' if number == 1 else 's'}"


def _limit() -> int:
    return settings.MAX_UPLOAD_BYTES // MEGABYTE
