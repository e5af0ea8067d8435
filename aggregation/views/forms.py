"""The small forms of a campaign's page."""

from __future__ import annotations

from django import forms

from annotation.views.manage.forms import MOST_BUDGET, AmountField


class BudgetForm(forms.Form):
    budget = AmountField(
        max_value=MOST_BUDGET,
        error_messages={"required": "Type the amount that may be spent in all."},
    )

    @property
    def mills(self) -> int:
        return self.cleaned_data["budget"]


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=100, error_messages={"required": "Type the code that the worker sent."}
    )
