"""Chromium for the tests of pages: one browser a process, a fresh profile for each test."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from config.bundles import BundleFinder
from tests.browser.slowness import slowed

# Debian's packages. The shell is the same browser without a desktop's windows, for two thirds of
# the work.
PACKAGES = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = Path(os.environ.get("CHROMIUM") or next(filter(Path.exists, PACKAGES), PACKAGES[0]))
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
# 5 s, and 30 s for a click, are too few beside other busy processes.
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        missing = f"There is no Chromium at {CHROMIUM}: install the package {PACKAGES[0].name}."
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    # Playwright keeps an event loop in this thread, where Django would refuse its database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        # SLOW_BROWSER="cpu=6 latency=300 files=7 frames=150", or some of it: see slowness.py.
        wanted = os.environ.get("SLOW_BROWSER")
        with slowed(browser, wanted) if wanted else nullcontext():
            yield browser
        browser.close()


# What a file holds doesn't change while the tests run, and joining a bundle takes 20 ms.
_written = functools.cache(BundleFinder._write)


@pytest.fixture(autouse=True)
def _bundles_joined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BundleFinder, "_write", _written)


def _complaint(message: ConsoleMessage) -> list[str]:
    """What an error says. A draft may arrive after its answer, and is refused then."""
    is_late = "409" in message.text and message.location["url"].endswith("/draft/")
    return [message.text] if message.type == "error" and not is_late else []


@pytest.fixture
def page(browser: Browser, live_server) -> Iterator[Page]:
    """A page of the running server. What the browser complains of (an error in a script, a
    refused style, a missing file) fails the test."""
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.extend(_complaint(message)))
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def phone(browser: Browser, live_server) -> Iterator[Page]:
    """A page of 390 × 844 px that is touched; an error in a script fails the test."""
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 390, "height": 844}, has_touch=True,
        is_mobile=True, reduced_motion="reduce",
    )  # fmt: skip
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []
