"""A labelling loop's forms: set up, and changed while it runs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone

from annotation.interfaces import traits
from annotation.models import Campaign, Project
from dashboard.forms import AmountField
from selection.actions.loops.life import EVALUATIONS
from selection.methods.words import (
    DEFAULT,
    LEARNER_WORDS,
    LOOP_LEARNERS,
    LOOP_METRICS,
    NONE,
    PICKER_WORDS,
    STARTS,
    loop_pickers,
)
from selection.models import LabellingLoop

MOST = 1_000_000


def _choices(names: Any, words: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, f"{name}: {words[name]}" if name in words else name) for name in names]


class ShareField(forms.FloatField):
    def __init__(self, label: str, help_text: str):
        super().__init__(
            label=label, help_text=help_text, required=False, min_value=0, max_value=1,
            widget=forms.TextInput(
                attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}
            ),
        )  # fmt: skip


class DeadlineField(forms.DateTimeField):
    def __init__(self) -> None:
        super().__init__(
            required=False, label="Deadline",
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        )  # fmt: skip


class SuggestsField(forms.BooleanField):
    def __init__(self) -> None:
        super().__init__(
            required=False, label="Show workers what the model finds",
            help_text="Names alone, as suggestions in what is picked from the second round on; "
            "never in the random sample.",
        )  # fmt: skip


class ChangeForm(forms.Form):
    """What may be changed while a loop runs; from the next round on."""

    picker = forms.ChoiceField(label="Picker")
    batch_size = forms.IntegerField(
        label="Documents a round", min_value=1, max_value=MOST,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
    )  # fmt: skip
    learner = forms.ChoiceField(label="Model")
    budget_mills = AmountField(
        label="Budget", help_text="Never more than this is spent, by all campaigns of the loop."
    )
    goal = ShareField("Goal", "Of the metric, such as .85; it has to be met for sure.")
    least_gain = ShareField("Least gain", "Stop where two forecasts in a row promise less.")
    most_changed = ShareField("Stable", "Stop where models change fewer of their decisions.")
    deadline = DeadlineField()
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(), required=False, to_field_name="slug", label="Campaign",
        help_text="Another draft, where the next rounds should be labelled differently.",
        empty_label="The one that labels now",
    )  # fmt: skip
    suggests = SuggestsField()

    def __init__(self, loop: LabellingLoop, *args: Any, **options: Any):
        options["initial"] = {
            "picker": loop.picker, "batch_size": loop.batch_size, "learner": loop.learner,
            "budget_mills": loop.budget.mills / 1000, "goal": loop.goal,
            "least_gain": loop.least_gain, "most_changed": loop.most_changed,
            "deadline": timezone.localtime(loop.deadline) if loop.deadline else None,
            "suggests": loop.suggests,
        }  # fmt: skip
        super().__init__(*args, **options)
        kind = loop.campaign.interface
        fields: dict[str, Any] = self.fields
        fields["picker"].choices = _choices(loop_pickers(kind), PICKER_WORDS)
        fields["learner"].choices = _choices(LOOP_LEARNERS[kind], LEARNER_WORDS)
        fields["campaign"].queryset = drafts(loop.project).filter(interface=kind)
        if not traits(kind).suggestions:
            del fields["suggests"]

    def changes(self) -> dict[str, Any]:
        found = dict(self.cleaned_data)
        if found["campaign"] is None:
            del found["campaign"]
        return found


class NewLoopForm(forms.Form):
    """A loop over a draft. Names of pickers and learners that its interface can't have are
    refused by the action."""

    campaign = forms.ModelChoiceField(
        Campaign.objects.none(), to_field_name="slug", label="Campaign", empty_label=None,
        help_text="A draft without tasks: the loop chooses its documents, and opens it.",
    )  # fmt: skip
    budget_mills = AmountField(
        label="Budget", help_text="In the campaign’s currency. Never more than this is spent."
    )
    start = forms.ChoiceField(
        label="First documents", choices=_choices((*STARTS, NONE), PICKER_WORDS)
    )
    start_size = forms.IntegerField(
        label="How many first", min_value=1, max_value=MOST, initial=100,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
    )  # fmt: skip
    picker = forms.ChoiceField(
        label="Picker", initial=DEFAULT, choices=_choices(PICKER_WORDS, PICKER_WORDS)
    )
    batch_size = forms.IntegerField(
        label="Documents a round", min_value=1, max_value=MOST, initial=50,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
    )  # fmt: skip
    learner = forms.ChoiceField(
        label="Model", required=False, choices=[("", "the usual one"), *LEARNER_WORDS.items()]
    )
    evaluation = forms.ChoiceField(
        label="Measured on", initial=EVALUATIONS[-1], choices=LabellingLoop.Evaluation.choices
    )
    metric = forms.ChoiceField(
        label="Metric", required=False,
        choices=[
            ("", "the usual one"),
            *((name, name) for names in LOOP_METRICS.values() for name in names),
        ],
    )  # fmt: skip
    goal = ShareField("Goal", "Of the metric, such as .85; it has to be met for sure.")
    least_gain = ShareField("Least gain", "Stop where two forecasts in a row promise less.")
    most_changed = ShareField("Stable", "Stop where models change fewer of their decisions.")
    deadline = DeadlineField()
    suggests = SuggestsField()

    def __init__(self, project: Project, *args: Any, **options: Any):
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        fields["campaign"].queryset = drafts(project).filter(interface__in=LOOP_LEARNERS)


def drafts(project: Project) -> Any:
    """Those that a loop can take: without tasks, and of no other loop."""
    return Campaign.objects.filter(
        project=project, state=Campaign.State.DRAFT, tasks=None, shared_budget=None
    ).order_by("name")
