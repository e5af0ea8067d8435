"""A slow machine on a slow line: with SLOW_BROWSER the tests of pages find who looks too soon.

`SLOW_BROWSER="cpu=6 latency=300"` makes a page's processor six times as slow and lets each answer
wait 300 ms. (A page that is slowed so forgets that it is to be printed: two tests of that fail.)
`files=7` lets each static file come up to half a second late, in an order that the seed 7 draws.
`frames=150` lets a frame wait 150 ms, twice as long at most: what a page does at once is done then,
what it does when it is drawn (observers, scrolling) is not. This finds most.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from playwright.sync_api import Browser, BrowserContext, Page

LATEST, DRAWN = 0.5, 0.02  # seconds: a late file, and what is left for a frame


@contextmanager
def slowed(browser: Browser, wanted: str) -> Iterator[None]:
    """Each page that is opened in the browser meanwhile."""
    parts = dict(part.split("=") for part in wanted.split())
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        if {"cpu", "latency"} & parts.keys():
            patch.setattr(browser, "new_context", _slow_context(browser.new_context, parts))
        if "files" in parts:
            patch.setattr(StaticFilesHandler, "serve", _late(StaticFilesHandler.serve, parts))
        if "frames" in parts:
            stack.enter_context(_late_frames(float(parts["frames"]) / 1_000))
        yield


def _slow_context(
    make: Callable[..., BrowserContext], parts: dict[str, str]
) -> Callable[..., BrowserContext]:
    rate = {"rate": float(parts.get("cpu", 1))}
    latency = {"latency": float(parts.get("latency", 0))}
    line = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1} | latency

    def new_context(**options: Any) -> BrowserContext:
        context = make(**options)
        make_page = context.new_page

        def new_page() -> Page:
            page = make_page()
            devtools = context.new_cdp_session(page)
            devtools.send("Emulation.setCPUThrottlingRate", rate)
            devtools.send("Network.enable")
            devtools.send("Network.emulateNetworkConditions", line)
            return page

        context.new_page = new_page  # type: ignore[method-assign]
        return context

    return new_context


def _late(serve: Callable[..., Any], parts: dict[str, str]) -> Callable[..., Any]:
    def late(self: StaticFilesHandler, request: Any) -> Any:
        time.sleep(random.Random(f"{parts['files']} {request.path}").uniform(0, LATEST))
        return serve(self, request)

    return late


@contextmanager
def _late_frames(seconds: float) -> Iterator[None]:
    """The browser's compositor, a process of its own, stands still most of the time."""
    draw, over = random.Random(0), Event()
    compositor = _compositor()

    def hold() -> None:
        while not over.wait(DRAWN):
            os.kill(compositor, signal.SIGSTOP)
            over.wait(draw.uniform(0, 2) * seconds)
            os.kill(compositor, signal.SIGCONT)

    thread = Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _compositor() -> int:
    for _ in range(600):  # it is started a moment after the browser
        with suppress(OSError):  # a process that has just ended
            for pid in _descendants(os.getpid()):
                if b"--type=gpu-process" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return pid
        time.sleep(0.1)
    raise AssertionError("The browser has no compositor.")


def _descendants(pid: int) -> list[int]:
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for each in lists for child in each.read_text().split()]
    return [*children, *(found for child in children for found in _descendants(child))]
