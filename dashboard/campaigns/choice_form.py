"""The form of a choice campaign: what is asked, and what can be answered."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.interfaces.choice import LONGEST_CHOICE, LONGEST_QUESTION, MOST_CHOICES
from annotation.interfaces.scales import LONGEST_END
from annotation.models import Campaign
from dashboard.campaigns.campaign_form import FIELDS, CampaignForm

SCALE = {
    "scale_min": "min", "scale_max": "max", "scale_step": "step",
    "scale_low": "low", "scale_high": "high",
}  # fmt: skip


def _of_scale(label: str, help_text: str = "") -> forms.FloatField:
    return forms.FloatField(
        required=False, label=label, help_text=help_text,
        error_messages={"invalid": "Write a number, such as 1 or 0.5."},
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}),
    )  # fmt: skip


def _end(label: str, help_text: str = "") -> forms.CharField:
    return forms.CharField(
        required=False, label=label, help_text=help_text, max_length=LONGEST_END,
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )  # fmt: skip


class ChoiceCampaignForm(CampaignForm):
    """Gold comes with the tasks."""

    interface = "choice"
    template = "dashboard/campaigns/_choice_fields.html"
    fields_of = FIELDS | {"scale": next(iter(SCALE))}  # where a refusal of it as a whole stands
    parts = {"scale": tuple(SCALE)}

    question = forms.CharField(
        required=False,
        max_length=LONGEST_QUESTION,
        help_text="What workers are asked about each text, pair or picture.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    choices = forms.CharField(
        required=False,
        label="Answers",
        max_length=MOST_CHOICES * (LONGEST_CHOICE + 2),
        help_text="One a line, in the order in which they stand; the first nine have the keys "
        "1 to 9. “Can’t tell” is always there.",
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    scale_min = _of_scale("Least value of a scale", "Left empty, there is no scale.")
    scale_max = _of_scale("Greatest value")
    scale_step = _of_scale("Step", "Left empty, it is 1.")
    scale_low = _end("What the least value means", "Such as “not polite at all”.")
    scale_high = _end("What the greatest value means", "Such as “very polite”.")

    @staticmethod
    def field_of(path: str) -> str:
        """For paths of `choice.check_options`: "scale.max", "choices[2]"."""
        return path.partition("[")[0].replace(".", "_")

    def chosen(self) -> dict[str, Any]:
        data = super().chosen()
        if "choices" in data:
            lines = data["choices"].splitlines()
            data["choices"] = [line.strip() for line in lines if line.strip()]
            given = {name: data.pop(field) for field, name in SCALE.items()}
            data["scale"] = {
                name: _plain(value) for name, value in given.items() if value not in (None, "")
            }
        return data

    @staticmethod
    def initial_of(campaign: Campaign) -> dict[str, Any]:
        options = campaign.options
        scale = options.get("scale", {})
        return CampaignForm.initial_of(campaign) | {
            "question": options.get("question", ""),
            "choices": "\n".join(options.get("choices", ())),
            **{field: scale.get(name) for field, name in SCALE.items()},
        }


def _plain(value: float | str) -> float | str:
    return int(value) if isinstance(value, float) and value.is_integer() else value
