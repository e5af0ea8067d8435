"""The forms of campaigns that are made from an entity campaign, and of building their tasks."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.interfaces import Product, kinds_of
from annotation.interfaces.linking import FULL_PAY
from annotation.interfaces.schema import entity_type_names
from annotation.models import Campaign, Project
from dashboard.campaigns.campaign_form import CampaignForm
from dashboard.forms import in_units

LARGEST_BLOCK = 60  # of actions.linking_tasks, which is not imported for a number; a test holds it
SHARE = "Write a share above 0 and up to 1, such as 0.3."


def _whole(label: str, least: int, most: int, initial: int, help_text: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, initial=initial, help_text=help_text,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Write a whole number from {least} to {most}.",
        ),
    )  # fmt: skip


class BuildForm(forms.Form):
    """What the command is to be told. Which pairs are asked about, the schema says: for relations
    nothing is left to choose."""

    def __init__(self, project: Project, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.project = project

    def parameters(self) -> dict[str, Any]:
        """Of the job."""
        return {}


class BlocksForm(BuildForm):
    block_size = _whole(
        "Cards in a task at most", 4, LARGEST_BLOCK, 30, "More of them see more names at once."
    )
    threshold = forms.FloatField(
        label="How similar names must be to be compared",
        initial=0.3,
        min_value=0.01,
        max_value=1,
        help_text="1 is the same name; lower asks about more pairs.",
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), SHARE),
    )
    most_blocks = _whole(
        "Tasks that one card may stand in", 1, 20, 3, "Where many names are similar."
    )
    alone = forms.BooleanField(
        required=False,
        label="Ask about names like no other, too",
        help_text="For links to the knowledge base; nobody needs to be asked who is who.",
    )
    types = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Choose types of the schema."},
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any):
        super().__init__(project, *args, **kwargs)
        names = entity_type_names(project.schema)
        self.fields["types"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]

    def parameters(self) -> dict[str, Any]:
        """What differs from what the command does by itself."""
        data = self.cleaned_data
        found: dict[str, Any] = {
            name.replace("_", "-"): data[name]
            for name in ("block_size", "threshold", "most_blocks")
            if data[name] != self.fields[name].initial
        }
        if data["types"]:
            found["type"] = data["types"]
        if data["alone"]:
            found["alone"] = True
        return found


class NextForm(CampaignForm):
    """No gold yet: the known answers are those of documents, not of pairs or piles."""

    gold_every = training_size = exam_size = None  # type: ignore[assignment]
    pass_score = tries = None  # type: ignore[assignment]
    named = "{}"

    @classmethod
    def proposed(cls, source: Campaign) -> dict[str, Any]:
        """What the campaign that it is made from has, where that is likely to be wanted again."""
        return {
            "name": cls.named.format(source.name),
            "consent": source.consent.text if source.consent else "",
            "content_warning": source.content_warning,
            "summary": source.summary,
            "requester": source.requester,
            "payment_terms": source.payment_terms,
            "language": source.language,
            "doubts": source.doubts,
            "redundancy": source.redundancy,
            "pay": in_units(source.pay_mills),
            "currency": source.currency,
        }


class RelationCampaignForm(NextForm):
    interface = "relation"
    named = "Relations: {}"


class LinkingForm(CampaignForm):
    """Of a linking campaign, whether it is new or changed."""

    interface = "linking"
    template = "dashboard/campaigns/_linking_fields.html"

    full_pay = forms.BooleanField(
        required=False,
        label="Pay tasks in full that are handed in early",
        help_text="Otherwise an answer with undecided cards brings the share that was decided, "
        "and the rest goes back to the budget. Workers see it before they hand in.",
    )

    @staticmethod
    def initial_of(campaign: Campaign) -> dict[str, Any]:
        return CampaignForm.initial_of(campaign) | {FULL_PAY: bool(campaign.options.get(FULL_PAY))}


class LinkingCampaignForm(NextForm, LinkingForm):
    named = "Who is who: {}"


class SourceForm(forms.Form):
    source = forms.ModelChoiceField(
        queryset=Campaign.objects.none(),
        to_field_name="slug",
        label="Campaign whose names are taken",
        empty_label=None,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose an entity campaign of this project."
        ),
    )

    def __init__(self, into: Campaign, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        entities = Campaign.objects.filter(
            project=into.project_id, interface__in=kinds_of(Product.MENTIONS)
        ).published()
        self.fields["source"].queryset = entities.select_related("project")  # type: ignore[attr-defined]
