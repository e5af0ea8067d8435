"""The relation page as a worker handles it: tasks of pairs, answers, evidence."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from annotation.actions.tokens import campaign_link
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from annotation.interfaces.schema import check_schema
from annotation.models import Campaign, Document
from tests.browser.entity_page import sent
from tests.factories import make_campaign, make_document, make_project, make_task

SCHEMA = check_schema(
    {
        "entity_types": [
            {"name": "PER", "description": "A person."},
            {"name": "ORG", "description": "An organisation."},
            {"name": "GPE", "description": "A country, a state, a town."},
            {"name": "DATE"},
            {"name": "TITLE"},
        ],
        "relation_types": read_relation_types(RELATION_TYPES),
    }
)
STORY = (
    "Ada Lovelace was born in London . She met Charles Babbage there . "
    "In 1833 Babbage worked for Cambridge University ."
)
READ = 600  # ms; what is submitted sooner was meant for the task before
# Of the claim that `to_verify` makes.
ALL_TRUE = {
    "relation": "per:place_of_birth", "subject_ok": True, "subject_type_ok": True,
    "object_ok": True, "object_type_ok": True, "object_link_ok": True,
}  # fmt: skip


def span(text: str, name: str, kind: str, **more: Any) -> dict[str, Any]:
    start = text.index(name)
    return {"start": start, "end": start + len(name), "type": kind, **more}


def ada_and_london(text: str = STORY) -> dict[str, Any]:
    return {"subject": span(text, "Ada Lovelace", "PER"), "object": span(text, "London", "GPE")}


def charles_and_cambridge(text: str = STORY) -> dict[str, Any]:
    return {
        "subject": span(text, "Charles Babbage", "PER"),
        "object": span(text, "Cambridge University", "ORG"),
    }


def to_verify(text: str = STORY) -> dict[str, Any]:
    link = {"key": "Q84", "name": "London", "description": "Capital of England"}
    payload = ada_and_london(text)
    return payload | {
        "object": payload["object"] | {"link": link},
        "predicted": "per:place_of_birth",
    }


def sentences(text: str) -> list[list[int]]:
    words = text.split()
    ends = [i + 1 for i, word in enumerate(words) if word == "."] or [len(words)]
    return [list(pair) for pair in zip([0, *ends], ends, strict=False)]


def make_pairs(*payloads: dict[str, Any], text: str = STORY, **project: Any) -> Campaign:
    """An open campaign of one document with a task for each payload, in their order."""
    campaign = make_campaign(
        make_project(**{"schema": SCHEMA} | project), interface="relation", pay_mills=30,
        redundancy=1, name="How are they related?",
    )  # fmt: skip
    document = make_document(campaign.project, text, sentences=sentences(text))
    for number, payload in enumerate(payloads or (ada_and_london(),)):
        add_pair(campaign, document, payload, number)
    return campaign


def add_pair(campaign: Campaign, document: Document, payload: dict[str, Any], number: int) -> None:
    make_task(campaign, document, external_id=f"pair-{number}", payload=payload)


def relations_of(number: int) -> dict[str, Any]:
    """A schema with so many relations between a person and a place."""
    relations = [
        {"name": f"r{n}", "sentence": f"{{subject}} is {n} to {{object}}", "group": f"G{n // 9}",
         "subject": ["PER"], "object": ["GPE"]}
        for n in range(number)
    ]  # fmt: skip
    return check_schema({"entity_types": SCHEMA["entity_types"], "relation_types": relations})


def make_far(words: int, after: int = 40, **project: Any) -> Campaign:
    """A pair in one long sentence, with so many words between the names, and text around it."""
    between = " ".join(["rain fell and"] * (words // 3))
    text = (
        f"{'It rained . ' * 20}Ada Lovelace heard {between} left London . {'It went on . ' * after}"
    )
    return make_pairs(ada_and_london(text), text=text, **project)


def open_pair(page: Page, campaign: Campaign) -> None:
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(page.locator("token-text")).to_be_focused()


def settle(page: Page) -> None:
    """The height of a long text is known only some frames after it came into sight, and until then
    the page brings its names there once more."""
    page.evaluate(
        """async () => {
          for (let i = 0; i < 8; i += 1) await new Promise(requestAnimationFrame);
        }"""
    )


def rest(page: Page) -> None:
    """Let the time pass in which what is submitted is taken for unread."""
    page.wait_for_timeout(READ)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def answer(page: Page, name: str) -> Locator:
    return page.get_by_role("radio", name=name)


def chosen(page: Page) -> list[str]:
    """The wordings of the answers that are chosen, without their shapes."""
    checked = page.locator("[role=radio][aria-checked=true] .answer-words").all_inner_texts()
    return [" ".join(words.split()) for words in checked]


def evidence(page: Page) -> list[str]:
    return page.locator(".evidence-words").all_inner_texts()


def row(page: Page, number: int) -> Locator:
    return page.locator(".claim").nth(number - 1)


def verdicts(page: Page) -> list[str]:
    """What is chosen in each row, from the first to the last; none in rows that are not open."""
    return page.locator(".claim [role=radio][aria-checked=true]:visible").all_inner_texts()


def judged(campaign: Campaign) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in one.items() if value is not None and name != "evidence"}
        for one in sent(campaign)
    ]
