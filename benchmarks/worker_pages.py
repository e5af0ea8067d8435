"""The worker's page of each interface in Chromium: weight, key to paint, and a scripted expert.

    ./run bench worker_pages --tasks 20 --only entity,linking

Needs Debian's chromium. gunicorn serves the collected files as in production.

- weight: all that a first visit fetches, as it crosses the wire;
- paint: milliseconds from the moment of a key to the moment when the frame that it changed has been
  drawn, median and 95th percentile, on an ordinary task and on a large one (`worker_tasks` says how
  large);
- expert: somebody who knows the answer and never pauses, by mouse, by keyboard alone, and by touch
  on a phone. This is the tool's own share of the time; reading and thinking come on top.

The peer figures are those of the design document, measured there; they are not run here.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

import throwaway
import worker_experts as experts
import worker_tasks

from tests.ports import free_port

LAPTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PEERS_KB = {"Label Studio 1.23": (7_800, 34), "Potato 2.12": (1_500, 37), "doccano 1.8": (770, 24)}

PAINTED = """() => {
  window.paints = [];
  addEventListener("keydown", (event) => {
    const pressed = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.paints.push(performance.now() - pressed);
      port2.postMessage(0);
    });
  }, { capture: true });
}"""
IN_HAND = """(number) =>
  document.querySelector("[data-part=title]").textContent === `Task ${number}`
  && document.querySelector("[data-task]").contains(document.activeElement)"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=20, help="that an expert does")
    parser.add_argument("--rounds", type=int, default=25, help="of every key that is timed")
    parser.add_argument("--only", help="interfaces with commas between")
    parser.add_argument(
        "--words", type=int, default=experts.WORDS, help="of the large text (names in proportion)"
    )
    options = throwaway.parsed(parser, tasks=2, rounds=1)
    share = options.words / experts.WORDS
    experts.WORDS, experts.NAMES, experts.ENTITIES = (
        round(share * n) for n in (experts.WORDS, experts.NAMES, experts.ENTITIES)
    )
    if options.smoke:  # as large as an ordinary one, or a little more
        experts.WORDS, experts.NAMES, experts.ENTITIES = 1_000, 60, 40
    throwaway.set_up()
    kinds = worker_tasks.seed(options.tasks)
    if options.only:
        kinds = {name: kinds[name] for name in options.only.split(",")}
    throwaway.collect_static()
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-w", "2",
         "-b", f"127.0.0.1:{port}", "--log-level", "error"],
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        figures = measure(f"http://127.0.0.1:{port}", kinds, options.rounds)
    finally:
        server.terminate()
        server.wait()
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


def measure(server: str, kinds: dict[str, experts.Kind], rounds: int) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps a loop in this thread
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        figures = {}
        for name, kind in kinds.items():
            at = {use: f"{server}/join/{link}/" for use, link in kind.links.items()}
            figures[name] = {
                "weight": weight(browser, at["visit"], kind),
                "paint": {
                    size: paint(browser, at[use], kind, use, rounds)
                    for size, use in (("ordinary", "visit"), (kind.large, "large"))
                },
                "expert": {way: expert(browser, at[way], kind, way) for way in kind.experts},
            }
        browser.close()
    return figures


def weight(browser: Any, address: str, kind: experts.Kind) -> dict[str, Any]:
    context = browser.new_context()
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    names: dict[str, str] = {}
    sizes: dict[str, float] = {}
    wire.on(
        "Network.requestWillBeSent", lambda e: names.update({e["requestId"]: e["request"]["url"]})
    )
    wire.on(
        "Network.loadingFinished",
        lambda e: sizes.update({names[e["requestId"]]: e["encodedDataLength"]}),
    )
    page.goto(address)
    page.wait_for_selector(kind.ready)
    page.wait_for_load_state("networkidle")
    total, requests = sum(sizes.values()) / 1000, len(sizes)
    page.keyboard.press("Shift")  # what comes once somebody begins to work
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1_000)
    begun = sum(sizes.values()) / 1000
    context.close()
    return {
        "requests": requests,
        "kB": round(total, 1),
        "requests_begun": len(sizes),
        "kB_begun": round(begun, 1),
        "each_kB": {
            name.split("/", 3)[3][:60]: round(size / 1000, 1) for name, size in sizes.items()
        },
        "peers_weigh_times": {peer: round(kb / total) for peer, (kb, _) in PEERS_KB.items()},
    }


def paint(browser: Any, address: str, kind: experts.Kind, use: str, rounds: int) -> dict[str, Any]:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page.goto(address)
    page.wait_for_selector(kind.ready)
    if use == "large" and kind.fill:
        page.goto("about:blank")
        kind.fill()
        page.goto(address)
        page.wait_for_selector(kind.ready)
    kind.prepare(page)
    page.evaluate(PAINTED)
    figures = keys_painted(page, kind, rounds)
    page.close()
    return figures


def keys_painted(page: Any, kind: experts.Kind, rounds: int) -> dict[str, Any]:
    """Milliseconds from key to paint, by what the key did."""
    found: dict[str, list[float]] = {name: [] for name in kind.ways}
    for _ in range(rounds):
        for name, (keys, after) in kind.ways.items():
            for key in keys:
                page.evaluate("window.paints = []")
                page.keyboard.press(key)
                page.wait_for_function("window.paints.length > 0")
            found[name].append(page.evaluate("Math.max(...window.paints)"))
            for key in after:
                page.keyboard.press(key)
    every = [time for times in found.values() for time in times]
    return {"all keys": spread(every)} | {name: spread(times) for name, times in found.items()}


def spread(times: list[float]) -> dict[str, float]:
    times = sorted(times)
    places = {"p50": 0.5, "p95": 0.95}
    return {name: round(times[int(share * (len(times) - 1))], 1) for name, share in places.items()}


def expert(browser: Any, address: str, kind: experts.Kind, way: str) -> dict[str, Any]:
    page = browser.new_page(**(PHONE if way == "touch" else LAPTOP), bypass_csp=True)
    page.goto(address)
    inputs, units, reading = 0, 0, 0.0
    started = time.perf_counter()
    for number in range(1, kind.tasks + 1):
        page.wait_for_function(IN_HAND, arg=number)
        done = kind.experts[way](page)
        inputs, units = inputs + done.inputs, units + done.units
        reading += done.reading
    page.wait_for_selector("text=All done for now")
    seconds = time.perf_counter() - started - reading
    page.close()
    return {
        "tasks": kind.tasks,
        kind.units: units,
        "seconds_per_task": round(seconds / kind.tasks, 2),
        f"inputs_per_{kind.units.rstrip('s')}": round(inputs / units, 1),
        "right": kind.right(way),
    }


if __name__ == "__main__":
    main()
