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
from django.urls import reverse
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
from annotation.models import Campaign, ImportRun, Job, Project
from dashboard.access import managed_project
from dashboard.documents.uploads import is_too_large
from dashboard.forms import DIALECTS, FORMATS, UploadForm
from dashboard.jobs.views import to_job

MEGABYTE = 1024 * 1024
REJECTED_ON_A_PAGE = 50
MOST_TO_UNDO = 500  # documents that are removed within a quarter of a second; more by a job
SECONDS = 2  # that a small file may take to read; a packed one may hold more than its size tells


# What a column of a table can be, and what the page calls it.
USES = (("text", "Text"), ("id", "Id"), ("title", "Title"))


class TooLarge(Exception):
    """The body was read past, and the file with it."""


def _set_up_of(request: HttpRequest, project: Project) -> str:
    """The campaign whose set-up the person came from, by its slug; "" for none."""
    slug = request.POST.get("campaign") or request.GET.get("campaign") or ""
    drafts = Campaign.objects.filter(project=project, state=Campaign.State.DRAFT)
    return slug if slug and "\0" not in slug and drafts.filter(slug=slug).exists() else ""


def _to_preview(project: Project, key: uuid.UUID | str, set_up: str) -> HttpResponse:
    address = reverse("manage:import-preview", args=[project.slug, key])
    return redirect(f"{address}?campaign={set_up}" if set_up else address)


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
        "set_up": _set_up_of(request, project),
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
            return _to_preview(project, key, _set_up_of(request, project))
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
    set_up = _set_up_of(request, project)
    if "cancel" in request.POST:
        discard_upload(upload)
        if set_up:
            return redirect("manage:set-up-step", set_up, "files")
        return redirect("manage:import", project.slug)
    if "columns" in request.POST:
        return _chosen_columns(request, project, upload, set_up)
    if not upload.is_small:
        parameters = {"upload": upload.key}
        return to_job(enqueue("import_upload", parameters, project=project, user=request.user))
    try:
        run = import_upload(project, upload, user=request.user)
    except (ImportFailed, locks.Held) as error:
        messages.error(request, str(error))
        return _to_preview(project, upload.key, set_up)
    discard_upload(upload)
    messages.success(request, f"{_documents(run.added)} of {run.file_name} imported.")
    if set_up:
        return redirect("manage:set-up", set_up)
    return redirect("manage:project", project.slug)


def _chosen_columns(
    request: HttpRequest, project: Project, upload: Upload, set_up: str
) -> HttpResponse:
    """The same table with other columns as text, id and title."""
    uses = {use: request.POST.get(f"column-{use}", "").replace("\0", "") for use, _ in USES}
    uses = {use: name if name in upload.preview.columns else "" for use, name in uses.items()}
    if not uses["text"]:
        messages.error(request, "Choose the column that holds the text.")
        return _to_preview(project, upload.key, set_up)
    key, seconds = uuid.UUID(upload.key), None if upload.is_small else SECONDS
    try:
        read_upload(
            project, request.user, key, name=upload.name, format=upload.preview.format, uses=uses,
            seconds=seconds,
        )  # fmt: skip
    except TakesTooLong as error:
        messages.error(request, str(error))
    except ImportFailed as error:
        messages.error(request, str(error))
        return redirect("manage:import", project.slug)
    return _to_preview(project, key, set_up)


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
    if request.method == "POST":
        try:
            done = undone(run, request.user)
            if isinstance(done, Job):
                return to_job(done)
            messages.success(request, f"{_documents(done)} of {run.file_name} removed.")
        except (DocumentsInUse, locks.Held) as error:
            messages.error(request, str(error))
        return redirect("manage:project", project.slug)
    context = {"project": project, "run": run}
    return render(request, "dashboard/documents/import_undo.html", context)


def undone(run: ImportRun, user: Any) -> int | Job:
    """How many documents are removed, or the job that removes them where they are many. Raises
    DocumentsInUse, Held."""
    if run.added > MOST_TO_UNDO:
        told = {"import": str(run.key)}
        return enqueue("undo_import", told, project=run.project, user=user)
    return undo_import(run, user=user)


def _preview(request: HttpRequest, project: Project, upload: Upload) -> dict[str, Any]:
    found = upload.preview
    pages = Paginator(range(found.rejected), REJECTED_ON_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    colours = {one["name"]: one["colour"] for one in project.schema.get("entity_types", ())}
    return {
        "project": project,
        "set_up": _set_up_of(request, project),
        "upload": upload,
        "preview": found,
        "format": FORMATS[found.format],
        "dialect": DIALECTS.get(found.dialect, ""),
        "uses": [(use, words, found.uses.get(use, "")) for use, words in USES],
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
