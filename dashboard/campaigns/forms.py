"""The small forms of a campaign's page, its workers' pages and its requests."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.actions.appeals import LONGEST_TEXT
from annotation.models import Campaign
from annotation.models.campaigns import MOST_MILLS
from dashboard.forms import MILLS, MOST_BUDGET, AmountField


class BudgetForm(forms.Form):
    budget = AmountField(
        max_value=MOST_BUDGET,
        error_messages={"required": "Type the amount that may be spent in all."},
    )

    @property
    def mills(self) -> int:
        return self.cleaned_data["budget"]


class FloorForm(forms.Form):
    floor = AmountField(required=False, max_value=MOST_MILLS // MILLS)


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=100, error_messages={"required": "Type the code that the worker sent."}
    )


class LinkForm(forms.Form):
    """For one worker, or for everyone who has the link."""

    worker = forms.CharField(
        max_length=200,
        required=False,
        label="For one worker",
        help_text="The name that you call them by. Whoever opens the link is this worker, on "
        "every device. Left empty, it is for everyone who has it.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    note = forms.CharField(
        max_length=200, required=False, help_text="Whom you give it to; stands here alone.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    ends_at = forms.DateTimeField(
        required=False,
        label="Ends",
        help_text="Nobody new joins by it from then on; whoever has joined goes on.",
        error_messages={"invalid": "Write a day and a time, such as 2027-01-31 18:00."},
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    def __init__(self, campaign: Campaign, data: Any = None):
        super().__init__(data)
        if campaign.is_assigned:
            self.fields["worker"].required = True
            self.fields["worker"].help_text = "A name from the list of who does what."
            self.fields["worker"].error_messages["required"] = "Name the worker whom it is for."


class WordsField(forms.CharField):
    """What a manager says to a worker, who reads it as it is typed."""

    def __init__(self, problem: str, **options: Any):
        super().__init__(
            max_length=LONGEST_TEXT,
            widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
            error_messages={
                "required": problem,
                "max_length": f"Write {LONGEST_TEXT:,} characters at most.",
            },
            **options,
        )


class StateForm(forms.Form):
    NO_REASON = "Write the reason: the worker reads it, and may ask for a review."

    verb = forms.ChoiceField(
        choices=[("pause", "Pause"), ("block", "Block"), ("admit", "Let back in")],
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose whether to pause, to block or to let back in."
        ),
    )
    reason = WordsField(NO_REASON, required=False)

    def clean(self) -> None:
        data = self.cleaned_data
        if data.get("verb") in ("pause", "block") and "reason" in data and not data["reason"]:
            self.add_error("reason", self.NO_REASON)


class RejectForm(forms.Form):
    reason = WordsField("Write the reason: the worker reads it, and may ask for a review.")


class AppealForm(forms.Form):
    verb = forms.ChoiceField(choices=[("grant", "Grant"), ("stay", "Decline request")])
    answer = WordsField("Write an answer: the worker reads it.")
