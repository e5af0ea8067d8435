"""Forms of evaluation periods, teams, submissions and plans."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from annotation.interfaces import REGISTRY, Product, traits
from annotation.models import Campaign, Project
from dashboard.jobs.files import ERRORS
from dashboard.templatetags.figures import share
from evaluation.actions.plans import point_of
from evaluation.models import EvaluationPeriod, Team

METRICS = (
    ("instance", "instance: each claim counts alike"),
    ("relation", "relation: each relation counts alike"),
    ("entity", "entity: each subject counts alike"),
    ("stratified", "stratified: each subject, its fills, their mentions"),
)
WHEN = "%Y-%m-%dT%H:%M"


class TimeField(forms.DateTimeField):
    def __init__(self, **options: Any):
        super().__init__(
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=WHEN), **options
        )


def verifying_campaigns(project: Project) -> QuerySet[Campaign]:
    kinds = [kind for kind in REGISTRY if traits(kind).product == Product.RELATIONS]
    rows = Campaign.objects.filter(project=project, interface__in=kinds)
    return rows.exclude(state=Campaign.State.CLOSED)


class CampaignField(forms.ModelChoiceField):
    def __init__(self, project: Project):
        super().__init__(
            verifying_campaigns(project), to_field_name="slug", required=False,
            empty_label="none yet",
            label="Campaign in which claims are verified",
            help_text="For relations, and open when tasks are to be made.",
        )  # fmt: skip


class WindowForm(forms.Form):
    """What may be changed while a period lasts."""

    opens_at = TimeField(label="Opens (UTC)")
    closes_at = TimeField(label="Closes (UTC)", required=False)
    is_public = forms.BooleanField(
        required=False, label="Everybody may see the scores",
        help_text="Teams of the project see them in any case.",
    )  # fmt: skip

    def __init__(self, project: Project, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.fields["campaign"] = CampaignField(project)
        self.order_fields(["name", "opens_at", "closes_at", "campaign"])


class PeriodForm(WindowForm):
    name = forms.CharField(
        max_length=200, help_text="What teams read, such as “Spring 2027”.",
        error_messages={"required": "Give the period a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    metrics = forms.MultipleChoiceField(
        choices=METRICS, initial=["instance"], widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one metric."},
    )  # fmt: skip
    match = forms.ChoiceField(
        choices=EvaluationPeriod.Match.choices, label="Two mentions are one if they have"
    )

    def __init__(self, project: Project, *args: Any, **options: Any):
        options.setdefault("initial", {"opens_at": timezone.now().replace(second=0)})
        super().__init__(project, *args, **options)
        self.fields["imports"] = forms.ModelMultipleChoiceField(
            project.imports.complete(), to_field_name="key", required=False,
            widget=forms.CheckboxSelectMultiple, label="Corpus: the documents of",
            help_text="All documents that the project has now, if none is chosen.",
        )  # fmt: skip
        earlier = EvaluationPeriod.objects.filter(project=project, next=None)
        self.fields["follows"] = forms.ModelChoiceField(
            earlier, to_field_name="key", required=False, empty_label="none",
            label="Follows the period",
        )  # fmt: skip


class TeamForm(forms.Form):
    name = forms.CharField(
        max_length=100, label="Name of the team", widget=forms.TextInput(attrs={"size": 24}),
        error_messages={"required": "Give the team a name."},
    )  # fmt: skip


class InviteForm(forms.Form):
    note = forms.CharField(
        max_length=200, required=False, label="For whom",
        help_text="For your own list; nobody else reads it.",
    )  # fmt: skip


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=100, label="Name of the token", help_text="Where it will be used.",
        error_messages={"required": "Give the token a name."},
    )  # fmt: skip


class SubmitForm(forms.Form):
    system = forms.CharField(
        max_length=100, label="System",
        help_text="The same name again is the system's next version.",
        error_messages={"required": "Give the system a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "systems"}),
    )  # fmt: skip
    file = forms.FileField(error_messages=ERRORS, label="File")
    note = forms.CharField(
        max_length=200, required=False, label="Note", help_text="For your team alone."
    )

    def __init__(self, team: Team, *args: Any, **options: Any):
        super().__init__(*args, **options)
        now = timezone.now()
        rows = EvaluationPeriod.objects.filter(project=team.project_id).open_at(now)
        self.fields["period"] = forms.ModelChoiceField(
            rows, to_field_name="key", empty_label=None,
            error_messages={"required": "No period takes submissions now.",
                            "invalid_choice": "This period takes no submissions now."},
        )  # fmt: skip
        self.order_fields(["period", "system", "file", "note"])


class AcceptForm(forms.Form):
    """A new account."""

    username = forms.CharField(
        max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username"}),
        label="Name of your account",
    )  # fmt: skip
    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )


class PlanForm(forms.Form):
    metrics = forms.ChoiceField(label="For")
    width = forms.TypedChoiceField(coerce=float, label="Half-width")
    case = forms.ChoiceField(
        choices=[("most", "whatever the precision"), ("expected", "as precisions are believed")],
        label="So wide at most",
    )  # fmt: skip

    def __init__(self, period: EvaluationPeriod, *args: Any, **options: Any):
        super().__init__(*args, **options)
        curves = period.forecast.get("curves", {})
        self.fields["metrics"].choices = [(name, name.replace("+", " and ")) for name in curves]  # type: ignore[attr-defined]
        widths = [one["width"] for one in next(iter(curves.values()), [])]
        self.fields["width"].choices = [(str(one), f"± {share(one)}") for one in widths]  # type: ignore[attr-defined]

    def point(self, period: EvaluationPeriod) -> Any:
        chosen = self.cleaned_data
        return point_of(period, chosen["metrics"], chosen["width"])
