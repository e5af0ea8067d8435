"""Files that become something by a job: gold, tasks, suggestions, claims, a knowledge base; and
relation types, which are read at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.actions import job_inputs
from annotation.actions.jobs import enqueue
from annotation.actions.projects import SchemaChanged
from annotation.actions.relation_types import replace_relation_types
from annotation.formats.records import FormatError
from annotation.formats.relations import numbered_relation_types
from annotation.interfaces import AnswerError, Product, Traits
from annotation.interfaces import traits as traits_of
from annotation.models import Campaign, Project
from dashboard.access import managed_campaign, managed_project
from dashboard.documents.uploads import is_too_large
from dashboard.jobs.views import to_job

MEGABYTE = 1024 * 1024
ERRORS = {
    "required": "Choose a file first.",
    "empty": "The file is empty.",
    "invalid": "The file did not arrive. Choose it again.",
}


class ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """A list of files, which may be empty."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        return [super(ManyFilesField, self).clean(one, initial) for one in data or ()]


class FileForm(forms.Form):
    file = forms.FileField(error_messages=ERRORS)

    def files_sent(self) -> list[Any]:
        sent = self.cleaned_data.get("file")
        return [sent] if sent else []

    def parameters(self) -> dict[str, Any]:
        """Of the job, besides the files."""
        return {}


class ChoicesForm(FileForm):
    pictures = ManyFilesField(
        required=False,
        widget=ManyFiles({"accept": "image/*"}),
        help_text="All that the lines name as 'image', together.",
    )

    def files_sent(self) -> list[Any]:
        return [*super().files_sent(), *self.cleaned_data["pictures"]]


class GoldForm(FileForm):
    DRAWN = (
        ("picked", "picked, or it is not known how"),
        ("random", "drawn at random from all tasks of the campaign"),
    )
    drawn = forms.ChoiceField(
        choices=DRAWN,
        required=False,
        label="How the tasks were chosen",
        help_text="Of lines that do not say so themselves. Only known answers of tasks drawn at "
        "random tell how good the labels are; others serve for practice and for workers’ scores.",
        error_messages={"invalid_choice": "Choose how the tasks were chosen."},
    )

    def parameters(self) -> dict[str, Any]:
        return {"drawn": self.cleaned_data["drawn"] or "picked"}


class SuggestionsForm(FileForm):
    SOURCES = (
        ("file", "a system's file, chosen below"),
        ("import", "the predictions that came with the documents"),
        ("dictionary", "a dictionary: the file chosen below, a name, a tab and its type a line"),
        ("knowledge", "the names of the project's knowledge base"),
    )
    source = forms.ChoiceField(choices=SOURCES, label="Where they come from")
    file = forms.FileField(required=False, error_messages=ERRORS)
    field_order = ("source", "file")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        needs = data.get("source") in ("file", "dictionary")
        if needs and not data.get("file") and "file" not in self.errors:
            self.add_error("file", ERRORS["required"])
        if not needs:
            data["file"] = None
        return data

    def parameters(self) -> dict[str, Any]:
        return {"source": self.cleaned_data["source"]}


@dataclass(frozen=True, slots=True)
class FileImport:
    """`about` is a template of what a file holds; `command` takes files of any size."""

    job: str  # its kind
    title: str
    button: str
    about: str
    command: str
    back: str  # the page it belongs to
    form: type[FileForm] = FileForm
    fits: Callable[[Traits], bool] = lambda traits: True
    of_labels: bool = False  # and not of tasks: it comes at the end, too


OF_CAMPAIGN = {
    "gold": FileImport(
        "import_gold", "Import gold questions", "Import gold questions",
        "dashboard/gold/_file.html", "import_gold FILE --campaign", "gold", GoldForm,
    ),
    "choices": FileImport(
        "import_choices", "Import tasks", "Import tasks", "dashboard/campaigns/_choices_file.html",
        "import_choices FILE --campaign", "tasks", ChoicesForm, lambda own: own.own_tasks,
    ),
    "suggestions": FileImport(
        "import_suggestions", "Add suggestions", "Add suggestions",
        "dashboard/campaigns/_suggestions_file.html", "import_suggestions", "tasks",
        SuggestionsForm, lambda own: own.suggestions,
    ),
    "claims": FileImport(
        "import_claims", "Import claims", "Import claims", "dashboard/campaigns/_claims_file.html",
        "build_relation_tasks --predictions FILE --into", "tasks",
        fits=lambda own: own.product == Product.RELATIONS,
    ),
    "consensus": FileImport(
        "import_consensus", "Import labels", "Import labels",
        "dashboard/results/_consensus_file.html", "import_consensus CAMPAIGN FILE", "results",
        of_labels=True,
    ),
}  # fmt: skip
KNOWLEDGE = FileImport(
    "import_knowledge_base", "Import a knowledge base", "Import knowledge base",
    "dashboard/knowledge/_file.html", "import_knowledge_base FILE --project", "knowledge",
)  # fmt: skip
RELATION_TYPES = FileImport(
    "", "Import relation types", "Replace relation types", "dashboard/schema/_file.html",
    "import_relation_types FILE --project", "schema",
)  # fmt: skip


def imports_of(campaign: Campaign) -> dict[str, FileImport]:
    """What can be imported, by the word in its address; labels alone once the campaign is
    closed."""
    own, is_closed = traits_of(campaign.interface), campaign.state == Campaign.State.CLOSED
    return {
        what: one
        for what, one in OF_CAMPAIGN.items()
        if one.fits(own) and (one.of_labels or not is_closed)
    }


def task_imports_of(campaign: Campaign) -> dict[str, FileImport]:
    """Those of them that bring tasks, or what belongs to them."""
    return {what: one for what, one in imports_of(campaign).items() if not one.of_labels}


@login_required
def import_to_campaign(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    campaign = managed_campaign(request.user, slug)
    wanted = imports_of(campaign).get(what)
    if wanted is None:
        raise Http404
    form = _form(request, wanted)
    if asked := _ask(request, wanted, form, campaign=campaign):
        return asked
    return _page(request, wanted, form, campaign.project, campaign)


@login_required
def import_knowledge_base(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    form = _form(request, KNOWLEDGE)
    if asked := _ask(request, KNOWLEDGE, form, project=project):
        return asked
    return _page(request, KNOWLEDGE, form, project)


@login_required
def import_relation_types(request: HttpRequest, slug: str) -> HttpResponse:
    """At once: a table of types is small."""
    project = managed_project(request.user, slug)
    form = _form(request, RELATION_TYPES)
    if form.is_bound and form.is_valid():
        try:
            folder = job_inputs.store(form.files_sent())
            path = job_inputs.stored(folder, job_inputs.safe_name(form.cleaned_data["file"].name))
            assert path is not None
            done = replace_relation_types(project, path, user=request.user)
        except AnswerError as error:
            assert path is not None
            lines = [line for line, _ in numbered_relation_types(path)]
            places = [_place(one.path, lines) for one in error.problems]
            told = [f"{place}: {one}" for place, one in zip(places, error.problems, strict=True)]
            form.add_error("file", told)
        except (job_inputs.CannotStore, FormatError, SchemaChanged) as error:
            form.add_error("file", str(error))
        else:
            messages.success(request, done)
            return redirect("manage:schema", project.slug)
    return _page(request, RELATION_TYPES, form, project)


def _place(path: str, lines: Sequence[int]) -> str:
    """Where something is wrong, as the file has it: a relation is a line, a field a column."""
    found = re.match(r"relation_types\[(\d+)\]\.?(\w*)", path)
    if found is None:
        return path
    return ", ".join(filter(None, (f"Line {lines[int(found[1])]}", found[2])))


def _form(request: HttpRequest, wanted: FileImport) -> FileForm:
    if request.method != "POST":
        return wanted.form()
    form = wanted.form(request.POST, request.FILES)
    if is_too_large(request):  # its files were read past
        form.errors["file"] = form.error_class(
            [
                f"The file is larger than {limit()} MB. A command imports files of any size, on "
                f"the server: ./run manage {wanted.command} …"
            ]
        )
    return form


def _ask(
    request: HttpRequest, wanted: FileImport, form: FileForm, **owner: Project | Campaign
) -> HttpResponse | None:
    """None where no file was sent yet, or the form says what is wrong."""
    if not (form.is_bound and form.is_valid()):
        return None
    parameters, sent = form.parameters(), form.files_sent()
    if sent:
        first = job_inputs.safe_name(sent[0].name)
        try:
            parameters |= {"folder": job_inputs.store(sent), "file": first}
        except job_inputs.CannotStore as error:
            form.add_error("file", str(error))
            return None
    return to_job(enqueue(wanted.job, parameters, user=request.user, **owner))  # type: ignore[arg-type]


def _page(
    request: HttpRequest,
    wanted: FileImport,
    form: FileForm,
    project: Project,
    campaign: Campaign | None = None,
) -> HttpResponse:
    context = {
        "project": project,
        "campaign": campaign,
        "wanted": wanted,
        "back": f"manage:{wanted.back}",
        "belongs_to": wanted.back,
        "form": form,
        "limit": limit(),
    }
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/jobs/import_file.html", context, status=status)


def limit() -> int:
    """Megabytes that a file may have."""
    return settings.MAX_UPLOAD_BYTES // MEGABYTE
