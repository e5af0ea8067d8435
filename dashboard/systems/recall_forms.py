"""Forms of recall: the size of the even sample, and who is who."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.interfaces import REGISTRY, Product, traits
from annotation.models import Campaign
from dashboard.forms import AmountField, in_units
from dashboard.systems.forms import BesideAnother
from dashboard.templatetags.figures import share
from evaluation.actions.recall_requests import (
    ANSWERS,
    LARGEST,
    PAIR_PAY,
    PAY,
    RecallCost,
    prices_of,
    recall_costs,
    size_told,
)
from evaluation.models import EvaluationPeriod, RecallSample

CHOSEN = 0.10
MOST_DOCUMENTS = 10_000


class RecallForm(forms.Form):
    """What is paid is asked before the campaigns exist; afterwards it is theirs."""

    width = forms.TypedChoiceField(coerce=float, label="Half-width of recall")
    largest = forms.IntegerField(
        min_value=0, max_value=MOST_DOCUMENTS, label="Documents in all, at most",
        help_text="Beyond those drawn evenly: ones that name the same again, four a name at most.",
    )  # fmt: skip
    answers = forms.IntegerField(min_value=1, max_value=20, label="Answers to each task")
    pay = AmountField(label="Pay for the names of a document")
    pair_pay = AmountField(label="Pay for a pair of names")

    def __init__(
        self, period: EvaluationPeriod, sample: RecallSample | None, *args: Any, **options: Any
    ):
        super().__init__(*args, **options)
        self.period, self.sample = period, sample
        widths = [one["width"] for one in period.forecast.get("recall", ())]
        self.fields["width"].choices = [(str(one), f"± {share(one)}") for one in widths]  # type: ignore[attr-defined]
        if sample is not None:
            for name in ("answers", "pay", "pair_pay"):
                del self.fields[name]

    @staticmethod
    def first(period: EvaluationPeriod, sample: RecallSample | None) -> dict[str, str]:
        """What stands in it before anybody has chosen."""
        widths = [one["width"] for one in period.forecast.get("recall", ())]
        width = sample.half_width if sample and sample.half_width in widths else CHOSEN
        return {
            "width": str(width), "largest": str(sample.largest if sample else LARGEST),
            "answers": str(ANSWERS), "pay": in_units(PAY), "pair_pay": in_units(PAIR_PAY),
        }  # fmt: skip

    def asked(self) -> dict[str, Any]:
        """As `start_recall` takes it."""
        told = self.cleaned_data
        prices = prices_of(self.sample)
        if self.sample is None:
            prices = {"pay_mills": told["pay"], "pair_mills": told["pair_pay"],
                      "answers": told["answers"]}  # fmt: skip
        return {"width": told["width"], "largest": told["largest"], **prices}

    def cost(self) -> RecallCost:
        asked = self.asked()
        documents = size_told(self.period, asked.pop("width")) or 0
        return recall_costs(self.period, self.sample, [documents], **asked)[0]


class LinksForm(BesideAnother):
    """A campaign that is there, or a new one with what it pays."""

    ids = "links"

    answers = forms.IntegerField(
        min_value=1, max_value=20, initial=ANSWERS, label="Answers to each task"
    )
    pay = AmountField(label="Pay for a task", initial=in_units(PAY))
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(), to_field_name="slug", required=False, empty_label="a new one",
        label="Linking campaign",
        help_text="One that is there keeps its own pay and number of answers.",
    )  # fmt: skip

    def __init__(self, period: EvaluationPeriod, *args: Any, **options: Any):
        super().__init__(*args, **options)
        kinds = [kind for kind in REGISTRY if traits(kind).product == Product.CLUSTERS]
        rows = Campaign.objects.filter(project=period.project, interface__in=kinds)
        fields: dict[str, Any] = self.fields
        fields["campaign"].queryset = rows.exclude(state=Campaign.State.CLOSED)
        fields["campaign"].initial = period.links.slug if period.links else None
        self.order_fields(["campaign", "answers", "pay"])

    def asked(self) -> dict[str, Any]:
        told = self.cleaned_data
        return {"campaign": told["campaign"], "pay_mills": told["pay"], "answers": told["answers"]}
