"""The worker's entity page in Chromium: weight, key to paint, and a scripted expert.

    ./run bench entity_page --documents 20

Needs Debian's chromium. gunicorn serves the collected files as in production.

- weight: all that a first visit fetches, as it crosses the wire;
- paint: a document of 50,000 words, bare and with 3,000 names of 2,000 entities, from the moment
  of a key to the moment when the frame that it changed has been drawn;
- expert: somebody who knows the answer and never pauses works through documents of the
  demonstration by keyboard and mouse, and through the same by keyboard alone. This is the tool's
  own share of the time; reading and thinking come on top.

The peer figures are those of the design document, measured there; they are not run here.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import throwaway

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PEERS_KB = {"Label Studio 1.23": (7_800, 34), "Potato 2.12": (1_500, 37), "doccano 1.8": (770, 24)}
WORDS, NAMES, ENTITIES = 50_000, 3_000, 2_000
ROUNDS = 25

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=20)
    options = parser.parse_args()
    throwaway.set_up()
    links, known = seed(options.documents)
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"], check=True
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-w", "2",
         "-b", f"127.0.0.1:{port}", "--log-level", "error"],
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        figures = measure(f"http://127.0.0.1:{port}", links, known)
    finally:
        server.terminate()
        server.wait()
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


def seed(documents: int) -> tuple[dict[str, str], list[tuple[str, list[dict[str, Any]]]]]:
    """Links by name, and of each document of the expert its text and its names."""
    import tempfile

    from annotation.actions import campaigns, tokens
    from annotation.actions.documents import import_documents
    from annotation.actions.projects import create_project
    from annotation.demonstration import corpus
    from annotation.demonstration.load import SCHEMA
    from annotation.interfaces import Material, entity
    from annotation.materials import MATERIAL_COLUMNS, material_of
    from annotation.models import Document, ImportedAnswer, ImportRun, Task

    small = create_project(slug="small", name="Small", schema=SCHEMA)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "documents.jsonl"
        lines = [json.dumps(document) for document in corpus.documents()][:documents]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        import_documents(small, path, format="jsonl")
    large = create_project(slug="large", name="Large", schema=SCHEMA)
    run = ImportRun.objects.create(
        project=large, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, 1, [f"word{n}" for n in range(WORDS)])
    links = {}
    for project in (small, large):
        for name in ("visit", "mouse", "keys") if project is small else ("bare", "full"):
            campaign = campaigns.create_campaign(
                project, slug=name, name=name, interface="entity", redundancy=1, pay_mills=10,
                lease_minutes=600, spread="complete",
            )  # fmt: skip
            campaigns.open_campaign(campaign)
            links[name] = tokens.campaign_link(campaign)
    known = []
    for document in Document.objects.filter(project=small):
        row = Task.objects.filter(document=document).values(*MATERIAL_COLUMNS)[0]
        material: Material = material_of(row)
        gold = ImportedAnswer.objects.get(document=document, source="gold").answer
        words = entity.page_data(material)["tokens"]
        known.append((" ".join(words), entity.wire(gold, material)["mentions"]))
    return links, known


def measure(
    server: str, links: dict[str, str], known: list[tuple[str, list[dict[str, Any]]]]
) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps a loop in this thread
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        address = {name: f"{server}/join/{link}/" for name, link in links.items()}
        figures = {
            "weight": weight(browser, address["visit"]),
            "paint": {
                "words": WORDS,
                "no names": paint(browser, address["bare"], None),
                f"{NAMES:,} names": paint(browser, address["full"], "full"),
            },
            "expert": {
                way: expert(browser, address[way], dict(known), way) for way in ("mouse", "keys")
            },
        }
        browser.close()
    return figures


def weight(browser: Any, address: str) -> dict[str, Any]:
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
    page.wait_for_selector(".token")
    page.wait_for_load_state("networkidle")
    total = sum(sizes.values()) / 1000
    context.close()
    return {
        "requests": len(sizes),
        "kB": round(total, 1),
        "each_kB": {
            name.split("/", 3)[3][:60]: round(size / 1000, 1) for name, size in sizes.items()
        },
        "peers_weigh_times": {peer: round(kb / total) for peer, (kb, _) in PEERS_KB.items()},
    }


def paint(browser: Any, address: str, filled: str | None) -> dict[str, Any]:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page.goto(address)
    page.wait_for_selector(".token")
    if filled:
        fill_draft(page, address, filled)
    dismiss(page)
    page.evaluate(PAINTED)
    figures = keys_painted(page)
    page.close()
    return figures


def fill_draft(page: Any, address: str, campaign: str) -> None:
    """Put a finished piece of work on the server, and open the page again."""
    from annotation.models import Assignment

    step = WORDS // NAMES
    mentions = [
        {"id": f"m{i + 1}", "start": i * step + 3, "end": i * step + 5,
         "type": ("PER", "LOC", "ORG")[i % 3], "entity": f"e{i % ENTITIES + 1}"}
        for i in range(NAMES)
    ]  # fmt: skip
    entities = [
        {"id": f"e{i + 1}", "canonical": f"m{i + 1}", "link": None, "value": None}
        for i in range(ENTITIES)
    ]
    page.goto("about:blank")
    Assignment.objects.filter(task__campaign__slug=campaign).update(
        draft={"mentions": mentions, "entities": entities, "unlabelled": []}
    )
    page.goto(address)
    page.wait_for_selector("mark.mention")


def keys_painted(page: Any) -> dict[str, Any]:
    """Milliseconds from key to paint, by what the key did."""
    ways = {
        "move": ["ArrowRight"],
        "select": ["Shift+ArrowRight"],
        "mark": ["p"],
        "same as": ["Space", "2"],
        "walk": ["."],
        "undo": ["Control+z"],
        "line down": ["ArrowDown"],
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    page.locator("token-text").focus()
    for _ in range(ROUNDS):
        for name, keys in ways.items():
            for key in keys:
                page.evaluate("window.paints = []")
                page.keyboard.press(key)
                page.wait_for_function("window.paints.length > 0")
            found[name].append(page.evaluate("Math.max(...window.paints)"))
            if name in ("same as", "walk"):
                page.keyboard.press("Escape")
    return {
        name: {"p50": round(sorted(times)[len(times) // 2]), "max": round(max(times))}
        for name, times in found.items()
    }


def expert(
    browser: Any, address: str, known: dict[str, list[dict[str, Any]]], way: str
) -> dict[str, Any]:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    page.goto(address)
    page.wait_for_selector(".token")
    dismiss(page)
    inputs = names = 0
    started = time.perf_counter()
    for number in range(len(known)):
        words = " ".join(page.locator(".token").all_inner_texts())
        names += len(known[words])
        mark = by_mouse if way == "mouse" else by_keys
        inputs += mark(page, known[words])
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        inputs += 1
        if not known[words]:
            page.keyboard.press("Enter")
        if number + 1 < len(known):
            page.wait_for_function(
                "old => [...document.querySelectorAll('.token')].map((t) => t.textContent)"
                ".join(' ') !== old && document.querySelector('.token')",
                arg=words,
            )
    page.wait_for_selector("text=Nothing to do at the moment")
    seconds = time.perf_counter() - started
    page.close()
    return {
        "documents": len(known),
        "names": names,
        "seconds_per_document": round(seconds / len(known), 2),
        "inputs_per_name": round(inputs / names, 1),
    }


def by_mouse(page: Any, mentions: list[dict[str, Any]]) -> int:
    """A drag and a letter for each name."""
    for mention in mentions:
        first, last = (
            page.locator(f'[data-token="{number}"]').bounding_box()
            for number in (mention["start"], mention["end"] - 1)
        )
        if mention["end"] - mention["start"] == 1:
            page.mouse.click(first["x"] + 4, first["y"] + 8)
        else:
            page.mouse.move(first["x"] + 4, first["y"] + 8)
            page.mouse.down()
            page.mouse.move(last["x"] + 4, last["y"] + 8)
            page.mouse.up()
        page.keyboard.press(letter(mention))
    return 2 * len(mentions)


def by_keys(page: Any, mentions: list[dict[str, Any]]) -> int:
    """Arrows to the first word, Shift and arrows to the last, a letter."""
    caret = pressed = 0
    for mention in mentions:
        steps = mention["start"] - caret
        more = mention["end"] - 1 - mention["start"]
        for key in ["ArrowRight"] * steps + ["Shift+ArrowRight"] * more + [letter(mention)]:
            page.keyboard.press(key)
        pressed += steps + more + 1
        caret = mention["end"] - 1
    return pressed


def letter(mention: dict[str, Any]) -> str:
    return mention["type"][0].lower()


def dismiss(page: Any) -> None:
    """Close the instructions where they open."""
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")


if __name__ == "__main__":
    main()
