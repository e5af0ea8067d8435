"""Each page of the demonstration in four views, and a sheet of them all: `./run screenshots`.

    ./run screenshots --out var/screenshots --only workers,run
    ./run screenshots --check                  no pictures: what tests/browser/page_checks.py finds

Starts Touchstone on a free port with data of its own, logs in as the demonstration's manager, and
goes where the links lead: two pages of each address of the URL configuration. A campaign of its own
is set up on the way, so that each step has a page. At the end it names the addresses that no link
led to. `index.html` in the folder shows the pages side by side.
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

from tests.browser.page_checks import faults  # noqa: E402 - found by the line above
from tests.ports import free_port  # noqa: E402

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

VIEWS = {
    f"{width}-{scheme}": (width, height, scheme)
    for width, height in ((1280, 800), (390, 844))
    for scheme in ("light", "dark")
}
AT_ONCE = 2  # pages of one address: another one may look otherwise
LONGEST = 4_000  # px; what comes below is more of the same
ACTS = ("copy", "archive", "delete")  # a campaign or project that is to be kept otherwise
TABLE = """\
headline,body,paper
A new ferry,Ruth Okafor opened the ferry to Harrow Isle on Monday.,The Sound
Who pays,The Sound Ferry Company paid for it without a loan.,The Sound
,"Tickets cost 4 dollars, said Okafor.",Harrow Mail
"""
# What is no page, or would end the walk.
WORKED = {"answer-gold"}  # by a manager, on the worker's page
LEFT_OUT = re.compile(r"/(logout|static|admin|api)/|/files?/|\.(jsonl|csv|json|conll|png|svg)$")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("var/screenshots"), metavar="FOLDER")
    parser.add_argument("--only", default="", help="names of addresses, with commas between them")
    parser.add_argument("--check", action="store_true", help="tell faults, keep no pictures")
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
            only = set(filter(None, options.only.split(",")))
            pages = keep(links, None if options.check else options.out, only)
        finally:
            server.terminate()
            server.wait(60)
    if options.check:
        number = sum(len(page.faults) for page in pages)
        sys.stdout.write(f"{len(pages)} pages, {number} faults\n")
        raise SystemExit(min(number, 1))
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
    faults: list[str] = field(default_factory=list)


def keep(links: dict[str, str], out: Path | None, only: set[str]) -> list[Kept]:
    """Walk breadth first from the manager's start page and the worker's link. Without a folder
    each page is checked in place of being kept."""
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
        further = _further(page, start, links["Demonstration"])
        for name, address in further.items():
            if not only or name in only:
                kept.append(_keep(contexts, out, name, name, address, page))
        own = [further["project-empty"], urljoin(further["import-preview-table"], "../../")]
        left_out = (*own, further["set-up-files"].removesuffix("set-up/files/"))
        queue = [start, links["Demonstration"]]
        if out is not None:  # the worker's pages have checks of their own, in each state
            queue.append(links["Worker's link"])
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
                is_left_out = target.startswith(left_out)
                if target.startswith(start) and target not in known and not is_left_out:
                    known.add(target)
                    if not LEFT_OUT.search(urlsplit(target).path):
                        queue.append(target)
            if reply is None or not (reply.header_value("content-type") or "").startswith("text"):
                continue
            if (only and name not in only) or (out is None and name in WORKED):
                continue
            kept.append(_keep(contexts, out, name, f"{name}-{taken[name]}", address, page))
        browser.close()
    _name_missing({"login", *taken})
    return kept


def _further(page: Any, start: str, campaign: str) -> dict[str, str]:
    """What no link leads to: the page for a wrong address, what stands where nothing is yet, the
    steps of a set-up, and the questions before a copy, an archive and a delete."""
    page.goto(f"{start}manage/new-project/")
    page.get_by_label("Name", exact=True).fill("Nothing yet")
    page.get_by_role("button", name="Create project").click()
    page.wait_for_url("**/manage/projects/*/")
    empty = page.url
    sections = {"documents": "documents/", "knowledge": "knowledge/", "jobs": "jobs/"}
    page.goto(campaign)
    project = page.locator(".crumbs a").last
    project = urljoin(start, project.get_attribute("href"))
    return {
        "not-found": f"{start}nothing/",
        "start-nothing-found": f"{start}?q=nobody+called+it+so",
        "project-empty": empty,
        **{f"{name}-empty": f"{empty}{path}" for name, path in sections.items()},
        **{f"keep-campaign-{act}": f"{campaign}keep/{act}/" for act in ACTS},
        **{f"keep-project-{act}": f"{project}keep/{act}/" for act in ACTS},
        "set-up-link": f"{campaign}set-up/link/",
        **_set_up(page, start),
    }


def _set_up(page: Any, start: str) -> dict[str, str]:
    """The steps of a campaign that is set up from a table, whose preview is kept as well."""
    page.goto(f"{start}manage/set-up/")
    page.get_by_label("Name of the project").fill("Harbour news")
    page.get_by_role("button", name="Begin set-up").click()
    page.wait_for_url("**/set-up/files/")
    files = page.url
    for name in ("harbour.csv", "harbour-2.csv"):  # one is imported, and the other's preview stays
        page.goto(files)
        table = {"name": name, "mimeType": "text/csv", "buffer": TABLE.encode()}
        page.get_by_label("File", exact=True).set_input_files(table)
        page.get_by_role("button", name="Preview import").click()
        page.wait_for_url("**/import/*/**")
        preview = page.url
        if name == "harbour.csv":
            page.get_by_role("button", name="Import 3 documents").click()
            page.wait_for_url("**/set-up/**")
    pages = {
        f"set-up-{step}": files.removesuffix("files/") + f"{step}/"
        for step in ("files", "labels", "instructions", "gold", "pay", "check")
    }
    return {"begin": f"{start}manage/set-up/", "import-preview-table": preview, **pages}


def _keep(
    contexts: dict[str, Any], out: Path | None, name: str, file: str, address: str, page: Any
) -> Kept:
    page.goto(address, wait_until="load")
    one = Kept(name, urlsplit(address).path, page.title())
    if out is None:
        one.faults = faults(page, address)
        sys.stdout.write(f"{len(one.faults):>4}  {name:<28}{one.path}\n")
        sys.stdout.writelines(f"        {fault}\n" for fault in one.faults)
        sys.stdout.flush()
        return one
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
