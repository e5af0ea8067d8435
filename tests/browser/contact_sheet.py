"""Each page of the demonstration in four views, and a sheet of them all: `./run screenshots`.

    ./run screenshots --out var/screenshots --only workers,run

Starts Touchstone on a free port with data of its own, logs in as the demonstration's manager, and
goes where the links lead: two pages of each address of the URL configuration. At the end it names
the addresses that no link led to. `index.html` in the folder shows the pages side by side.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.ports import free_port  # noqa: E402 - found by the line above

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

VIEWS = {
    f"{width}-{scheme}": (width, height, scheme)
    for width, height in ((1280, 800), (390, 844))
    for scheme in ("light", "dark")
}
AT_ONCE = 2  # pages of one address: another one may look otherwise
LONGEST = 4_000  # px; what comes below is more of the same
# What is no page, or would end the walk.
LEFT_OUT = re.compile(r"/(logout|static|admin|api)/|/file/$|\.(jsonl|csv|json|conll|png|svg)$")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("var/screenshots"), metavar="FOLDER")
    parser.add_argument("--only", default="", help="names of addresses, with commas between them")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="touchstone-screenshots-") as folder:
        port = free_port()
        server = subprocess.Popen(
            [str(ROOT / "run")], env=os.environ | {"DATA_DIR": folder, "PORT": str(port)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            links = dict(_read_links(server))
            pages = keep(links, options.out, set(filter(None, options.only.split(","))))
        finally:
            server.terminate()
            server.wait(60)
    write_sheet(options.out, pages)
    sys.stdout.write(f"{len(pages)} pages in {len(VIEWS)} views: {options.out / 'index.html'}\n")


def _read_links(server: subprocess.Popen[str]) -> Iterator[tuple[str, str]]:
    """What `./run` prints: a name, two spaces, a link. Ends when all is loaded."""
    assert server.stdout is not None
    for line in server.stdout:
        name, _, value = line.strip().partition("  ")
        if value:
            yield name, value.strip()
        if name == "Kept in":
            return
    raise SystemExit("./run ended before the demonstration was loaded.")


@dataclass
class Kept:
    name: str  # of the address in the URL configuration
    path: str
    title: str
    files: dict[str, str] = field(default_factory=dict)  # view → name of the file


def keep(links: dict[str, str], out: Path, only: set[str]) -> list[Kept]:
    """Walk breadth first from the manager's start page and the worker's link."""
    import django
    from django.urls import Resolver404, resolve
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import ARGUMENTS, CHROMIUM

    django.setup()
    start = links["Projects"]
    kept: list[Kept] = []
    taken: Counter[str] = Counter()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        contexts = {
            view: browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme,
                reduced_motion="reduce",
            )
            for view, (width, height, scheme) in VIEWS.items()
        }  # fmt: skip
        first, *others = contexts.values()
        page = first.new_page()
        if not only or "login" in only:  # before anybody is logged in
            kept.append(_keep(contexts, out, "login", "login-1", links["Manager's log-in"], page))
        page.goto(links["Manager's log-in"])
        page.get_by_label("Username").fill(links["Name"])
        page.get_by_label("Password").fill(links["Password"])
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url(start)
        state = first.storage_state()
        for context in others:
            context.add_cookies(state["cookies"])
        further = _further(page, start)
        for name, address in further.items():
            if not only or name in only:
                kept.append(_keep(contexts, out, name, name, address, page))
        queue = [start, links["Demonstration"], links["Worker's link"]]
        known = set(queue)
        while queue:
            address = queue.pop(0)
            path = urlsplit(address).path
            try:
                match = resolve(path)
            except Resolver404:
                continue
            name = match.url_name or match.view_name
            if taken[name] >= AT_ONCE:
                continue
            taken[name] += 1
            reply = page.goto(address, wait_until="load")
            found = [
                urldefrag(urljoin(page.url, target)).url
                for target in page.eval_on_selector_all(
                    "a[href]", "links => links.map(link => link.getAttribute('href'))"
                )
            ]
            for target in found:
                nothing_there = target.startswith(further["project-empty"])
                if target.startswith(start) and target not in known and not nothing_there:
                    known.add(target)
                    if not LEFT_OUT.search(urlsplit(target).path):
                        queue.append(target)
            if reply is None or not (reply.header_value("content-type") or "").startswith("text"):
                continue
            if only and name not in only:
                continue
            kept.append(_keep(contexts, out, name, f"{name}-{taken[name]}", address, page))
        browser.close()
    _name_missing({"login", *taken})
    return kept


def _further(page: Any, start: str) -> dict[str, str]:
    """What no link leads to: the page for a wrong address, and what stands where nothing is yet."""
    page.goto(f"{start}manage/new-project/")
    page.get_by_label("Name", exact=True).fill("Nothing yet")
    page.get_by_role("button", name="Create project").click()
    page.wait_for_url("**/manage/projects/*/")
    empty = page.url
    sections = {"documents": "documents/", "knowledge": "knowledge/", "jobs": "jobs/"}
    return {
        "not-found": f"{start}nothing/",
        "start-nothing-found": f"{start}?q=nobody+called+it+so",
        "project-empty": empty,
        **{f"{name}-empty": f"{empty}{path}" for name, path in sections.items()},
    }


def _keep(
    contexts: dict[str, Any], out: Path, name: str, file: str, address: str, page: Any
) -> Kept:
    page.goto(address, wait_until="load")
    one = Kept(name, urlsplit(address).path, page.title())
    for view, context in contexts.items():
        one.files[view] = f"{file}-{view}.png"
        _shoot(context, address, out / one.files[view])
    return one


def _shoot(context, address: str, file: Path) -> None:
    page = context.new_page()
    page.goto(address, wait_until="load")
    width = page.viewport_size["width"]
    height = min(page.evaluate("document.documentElement.scrollHeight"), LONGEST)
    page.set_viewport_size({"width": width, "height": max(height, page.viewport_size["height"])})
    page.screenshot(path=file)
    page.close()


def _name_missing(taken: set[str]) -> None:
    from dashboard.urls import urlpatterns

    names = {pattern.name for pattern in urlpatterns if pattern.name}
    if missing := sorted(names - taken):
        sys.stdout.write(f"No link led to: {', '.join(missing)}\n")


def write_sheet(out: Path, pages: list[Kept]) -> None:
    rows = "\n".join(
        f"<h2>{html.escape(page.title)}</h2><p>{html.escape(page.name)} · "
        f"{html.escape(page.path)}</p><div>"
        + "".join(
            f'<a href="{file}"><img src="{file}" alt="{view}" loading="lazy"></a>'
            for view, file in page.files.items()
        )
        + "</div>"
        for page in sorted(pages, key=lambda page: (page.name, page.path))
    )
    (out / "index.html").write_text(
        "<!doctype html><meta charset=utf-8><title>Touchstone, page by page</title><style>"
        "body{font:14px sans-serif;margin:2rem;background:#ddd}div{display:flex;gap:1rem}"
        "img{height:32rem;object-fit:cover;object-position:top;border:1px solid #999}"
        f"</style><h1>{len(pages)} pages</h1>\n{rows}\n"
    )


if __name__ == "__main__":
    main()
