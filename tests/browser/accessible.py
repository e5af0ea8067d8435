"""What axe says of a page as it stands."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.screenshots import keep_screenshot


def violations(page: Page) -> list[str]:
    """Empty for a page without any; else each rule with the elements that break it."""
    keep_screenshot(page)
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]
