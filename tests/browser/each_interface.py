"""What the tests of all interfaces need of each: two tasks, two steps of work, what they leave.

A place is a page, or a frame that holds one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Frame, Page, expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign
from tests.browser import choice_page, entity_page, linking_page, relation_page
from tests.factories import make_task

Place = Page | Frame
RIGHT_TO_LEFT = {"text_direction": "rtl", "language": "ar"}
ARABIC = "ولدت مريم حداد في طرابلس سنة ١٩٨٠ ."


@dataclass(frozen=True, slots=True)
class Kind:
    """`steps` are done by mouse, `keys` are a whole answer by keyboard, also from right to left.
    `second` is a text of the second task alone."""

    make: Callable[..., Campaign]
    make_arabic: Callable[[], Campaign]
    ready: str
    steps: tuple[Callable[[Place], None], ...]
    keys: tuple[str, ...]
    done: Callable[[Place], list[str]]
    second: str

    def open(self, page: Page, campaign: Campaign) -> None:
        page.goto(f"/join/{campaign_link(campaign)}/")
        self.expect_ready(page)

    def expect_ready(self, place: Place) -> None:
        """There, and looked at: what is done sooner may count as unread. Needs a page's clock."""
        expect(place.locator(self.ready).first).to_be_visible()
        place.locator("body").page.clock.run_for(300)

    def expect_second(self, place: Place) -> None:
        expect(place.locator("[data-task]")).to_contain_text(self.second)


# --- Entity -------------------------------------------------------------------------------------


def mark_token(number: int) -> Callable[[Place], None]:
    def step(place: Any) -> None:
        entity_page.token(place, number).click()
        entity_page.choice(place, "PER").click()

    return step


def names(place: Any) -> list[str]:
    return [words for words, _ in entity_page.marked(place)]


ENTITY = Kind(
    make=lambda: entity_page.make_story("Ada met Bob .", "Carl saw Dora ."),
    make_arabic=lambda: entity_page.make_story(ARABIC, **RIGHT_TO_LEFT),
    ready="[data-token]",
    steps=(mark_token(0), mark_token(2)),
    keys=("ArrowLeft", "Shift+ArrowLeft", "p"),
    done=names,
    second="Dora",
)

# --- Relation -----------------------------------------------------------------------------------


def answer_born(place: Any) -> None:
    relation_page.answer(place, "was born in").click()


def mark_evidence(place: Any) -> None:
    entity_page.token(place, 3).dblclick()


def make_arabic_pair() -> Campaign:
    sides = {
        side: relation_page.span(ARABIC, name, kind)
        for side, name, kind in (("subject", "مريم حداد", "PER"), ("object", "طرابلس", "GPE"))
    }
    return relation_page.make_pairs(sides, text=ARABIC, **RIGHT_TO_LEFT)


RELATION = Kind(
    make=lambda: relation_page.make_pairs(
        relation_page.ada_and_london(), relation_page.charles_and_cambridge()
    ),
    make_arabic=make_arabic_pair,
    ready="token-text",
    steps=(answer_born, mark_evidence),
    keys=("Shift+ArrowLeft", "e", "2"),
    done=lambda place: relation_page.chosen(place) + relation_page.evidence(place),
    second="How is Charles Babbage related",
)

# --- Linking ------------------------------------------------------------------------------------


def put_together(one: str, other: str) -> Callable[[Place], None]:
    def step(place: Any) -> None:
        named = place.locator(".queue-name")
        for _ in range(4):
            if named.inner_text() == one:
                break
            # *Next* is not shown where the button of the bar leads to the same card.
            place.locator("[data-queue=next]:visible, [data-act=submit]").first.click()
        linking_page.pile_row(place, other).click()

    return step


def make_cards() -> Campaign:
    four = [card for card in linking_page.CARDS if card[0] not in ("Freddie Grey", "Ruth Okafor")]
    campaign = linking_page.make_cards(*four)
    ann = {"id": "a", "name": "Ann", "sentence": "Ann slept.", "document_title": "A", "type": "PER"}
    make_task(campaign, payload={"mentions": [ann]})
    return campaign


def make_arabic_cards() -> Campaign:
    cards = (
        ("مريم حداد", "كتبت مريم حداد إلى بلدية طرابلس", "رسالة"),
        ("حداد", "قالت حداد إنها لم تسمع شيئا", "محضر"),
        ("طرابلس", "بلدية طرابلس أغلقت أبوابها", "جريدة"),
    )
    return linking_page.make_cards(*cards, project=RIGHT_TO_LEFT)


LINKING = Kind(
    make=make_cards,
    make_arabic=make_arabic_cards,
    ready=".queue-card",
    steps=(
        put_together("Mr Gray", "Freddie Gray"),
        put_together("Baltimore", "Baltimore City"),
    ),
    keys=("ArrowLeft", "s", "n"),
    done=lambda place: [pile for pile in linking_page.piles(place) if pile[1] == " "],
    second="Ann slept.",
)

# --- Choice -------------------------------------------------------------------------------------


def choose(name: str) -> Callable[[Place], None]:
    def step(place: Any) -> None:
        pace = place.get_by_label("Go on after each answer")
        if pace.count() and pace.is_checked():  # an answer that is corrected never goes on
            pace.uncheck()
        choice_page.option(place, name).click()

    return step


def options_pressed(place: Any) -> list[str]:
    pressed = place.locator(".choice-option[aria-pressed=true] bdi")
    return pressed.all_inner_texts()


CHOICE = Kind(
    make=lambda: choice_page.make_choices("The sky.", "A leaf."),
    make_arabic=lambda: choice_page.make_choices(
        ARABIC,
        options={"choices": ["إيجابي", "سلبي", "محايد"], "question": "ما موقف الكاتبة؟"},
        **RIGHT_TO_LEFT,
    ),
    ready=".choice-task",
    steps=(choose("Blue"), choose("Green")),
    keys=("ArrowLeft", "ArrowLeft", "Enter"),
    done=options_pressed,
    second="A leaf.",
)

KINDS = {"entity": ENTITY, "relation": RELATION, "linking": LINKING, "choice": CHOICE}
