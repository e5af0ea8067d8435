"""Linking: which names of different documents mean the same."""

from __future__ import annotations

from dashboard.answer_words import counted
from dashboard.campaigns.building_forms import BlocksForm, LinkingCampaignForm, LinkingForm
from dashboard.interfaces import Answer, Built, Pages
from dashboard.results.findings import cluster_findings


def in_words(answer: Answer) -> str:
    piles = [len(pile["mentions"]) for pile in answer["clusters"]]
    told = f"{counted(sum(piles), 'card')} in {counted(len(piles), 'pile')}"
    for name in ("unsure", "undecided"):  # the latter came later
        if cards := answer.get(name):
            told += f", {len(cards)} {name}"
    return told


PAGES = Pages(
    in_words=in_words,
    part="card",
    differs="sorted the cards in another way",
    form=LinkingForm,
    findings=cluster_findings,
    tasks_title="Cards and piles",
    tasks="dashboard/campaigns/_linking_findings.html",
    built=Built(
        command="build_linking_tasks",
        form=LinkingCampaignForm,
        build_form=BlocksForm,
        title="Who is who across documents",
        lead="dashboard/campaigns/_linking_lead.html",
        called="a linking campaign",
        short="linking",
    ),
)
