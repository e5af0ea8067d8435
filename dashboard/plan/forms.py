"""What a plan assumes: when tasks may stop, and before anybody has answered the crowd."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

MOST_KINDS = 5
EXAMPLE = ".7:.85, .3:.6"
SHAPE = (
    "Write the share of the workers and how often these are right, as .7:.85, .3:.6 for seven in "
    "ten who are right in .85 of their answers and three in ten in .6. Found “{}”."
)


class StopForm(forms.Form):
    wanted = forms.DecimalField(
        label="Stop a task where it is sure to", min_value=Decimal(".5"), max_value=Decimal(".999"),
        help_text="The confidence at which it asks for no more answers",
    )  # fmt: skip

    def parameters(self) -> dict[str, Any]:
        return {"wanted": float(self.cleaned_data["wanted"])}


class MixForm(forms.Form):
    mix = forms.CharField(
        label="Workers", max_length=100, initial=EXAMPLE,
        help_text="A pair for each kind of worker: the share of such workers, a colon, and how "
        "often they are right",
    )  # fmt: skip
    workers = forms.IntegerField(label="How many workers", min_value=2, max_value=1_000, initial=30)
    tasks = forms.IntegerField(label="Tasks", min_value=1, max_value=1_000_000)
    names = forms.IntegerField(
        label="Names in a document", min_value=1, max_value=100, initial=8,
        help_text="About how many; “how often they are right” is then the workers’ F1 of names",
    )  # fmt: skip
    wanted = StopForm.base_fields["wanted"]

    def __init__(self, *args: Any, classes: int, **kwargs: Any):
        """No `classes`: answers are names in a document."""
        super().__init__(*args, **kwargs)
        self.classes = classes
        if classes:
            del self.fields["names"]

    def clean_mix(self) -> str:
        given = self.cleaned_data["mix"]
        kinds = [kind.strip().split(":") for kind in given.split(",") if kind.strip()]
        try:
            values = [(float(share), float(right)) for share, right in kinds]
        except ValueError:
            raise forms.ValidationError(SHAPE.format(given)) from None
        if not values or len(values) > MOST_KINDS:
            raise forms.ValidationError(SHAPE.format(given))
        if any(not 0 < share <= 1 or not 0 <= right <= 1 for share, right in values):
            raise forms.ValidationError(SHAPE.format(given))
        if abs(sum(share for share, _ in values) - 1) > 0.01:
            raise forms.ValidationError(
                f"The shares make {sum(share for share, _ in values):g} together. Write shares "
                "that make 1."
            )
        return ",".join(f"{share:g}:{right:g}" for share, right in values)

    def parameters(self) -> dict[str, Any]:
        chosen = dict(self.cleaned_data)
        chosen["wanted"] = float(chosen["wanted"])
        return chosen | ({"classes": self.classes} if self.classes else {})
