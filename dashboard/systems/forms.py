"""Forms of evaluation periods, teams, submissions and plans."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from annotation.interfaces import REGISTRY, Product, traits
from annotation.models import Campaign, ImportRun, Project
from dashboard.forms import AmountField, in_units
from dashboard.jobs.files import ERRORS
from dashboard.systems.metrics import METRICS, called
from dashboard.templatetags.figures import share
from evaluation.actions.plans import point_of
from evaluation.actions.submissions import ANSWERS, PAY
from evaluation.models import EvaluationPeriod, Team

WHEN = "%Y-%m-%dT%H:%M"


class TimeField(forms.DateTimeField):
    def __init__(self, **options: Any):
        super().__init__(
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=WHEN), **options
        )


def _now() -> datetime:
    return timezone.now().replace(second=0, microsecond=0)


def verifying_campaigns(project: Project) -> QuerySet[Campaign]:
    kinds = [kind for kind in REGISTRY if traits(kind).product == Product.RELATIONS]
    rows = Campaign.objects.filter(project=project, interface__in=kinds)
    return rows.exclude(state=Campaign.State.CLOSED)


class WindowForm(forms.Form):
    """What may be changed while a period lasts."""

    opens_at = TimeField(label="Opens (UTC)", initial=_now)
    closes_at = TimeField(label="Closes (UTC)", required=False)
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(), to_field_name="slug", required=False, empty_label="none yet",
        label="Campaign in which claims are verified",
        help_text="For relations, and open when tasks are to be made.",
    )  # fmt: skip
    is_public = forms.BooleanField(
        required=False, label="Everybody may see the scores",
        help_text="Teams of the project see them in any case.",
    )  # fmt: skip

    def __init__(self, project: Project, *args: Any, **options: Any):
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        fields["campaign"].queryset = verifying_campaigns(project)
        self.order_fields(["name", "opens_at", "closes_at", "campaign"])


class PeriodForm(WindowForm):
    name = forms.CharField(
        max_length=200, help_text="What teams read, such as “Spring 2027”.",
        error_messages={"required": "Give the period a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    metrics = forms.MultipleChoiceField(
        choices=[(name, f"{short}: {sentence}") for name, (short, sentence) in METRICS.items()],
        initial=["instance"], widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one metric."},
    )  # fmt: skip
    match = forms.ChoiceField(
        choices=EvaluationPeriod.Match.choices, label="Two mentions are one if they have"
    )

    imports = forms.ModelMultipleChoiceField(
        ImportRun.objects.none(), to_field_name="key", required=False,
        widget=forms.CheckboxSelectMultiple, label="Corpus: the documents of",
        help_text="All documents that the project has now, if none is chosen.",
    )  # fmt: skip
    follows = forms.ModelChoiceField(
        EvaluationPeriod.objects.none(), to_field_name="key", required=False, empty_label="none",
        label="Follows the period",
    )  # fmt: skip

    def __init__(self, project: Project, *args: Any, **options: Any):
        super().__init__(project, *args, **options)
        fields: dict[str, Any] = self.fields
        fields["imports"].queryset = project.imports.complete()
        earlier = EvaluationPeriod.objects.filter(project=project, next=None)
        fields["follows"].queryset = earlier


class BesideAnother(forms.Form):
    """Stands on a page with a form whose fields may have the same names: ids of its own, or its
    labels lead to the fields of the other."""

    ids = ""

    def __init__(self, *args: Any, **options: Any):
        options.setdefault("auto_id", f"{self.ids}_%s")
        super().__init__(*args, **options)


class ClaimsForm(BesideAnother):
    """Of a campaign in which claims are verified."""

    ids = "claims"
    answers = forms.IntegerField(
        min_value=1, max_value=20, initial=ANSWERS, label="Answers to each claim",
        help_text="Three at least, or nobody can say who is right where two differ.",
    )  # fmt: skip
    pay = AmountField(label="Pay for an answer", initial=in_units(PAY))


class TeamForm(BesideAnother):
    ids = "team"
    name = forms.CharField(
        max_length=100, label="Name of the team", widget=forms.TextInput(attrs={"size": 24}),
        error_messages={"required": "Give the team a name."},
    )  # fmt: skip


class InviteForm(BesideAnother):
    ids = "invite"
    note = forms.CharField(
        max_length=200, required=False, label="For whom",
        help_text="For your own list; nobody else reads it.",
    )  # fmt: skip


class TokenForm(BesideAnother):
    ids = "token"
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


class PlanForm(forms.Form):
    metrics = forms.ChoiceField(label="For")
    width = forms.TypedChoiceField(coerce=float, label="Half-width")
    case = forms.ChoiceField(
        choices=[
            ("most", "whatever the precisions are"),
            ("expected", "as long as they are as expected"),
        ],
        label="To be kept",
    )  # fmt: skip

    def __init__(self, period: EvaluationPeriod, *args: Any, **options: Any):
        super().__init__(*args, **options)
        curves = period.forecast.get("curves", {})
        self.fields["metrics"].choices = [(names, called(names)) for names in curves]  # type: ignore[attr-defined]
        widths = [one["width"] for one in next(iter(curves.values()), [])]
        self.fields["width"].choices = [(str(one), f"± {share(one)}") for one in widths]  # type: ignore[attr-defined]

    def point(self, period: EvaluationPeriod) -> Any:
        chosen = self.cleaned_data
        return point_of(period, chosen["metrics"], chosen["width"])
