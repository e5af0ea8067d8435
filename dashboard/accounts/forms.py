"""Forms of accounts."""

from __future__ import annotations

from django import forms

from annotation.actions.api_tokens import DAYS, MOST_DAYS
from annotation.models import ApiToken


class AcceptForm(forms.Form):
    """A new account."""

    username = forms.CharField(
        max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username"}),
        label="Name of your account",
    )  # fmt: skip
    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )


class ApiTokenForm(forms.Form):
    name = forms.CharField(
        max_length=100,
        label="Name",
        help_text="Where it will be used.",
        error_messages={"required": "Give the token a name: where it will be used."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        choices=ApiToken.Scope.choices,
        initial=[ApiToken.Scope.READ],
        label="What it may do",
        error_messages={"required": "Choose at least one thing that the token may do."},
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.IntegerField(
        min_value=1, max_value=MOST_DAYS, initial=DAYS, label="Days until it ends"
    )
