"""The form of a new campaign: an entity campaign, which is the kind that people can work on."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from annotation.markdown import LONGEST_TEXT
from annotation.models import Campaign
from annotation.views.manage.forms import MOST_BUDGET, AmountField, SlugField, free_slug

MOST_PAY = Decimal(1_000_000)
MOST_GOLD = 32_767
NEW = Campaign()  # has what a campaign has if nothing is said
# What the action calls the fields, where it is not what they are called here.
FIELDS = {"pay_mills": "pay", "budget_mills": "budget"}


def _number(
    label: str, least: int, most: int, initial: int, help_text: str = "", **options: Any
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, initial=initial, help_text=help_text,
        error_messages={
            "required": f"Write a whole number from {least:,} to {most:,}.",
            "invalid": f"Write a whole number from {least:,} to {most:,}.",
            "min_value": f"Write a whole number from {least:,} to {most:,}.",
            "max_value": f"Write a whole number from {least:,} to {most:,}.",
        },
        **options,
    )  # fmt: skip


class CampaignForm(forms.Form):
    name = forms.CharField(
        max_length=200,
        help_text="What workers read above their task.",
        error_messages={"required": "Give the campaign a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    slug = SlugField()
    instructions = forms.CharField(
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 12}),
    )
    coreference = forms.BooleanField(
        required=False,
        initial=True,
        label="Group the names that mean the same",
        help_text="“Ada Lovelace” and a later “she” become one entity.",
    )
    linking = forms.BooleanField(
        required=False,
        label="Link names to the knowledge base",
        help_text="Workers search the project's list of entities as they type.",
    )
    suggestions = forms.BooleanField(
        required=False,
        label="Show the predictions that came with the documents",
        help_text="Workers accept, change or dismiss them.",
    )
    redundancy = _number(
        "Answers for each document", 1, 1_000, NEW.redundancy,
        "Each from another worker. Three is a good start.",
    )  # fmt: skip
    pay = AmountField(
        max_value=MOST_PAY,
        label="Pay for an answer",
        help_text="Workers see it before they begin.",
        error_messages={"required": "Write an amount, such as 0.05; 0 for unpaid work."},
    )
    currency = forms.RegexField(
        r"^[A-Za-z]{3}\Z",
        initial=NEW.currency,
        error_messages={
            "required": "Write the three letters of a currency, such as USD.",
            "invalid": "Write the three letters of a currency, such as USD.",
        },
        widget=forms.TextInput(attrs={"size": 4, "maxlength": 3, "spellcheck": "false"}),
    )
    budget = AmountField(
        max_value=MOST_BUDGET,
        required=False,
        help_text="The most that may be spent. Left empty, nothing limits it.",
    )
    hidden_gold = _number("Documents set aside as hidden gold", 0, MOST_GOLD, 0)
    gold_every = _number(
        "One task in so many is hidden gold", 0, MOST_GOLD, NEW.gold_every, "0 for none."
    )
    training_gold = _number("Documents set aside to practise on", 0, MOST_GOLD, 0)
    training_size = _number(
        "Practice tasks for each worker", 0, MOST_GOLD, NEW.training_size, "0 for none."
    )
    pass_score = forms.DecimalField(
        label="Share that has to be right in practice",
        min_value=0, max_value=1, max_digits=4, decimal_places=3,
        initial=Decimal(str(NEW.pass_score)),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}),
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value", "max_digits", "max_decimal_places"),
            "Write a share from 0 to 1, such as 0.7.",
        ),
    )  # fmt: skip
    lease_minutes = _number(
        "Minutes that a worker may keep a task", 1, 43_200, NEW.lease_minutes,
        "A draft that is saved begins them anew.",
    )  # fmt: skip
    skip_limit = _number("Tasks that a worker may skip", 0, MOST_GOLD, NEW.skip_limit)
    spread = forms.ChoiceField(choices=Campaign.Spread.choices, label="Order of the work")

    def settings(self) -> dict[str, Any]:
        """The arguments of create_campaign."""
        data = self.cleaned_data
        same = (
            "name", "instructions", "redundancy", "gold_every", "training_size", "lease_minutes",
            "skip_limit", "spread",
        )  # fmt: skip
        options = ("suggestions", "hidden_gold", "training_gold")
        return {name: data[name] for name in same} | {
            "slug": data["slug"] or free_slug(data["name"], Campaign.objects.all(), "campaign"),
            "interface": Campaign.Interface.ENTITY,
            "pay_mills": data["pay"],
            "budget_mills": data["budget"],
            "currency": data["currency"].upper(),
            "pass_score": float(data["pass_score"]),
            "options": {name: data[name] for name in ("coreference", "linking")}
            | {name: data[name] for name in options if data[name]},
        }
