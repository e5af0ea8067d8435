"""Which method's run serves labels: the choice, and what it changes, told before it is saved."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.template.defaultfilters import pluralize
from django.utils import timezone

from aggregation.actions.serving import LATEST
from aggregation.models import RunDifference
from aggregation.models.runs import IMPORTED
from aggregation.queries.runs import RunSummary, differences_of, latest_of_methods
from annotation.models import Campaign
from dashboard.campaigns.consequences import Consequence
from dashboard.templatetags.figures import share, signed

READERS = "pages, downloads, the review queue and the rules"


class ServedForm(forms.Form):
    method = forms.ChoiceField(
        required=False,
        label="Labels come from",
        error_messages={
            "invalid_choice": "No complete run of %(value)s is there any more. Choose another."
        },
    )

    def __init__(self, campaign: Campaign, data: Any = None, *, runs: list[RunSummary]):
        """`runs`: the latest of each method, the newest first."""
        super().__init__(data, initial={"method": campaign.served_method})
        field = cast(forms.ChoiceField, self.fields["method"])
        field.choices = [
            ("", f"the {LATEST} ({runs[0].method} now)" if runs else f"the {LATEST}"),
            *((run.method, run.method) for run in runs),
        ]


def of_serving(campaign: Campaign, method: str, served: RunSummary | None) -> Consequence:
    """What it means that `method` serves labels, or with "" whatever ran last. Two queries."""
    runs = latest_of_methods(campaign)
    now = next((run for run in runs if not method or run.method == method), None)
    change = f"{campaign.served_method or LATEST} → {method or LATEST}"
    if now is None or served is None:
        return Consequence("Labels come from", change, "There is no run to serve yet.")
    at = timezone.localtime(now.finished_at or now.started_at)
    sentence = (
        f"By it, {READERS} read the run of {now.method} of {at.day} {at:%b, %H:%M}, made of "
        f"{now.facts.answers:,} answer{pluralize(now.facts.answers)}. "
    )
    if now.key == served.key:
        sentence += "It is the one that they read already: no label changes now. "
    else:
        sentence += _changes(now, served, differences_of(now.key).get(served.key))
    if method == IMPORTED:
        sentence += "They were imported: answers that come in now are not added to them."
        return Consequence("Labels come from", change, sentence)
    sentence += (
        f"New answers are added to its labels, and aggregations, the night's among them, run "
        f"{method} again."
        if method
        else "From then on each run that ends takes the place of the one before, of whichever "
        "method it is."
    )
    return Consequence("Labels come from", change, sentence)


def _changes(now: RunSummary, served: RunSummary, pair: RunDifference | None) -> str:
    """`pair`: the served one less this."""
    if pair is None:
        told = f"How many labels change against {served.method} has not been counted. "
    else:
        told = (
            f"{pair.differing:,} of {pair.tasks:,} task{pluralize(pair.tasks)} "
            f"{pluralize(pair.differing, 'gets,get')} other labels than from {served.method}. "
        )
    if pair is None or pair.value is None:
        return f"{told}Gold does not say which of the two is better. "
    value = -pair.value
    score = now.facts.gold.shares[-1].value if now.facts.gold and now.facts.gold.shares else None
    told += (
        f"On {pair.documents:,} gold document{pluralize(pair.documents)} its score"
        f"{'' if score is None else f' of {share(score)}'} differs by {signed(value)}"
    )
    if pair.low is None or pair.high is None:
        return f"{told}. "
    told += f" (95 %: {signed(-pair.high)} to {signed(-pair.low)})"
    return f"{told}{': the two may be equally good' if pair.low <= 0 <= pair.high else ''}. "
