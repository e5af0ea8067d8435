"""The tasks of `worker_pages`: campaigns of each interface, an expert for them, a large task."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import worker_experts as experts
from worker_pairs import relation, verify


def seed(number: int) -> dict[str, experts.Kind]:
    kinds = {
        "entity": entity(number), "relation": relation(number), "verify": verify(number),
        "linking": linking(number),
        "choice": choice(number),
    }  # fmt: skip
    for kind in kinds.values():
        kind.tasks = min(number, len(kind.known))
    return kinds


# --- Entity -------------------------------------------------------------------------------------


def entity(number: int) -> experts.Kind:
    from annotation.interfaces import entity as module
    from annotation.models import Document, ImportedAnswer, Task
    from annotation.models.materials import MATERIAL_COLUMNS, material_of

    small = experts.make_project("entity", experts.schema_of_the_demonstration(), number)
    large = experts.make_large_project("entity-large", experts.schema_of_the_demonstration())
    links = {use: experts.make_campaign(small, "entity", use) for use in (*experts.USES, "arrows")}
    links["large"] = experts.make_campaign(large, "entity", "large")
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
            page.wait_for_timeout(experts.SECOND_THOUGHT)
            page.keyboard.press("Enter")
        return 1 if mentions else 2

    def by_touch(page: Any) -> experts.Done:
        """A tap on the first word and, where there are more, on the last; one on the type. A text
        that is longer than the window is read before: what was never in view is asked about."""
        mentions, taps = on_page(page), 0
        began = time.perf_counter()
        for word in ("first", "last"):
            getattr(page.locator(".token"), word).scroll_into_view_if_needed()
            page.wait_for_timeout(experts.TWO_LOOKS)
        reading = time.perf_counter() - began
        for mention in mentions:
            words = sorted({mention["start"], mention["end"] - 1})
            for word in words:
                experts.tap(page, page.locator(f'[data-token="{word}"]'))
            experts.tap(page, page.locator(f'mark-menu [data-value="{mention["type"]}"]'))
            taps += len(words) + 1
        experts.tap(page, page.locator(experts.SUBMIT))
        if not mentions:
            page.wait_for_timeout(experts.SECOND_THOUGHT)
            experts.tap(page, page.locator(experts.SUBMIT))
            taps += 1
        return experts.Done(taps + 1, len(mentions), reading)

    def by_mouse(page: Any) -> experts.Done:
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
        return experts.Done(2 * len(mentions) + send(page, mentions), len(mentions))

    def by_keys(page: Any) -> experts.Done:
        """Tab where it leads to the name, else arrows; Shift and arrows to its last word; a
        letter."""
        mentions, caret, pressed = on_page(page), 0, 0
        words = page.locator(".token").all_inner_texts()
        for mention in mentions:
            start, last = mention["start"], mention["end"] - 1
            first, end = caret, caret + 1
            if words[start][0].isupper():
                end = caret
                while end <= start:
                    page.keyboard.press("Tab")
                    pressed += 1
                    first, end = page.wait_for_function(SELECTED).json_value()
            at, keys = end - 1, []
            if first != start:  # an arrow gives up what is selected, and goes on from its end
                steps = start - at
                keys = ["ArrowRight" if steps > 0 else "ArrowLeft"] * abs(steps)
                keys = keys or ["ArrowLeft", "ArrowRight"]
                at = start
            keys += ["Shift+ArrowRight" if last > at else "Shift+ArrowLeft"] * abs(last - at)
            for key in (*keys, letter(mention)):
                page.keyboard.press(key)
            pressed += len(keys) + 1
            caret = last
        return experts.Done(pressed + send(page, mentions), len(mentions))

    def by_arrows(page: Any) -> experts.Done:
        """Arrows to the first word, Shift and arrows to the last, a letter."""
        mentions, caret, pressed = on_page(page), 0, 0
        for mention in mentions:
            steps = mention["start"] - caret
            more = mention["end"] - 1 - mention["start"]
            for key in ["ArrowRight"] * steps + ["Shift+ArrowRight"] * more + [letter(mention)]:
                page.keyboard.press(key)
            pressed += steps + more + 1
            caret = mention["end"] - 1
        return experts.Done(pressed + send(page, mentions), len(mentions))

    return experts.Kind(
        links, known,
        ready=".token",
        units="names",
        large=f"{experts.WORDS:,} words, {experts.NAMES:,} names",
        ways={
            "move": (["ArrowRight"], []),
            "select": (["Shift+ArrowRight"], []),
            "mark": (["p"], []),
            "same as": (["Space", "2"], ["Escape"]),
            "walk": (["."], ["Escape"]),
            "undo": (["Control+z"], []),
            "line down": (["ArrowDown"], []),
        },
        experts={"mouse": by_mouse, "keys": by_keys, "arrows": by_arrows, "touch": by_touch},
        prepare=lambda page: page.locator("token-text").focus(),
        said=spans,
        seen=lambda task: " ".join(
            task.document.text[start:end] for start, end in task.document.tokens
        ),
        fill=fill_draft,
    )  # fmt: skip


SELECTED = """() => {
  const [range] = CSS.highlights.get("selected") ?? [];
  if (!range) return null;
  const isIn = (word) => range.intersectsNode(word);
  const words = [...document.querySelectorAll(".token")].filter(isIn);
  return [Number(words[0].dataset.token), Number(words.at(-1).dataset.token) + 1];
}"""


def letter(mention: dict[str, Any]) -> str:
    return mention["type"][0].lower()


def spans(answer: dict[str, Any]) -> set[tuple[int, int, str]]:
    return {(one["start"], one["end"], one["type"]) for one in answer["mentions"]}


def fill_draft() -> None:
    """Put a finished piece of work on the server."""
    from annotation.models import Assignment

    step = experts.WORDS // experts.NAMES
    mentions = [
        {"id": f"m{i + 1}", "start": i * step + 3, "end": i * step + 5,
         "type": ("PER", "LOC", "ORG")[i % 3], "entity": f"e{i % experts.ENTITIES + 1}"}
        for i in range(experts.NAMES)
    ]  # fmt: skip
    entities = [
        {"id": f"e{i + 1}", "canonical": f"m{i + 1}", "link": None, "value": None}
        for i in range(experts.ENTITIES)
    ]
    Assignment.objects.filter(task__campaign__slug="entity-large").update(
        draft={"mentions": mentions, "entities": entities, "unlabelled": []}
    )


# --- Linking ------------------------------------------------------------------------------------

QUEUED = """() => ({
    name: document.querySelector(".queue-name").textContent,
    rows: [...document.querySelectorAll(".queue-row-name")].map((row) => row.textContent),
    is_done: document.querySelector(".linking-task:not([data-open])") !== null,
})"""
PEOPLE = [
    f"{first} {last}"
    for last in ("Okafor", "Lindqvist", "Marchetti", "Baltrusch", "Delacroix", "Yamamoto")
    for first in ("Ruth", "Henrik", "Paola", "Gerd", "Simone", "Aiko", "Nils", "Vera", "Tom", "Ida")
]


def linking(number: int) -> experts.Kind:
    """Cards of people, some with two and three ways of writing one name."""
    draw = random.Random(2)
    project = experts.make_project("linking", experts.schema_of_the_demonstration())
    blocks = [cards(draw, block, experts.CARDS) for block in range(number)]
    links = {
        use: experts.make_campaign(
            project, "linking", use,
            [(None, f"block-{n}", {"mentions": block}) for n, block in enumerate(blocks)],
        )
        for use in experts.USES
    }  # fmt: skip
    most = {"mentions": cards(draw, number, experts.MOST_CARDS)}
    links["large"] = experts.make_campaign(project, "linking", "large", [(None, "block", most)])
    known = {block[0]["id"].split("-")[0]: piles_of(block) for block in blocks}

    def by_pointing(press: experts.Press, page: Any) -> experts.Done:
        """A press a decision: the pile that the card belongs to, or a new one."""

        def decide(pile: int | None) -> None:
            row = page.locator(".queue-row" if pile is not None else "[data-queue=apart]")
            row.nth(pile or 0).scroll_into_view_if_needed()
            press(page, row.nth(pile or 0))

        inputs = decided(page, decide)
        press(page, page.locator(experts.SUBMIT))
        return experts.Done(inputs + 1, experts.CARDS)

    def by_keys(page: Any) -> experts.Done:
        """A key a decision: the number of the pile, or a new one."""
        inputs = decided(
            page, lambda pile: page.keyboard.press("n" if pile is None else str(pile + 1))
        )
        page.keyboard.press("Enter")
        return experts.Done(inputs + 1, experts.CARDS)

    return experts.Kind(
        links, known,
        ready=".queue-name",
        units="cards",
        large=f"{experts.MOST_CARDS} cards",
        ways={
            "new pile": (["n"], []),
            "same pile": (["s"], []),
            "unsure": (["u"], []),
            "undo": (["Control+z"], ["Control+z", "Control+z", "Home"]),
            "move": (["ArrowRight"], ["Home"]),
        },
        experts=experts.pointing(by_pointing) | {"keys": by_keys},
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


def choice(number: int) -> experts.Kind:
    """The documents of the demonstration as texts to be judged, by lot."""
    from annotation.models import Document

    asks = {"choices": experts.CHOICES, "question": "How does the writer judge it?"}
    small = experts.make_project("choice", experts.schema_of_the_demonstration(), number)
    links = {use: experts.make_campaign(small, "choice", use, **asks) for use in experts.USES}
    large = experts.make_large_project("choice-large", experts.schema_of_the_demonstration())
    links["large"] = experts.make_campaign(large, "choice", "large", **asks)
    draw = random.Random(3)
    texts = Document.objects.filter(project=small).order_by("pk").values_list("text", flat=True)
    known = {" ".join(text.split()): draw.choice(experts.CHOICES) for text in texts}

    def on_page(page: Any) -> int:
        page.wait_for_timeout(experts.UNREAD)
        text = page.locator(".choice-text").inner_text()
        return experts.CHOICES.index(known[" ".join(text.split())])

    def read_on(page: Any) -> int:
        """Until the end of a text that is longer than its paper has been in sight; the presses."""
        more = page.locator(".choice-more button")
        for presses in range(20):
            if not more.is_visible():
                return presses
            more.click()
            page.wait_for_timeout(experts.TWO_LOOKS)
        raise RuntimeError("The end of the text never came into sight.")

    def by_pointing(press: experts.Press, page: Any) -> experts.Done:
        """One press; the page goes on by itself."""
        right = on_page(page)
        presses = read_on(page)
        press(page, page.locator(".choice-option").nth(right))
        return experts.Done(presses + 1, 1, presses * experts.TWO_LOOKS / 1000)

    def by_keys(page: Any) -> experts.Done:
        """One key, and Enter in the place of the moment in which it could be taken back."""
        page.keyboard.press(str(on_page(page) + 1))
        page.keyboard.press("Enter")
        return experts.Done(2, 1)

    return experts.Kind(
        links, known,
        ready=".choice-option",
        units="texts",
        large=f"{experts.WORDS:,} words",
        ways={
            "choose": (["1"], []),
            "choose another": (["2"], []),
            "undo": (["Control+z"], []),
            "redo": (["Control+Shift+z"], []),
        },
        experts=experts.pointing(by_pointing) | {"keys": by_keys},
        prepare=lambda page: page.get_by_label("Go on after each answer").uncheck(),
        said=lambda answer: answer["choice"],
        seen=lambda task: " ".join(task.document.text.split()),
    )  # fmt: skip
