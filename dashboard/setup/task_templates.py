"""Common tasks to begin with: labels, instructions and settings that fit together.

A template is a start and no more: everything that it brings can be changed on the steps after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class TaskTemplate:
    """
    Attributes
    ----------
    name, about : on the card by which it is chosen
    campaign : what the campaign is called where nobody says otherwise
    schema : the labels of a new project; an old one keeps its own
    options : of the campaign, by its interface
    instructions : Markdown, with a right and a wrong example for each step
    """

    name: str
    about: str
    interface: str
    campaign: str
    instructions: str
    schema: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


def _types(*rows: tuple[str, str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "key": key, "description": about} for name, key, about in rows]


NEWS = _types(
    ("PER", "p", "A person, by name"),
    ("ORG", "o", "A firm, club, party, paper or office"),
    ("LOC", "l", "A place: town, country, river, building"),
    ("DATE", "d", "A day, month or year that a calendar could hold"),
)
NAMES = """\
## Mark each name

Mark the **whole name**, without what stands beside it.

> Right: **Ruth Okafor**, the architect

> Wrong: **the architect Ruth Okafor**

## Choose its type

Go by what the name means **here**. A club that has the name of a town is a club.

> Right: **Harrow** won by two goals (ORG)

> Wrong: **Harrow** won by two goals (LOC)

## Not sure?

Press **Unsure** and say why. It is better than a guess.
"""
RELATIONS = [
    {
        "name": "works_for", "subject": ["PER"], "object": ["ORG"], "button": "works for",
        "sentence": "{subject} works for {object}", "inverse": "employs", "symmetric": False,
    },
    {
        "name": "lives_in", "subject": ["PER"], "object": ["LOC"], "button": "lives in",
        "sentence": "{subject} lives in {object}", "inverse": "home_of", "symmetric": False,
    },
    {
        "name": "seated_in", "subject": ["ORG"], "object": ["LOC"], "button": "has its seat in",
        "sentence": "{subject} has its seat in {object}", "inverse": "seat_of", "symmetric": False,
    },
]  # fmt: skip

TEMPLATES: dict[str, TaskTemplate] = {
    "names": TaskTemplate(
        "Find names in news",
        "People, organisations, places and dates, marked in the text.",
        "entity",
        "Names in the news",
        NAMES,
        schema={"entity_types": NEWS},
        options={"coreference": False, "linking": False},
    ),
    "links": TaskTemplate(
        "Link names",
        "Names are marked, grouped, and linked to a knowledge base that you import.",
        "entity",
        "Names and who they are",
        NAMES
        + """
## Link it

Search for the person or thing that is meant. Where the list does not have it, say so.

> Right: **Paris** in “Paris, Texas” is the town in Texas

> Wrong: **Paris** in “Paris, Texas” is the capital of France
""",
        # Dates have no entry in a knowledge base.
        schema={"entity_types": [kind for kind in NEWS if kind["name"] != "DATE"]},
        options={"coreference": True, "linking": True},
    ),
    "relations": TaskTemplate(
        "Find relations",
        "Names first; from these come questions about two names of a sentence.",
        "entity",
        "Names, for relations",
        NAMES,
        schema={"entity_types": NEWS, "relation_types": RELATIONS},
        options={"coreference": False, "linking": False},
    ),
    "sentiment": TaskTemplate(
        "Choose a sentiment",
        "One question about each text, with a few answers: one key each.",
        "choice",
        "How does the writer feel?",
        """\
## Read the whole text

Choose what the **writer** feels about what the text is about, not what you feel.

> Right: “The room was cold, and nobody answered.” is negative

> Wrong: “They closed at six.” is negative (it only says when)

## Both good and bad?

Choose *Mixed*. Where the text says nothing of feelings, choose *Neutral*.
""",
        options={
            "question": "How does the writer feel about it?",
            "choices": ["Positive", "Negative", "Neutral", "Mixed"],
        },
    ),
    "claims": TaskTemplate(
        "Verify claims",
        "Is what a system says of two names true? From a file of its claims.",
        "relation",
        "Is it true?",
        """\
## Go by the text alone

Say whether the **text** says what is claimed. What you know otherwise does not count.

> Right: “Ruth Okafor, who joined the Sound Ferry Company in May” – she works for it

> Wrong: “Ruth Okafor wrote about the Sound Ferry Company” – she works for it

## Is the name cut right?

A name that is cut in two, or has too much in it, is wrong even where the claim is true.
""",
        schema={"entity_types": NEWS, "relation_types": RELATIONS},
    ),
    "blank": TaskTemplate(
        "Begin from nothing",
        "Names in texts, with types of your own.",
        "entity",
        "New campaign",
        "",
    ),
}
