"""Parts of a worker's page that come late, as on a slow line."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route


def expect_late_parts(page: Page) -> None:
    """What the entity page asks for once somebody begins to work, scripts and looks, is at work:
    not only here, but run, and the page has had its turn to use it."""
    page.keyboard.press("Shift")  # begins, and means nothing else
    addresses = page.wait_for_function(
        """() => {
          const seen = performance.getEntriesByType("resource");
          const come = ["later", "entity-aids", "beside"].map((part) => seen.find(
            ({ name, responseEnd }) => responseEnd > 0 && name.includes(`/bundles/${part}`)));
          const looks = document.querySelector('link[href*="/bundles/beside"]');
          return come.every(Boolean) && looks.sheet && come.slice(0, 2).map(({ name }) => name);
        }"""
    ).json_value()
    page.evaluate(
        """async (addresses) => {
          await Promise.all(addresses.map((address) => import(address)));
          await customElements.whenDefined("reading-rail");
          const frame = (done) => requestAnimationFrame(() => setTimeout(done));
          await new Promise(frame);
          await new Promise(frame);
        }""",
        addresses,
    )


def expect_looks(page: Page) -> None:
    """The looks that any interface's page asks for once somebody begins to work have come."""
    page.wait_for_function(
        "() => Boolean(document.querySelector('link[href*=\"/bundles/beside\"]')?.sheet)",
        timeout=20_000,
    )


def expect_part(page: Page, name: str) -> None:
    """It has come, and the page has had its turn to use it."""
    page.wait_for_function(
        """async (part) => {
          const seen = performance.getEntriesByType("resource");
          const come = seen.find(
            ({ name, responseEnd }) => responseEnd > 0 && name.includes(`/bundles/${part}`));
          if (!come) return false;
          await import(come.name);
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          return true;
        }""",
        arg=name,
    )


@contextmanager
def held_back(page: Page, *parts: str) -> Iterator[None]:
    """The page is opened within the block, and gets these parts at its end."""
    waiting: list[Route] = []
    address = re.compile(rf"/bundles/({'|'.join(parts)})\b")
    page.context.route(address, lambda route: waiting.append(route))
    yield
    deadline = time.monotonic() + 120
    while len(waiting) < len(parts):
        page.evaluate("0")  # lets the driver hear of requests
        assert time.monotonic() < deadline, f"The page asked for {len(waiting)} of {parts}."
    for route in waiting:
        route.continue_()
    page.context.unroute(address)
