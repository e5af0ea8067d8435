"""Each worker's page in the states that are to be looked at, in eight views, and a sheet of them:
`./run screenshots --workers [-k linking]`, in var/screenshots/workers or where SCREENSHOTS says.

No test file: pytest takes it where it is named, and gives it a throw-away database, a server and
the makers of campaigns that the tests have. What a browser complains of fails here too.
"""

from __future__ import annotations

import html
import itertools
import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.tokens import campaign_link
from annotation.interfaces.schema import check_schema
from annotation.models import ConsentVersion
from tests.annotation.commands.test_import_choices import png
from tests.browser import choice_page, entity_page, linking_page, relation_page
from tests.browser.late_parts import expect_late_parts
from tests.browser.practice_page import known_of, practise
from tests.browser.work_frame import button

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OUT = Path(os.environ.get("SCREENSHOTS") or "var/screenshots/workers")
SIZES = ((390, 844), (768, 1024), (1280, 800), (1920, 1080))
TYPES = [
    "person", "family", "group", "nationality", "company", "school", "party", "court", "newspaper",
    "harbour", "town", "island", "country", "river", "street", "building", "ship", "machine", "law",
    "event", "date", "time", "sum", "quantity", "title",
]  # fmt: skip
TABLE = "\n".join(
    f"{name:24}{port:24}{master:24}{day}"
    for name, port, master, day in (
        ("Name", "Port", "Master", "Lost"), ("Dorn", "Kiel", "Falk", "March"),
        ("Northern Star", "Rouen", "Bruun", "May"), ("Vesta", "Leith", "Okafor", "June"),
    )
)  # fmt: skip
ARABIC = " ".join(["كتبت مريم حداد إلى بلدية طرابلس في آذار سنة ١٩٨٠ ولم يجبها أحد ."] * 12)
ESSAY = (
    "The ferry to Harrow Isle was paid for by the Sound Ferry Company without a loan, and those "
    "who had asked for a bridge wrote to the council again. Nobody knows why it took so long."
)


def keep(page: Page, name: str) -> None:
    """What the page shows now, in each view; the page scrolls as it does for a worker."""
    OUT.mkdir(parents=True, exist_ok=True)
    for (width, height), scheme in itertools.product(SIZES, ("light", "dark")):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        relation_page.settle(page)
        page.screenshot(path=OUT / f"{name}--{width}-{scheme}.png")
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.fixture(autouse=True, scope="module")
def sheet():
    """Written after the last page, of all that stand in the folder."""
    yield
    files = sorted(OUT.glob("*--*.png"))
    rows = "\n".join(
        f"<h2>{html.escape(name)}</h2><div>"
        + "".join(
            f'<a href="{view.name}"><img src="{view.name}" alt="{view.stem}" loading="lazy"></a>'
            for view in sorted(views, key=lambda view: int(view.stem.split("--")[1].split("-")[0]))
        )
        + "</div>"
        for name, views in itertools.groupby(files, key=lambda file: file.stem.split("--")[0])
    )
    (OUT / "index.html").write_text(
        "<!doctype html><meta charset=utf-8><title>The workers’ pages</title><style>"
        "body{font:14px sans-serif;margin:2rem;background:#ddd}"
        "div{display:flex;gap:1rem;overflow:auto}img{height:30rem;border:1px solid #999}"
        f"</style><h1>The workers’ pages</h1>\n{rows}\n"
    )


@pytest.fixture(autouse=True)
def laptop(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})


def test_entity_table(page):
    entity_page.open_task(page, entity_page.make_story(TABLE))
    expect_late_parts(page)
    entity_page.token(page, 4).click()
    page.keyboard.press("l")
    keep(page, "entity-table")


def test_entity_arabic(page):
    story = entity_page.make_story(ARABIC, text_direction="rtl", language="ar")
    page.goto(f"/join/{campaign_link(story)}/?language=ar")
    expect(entity_page.token(page, 0)).to_be_visible()
    entity_page.drag(page, 1, 2)
    page.keyboard.press("p")
    page.keyboard.press("Escape")
    keep(page, "entity-arabic")


def test_entity_long(page):
    lines = [ESSAY] * (30_000 // len(ESSAY.split()))
    entity_page.open_task(page, entity_page.make_story("\n".join(lines)))
    entity_page.drag(page, 3, 4)
    page.keyboard.press("l")
    page.keyboard.press("Escape")
    keep(page, "entity-30000-words")
    page.locator("[data-act=submit]").click()
    expect(entity_page.message(page)).not_to_be_empty()
    keep(page, "entity-30000-words-unread")


def test_entity_many_types(page):
    schema = check_schema({"entity_types": [{"name": name} for name in TYPES]})
    entity_page.open_task(page, entity_page.make_story(f"{ESSAY} {ESSAY}", schema=schema))
    expect_late_parts(page)
    entity_page.drag(page, 3, 4)
    expect(entity_page.menu(page)).to_be_visible()
    keep(page, "entity-25-types-menu")


def test_relation_board(page):
    relation_page.open_pair(page, relation_page.make_pairs(schema=relation_page.relations_of(25)))
    keep(page, "relation-25")


def test_relation_verification(page):
    relation_page.open_pair(page, relation_page.make_pairs(relation_page.to_verify()))
    keep(page, "relation-verification")


def test_linking(page):
    linking_page.open_queue(page, linking_page.make_cards(*linking_page.harbour_cards()))
    keep(page, "linking-60-fresh")
    linking_page.decide(page, 37)
    keep(page, "linking-60-decided-37")
    button(page, "Submit early").click()
    expect(linking_page.asked(page)).to_be_visible()
    keep(page, "linking-60-early")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(page.locator("[data-card]:focus")).to_have_count(1)
    keep(page, "linking-60-all-piles")


@pytest.mark.parametrize("what", ["text", "pair", "picture"])
def test_choice(page, what):
    pair = [{"title": "Premise", "text": ESSAY}, {"title": "Claim", "text": "There is a ferry."}]
    image = {"file": "x.png", "alt": "A street", "width": 720, "height": 1280}
    task = {"text": ESSAY, "pair": {"pair": pair}, "picture": {"image": image}}[what]
    picture = png(720, 1280)
    page.route(
        "**/pictures/x.png", lambda route: route.fulfill(body=picture, content_type="image/png")
    )
    choice_page.open_choice(page, choice_page.make_choices(task))
    page.clock.resume()
    keep(page, f"choice-{what}")


def test_before_and_after(page):
    """The first page, its half-minute, practice with its feedback, and a moment."""
    text = "Ada Lovelace met Charles in London . Then she went home . Nobody knows why ."
    known = known_of((0, 2, "PER"), (3, 4, "PER"))
    campaign = practise(entity_page.make_story(text), known)
    campaign.refresh_from_db()
    campaign.consent = ConsentVersion.objects.create(
        campaign=campaign, number=1, text="We keep your answers, and how long they took you."
    )
    campaign.pay_mills, campaign.requester = 120, "The Harbour Archive"
    campaign.save()
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(page.locator("[data-act=agree]")).to_be_visible()
    keep(page, "first-page")
    button(page, "Try it yourself").click()
    expect(page.get_by_role("heading", name="Try it: half a minute").first).to_be_visible()
    keep(page, "half-minute")
    page.reload()
    page.locator("[data-act=agree]").click()
    expect(entity_page.token(page, 0)).to_be_visible()
    entity_page.drag(page, 0, 1)
    page.keyboard.press("p")
    entity_page.submit(page)
    expect(page.locator("[data-part=feedback-title]")).to_be_visible()
    keep(page, "feedback")
    button(page, "Go on").click()
    expect(page.locator("[data-part=notice-title]")).to_be_visible()
    keep(page, "moment-after-practice")


def test_my_work(page):
    entity_page.open_task(page, entity_page.make_story("Ada met Bob .", "Carl saw Dora ."))
    for words in ("Ada", "Carl"):
        expect(entity_page.token(page, 0)).to_contain_text(words)
        entity_page.token(page, 0).click()
        page.keyboard.press("p")
        entity_page.submit(page)
    entity_page.expect_all_done(page)
    keep(page, "moment-all-done")
    page.locator("[data-part=my-work]").click()
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(2)
    keep(page, "my-work")
    page.get_by_role("button", name="Look at your answer").first.click()
    keep(page, "my-work-answer")
    correct = button(page, "Correct this answer")
    correct.click()
    expect(page.get_by_role("heading", name="Correct your answer")).to_be_visible()
    keep(page, "correction")
