"""The tasks of `worker_pages`: campaigns of each interface, an expert for them, a large task.

An expert knows the answer to each task of the page by what they see there.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Any

import throwaway

WORDS, NAMES, ENTITIES = 50_000, 3_000, 2_000  # of the large document
CARDS, MOST_CARDS = 12, 60  # on one page
CHOICES = ["Praise", "Blame", "Both", "Neither"]
SECOND_THOUGHT = 900  # ms, after which a page believes that an answer is meant as it is
UNREAD = 220  # ms, before which a choice counts as unread
SUBMIT = "[data-act=submit]"


@dataclass(frozen=True, slots=True)
class Done:
    inputs: int
    units: int


@dataclass(slots=True)
class Kind:
    """`ways`: what a key does → the keys that are timed, and those that clear up behind them."""

    links: dict[str, str]  # "visit", "large", "mouse", "keys"
    known: dict[str, Any]  # what an expert sees of a task → the answer that they give
    ready: str
    units: str
    large: str
    ways: dict[str, tuple[list[str], list[str]]]
    by_mouse: Callable[[Any], Done]
    by_keys: Callable[[Any], Done]
    prepare: Callable[[Any], Any]  # before keys are timed
    said: Callable[[dict[str, Any]], Any]  # a stored answer as `known` has them
    seen: Callable[[Any], str]  # of a task's row, as an expert sees it
    fill: Callable[[], None] | None = None
    tasks: int = 0

    def right(self, way: str) -> float:
        """The share of tasks whose answer arrived as the expert meant it."""
        from annotation.actions import tokens
        from annotation.models import Response

        campaign = tokens.read_link(self.links[way]).campaign
        rows = Response.objects.filter(assignment__task__campaign__slug=campaign)
        right = sum(
            self.said(row.answer) == self.known[self.seen(row.assignment.task)]
            for row in rows.select_related("assignment__task__document")
        )
        return right / self.tasks


def seed(number: int) -> dict[str, Kind]:
    kinds = {
        "entity": entity(number), "relation": relation(number), "verify": verify(number),
        "linking": linking(number),
        "choice": choice(number),
    }  # fmt: skip
    for kind in kinds.values():
        kind.tasks = min(number, len(kind.known))
    return kinds


def make_project(slug: str, schema: dict[str, Any], number: int = 0) -> Any:
    """With the first documents of the demonstration."""
    from annotation.actions.documents import import_documents
    from annotation.actions.projects import create_project
    from demonstration import corpus

    project = create_project(slug=slug, name=slug, schema=schema)
    if number:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "documents.jsonl"
            lines = [json.dumps(one) for one in islice(corpus.documents(), number)]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            import_documents(project, path, format="jsonl")
    return project


def make_large_project(slug: str, schema: dict[str, Any]) -> Any:
    from annotation.models import ImportRun

    project = make_project(slug, schema)
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, 1, [f"word{n}" for n in range(WORDS)])
    return project


def make_campaign(project: Any, kind: str, use: str, tasks: Any = (), **options: Any) -> str:
    """Its link. `tasks` are (document's id, name, payload); none: one for each document."""
    from annotation.actions import campaigns, tokens

    campaign = campaigns.create_campaign(
        project, slug=f"{kind}-{use}", name=use, interface=kind, redundancy=1, pay_mills=10,
        lease_minutes=600, options=options,
    )  # fmt: skip
    campaigns.create_tasks_on(campaign, tasks)
    campaigns.open_campaign(campaign)
    return tokens.campaign_link(campaign)


def schema_of_the_demonstration() -> dict[str, Any]:
    from demonstration.load import SCHEMA

    return SCHEMA


def click(page: Any, locator: Any) -> None:
    """Without looking first, as somebody does who knows the page."""
    box = locator.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


# --- Entity -------------------------------------------------------------------------------------


def entity(number: int) -> Kind:
    from annotation.interfaces import entity as module
    from annotation.models import Document, ImportedAnswer, Task
    from annotation.models.materials import MATERIAL_COLUMNS, material_of

    small = make_project("entity", schema_of_the_demonstration(), number)
    large = make_large_project("entity-large", schema_of_the_demonstration())
    links = {use: make_campaign(small, "entity", use) for use in ("visit", "mouse", "keys")}
    links["large"] = make_campaign(large, "entity", "large")
    known, marks = {}, {}
    for document in Document.objects.filter(project=small):
        row = Task.objects.filter(document=document).values(*MATERIAL_COLUMNS)[0]
        material = material_of(row)
        gold = ImportedAnswer.objects.get(document=document, source="gold").answer
        seen = " ".join(module.page_data(material)["tokens"])
        known[seen] = spans(gold)
        marks[seen] = module.wire(gold, material)["mentions"]

    def on_page(page: Any) -> list[dict[str, Any]]:
        return marks[" ".join(page.locator(".token").all_inner_texts())]

    def send(page: Any, mentions: list[Any]) -> int:
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        if not mentions:
            page.wait_for_timeout(SECOND_THOUGHT)
            page.keyboard.press("Enter")
        return 1 if mentions else 2

    def by_mouse(page: Any) -> Done:
        """A drag and a letter for each name."""
        mentions = on_page(page)
        for mention in mentions:
            first, last = (
                page.locator(f'[data-token="{word}"]').bounding_box()
                for word in (mention["start"], mention["end"] - 1)
            )
            page.mouse.move(first["x"] + 4, first["y"] + 8)
            page.mouse.down()
            if mention["end"] - mention["start"] > 1:
                page.mouse.move(last["x"] + 4, last["y"] + 8)
            page.mouse.up()
            page.keyboard.press(letter(mention))
        return Done(2 * len(mentions) + send(page, mentions), len(mentions))

    def by_keys(page: Any) -> Done:
        """Arrows to the first word, Shift and arrows to the last, a letter."""
        mentions, caret, pressed = on_page(page), 0, 0
        for mention in mentions:
            steps = mention["start"] - caret
            more = mention["end"] - 1 - mention["start"]
            for key in ["ArrowRight"] * steps + ["Shift+ArrowRight"] * more + [letter(mention)]:
                page.keyboard.press(key)
            pressed += steps + more + 1
            caret = mention["end"] - 1
        return Done(pressed + send(page, mentions), len(mentions))

    return Kind(
        links, known,
        ready=".token",
        units="names",
        large=f"{WORDS:,} words, {NAMES:,} names",
        ways={
            "move": (["ArrowRight"], []),
            "select": (["Shift+ArrowRight"], []),
            "mark": (["p"], []),
            "same as": (["Space", "2"], ["Escape"]),
            "walk": (["."], ["Escape"]),
            "undo": (["Control+z"], []),
            "line down": (["ArrowDown"], []),
        },
        by_mouse=by_mouse,
        by_keys=by_keys,
        prepare=lambda page: page.locator("token-text").focus(),
        said=spans,
        seen=lambda task: " ".join(
            task.document.text[start:end] for start, end in task.document.tokens
        ),
        fill=fill_draft,
    )  # fmt: skip


def letter(mention: dict[str, Any]) -> str:
    return mention["type"][0].lower()


def spans(answer: dict[str, Any]) -> set[tuple[int, int, str]]:
    return {(one["start"], one["end"], one["type"]) for one in answer["mentions"]}


def fill_draft() -> None:
    """Put a finished piece of work on the server."""
    from annotation.models import Assignment

    step = WORDS // NAMES
    mentions = [
        {"id": f"m{i + 1}", "start": i * step + 3, "end": i * step + 5,
         "type": ("PER", "LOC", "ORG")[i % 3], "entity": f"e{i % ENTITIES + 1}"}
        for i in range(NAMES)
    ]  # fmt: skip
    entities = [
        {"id": f"e{i + 1}", "canonical": f"m{i + 1}", "link": None, "value": None}
        for i in range(ENTITIES)
    ]
    Assignment.objects.filter(task__campaign__slug="entity-large").update(
        draft={"mentions": mentions, "entities": entities, "unlabelled": []}
    )


# --- Relation -----------------------------------------------------------------------------------


def relation(number: int) -> Kind:
    """Pairs of names that follow each other; which relation holds is drawn by lot."""
    from annotation.formats.relations import RELATION_TYPES, read_relation_types
    from annotation.interfaces import relation as module
    from annotation.interfaces.schema import check_schema
    from annotation.models import Document, ImportedAnswer, Task
    from annotation.models.materials import MATERIAL_COLUMNS, material_of

    types = read_relation_types(RELATION_TYPES)
    names = {"LOC", *(name for one in types for name in (*one["subject"], *one["object"]))}
    schema = check_schema(
        {"entity_types": [{"name": name} for name in sorted(names)], "relation_types": types}
    )
    small = make_project("relation", schema, 100)
    pairs: dict[str, tuple[int, str, dict[str, Any]]] = {}
    for document in Document.objects.filter(project=small).order_by("pk"):
        gold = ImportedAnswer.objects.filter(document=document, source="gold").first()
        mentions = gold.answer["mentions"] if gold else []
        for one, other in pairwise(mentions):
            sides = [side(one, document.text), side(other, document.text)]
            payload = dict(zip(("subject", "object"), sides, strict=True))
            pairs.setdefault(asked(payload), (document.pk, f"{document.pk}-{one['id']}", payload))
    chosen = dict(islice(pairs.items(), number))
    links = {
        use: make_campaign(small, "relation", use, chosen.values())
        for use in ("visit", "mouse", "keys")
    }
    large = make_large_project("relation-large", schema)
    text = Document.objects.get(project=large)
    sides = [
        {"start": text.tokens[n][0], "end": text.tokens[n + 1][1], "type": kind, "name": kind}
        for n, kind in ((WORDS // 2, "PER"), (WORDS // 2 + 4, "GPE"))
    ]
    payload = dict(zip(("subject", "object"), sides, strict=True))
    links["large"] = make_campaign(large, "relation", "large", [(text.pk, "pair", payload)])

    draw, known, places = random.Random(1), {}, {}
    for row in Task.objects.filter(campaign__slug="relation-keys").values(*MATERIAL_COLUMNS):
        offered = module.page_data(material_of(row))["relations"]
        place = draw.randrange(len(offered))
        seen = asked(row["payload"])
        known[seen], places[seen] = offered[place]["name"], (place, offered[place]["key"])

    def on_page(page: Any) -> tuple[int, str]:
        heading = page.locator("[data-task] h3").first.inner_text()
        return places[" ".join(heading.split())]

    def by_mouse(page: Any) -> Done:
        place, _ = on_page(page)
        click(page, page.get_by_role("radio").nth(place))
        click(page, page.locator(SUBMIT))
        return Done(2, 1)

    def by_keys(page: Any) -> Done:
        _, key = on_page(page)
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        return Done(2, 1)

    return Kind(
        links, known,
        ready="[role=radio]",
        units="pairs",
        large=f"{WORDS:,} words",
        ways={
            "choose": (["1"], []),
            "choose another": (["n"], []),
            "undo": (["Control+z"], []),
            "move": (["ArrowRight"], []),
            "select": (["Shift+ArrowRight"], []),
            "evidence": (["e"], []),
        },
        by_mouse=by_mouse,
        by_keys=by_keys,
        prepare=lambda page: page.locator("token-text").focus(),
        said=lambda answer: answer["relation"],
        seen=lambda task: asked(task.payload),
    )  # fmt: skip


def verify(number: int) -> Kind:
    """Claims of two names and their types, each name with a link. Of three in four all is true, of
    the others the relation does not hold."""
    from annotation.formats.relations import RELATION_TYPES, read_relation_types
    from annotation.interfaces.schema import check_schema, relations_between
    from annotation.models import Document, ImportedAnswer

    types = read_relation_types(RELATION_TYPES)
    kinds = {"LOC", *(name for one in types for name in (*one["subject"], *one["object"]))}
    schema = check_schema(
        {"entity_types": [{"name": name} for name in sorted(kinds)], "relation_types": types}
    )
    small, large = make_project("verify", schema, 100), make_large_project("verify-large", schema)
    found: dict[str, tuple[int, str, dict[str, Any]]] = {}  # by what the page says
    for document in Document.objects.filter(project=small).order_by("pk"):
        gold = ImportedAnswer.objects.filter(document=document, source="gold").first()
        for one, other in pairwise(gold.answer["mentions"] if gold else []):
            subject, object_ = side(one, document.text), side(other, document.text)
            held = relations_between(schema, subject["type"], object_["type"])
            if held and len(found) < number:
                linked = [
                    mention | {"link": {"key": f"Q{i}", "name": mention["name"], "description": ""}}
                    for i, mention in enumerate((subject, object_))
                ]
                sides = dict(zip(("subject", "object"), linked, strict=True))
                payload = {**sides, "predicted": held[0]["name"]}
                words = task_words(payload, schema)
                found.setdefault(words, (document.pk, f"{document.pk}-{one['id']}", payload))
    links = {
        use: make_campaign(small, "relation", f"verify-{use}", found.values())
        for use in ("visit", "mouse", "keys")
    }
    text = Document.objects.get(project=large)
    ends = [
        {"start": text.tokens[n][0], "end": text.tokens[n + 1][1], "type": kind, "name": kind}
        for n, kind in ((WORDS // 2, "PER"), (WORDS // 2 + 4, "GPE"))
    ]
    payload = {"subject": ends[0], "object": ends[1], "predicted": "per:place_of_birth"}
    links["large"] = make_campaign(large, "relation", "verify-large", [(text.pk, "claim", payload)])
    known = {
        words: claim["predicted"] if place % 4 else "none"
        for place, (words, (_, _, claim)) in enumerate(found.items())
    }

    def holds(page: Any) -> bool:
        heading = page.locator("[data-task] .question-main h3").first.inner_text()
        return known[" ".join(heading.split())] != "none"

    def by_mouse(page: Any) -> Done:
        if holds(page):
            click(page, page.get_by_role("radio", name="Yes, all of it"))
            click(page, page.locator(SUBMIT))
            return Done(2, 1)
        click(page, page.get_by_role("radio", name="No, not all"))
        groups = page.get_by_role("radiogroup")
        for place in range(1, groups.count()):
            name = "No" if place == 1 else "Yes"
            groups.nth(place).get_by_role("radio", name=name).click()  # each answer moves the page
        click(page, page.locator(SUBMIT))
        return Done(groups.count() + 1, 1)

    def by_keys(page: Any) -> Done:
        keys = ["y"] if holds(page) else ["n", "n", *["y"] * 6]
        for key in (*keys, "Enter"):
            page.keyboard.press(key)
        return Done(len(keys) + 1, 1)

    return Kind(
        links, known,
        ready="[role=radio]",
        units="claims",
        large=f"{WORDS:,} words",
        ways={"all true": (["y"], []), "not all": (["n"], []), "move": (["ArrowRight"], [])},
        by_mouse=by_mouse,
        by_keys=by_keys,
        prepare=lambda page: page.locator("token-text").focus(),
        said=lambda answer: answer["relation"],
        seen=lambda task: task_words(task.payload, schema),
    )  # fmt: skip


def task_words(payload: dict[str, Any], schema: dict[str, Any]) -> str:
    """What the page says of a claim."""
    [kind] = [one for one in schema["relation_types"] if one["name"] == payload["predicted"]]
    said = kind["sentence"].replace("{subject}", payload["subject"]["name"])
    return said.replace("{object}", payload["object"]["name"])


def side(mention: dict[str, Any], text: str) -> dict[str, Any]:
    start, end = mention["start"], mention["end"]
    kind = "GPE" if mention["type"] == "LOC" else mention["type"]
    name = " ".join(text[start:end].split())
    return {"start": start, "end": end, "type": kind, "name": name}


def asked(payload: dict[str, Any]) -> str:
    return f"How is {payload['subject']['name']} related to {payload['object']['name']}?"


# --- Linking ------------------------------------------------------------------------------------

QUEUED = """() => ({
    name: document.querySelector(".queue-name").textContent,
    rows: [...document.querySelectorAll(".queue-row-name")].map((row) => row.textContent),
    is_done: document.querySelector("[data-act=submit]").textContent.trim().startsWith("Submit"),
})"""
PEOPLE = [
    f"{first} {last}"
    for last in ("Okafor", "Lindqvist", "Marchetti", "Baltrusch", "Delacroix", "Yamamoto")
    for first in ("Ruth", "Henrik", "Paola", "Gerd", "Simone", "Aiko", "Nils", "Vera", "Tom", "Ida")
]


def linking(number: int) -> Kind:
    """Cards of people, some with two and three ways of writing one name."""
    draw = random.Random(2)
    project = make_project("linking", schema_of_the_demonstration())
    blocks = [cards(draw, block, CARDS) for block in range(number)]
    links = {
        use: make_campaign(
            project, "linking", use,
            [(None, f"block-{n}", {"mentions": block}) for n, block in enumerate(blocks)],
        )
        for use in ("visit", "mouse", "keys")
    }  # fmt: skip
    most = {"mentions": cards(draw, number, MOST_CARDS)}
    links["large"] = make_campaign(project, "linking", "large", [(None, "block", most)])
    known = {block[0]["id"].split("-")[0]: piles_of(block) for block in blocks}

    def by_mouse(page: Any) -> Done:
        """A click a decision: the pile that the card belongs to, or a new one."""

        def decide(pile: int | None) -> None:
            row = page.locator(".queue-row" if pile is not None else "[data-queue=apart]")
            row.nth(pile or 0).scroll_into_view_if_needed()
            click(page, row.nth(pile or 0))

        inputs = decided(page, decide)
        click(page, page.locator(SUBMIT))
        return Done(inputs + 1, CARDS)

    def by_keys(page: Any) -> Done:
        """A key a decision: the number of the pile, or a new one."""
        inputs = decided(
            page, lambda pile: page.keyboard.press("n" if pile is None else str(pile + 1))
        )
        page.keyboard.press("Enter")
        return Done(inputs + 1, CARDS)

    return Kind(
        links, known,
        ready=".queue-name",
        units="cards",
        large=f"{MOST_CARDS} cards",
        ways={
            "new pile": (["n"], []),
            "same pile": (["s"], []),
            "unsure": (["u"], []),
            "undo": (["Control+z"], ["Control+z", "Control+z", "Home"]),
            "move": (["ArrowRight"], ["Home"]),
        },
        by_mouse=by_mouse,
        by_keys=by_keys,
        prepare=lambda page: page.locator(".queue-card").focus(),
        said=lambda answer: {frozenset(pile["mentions"]) for pile in answer["clusters"]},
        seen=lambda task: task.payload["mentions"][0]["id"].split("-")[0],
    )  # fmt: skip


def cards(draw: random.Random, block: int, number: int) -> list[dict[str, Any]]:
    """Ids "block-person-way", so that an expert knows who is meant."""
    made: list[dict[str, Any]] = []
    for person, name in enumerate(draw.sample(PEOPLE, min(number, len(PEOPLE)))):
        ways = [name, f"Mx {name}", f"{name} Jr"][: draw.choice([1, 1, 2, 3])]
        made += [
            {"id": f"b{block}-{person}-{way}", "name": written, "type": "PER",
             "sentence": f"On Saturday {written} spoke before thousands.",
             "document_title": f"Letter {person}"}
            for way, written in enumerate(ways)
        ]  # fmt: skip
    return made[:number]


def piles_of(block: list[dict[str, Any]]) -> set[frozenset[str]]:
    people: dict[str, set[str]] = {}
    for card in block:
        people.setdefault(card["id"].rsplit("-", 1)[0], set()).add(card["id"])
    return {frozenset(ids) for ids in people.values()}


def decided(page: Any, decide: Callable[[int | None], None]) -> int:
    """Calls `decide` with the row of the pile that each card in turn belongs to, None where there
    is none yet; how often."""
    for inputs in count():
        found = page.evaluate(QUEUED)
        if found["is_done"]:
            return inputs
        people = [person(name) for name in found["rows"]]
        is_known = person(found["name"]) in people
        decide(people.index(person(found["name"])) if is_known else None)


def person(name: str) -> str:
    return name.removeprefix("Mx ").removesuffix(" Jr")


# --- Choice -------------------------------------------------------------------------------------


def choice(number: int) -> Kind:
    """The documents of the demonstration as texts to be judged, by lot."""
    from annotation.models import Document

    asks = {"choices": CHOICES, "question": "How does the writer judge it?"}
    small = make_project("choice", schema_of_the_demonstration(), number)
    links = {use: make_campaign(small, "choice", use, **asks) for use in ("visit", "mouse", "keys")}
    large = make_large_project("choice-large", schema_of_the_demonstration())
    links["large"] = make_campaign(large, "choice", "large", **asks)
    draw = random.Random(3)
    texts = Document.objects.filter(project=small).order_by("pk").values_list("text", flat=True)
    known = {" ".join(text.split()): draw.choice(CHOICES) for text in texts}

    def on_page(page: Any) -> int:
        page.wait_for_timeout(UNREAD)
        text = page.locator(".choice-text").inner_text()
        return CHOICES.index(known[" ".join(text.split())])

    def by_mouse(page: Any) -> Done:
        """One click; the page goes on by itself."""
        click(page, page.locator(".choice-option").nth(on_page(page)))
        return Done(1, 1)

    def by_keys(page: Any) -> Done:
        """One key, and Enter in the place of the moment in which it could be taken back."""
        page.keyboard.press(str(on_page(page) + 1))
        page.keyboard.press("Enter")
        return Done(2, 1)

    return Kind(
        links, known,
        ready=".choice-option",
        units="texts",
        large=f"{WORDS:,} words",
        ways={
            "choose": (["1"], []),
            "choose another": (["2"], []),
            "undo": (["Control+z"], []),
            "redo": (["Control+Shift+z"], []),
        },
        by_mouse=by_mouse,
        by_keys=by_keys,
        prepare=lambda page: page.get_by_label("Go on after each answer").uncheck(),
        said=lambda answer: answer["choice"],
        seen=lambda task: " ".join(task.document.text.split()),
    )  # fmt: skip
