"""A campaign's labels as a file, written by a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from annotation.actions.jobs import enqueue
from annotation.interfaces import categorical
from annotation.models import Campaign
from annotation.queries.file_formats import FORMATS, FileFormat
from dashboard.access import managed_campaign
from dashboard.jobs.views import to_job
from dashboard.templatetags.figures import share

WHAT = [
    ("consensus", "Consensus with confidence"),
    ("sure", "Consensus of the tasks that are sure"),
    ("responses", "Responses of each worker"),
    ("gold", "Known answers"),
    ("workers", "Workers and reliabilities"),
    ("gold-sample", "Twenty tasks drawn at random, to be answered as gold"),
]
OF_A_RUN = ("consensus", "sure")
THRESHOLDS = range(5, 10)  # tenths, which a run counts its tasks in
# Of choices and relations alone, and as a table alone.
DIFFERING = ("differing", "Where method and vote differ (CSV)")


def formats_of(campaign: Campaign) -> dict[str, FileFormat]:
    """Those that hold its answers."""
    return {key: form for key, form in FORMATS.items() if form.holds(campaign.interface)}


def thresholds(tenths: Sequence[int] | None) -> list[tuple[str, str]]:
    """The confidences that can be asked for, each with what it leaves out."""
    found = [("", "any: none is left out")]
    if not tenths:
        return [*found, *((f"{place / 10}", share(place / 10)) for place in THRESHOLDS)]
    total = sum(tenths)
    for place in THRESHOLDS:
        kept = sum(tenths[place:])
        words = f"{kept:,} of {total:,} tasks, {total - kept:,} left out"
        found.append((f"{place / 10}", f"{share(place / 10)}: {words}"))
    return found


class DownloadForm(forms.Form):
    what = forms.ChoiceField(
        choices=WHAT,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose what is to be written."
        ),
    )
    format = forms.ChoiceField(
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose a format that holds these answers."
        ),
    )

    at_least = forms.ChoiceField(
        label="Confidence of a task at least",
        required=False,
        error_messages={"invalid_choice": "Choose a confidence of the list."},
    )

    def __init__(
        self, campaign: Campaign, *args: Any, tenths: Sequence[int] | None = None, **kwargs: Any
    ):
        """`tenths`: how many tasks of the latest run have a confidence in each."""
        super().__init__(*args, **kwargs)
        self.fields["at_least"].choices = thresholds(tenths)  # type: ignore[attr-defined]
        self.formats = formats_of(campaign)
        self.fields["format"].choices = [  # type: ignore[attr-defined]
            (key, format.name) for key, format in self.formats.items()
        ]
        self.is_of_classes = categorical(campaign.interface) is not None
        if self.is_of_classes:
            self.fields["what"].choices = [*WHAT, DIFFERING]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any] | None:
        data = self.cleaned_data
        if data.get("what") == "workers" and data.get("format") not in ("csv", "jsonl", None):
            called = FORMATS[data["format"]].name
            raise forms.ValidationError(f"{called} holds no workers. Choose CSV or JSON lines.")
        if data.get("what") == "differing" and data.get("format") != "csv":
            raise forms.ValidationError(
                "Where method and vote differ is a table to be filled in. Choose CSV."
            )
        if data.get("at_least") and data.get("what") not in (*OF_A_RUN, None):
            raise forms.ValidationError(
                "Only a consensus has a confidence. Choose the consensus, or leave none out."
            )
        wanted = "csv" if self.is_of_classes else "jsonl"
        if data.get("what") == "gold-sample" and data.get("format") not in (wanted, None):
            called = "CSV" if self.is_of_classes else "JSON lines"
            raise forms.ValidationError(f"Tasks to be answered are written as {called}. Choose it.")
        return data


@login_required
def download(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `what`, `format` and, of a consensus, `at_least`."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return redirect("manage:campaign", slug)
    form = DownloadForm(campaign, request.POST)
    if not form.is_valid():
        for problems in form.errors.values():
            messages.error(request, " ".join(map(str, problems)))
        # To its top, where that is read; what was chosen stays chosen.
        chosen = urlencode({name: request.POST.get(name, "") for name in form.fields})
        return redirect(f"{reverse('manage:results', args=[slug])}?{chosen}")
    return to_job(
        enqueue("export_annotations", form.cleaned_data, campaign=campaign, user=request.user)
    )
