"""The forms of the set-up: where it begins, and which fields of a campaign each step has."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.models import Campaign
from dashboard.campaigns.campaign_form import CampaignForm
from dashboard.campaigns.edit_form import edit_form
from dashboard.setup.steps import SetupFacts
from dashboard.setup.task_templates import TEMPLATES

HIDDEN_EVERY = 10  # one task in so many
PRACTICE = 5  # tasks, where there is gold enough to practise on
ENOUGH_TO_PRACTISE = 20

# Step → the fields of the campaign's form that it shows; the rest is in Settings.
FIELDS = {
    "labels": ("question", "choices", "scale_min", "scale_max", "scale_step"),
    "instructions": ("name", "instructions", "consent", "content_warning", "language"),
    "gold": (
        "hidden_gold", "gold_every", "training_gold", "training_size", "exam_gold", "exam_size",
        "pass_score", "tries",
    ),
    "pay": ("redundancy", "pay", "currency", "budget", "target_quality", "max_redundancy"),
}  # fmt: skip


class BeginForm(forms.Form):
    """What is to be done, and what the project is called; in a project that is there, the first
    alone."""

    template = forms.ChoiceField(
        choices=[(name, one.name) for name, one in TEMPLATES.items()],
        initial="names",
        label="Task",
        widget=forms.RadioSelect,
        error_messages={
            "required": "Choose a task to begin with.",
            "invalid_choice": "Choose a task to begin with.",
        },
    )
    project = forms.CharField(
        max_length=200,
        label="Name of the project",
        help_text="What people read, such as “Letters of the harbour office”.",
        error_messages={"required": "Give the project a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    language = forms.CharField(
        max_length=35,
        initial="en",
        label="Language of the texts",
        help_text="Such as en, de, pt-BR.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "size": 10}),
    )

    def __init__(self, data: Any = None, *, is_new: bool):
        super().__init__(data)
        if not is_new:
            del self.fields["project"], self.fields["language"]


def step_form(
    campaign: Campaign, step: str, facts: SetupFacts, data: Any = None
) -> CampaignForm | None:
    """The campaign's own form with the fields of a step; None of a step that has none."""
    if step not in FIELDS:
        return None
    form = edit_form(campaign, data, only=FIELDS[step])
    if step == "gold":
        _propose_gold(form, campaign, facts)
    return form


def _propose_gold(form: CampaignForm, campaign: Campaign, facts: SetupFacts) -> None:
    """Good defaults where nothing is chosen yet and there is gold: one task in ten is hidden gold,
    and with enough of it a little practice comes first."""
    chosen = campaign.gold_every or campaign.training_size or campaign.exam_size
    if chosen or not facts.gold:
        return
    proposed = {
        "gold_every": HIDDEN_EVERY if facts.hidden or facts.known else 0,
        "training_size": min(PRACTICE, facts.practice),
        "exam_size": facts.exam,
    }
    if form.gold_of_documents and facts.known:
        practice = PRACTICE if facts.known >= ENOUGH_TO_PRACTISE else 0
        proposed |= {
            "training_gold": practice,
            "training_size": max(practice, proposed["training_size"]),
            "hidden_gold": facts.known - practice,
        }
    form.initial.update(proposed)
