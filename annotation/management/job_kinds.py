"""The jobs of the base app."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from io import StringIO
from typing import Any

from django.core.management.base import CommandError

from annotation.actions import locks
from annotation.actions.campaigns import NotReady, WrongState, open_campaign
from annotation.actions.documents import (
    DocumentsInUse,
    ImportFailed,
    discard_upload,
    find_upload,
    import_documents,
    import_upload,
    is_stored,
    read_upload,
    undo_import,
)
from annotation.actions.keeping import delete_campaign, delete_project
from annotation.actions.progress import Progress
from annotation.actions.webhooks import send_due
from annotation.management.jobs.kinds import (
    Kind,
    by,
    called,
    command,
    file_of,
    sent_file,
    with_file,
)
from annotation.models import Campaign, ImportRun, Job, Project

GONE = "The file is not kept any more: it was imported, or replaced. Send it again."


def _open_campaign(job: Job) -> dict[str, Any]:
    campaign = job.campaign
    assert campaign is not None
    if campaign.state == Campaign.State.OPEN:  # by an earlier try
        return {"lines": ["The campaign is open."]}
    try:
        made = open_campaign(campaign, user=job.asked_by)
    except (NotReady, WrongState, locks.Held) as error:
        raise CommandError(str(error)) from error
    return {"lines": [f"The campaign is open, with {_counted(made, 'task')}."]}


def _read_upload(job: Job) -> dict[str, Any]:
    owner, given = _owner(job), job.parameters
    key = uuid.UUID(given["upload"])
    if not is_stored(*owner, key):
        raise CommandError(GONE)
    try:
        upload = read_upload(*owner, key, name=given["name"], format=given["format"])
    except ImportFailed as error:
        raise CommandError(str(error)) from error
    found = upload.preview
    told = (
        f"{_counted(found.new, 'new document')}, {found.unchanged:,} there already, "
        f"{found.rejected:,} rejected. Nothing is imported yet."
    )
    return {"lines": [told]}


def _import_upload(job: Job) -> dict[str, Any]:
    project, user = _owner(job)
    upload = find_upload(project, user, uuid.UUID(job.parameters["upload"]))
    if upload is None:
        raise CommandError(GONE)
    size = (upload.folder / "content").stat().st_size
    try:
        with Progress(StringIO(), size, "bytes of the file") as progress:
            run = import_upload(project, upload, user=user, progress=progress)
    except (ImportFailed, locks.Held) as error:
        raise CommandError(str(error)) from error
    return {"lines": _imported(run)}


def _import_documents(job: Job) -> dict[str, Any]:
    """A file that a program has sent: without a preview."""
    assert job.project is not None
    path = sent_file(job)
    with Progress(StringIO(), path.stat().st_size, "bytes of the file") as progress:
        try:
            run = import_documents(
                job.project, path, format=job.parameters["format"], name=path.name,
                user=job.asked_by, progress=progress,
            )  # fmt: skip
        except (ImportFailed, locks.Held) as error:
            raise CommandError(str(error)) from error
    if run.rejected and not (run.added or run.unchanged):
        raise CommandError("Every document was rejected; nothing was imported.")
    return {"lines": _imported(run)}


def _imported(run: ImportRun) -> list[str]:
    told = [f"{_counted(run.added, 'document')} of {run.file_name} imported"]
    told += [f"{run.unchanged:,} there already"] if run.unchanged else []
    told += [f"{run.rejected:,} rejected"] if run.rejected else []
    return [f"{'; '.join(told)}."]


def _discard_upload(job: Job) -> None:
    if upload := find_upload(*_owner(job), uuid.UUID(job.parameters["upload"])):
        discard_upload(upload)


def _owner(job: Job) -> tuple[Project, Any]:
    """Whose upload it is."""
    if job.project is None or job.asked_by is None:
        raise CommandError(GONE)
    return job.project, job.asked_by


def _undo_import(job: Job) -> dict[str, Any]:
    try:
        run = ImportRun.objects.select_related("project").get(
            project=job.project, key=uuid.UUID(job.parameters["import"])
        )
        removed = undo_import(run, user=job.asked_by)
    except (DocumentsInUse, locks.Held) as error:
        raise CommandError(str(error)) from error
    return {"lines": [f"{_counted(removed, 'document')} of {run.file_name} removed."]}


def _import_to_campaign(name: str, *options: str) -> Callable[[Job], dict[str, Any]]:
    """`options` are those of the job's parameters that the command has too."""

    def run(job: Job) -> dict[str, Any]:
        assert job.campaign is not None
        path, given = str(sent_file(job)), job.parameters
        told = [f"--{option}={given[option]}" for option in options if given.get(option)]
        return {"lines": called(name, path, f"--campaign={job.campaign.slug}", *told, *by(job))}

    return run


def _import_knowledge_base(job: Job) -> dict[str, Any]:
    assert job.project is not None
    path = sent_file(job)
    report = file_of(job, f"{path.name}.rejected.jsonl")
    report.unlink(missing_ok=True)
    lines = called(
        "import_knowledge_base", str(path), f"--project={job.project.slug}",
        f"--report={report}", *by(job),
    )  # fmt: skip
    lines = [line.replace(str(report), "the file below") for line in lines]
    return with_file(report, lines) if report.exists() else {"lines": lines}


def _import_suggestions(job: Job) -> dict[str, Any]:
    """`source` says whose they are: `import` (the documents' file), `knowledge` (the names of the
    project's knowledge base), `file` (a system's), `dictionary` (a file of names)."""
    assert job.campaign is not None
    source = job.parameters["source"]
    if source == "import":
        options = ["--from=import"]
    elif source == "knowledge":
        options = ["--dictionary"]
    else:
        option = "from" if source == "file" else "dictionary"
        options = [f"--{option}={sent_file(job)}"]
    return {"lines": called("import_suggestions", *options, *by(job), "--", job.campaign.slug)}


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _delete_campaign(job: Job) -> dict[str, Any]:
    found = Campaign.objects.filter(project=job.project, slug=job.parameters["slug"]).first()
    if found is None:  # by an earlier try
        return {"lines": ["The campaign is deleted."]}
    try:
        tasks = delete_campaign(found, user=job.asked_by)
    except (WrongState, locks.Held) as error:
        raise CommandError(str(error)) from error
    return {"lines": [f"The campaign is deleted, with {_counted(tasks, 'task')}."]}


def _delete_project(job: Job) -> dict[str, Any]:
    """The job is of no project: it would be deleted with it."""
    found = Project.objects.filter(slug=job.parameters["slug"]).first()
    if found is None:
        return {"lines": ["The project is deleted."]}
    try:
        documents = delete_project(found, user=job.asked_by)
    except (WrongState, locks.Held) as error:
        raise CommandError(str(error)) from error
    return {"lines": [f"The project is deleted, with {_counted(documents, 'document')}."]}


def _send_webhooks(job: Job) -> dict[str, Any]:
    sent, failed = send_due()
    later = f" {_counted(failed, 'event')} could not be, and will be tried again." if failed else ""
    return {"lines": [f"{_counted(sent, 'event')} sent.{later}"]}


KINDS = [
    Kind("send_webhooks", "Send events to webhooks", _send_webhooks, resumes=True),
    Kind("delete_campaign", "Delete campaign", _delete_campaign, resumes=True),
    Kind("delete_project", "Delete project", _delete_project, resumes=True),
    Kind("score_gold", "Score gold answers", command("score_gold", about="campaign")),
    Kind("open_campaign", "Open campaign", _open_campaign, resumes=True),
    Kind("read_upload", "Read file", _read_upload),
    Kind("import_documents", "Import documents", _import_documents),
    Kind("import_upload", "Import documents", _import_upload, tidy=_discard_upload),
    Kind("import_gold", "Import gold questions", _import_to_campaign("import_gold", "drawn")),
    Kind("import_choices", "Import tasks", _import_to_campaign("import_choices")),
    Kind("import_suggestions", "Add suggestions", _import_suggestions),
    Kind("import_knowledge_base", "Import knowledge base", _import_knowledge_base),
    Kind("undo_import", "Undo import", _undo_import, resumes=True),
]
