"""Chromium for the tests of pages: one browser a process, a fresh profile for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.db import OperationalError
from django.test import TransactionTestCase
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))  # Debian's package
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        missing = f"There is no Chromium at {CHROMIUM}: install the package chromium."
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    # Playwright keeps an event loop in this thread, where Django would refuse its database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session", autouse=True)
def _emptied_in_the_end() -> Iterator[None]:
    """A page that is closed may still be saving. PostgreSQL then ends the emptying of the tables
    after the test as a deadlock; it is done once more."""
    empty = TransactionTestCase._fixture_teardown

    def empty_again(case: TransactionTestCase) -> None:
        for last in (False, False, False, True):
            try:
                return empty(case)
            except CommandError as error:
                if last or not isinstance(error.__cause__, OperationalError):
                    raise

    TransactionTestCase._fixture_teardown = empty_again
    yield
    TransactionTestCase._fixture_teardown = empty


@pytest.fixture
def page(browser: Browser, live_server) -> Iterator[Page]:
    """A page of the running server. What the browser complains of (an error in a script, a
    refused style, a missing file) fails the test."""
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    yield page
    context.close()
    assert complaints == []
