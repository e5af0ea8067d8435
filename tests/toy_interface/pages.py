"""Stars on managers' pages."""

from __future__ import annotations

from django import forms

from annotation.models import Campaign
from dashboard.campaigns.campaign_form import DocumentGoldForm
from dashboard.interfaces import Answer, Pages
from tests.toy_interface.stars import MOST


class StarsCampaignForm(DocumentGoldForm):
    interface = "stars"

    question = forms.CharField(required=False)
    most = forms.IntegerField(required=False, label="Most stars", initial=MOST)

    @staticmethod
    def initial_of(campaign: Campaign) -> dict:
        own = {name: campaign.options.get(name) for name in ("question", "most")}
        return DocumentGoldForm.initial_of(campaign) | own


def in_words(answer: Answer) -> str:
    return "can’t tell" if answer["stars"] is None else f"{answer['stars']} stars"


PAGES = Pages(
    in_words=in_words,
    form=StarsCampaignForm,
    does="Workers give each document stars.",
    offer="Have them give stars",
)
