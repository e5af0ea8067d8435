"""What a browser fetches for a first visit of a page, as it crosses the wire without headers."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin

import brotli

ACCEPTED = {"accept-encoding": "gzip, deflate, br"}
IMPORTED = {
    ".js": re.compile(r'(?:^|[;}\n])\s*(?:import|export)\b[^"\';]*["\']([^"\']+)["\']'),
    ".css": re.compile(r'@import\s+(?:url\()?["\']?([^"\')]+)|url\(["\']?(?!data:|#)([^"\')]+)'),
}
FETCHED_LINKS = {"stylesheet", "icon", "modulepreload", "preload"}


class _Fetched(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and FETCHED_LINKS & set((given.get("rel") or "").split()):
            self.found.append(given.get("href") or "")
        elif tag in ("script", "img", "iframe", "use") and (
            source := given.get("src") or (given.get("href") if tag == "use" else "")
        ):
            self.found.append(source)


def first_visit(
    client: Any, address: str, seen: dict[str, tuple[int, list[str]]] | None = None
) -> dict[str, int]:
    """Address → bytes of everything that is fetched, the page itself first.

    `client` serves static files too, under their collected names (tests.config.test_storage).
    `seen` goes from page to page: what many pages fetch is asked for once.
    """
    seen = {} if seen is None else seen
    page = client.get(address, headers=ACCEPTED)
    assert page.status_code == 200, f"{address} answered {page.status_code}"
    sizes = {address: len(page.content)}
    parser = _Fetched()
    parser.feed(_unpacked(page).decode())
    queue = [urljoin(address, one) for one in parser.found]
    while queue:
        one = urldefrag(queue.pop(0)).url
        if one in sizes:
            continue
        assert one.startswith("/"), f"{address} asks another host: {one}"
        if one not in seen:
            seen[one] = _file(client, one)
        sizes[one], more = seen[one]
        queue += more
    return sizes


def _unpacked(page: Any) -> bytes:
    match page.headers.get("Content-Encoding"):
        case "br":
            return brotli.decompress(page.content)
        case "gzip":
            return gzip.decompress(page.content)
    return page.content


def _file(client: Any, address: str) -> tuple[int, list[str]]:
    """Its bytes on the wire, and what it fetches in turn."""
    size = len(_content(client.get(address, headers=ACCEPTED)))
    pattern = next((IMPORTED[end] for end in IMPORTED if address.endswith(end)), None)
    if pattern is None:
        return size, []
    text = _content(client.get(address)).decode()
    return size, [urljoin(address, name) for names in pattern.findall(text) for name in _all(names)]


def _all(names: str | tuple[str, ...]) -> list[str]:
    return [name for name in ((names,) if isinstance(names, str) else names) if name]


def _content(reply: Any) -> bytes:
    assert reply.status_code == 200, f"{reply.request['PATH_INFO']} answered {reply.status_code}"
    return b"".join(reply.streaming_content) if reply.streaming else reply.content
