"""The pages as a browser shows them; the `page` fixture fails on anything it complains of."""

import pytest
from playwright.sync_api import Page, expect

from annotation.actions import rollups
from annotation.actions.campaigns import set_instructions
from annotation.actions.tokens import campaign_link
from tests.factories import make_campaign, make_member, make_project, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
LONG = "Relations between people and places in the papers of the harbour office"


def is_wider_than_the_window(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


def test_start_page_fits_the_window_and_its_text_can_be_read(page):
    campaign = make_campaign(name=LONG)
    make_task(campaign, demand={"wanted": 1_000, "open": 400, "received": 600})
    rollups.tally([campaign])

    page.goto("/")

    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    expect(page.get_by_role("img", name="Answers received")).to_be_visible()
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        assert not is_wider_than_the_window(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for selector in ("body", ".soft", "a", "thead th"):
            assert contrast(page, selector) >= 4.5, (scheme, selector)


def contrast(page: Page, selector: str) -> float:
    """WCAG contrast of the text's colour against the page's ground."""
    return page.evaluate(
        """selector => {
          const light = colour => {
            const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(value => {
              const share = value / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const text = light(getComputedStyle(document.querySelector(selector)).color);
          const ground = light(getComputedStyle(document.documentElement).backgroundColor);
          return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
        }""",
        selector,
    )


def test_keyboard_reaches_every_link_with_a_visible_ring(page):
    make_campaign()
    page.goto("/")
    reached = []
    for _ in range(page.locator("a").count()):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        reached.append(focused.inner_text())
        assert focused.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    assert reached[:4] == ["Skip to the content", "Touchstone", "API documents", "Log in"]


def test_member_logs_in_and_out_and_is_back_on_the_start_page(page):
    project = make_project(name="Secret papers", listed=False)
    user = make_member(project).user
    user.set_password("a long pass word")
    user.save()

    page.goto("/")
    page.get_by_role("link", name="Log in", exact=True).click()
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill("a long pass word")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Secret papers")).to_be_visible()

    page.get_by_label(f"Account of {user.username}").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Secret papers")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_link_of_a_campaign_can_be_read_on_any_screen(page, size):
    campaign = make_campaign(name=LONG)
    set_instructions(campaign, "Mark every name.\n\nSkip the rest.")
    page.set_viewport_size(size)
    page.goto(f"/join/{campaign_link(campaign)}/")
    assert not is_wider_than_the_window(page)
    page.get_by_role("button", name="Go on").click()
    instructions = page.get_by_role("region", name="Instructions")
    expect(instructions.get_by_text("Mark every name.")).to_be_visible()
    assert not is_wider_than_the_window(page)


def test_api_documents_open_without_another_host(page):
    hosts = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto("/api/docs/")
    expect(page.get_by_text("/api/work/join/")).to_be_visible()
    assert len({host for host in hosts if host}) == 1


def test_print_is_black_on_white_without_controls(page):
    make_campaign()
    page.emulate_media(media="print", color_scheme="dark")
    page.goto("/")
    expect(page.get_by_role("navigation")).to_have_count(0)
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    text = page.evaluate("getComputedStyle(document.body).color")
    assert (ground, text) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
