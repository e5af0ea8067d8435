"""Choices between the answers to a question, and values on a scale."""

from __future__ import annotations

from annotation.interfaces.schema import UNSURE
from dashboard.answer_words import NO_ANSWER_WORDS
from dashboard.campaigns.choice_form import ChoiceCampaignForm
from dashboard.interfaces import Answer, Pages


def in_words(answer: Answer) -> str:
    if answer["unsure"]:
        return NO_ANSWER_WORDS[UNSURE]
    parts = [answer["choice"] or ""]
    if answer["value"] is not None:
        parts.append(f"{answer['value']:g}")
    return " · ".join(part for part in parts if part)


PAGES = Pages(
    in_words=in_words,
    form=ChoiceCampaignForm,
    does="Workers answer one question about each document of the project, with one of your "
    "answers.",
    offer="Have them choose between answers",
    lead="dashboard/campaigns/_choice_lead.html",
)
