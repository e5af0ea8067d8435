"""What of the record is shown."""

from __future__ import annotations

from typing import Any

from django import forms

ANYBODY, COMMANDS = "", "-"


class RecordForm(forms.Form):
    by = forms.ChoiceField(label="By", required=False)
    action = forms.ChoiceField(label="What was done", required=False)
    subject = forms.CharField(label="To what", required=False, max_length=200)
    since = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, data: Any, people: list[str], actions: list[str]):
        super().__init__(data)
        self.fields["by"].choices = [  # type: ignore[attr-defined]
            (ANYBODY, "anybody"), (COMMANDS, "a command"), *((name, name) for name in people),
        ]  # fmt: skip
        self.fields["action"].choices = [  # type: ignore[attr-defined]
            ("", "anything"), *((name, name) for name in actions),
        ]  # fmt: skip

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        since, until = found.get("since"), found.get("until")
        if since and until and until < since:
            raise forms.ValidationError(f"{until} is before {since}. Choose a later day for To.")
        return found
