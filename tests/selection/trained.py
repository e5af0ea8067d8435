"""Small campaigns with a consensus, for the tests of what learns from it."""

from __future__ import annotations

from typing import Any

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.models import Campaign, ImportedAnswer
from tests.aggregation.crowds import choice, make_workers, read
from tests.factories import make_campaign, make_document, make_response, make_task

SPORT = ["ball goal team", "team win cup", "goal win ball", "cup team goal"]
MONEY = ["bank price loan", "price coin bank", "loan coin price", "bank coin loan"]
NAMES = ["Ada", "Bea", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal"]
BORN = "{} Byron was born in {} ."
WORKS = "{} Byron works for {} ."


def topics(**fields: Any) -> Campaign:
    """Eight texts, half of them of money, the others of sport; two workers agree."""
    campaign = make_campaign(interface="choice", options={"choices": ["sport", "money"]}, **fields)
    workers = make_workers(2)
    for texts, name in ((SPORT, "sport"), (MONEY, "money")):
        for text in texts:
            task = make_task(campaign, make_document(campaign.project, text))
            for worker in workers:
                make_response(task, worker, choice(name))
    return campaign


def known_topic(campaign: Campaign, text: str, name: str) -> ImportedAnswer:
    """A document whose answer came with it."""
    return ImportedAnswer.objects.create(
        document=make_document(campaign.project, text),
        interface=campaign.interface, source="gold", answer=choice(name),
    )  # fmt: skip


def names(**fields: Any) -> Campaign:
    """Eight texts, each with a person of two words."""
    campaign, workers = make_campaign(**fields), make_workers(2)
    for name in NAMES:
        text = f"Then {name} Byron slept . It rained ."
        document = make_document(campaign.project, text, sentences=[[0, 5], [5, 8]])
        task = make_task(campaign, document)
        for worker in workers:
            make_response(task, worker, read("O B-PER I-PER O O O O O"))
    return campaign


def pairs(**fields: Any) -> Campaign:
    """Eight pairs of a person and a place, or a person and a firm that is called as the place."""
    campaign, workers = make_campaign(interface="relation", **fields), make_workers(2)
    for number, name in enumerate(NAMES):
        born = number % 2 == 0
        text = (BORN if born else WORKS).format(name, "Paris")
        begin = text.index("Paris")
        payload = {
            "subject": {"start": 0, "end": len(name) + 6, "type": "PER"},
            "object": {"start": begin, "end": begin + 5, "type": "LOC" if born else "ORG"},
        }
        task = make_task(campaign, make_document(campaign.project, text), payload=payload)
        for worker in workers:
            relation = "per:born_in" if born else "per:employee_of"
            make_response(task, worker, {"relation": relation})
    return campaign


def run_of(campaign: Campaign) -> AggregationRun:
    return aggregate(campaign, "mv-token" if campaign.interface == "entity" else "majority")
