"""A page's clock, and a busy machine: time stands still, or is not looked at."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page

# Whenever the page is looked at: "just now" is there for a second.
SAVED = re.compile(r"Saved (just now|\d+ (s|min) ago)")


def stop_clock(page: Page) -> None:
    """From here on a test says what time passes. The clock must have been installed; it is put
    forward by more than a busy machine takes to say what it is."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 20)


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    """For what the page itself does not show, such as what it has asked for."""
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        page.evaluate("0")  # lets the driver hear of requests
