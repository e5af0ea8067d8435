"""What managers' pages have of each interface's own. One module each.

An entry is its module, which offers PAGES, and one line in REGISTRY. Templates that it names are
includes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aggregation.models import RunFacts
from dashboard.answer_words import counted
from dashboard.campaigns.building_forms import BuildForm, NextForm
from dashboard.campaigns.campaign_form import CampaignForm
from dashboard.results.findings import Findings

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Built:
    """Of an interface whose tasks are made from the names that a campaign has found.

    Attributes
    ----------
    command : what makes the tasks
    form, build_form : of the new campaign, and of what the command is to be told
    title, lead : the heading of the page on which one is made; a template that explains it
    called : "a relation campaign", in a link
    short : the same in a table
    lacks, lacking : whether a project's schema is short of something; a template that says so
    more : a template below the form of further tasks
    """

    command: str
    form: type[NextForm]
    build_form: type[BuildForm]
    title: str
    lead: str
    called: str
    short: str
    lacks: Callable[[Mapping[str, Any]], bool] = lambda schema: False
    lacking: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True)
class Pages:
    """
    Attributes
    ----------
    in_words : an answer in a few words, for lists
    in_full : the same where there is more room, with the document's text
    part : what of an answer can be wrong, in the singular
    differs : what a worker did whose answer is not the consensus
    form : of a campaign that is made or changed
    verdicts, verdict_in_words : what can be said of the claim that a task's payload shows, and in
        words what an answer says of it
    does, offer : what workers do in a new campaign of it, and the words of the link to one;
        "" where none is made from nothing
    lead : a template of what else there is to know before one is made
    settings : a template of what its options say
    findings : what a run has found, from the project's schema and the run's facts
    tasks_title, tasks : the heading and the template of that
    built : how its tasks are made from another campaign
    """

    in_words: Callable[[Answer], str] = lambda answer: ""
    in_full: Callable[[Answer, str], str] | None = None
    verdicts: Callable[[Mapping[str, Any]], list[Answer]] | None = None
    verdict_in_words: Callable[[Answer, Mapping[str, Any]], str] | None = None
    part: str = "label"
    differs: str = "chose another label"
    form: type[CampaignForm] = CampaignForm
    does: str = ""
    offer: str = ""
    lead: str = ""
    settings: str = ""
    findings: Callable[[Mapping[str, Any], RunFacts], Findings | None] = lambda schema, facts: None
    tasks_title: str = ""
    tasks: str = ""
    built: Built | None = None


REGISTRY = {
    "entity": "dashboard.interfaces.entity",
    "relation": "dashboard.interfaces.relation",
    "linking": "dashboard.interfaces.linking",
    "choice": "dashboard.interfaces.choice",
}
PLAIN = Pages()  # of an interface that has nothing of its own here


def pages_of(kind: str) -> Pages:
    if kind not in REGISTRY:
        return PLAIN
    findings: Pages = importlib.import_module(REGISTRY[kind]).PAGES
    return findings


def in_words(kind: str, answer: Answer) -> str:
    return ", ".join(filter(None, (pages_of(kind).in_words(answer), _doubts(answer))))


def _doubts(answer: Answer) -> str:
    """What the worker was unsure of, with their notes; "" for nothing."""
    doubts = answer.get("doubts") or ()
    notes = [f"“{doubt['note']}”" for doubt in doubts if doubt["note"]]
    number = f" of {counted(len(doubts), 'part')}" if any(each["at"] for each in doubts) else ""
    return f"unsure{number}{': ' if notes else ''}{' '.join(notes)}" if doubts else ""


def in_full(kind: str, answer: Answer, text: str) -> str:
    own = pages_of(kind)
    if own.in_full is None:
        return in_words(kind, answer)
    return ", ".join(filter(None, (own.in_full(answer, text), _doubts(answer))))


def verdicts_offered(kind: str, payload: Mapping[str, Any]) -> list[Answer]:
    """What can be said of a claim as a whole, whether or not a worker did; [] of other tasks."""
    own = pages_of(kind)
    return own.verdicts(payload) if own.verdicts else []


def verdict_in_words(kind: str, answer: Answer, payload: Mapping[str, Any]) -> str:
    """What an answer says of the claim that its task shows; "" of other tasks."""
    own = pages_of(kind)
    return own.verdict_in_words(answer, payload) if own.verdict_in_words else ""


def builds() -> dict[str, Built]:
    """The interfaces whose tasks are made from names that were found."""
    findings = {kind: pages_of(kind).built for kind in REGISTRY}
    return {kind: built for kind, built in findings.items() if built}


def offers() -> dict[str, Pages]:
    """The interfaces of which a campaign is made from nothing."""
    findings = {kind: pages_of(kind) for kind in REGISTRY}
    return {kind: own for kind, own in findings.items() if own.offer}
