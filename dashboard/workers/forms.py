"""The forms of a campaign's workers, its selection and its gold."""

from __future__ import annotations

import json
from typing import Any

from django import forms

from annotation.models import Campaign
from dashboard.campaigns.forms import StateForm, WordsField

MOST_KEPT = 1_000_000
MOST_TOLERANCE = 100
LONGEST_ANSWER = 200_000
WHOLE = f"Write a whole number from 1 to {MOST_KEPT:,}."


class VerbForm(StateForm):
    """What is to be done with several workers, before the reason is asked for."""

    reason = None  # type: ignore[assignment]


def _most(label: str, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=1, max_value=MOST_KEPT,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), WHOLE),
        **options,
    )  # fmt: skip


class SelectForm(forms.Form):
    keep = _most("Keep at most (K)", help_text="Fewer are kept where the group is better so.")
    estimator = forms.ChoiceField(
        choices=[
            ("unbiased", "unbiased: a smaller group"),
            ("plug-in", "plug-in: a somewhat larger group"),
        ],
        label="A worker's worth",
        help_text="Plug-in takes luck on few questions for skill, and so keeps more.",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose one of the two."),
    )
    above_chance = forms.BooleanField(
        required=False,
        label="Keep nobody who is mostly wrong",
        help_text="Weighted votes can use those who are reliably wrong; nothing else can. Names "
        "and piles never do.",
    )

    @staticmethod
    def chosen(parameters: dict[str, Any]) -> dict[str, Any]:
        """What was chosen for a job, by its parameters."""
        return {name.replace("-", "_"): value for name, value in parameters.items()}

    def parameters(self) -> dict[str, Any]:
        """Of the job."""
        data = self.cleaned_data
        return {
            "keep": data["keep"],
            "estimator": data["estimator"],
            "above-chance": data["above_chance"],
        }


class RulesForm(forms.Form):
    keep_workers = _most(
        "Each night keep at most",
        required=False,
        help_text="Left empty, only you select.",
    )
    open_to = forms.ChoiceField(
        choices=Campaign.OpenTo.choices,
        label="Who gets tasks",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose one of the two."),
    )


class RetireForm(forms.Form):
    reason = WordsField("Write why: it stands in the record.")


class KnownForm(forms.Form):
    """A known answer as it is stored: offsets are characters of the text."""

    answer = forms.CharField(
        max_length=LONGEST_ANSWER,
        label="Known answer",
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        error_messages={"required": "Write the answer."},
    )
    explanation = forms.CharField(
        required=False,
        max_length=2_000,
        help_text="What workers read where they practise on it. It may be Markdown.",
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    tolerance = forms.IntegerField(
        label="Words by which an edge may be off",
        min_value=0,
        max_value=MOST_TOLERANCE,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Write a whole number from 0 to {MOST_TOLERANCE}.",
        ),
    )

    def clean_answer(self) -> Any:
        try:
            return json.loads(self.cleaned_data["answer"])
        except RecursionError as error:
            problem = "This is nested too deeply to be an answer. Write a flatter one."
            raise forms.ValidationError(problem) from error
        except ValueError as error:
            at = getattr(error, "lineno", 1)
            raise forms.ValidationError(f"This is no JSON from line {at} on. {error}") from error
