"""Documents out again: imports that are undone, that failed, or whose process was killed."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count, ProtectedError
from django.utils import timezone

from annotation.actions import audit, locks
from annotation.actions.bulk import DELETED
from annotation.models import Campaign, Document, ImportRun, Project
from annotation.sentences import CodedError, Problem


class DocumentsInUse(CodedError):
    """The import can't be undone: campaigns have tasks with its documents."""

    def __init__(self, run: ImportRun, users: list[Problem]):
        super().__init__("import.in_use", file=run.file_name, users=users)


def undo_import(run: ImportRun, *, user: Any = None) -> int:
    """Remove what the run added; the number of documents removed. A second time is 0.

    Raises DocumentsInUse, naming the campaigns. They are invisible from the first step on, and an
    undo that is killed half-way is ended by the next, or by the next import.
    """
    with locks.hold(f"import:{run.project.slug}"):
        clean_up(run.project)
        run.refresh_from_db()
        if run.state != ImportRun.State.COMPLETE:
            return 0
        with transaction.atomic():
            if users := _users(run):
                raise DocumentsInUse(run, users)
            set_state(run, ImportRun.State.UNDONE)
            audit.record(
                run.project, "import undone", str(run.key), user=user,
                before={"file": run.file_name, "documents": run.added},
            )  # fmt: skip
        try:
            return _delete_documents(run)
        except ProtectedError as error:  # a campaign was opened in this moment
            set_state(run, ImportRun.State.COMPLETE)
            raise DocumentsInUse(run, _users(run)) from error


def _users(run: ImportRun) -> list[Problem]:
    """The campaigns that have tasks with the run's documents; empty for none."""
    users = (
        Campaign.objects.filter(tasks__document__import_run=run)
        .annotate(count=Count("tasks"))
        .order_by("slug")
    )
    return [Problem("word.campaign", campaign=one.slug, number=one.count) for one in users]


def clean_up(project: Project) -> None:
    """End what a killed process left behind. Needs the lock: nothing is at work now."""
    for run in ImportRun.objects.filter(project=project, state=ImportRun.State.RUNNING):
        run.error = "The process ended before the import did; what it had added was removed."
        take_back(run)
    ended = [ImportRun.State.FAILED, ImportRun.State.UNDONE]
    leftover = Document.objects.filter(import_run__project=project, import_run__state__in=ended)
    for run in ImportRun.objects.filter(pk__in=leftover.values("import_run")):
        _delete_documents(run)


def take_back(run: ImportRun) -> None:
    run.added = run.unchanged = run.split_tokens = 0
    set_state(run, ImportRun.State.FAILED)
    _delete_documents(run)


def set_state(run: ImportRun, state: ImportRun.State) -> None:
    run.state = state
    run.finished_at = timezone.now()
    run.save()


def _delete_documents(run: ImportRun) -> int:
    """In short transactions; the number deleted. Raises ProtectedError for one with a task."""
    deleted = 0
    while True:
        keys = Document.objects.filter(import_run=run).order_by("pk").values_list("pk", flat=True)
        batch = list(keys[:DELETED])
        if not batch:
            return deleted
        with transaction.atomic():
            # Django reads what it deletes, to see what hangs on it; without the texts.
            Document.objects.filter(pk__in=batch).only("pk").delete()
        deleted += len(batch)
