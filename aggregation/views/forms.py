"""The small forms of a campaign's page."""

from __future__ import annotations

from decimal import Decimal

from django import forms

MILLS = 1000
MOST = Decimal("1e12")  # units of a currency


class BudgetForm(forms.Form):
    """`mills` is what was typed, in thousandths."""

    budget = forms.DecimalField(
        min_value=0,
        max_value=MOST,
        max_digits=16,
        decimal_places=3,
        error_messages={
            "required": "Type the amount that may be spent in all.",
            "invalid": "Type the amount as a number, such as 25 or 12.50.",
        },
    )

    @property
    def mills(self) -> int:
        return int(self.cleaned_data["budget"] * MILLS)


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=100, error_messages={"required": "Type the code that the worker sent."}
    )
