"""What axe says of a page as it stands."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.screenshots import keep_screenshot

# Of a page's result the faults alone come back: the whole of it is a megabyte of JSON.
RUN = """() => axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)))"""


def violations(page: Page) -> list[str]:
    """Empty for a page without any; else each rule with the elements that break it."""
    keep_screenshot(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN)
    return found
