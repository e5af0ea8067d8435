"""Copy, archive and delete of campaigns and projects: each confirmed on a page that says what it
does, and what it leaves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.actions import keeping
from annotation.actions.campaigns import WrongState
from annotation.actions.jobs import enqueue
from annotation.actions.locks import Held
from annotation.interfaces import AnswerError
from annotation.models import Campaign, Document, Job, Project, Task
from dashboard.access import managed_campaign, managed_project
from dashboard.answer_words import counted
from dashboard.forms import add_refusals, free_slug
from dashboard.jobs.views import to_job

ACTS = ("copy", "archive", "restore", "delete")
DELETED_HERE = 500  # tasks or documents that are deleted within a request; more by a job
REFUSED = (WrongState, Held)


class CopyForm(forms.Form):
    name = forms.CharField(
        max_length=200,
        error_messages={"required": "Give the copy a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class DeleteForm(forms.Form):
    """What is deleted is named once more, so that nothing goes by a slip of the finger."""

    slug = forms.CharField(
        max_length=80, label="Short name",
        error_messages={"required": "Type the short name that stands above."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )  # fmt: skip

    def __init__(self, row: Any, data: Any = None):
        super().__init__(data)
        self.row = row

    def clean_slug(self) -> str:
        if self.cleaned_data["slug"] != self.row.slug:
            raise ValidationError(f"This is not it. Type {self.row.slug}.")
        return self.row.slug


@login_required
def campaign(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    return _page(request, managed_campaign(request.user, slug), act)


@login_required
def project(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    return _page(request, managed_project(request.user, slug), act)


def _page(request: HttpRequest, row: Campaign | Project, act: str) -> HttpResponse:
    if act not in ACTS:
        raise Http404
    data = request.POST if request.method == "POST" else None
    form: Any = None
    if act == "copy":
        form = CopyForm(data, initial={"name": f"{row.name} (copy)"[:200]})
    elif act == "delete":
        form = DeleteForm(row, data)
    if data is not None and (form is None or form.is_valid()):
        try:
            return _DO[act](request, row, form)
        except REFUSED as error:
            messages.error(request, str(error))
            return redirect(_home(row))
        except ValidationError as error:
            add_refusals(form, error.message_dict)
        except AnswerError as error:
            form.add_error(None, str(error))
    context = {
        "row": row,
        "is_campaign": isinstance(row, Campaign),
        "campaign": row if isinstance(row, Campaign) else None,
        "project": row.project if isinstance(row, Campaign) else row,
        "act": act,
        "form": form,
        "home": _home(row),
        "refused": _refusal(row, act),
        "is_at_work": getattr(row, "state", "") in (Campaign.State.OPEN, Campaign.State.PAUSED),
    }
    status = 422 if data is not None else 200
    return render(request, "dashboard/keeping.html", context, status=status)


def _refusal(row: Campaign | Project, act: str) -> str:
    """Why it can't be done now: said before it is pressed."""
    try:
        if act == "archive":
            keeping.check_archivable(row)
        elif act == "delete":
            keeping.check_deletable(row)
    except WrongState as error:
        return str(error)
    return ""


def _home(row: Campaign | Project) -> str:
    page = "manage:campaign" if isinstance(row, Campaign) else "manage:project"
    return reverse(page, args=[row.slug])


def copied(row: Campaign | Project, name: str, user: Any) -> Campaign | Project:
    """The copy, under a short name that is free."""
    of_campaign = lambda stem: free_slug(stem, Campaign.objects.all(), "campaign")  # noqa: E731
    if isinstance(row, Campaign):
        return keeping.copy_campaign(row, slug=of_campaign(name), name=name, user=user)
    slug = free_slug(name, Project.objects.all(), "project")
    return keeping.copy_project(row, slug=slug, name=name, user=user, free_slug=of_campaign)


def deleted(row: Campaign | Project, user: Any) -> Job | None:
    """Deleted at once, or by the job where that takes longer than a request. Raises WrongState,
    Held."""
    keeping.check_deletable(row)
    if isinstance(row, Campaign):
        if Task.objects.filter(campaign=row)[: DELETED_HERE + 1].count() > DELETED_HERE:
            return enqueue("delete_campaign", {"slug": row.slug}, project=row.project, user=user)
        keeping.delete_campaign(row, user=user)
    else:
        if Document.objects.filter(project=row)[: DELETED_HERE + 1].count() > DELETED_HERE:
            return enqueue("delete_project", {"slug": row.slug}, user=user)
        keeping.delete_project(row, user=user)
    return None


def _copy(request: HttpRequest, row: Campaign | Project, form: CopyForm) -> HttpResponse:
    made = copied(row, form.cleaned_data["name"], request.user)
    if isinstance(made, Campaign):
        messages.success(request, f"“{made.name}” is a draft with the same settings.")
        return redirect("manage:set-up", made.slug)
    drafts = counted(made.campaigns.count(), "campaign")
    messages.success(request, f"“{made.name}” is there, with the same labels and {drafts}.")
    return redirect("manage:project", made.slug)


def _archive(request: HttpRequest, row: Campaign | Project, form: None) -> HttpResponse:
    keeping.archive(row, user=request.user)
    messages.success(request, f"“{row.name}” is archived: it stands under Archived.")
    return redirect(_home(row.project) if isinstance(row, Campaign) else reverse("start"))


def _restore(request: HttpRequest, row: Campaign | Project, form: None) -> HttpResponse:
    keeping.restore(row, user=request.user)
    messages.success(request, f"“{row.name}” is back in the lists.")
    return redirect(_home(row))


def _delete(request: HttpRequest, row: Campaign | Project, form: DeleteForm) -> HttpResponse:
    home = _home(row.project) if isinstance(row, Campaign) else reverse("start")
    job = deleted(row, request.user)
    if job is not None and job.project is not None:
        return to_job(job)
    told = "deleted" if job is None else "being deleted by a job"
    messages.success(request, f"“{row.name}” is {told}.")
    return redirect(home)


_DO: dict[str, Any] = {
    "copy": _copy, "archive": _archive, "restore": _restore, "delete": _delete,
}  # fmt: skip
