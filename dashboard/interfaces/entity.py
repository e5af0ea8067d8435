"""Entities: names in documents, with types."""

from __future__ import annotations

from dashboard.answer_words import counted
from dashboard.campaigns.campaign_form import EntityCampaignForm
from dashboard.interfaces import Answer, Pages

NAMES = 30  # that are told of an answer


def in_words(answer: Answer) -> str:
    if "tags" in answer:
        return counted(sum(tag.startswith("B-") for tag in answer["tags"]), "name")
    names, entities = answer["mentions"], answer["entities"]
    told = counted(len(names), "name")
    linked = sum(entity["link"] is not None for entity in entities)
    return f"{told}, {linked} linked" if linked else told


def in_full(answer: Answer, text: str) -> str:
    """The names themselves."""
    if "mentions" not in answer:
        return in_words(answer)
    names = [
        f"{' '.join(text[name['start'] : name['end']].split())} ({name['type']})"
        for name in answer["mentions"][:NAMES]
    ]
    if not names:
        return "no names"
    more = len(answer["mentions"]) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")


PAGES = Pages(
    in_words=in_words,
    in_full=in_full,
    part="name",
    form=EntityCampaignForm,
    does="Workers find names in each document and give them a type.",
    offer="Have them find names",
    lead="dashboard/campaigns/_entity_lead.html",
    settings="dashboard/campaigns/_entity_settings.html",
)
