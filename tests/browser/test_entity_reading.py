"""What was never in view, nor under the caret, is not handed in as read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions.tokens import campaign_link
from annotation.interfaces.schema import check_schema
from annotation.models import Document
from tests.browser.accessible import violations
from tests.browser.entity_page import (
    expect_all_done,
    expect_mentions,
    lines_read,
    make_story,
    marked,
    message,
    open_task,
    sent,
    submit,
    token,
)
from tests.browser.late_parts import expect_late_parts, held_back
from tests.browser.page_time import stop_clock
from tests.browser.test_entity_newcomer import link_to
from tests.browser.test_entity_palette import TYPES_25
from tests.browser.work_frame import expect_kept

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (390, "dark")], ids=["laptop", "phone"]
)
LINE = "Ada Lovelace wrote to London on day {} of the year ."
WORDS = len(LINE.split())
LINES = 300
TEXT = "\n".join(LINE.format(i) for i in range(1, LINES + 1))
STAY = 700  # ms; two looks


def asked(page: Page) -> Locator:
    return message(page).filter(has_text="never in view")


def unread(page: Page) -> list[tuple[int, int]]:
    """The lines that the question names, from 1."""
    words = asked(page).inner_text()
    found = re.findall(r"(\d+)(?:–(\d+))?", words.partition(" never")[0])
    return [(int(first), int(last or first)) for first, last in found]


def stay_until(page: Page, is_so: Callable[[], bool]) -> bool:
    """Lines get their heights, and the window its place, as they are drawn, in frames that the
    page's clock does not count."""
    for _ in range(200):
        if is_so():
            return True
        page.clock.run_for(STAY)
    return False


def in_window(page: Page, number: int) -> bool:
    box = token(page, number).bounding_box()
    assert box is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def test_what_was_read_before_anything_was_done_is_read_after_a_reload(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.clock.install()
    open_task(page, make_story(TEXT))
    assert stay_until(page, lambda: lines_read(page) > 5)
    read = lines_read(page)
    page.evaluate("scrollTo(0, 4000)")
    page.reload()
    expect(page.locator("[data-token]").first).to_be_attached()
    stop_clock(page)
    submit(page)
    # Where the window stands again may have been read by now: another part begins behind it.
    first, _ = unread(page)[0]
    assert first == read + 1


@SIZES
def test_lines_that_were_never_in_view_are_told_and_not_labelled(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.clock.install()
    campaign = make_story(TEXT)
    open_task(page, campaign)
    assert stay_until(page, lambda: lines_read(page) > 5)
    token(page, 0).click()
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    expect(asked(page)).to_be_visible()
    ((first, last),) = unread(page)
    assert 5 < first < 40
    assert last == LINES
    assert lines_read(page) == first - 1
    page.get_by_role("button", name="Read on").click()
    expect(asked(page)).to_have_count(0)  # it has its answer
    # To the first word that was not in view, which on a phone may stand within its line.
    left = int(page.locator(".caret").get_attribute("data-token"))
    assert left // WORDS == first - 1
    assert in_window(page, left)
    # What flies past is not read; where one stays, is. In a tab that is hidden nobody reads.
    stop_clock(page)
    for at in (2_000, 4_000):
        page.evaluate("at => scrollTo(0, at)", at)
        page.clock.run_for(200)
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: 1 })")
    token(page, LINES * WORDS - 1).scroll_into_view_if_needed()
    page.clock.resume()
    page.clock.run_for(3_000)
    read = lines_read(page)
    assert read < LINES / 4
    page.evaluate("delete document.hidden")
    assert stay_until(page, lambda: lines_read(page) > read)
    submit(page)  # asked again, for they went on reading
    parts = unread(page)
    assert len(parts) == 1
    assert first <= parts[0][0] < parts[0][1] < LINES
    # A draft keeps what was read.
    page.clock.run_for(8_000)
    expect_kept(page)
    page.reload()
    expect(page.locator("mark.mention")).to_have_count(1)
    submit(page)
    ((again, until),) = unread(page)
    assert again == parts[0][0]
    assert parts[0][1] - 8 <= until <= parts[0][1]  # lines at the edge can be read meanwhile
    page.keyboard.press("]")  # as the button does
    expect(asked(page)).to_have_count(0)
    submit(page)
    stop_clock(page)
    page.clock.run_for(900)
    ((again, until),) = unread(page)
    page.clock.resume()  # axe sets timers
    assert violations(page) == []
    submit(page)  # asked once
    expect_all_done(page)
    (answer,) = sent(campaign)
    ((begin, end),) = answer["unlabelled"]
    lines = TEXT.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(LINES)]
    assert begin in starts[again - 1 : again + 40]  # they read on where they were led
    assert end == sum(map(len, lines[:until])) - 1
    assert len(answer["mentions"]) == 1


def test_a_window_that_is_only_read_in_takes_nothing_from_the_one_that_is_worked_in(page):
    page.clock.install()
    campaign = make_story("\n".join(["Ada met Bob ."] * 300))
    open_task(page, campaign)
    other = page.context.new_page()
    open_task(other, campaign)
    token(page, 0).click()
    with page.expect_response("**/draft/"):
        page.keyboard.press("p")
        page.clock.run_for(2_000)
    other.mouse.wheel(0, 400)  # to lines that are new there
    page.clock.run_for(8_000)
    expect_mentions(other, [("Ada", "PER")])  # it goes on from there
    submit(page)
    page.clock.run_for(1_000)
    submit(page)
    expect_all_done(page)
    assert len(sent(campaign)[0]["mentions"]) == 1


def test_who_has_read_on_to_the_end_is_not_asked_again_and_prose_has_paragraphs(page):
    page.set_viewport_size({"width": 1280, "height": 600})
    page.clock.install()
    campaign = make_story("\n\n".join(" ".join([LINE.format(day)] * 8) for day in range(1, 5)))
    open_task(page, campaign)
    page.clock.run_for(STAY)
    submit(page)
    expect(message(page)).to_contain_text("Paragraphs 2–4 were never fully in view,")
    expect(message(page)).to_contain_text("Nothing is marked yet.")
    expect(page.get_by_role("button", name="Submit anyway")).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator(".rail-words")).to_have_text("1 of 4 paragraphs read")
    expect(page.locator("reading-rail")).to_have_css("position", "sticky")  # its looks come late
    rail, bar = (page.locator(one).bounding_box() for one in ("reading-rail", "[data-part=bar]"))
    assert rail["y"] + rail["height"] <= bar["y"] - 75  # where two lines are said
    page.get_by_role("button", name="Read on").click()
    expect(message(page)).to_be_empty()
    for _ in range(12):
        page.mouse.wheel(0, 200)
        page.clock.run_for(STAY)
    submit(page)  # the other question was answered too
    expect_all_done(page)
    assert sent(campaign)[0]["unlabelled"] == []


def test_a_table_keeps_its_columns_where_they_fit_and_nothing_lies_beside_the_window(page):
    lines = ["Ships lost in one year , with their ports and masters , as far as is known to us ."]
    lines += [f"{name:24}{port:24}{master:24}{day}" for name, port, master, day in (
        ("Name", "Port", "Master", "Lost"), ("Dorn", "Kiel", "Falk", "March"),
        ("Northern Star", "Rouen", "Bruun", "May"),
    )]  # fmt: skip
    page.set_viewport_size({"width": 1280, "height": 800})
    open_task(page, make_story("\n".join(lines)))
    words = " ".join(lines).split()
    last = [words.index(word) for word in ("Lost", "March", "May")]
    left = [token(page, number).bounding_box()["x"] for number in last]
    assert max(left) - min(left) < 1
    token(page, last[-1]).click()
    page.keyboard.press("l")
    expect_mentions(page, [("May", "LOC")])
    token(page, words.index("Dorn")).click()
    page.keyboard.press("p")
    expect_mentions(page, [("Dorn", "PER"), ("May", "LOC")])
    expect(page.locator(".mention").first).to_have_css("position", "relative")  # looks come late
    assert [token(page, number).bounding_box()["x"] for number in last] == left
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 800})
    for number in range(len(words)):
        box = token(page, number).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_columns_that_tabs_make_stand_below_each_other_with_marks_too(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    rows = ("Name", "Port", "Lost"), ("Northern Star", "Rouen", "May"), ("Q", "Kiel-on-Sea", "June")
    story = make_story("\n".join("\t".join(row) for row in rows))
    Document.objects.update(title="Harbour table")
    open_task(page, story)
    names = ".entity-title", ".row-text"
    title, first = (page.locator(name).first.bounding_box() for name in names)
    assert title["x"] == first["x"]
    last = [page.locator(".token", has_text=re.compile(f"^{row[-1]}$")) for row in rows]

    def places() -> set[float]:
        return {round(word.bounding_box()["x"]) for word in last}

    before = places()
    assert len(before) == 1
    page.locator(".token", has_text="Rouen").click()
    page.keyboard.press("l")
    expect_mentions(page, [("Rouen", "LOC")])
    assert places() == before


def test_who_reads_to_the_end_is_not_asked(page):
    page.clock.install()
    campaign = make_story("\n".join(TEXT.splitlines()[:60]))
    open_task(page, campaign)
    page.clock.run_for(STAY)
    at = 0
    while at < page.evaluate("document.documentElement.scrollHeight"):
        at += 250
        page.evaluate("at => scrollTo(0, at)", at)
        page.clock.run_for(350)
    token(page, 0).click()
    page.keyboard.press("p")
    submit(page)
    expect_all_done(page)
    assert sent(campaign)[0]["unlabelled"] == []


def test_who_walks_by_keys_reads_and_what_is_marked_from_afar_is_no_line_read(page):
    page.clock.install()
    campaign = make_story(TEXT)
    open_task(page, campaign)
    token(page, 0).click()
    page.keyboard.press("Escape")
    for _ in range(24):
        page.keyboard.press("ArrowDown")
        page.clock.run_for(650)
    token(page, 0).click()
    page.keyboard.press("p")
    page.keyboard.press("+")  # the same word in every line
    expect(page.locator("mark.mention")).to_have_count(LINES)
    assert len(marked(page)) == LINES
    submit(page)
    ((first, last),) = unread(page)
    assert first >= 25
    assert last == LINES
    page.clock.run_for(900)
    page.get_by_role("button", name="Submit anyway").click()
    expect_all_done(page)
    (answer,) = sent(campaign)
    assert len(answer["mentions"]) == LINES
    starts = {mention["start"] for mention in answer["mentions"]}
    assert len(answer["unlabelled"]) == LINES - first + 1
    assert all(begin - 4 in starts for begin, _ in answer["unlabelled"])  # behind each "Ada "


def test_a_look_at_a_novel_takes_no_time(page):
    novel = "\n".join(" ".join(f"word{i}" for i in range(20)) for _ in range(1_650))  # 33,000
    campaign = make_story(novel)
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(token(page, 0)).to_be_visible()
    usual = page.evaluate(
        """async () => {
          const text = document.querySelector("token-text");
          const times = [];
          for (let i = 0; i < 40; i += 1) {
            scrollTo(0, (i * 7919) % document.documentElement.scrollHeight);
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            const begun = performance.now();
            const { start, end } = text.inView(innerHeight);
            times.push(performance.now() - begun);
            if (end <= start || end - start > 4_000) throw new Error(`${start} to ${end}`);
          }
          return times.sort((a, b) => a - b).at(times.length / 2);
        }"""
    )
    assert usual < 100  # ms, of a busy machine; about 1 on a quiet one


def test_the_rail_leads_through_a_long_text_by_mouse_and_by_keys(page):
    campaign = make_story(TEXT)
    with held_back(page, "entity-aids", "beside"):
        open_task(page, campaign)
        stood = token(page, 0).bounding_box()
        page.keyboard.press("Shift")
    rail = page.get_by_role("slider", name="Place in the text")
    expect(rail).to_have_attribute("aria-valuemax", str(LINES))
    assert token(page, 0).bounding_box() == stood  # its room was kept
    expect(page.locator("reading-rail .rail-words")).to_have_text(re.compile("^[1-9]"))  # was read
    token(page, 0).click()
    page.keyboard.press("p")
    expect(page.locator(".rail-tick.type-1")).to_have_attribute("d", "M42 2h10")
    box = rail.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(token(page, LINES // 2 * WORDS)).to_have_class(re.compile("caret"))
    assert in_window(page, LINES // 2 * WORDS)
    expect(rail).to_have_attribute("aria-valuetext", re.compile("Line 14"))
    rail.focus()
    page.keyboard.press("End")
    expect(token(page, (LINES - 1) * WORDS)).to_have_class(re.compile("caret"))
    page.keyboard.press("Control+Home")
    page.keyboard.press("]")  # the first line that was not in view
    expect(page.locator(".caret")).to_have_text("Ada")
    expect(token(page, 0)).not_to_have_class(re.compile("caret"))


def test_the_buttons_of_a_question_stand_side_by_side(page, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 800})
    story = make_story("\n".join("Ada wrote to him of engines . " * 18 for _ in range(9)))
    link_to(story, tmp_path)
    open_task(page, story)
    expect_late_parts(page)
    for word in (0, 2):
        token(page, word).click()
        page.keyboard.press("p")
    page.keyboard.press("Enter")
    tops = (
        message(page)
        .get_by_role("button")
        .evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    )
    assert len(tops) == 2
    assert len(set(tops)) == 1


def test_a_tap_on_more_below_reads_on_and_holds_no_type(phone):
    kinds = [{"name": name} for name in TYPES_25]
    text = "\n".join(f"Ada{i} met him ." for i in range(90))
    open_task(phone, make_story(text, schema=check_schema({"entity_types": kinds})))
    phone.evaluate("scrollTo(0, 100)")
    phone.get_by_text("More below").tap()
    phone.wait_for_function("scrollY > 300")
    expect(phone.locator(".palette-type[aria-pressed=true]")).to_have_count(0)
