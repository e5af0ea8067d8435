"""Managers' Markdown as HTML that is safe on a worker's page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

LONGEST_TEXT = 20_000  # characters; a table that was made to be slow takes a second
SHIFT = 2  # a page has its own h1, and the dialog that shows the text its own h2
TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
# Links leave the page open, with the task in it, and tell nobody where they were followed from.
LINKS = {"a": {"target": "_blank"}}


@lru_cache(maxsize=128)
def render(text: str) -> SafeString:
    """HTML of CommonMark with tables; HTML in it is shown as it was written.

    A picture is its description: nothing is loaded from other hosts.
    """
    html = _markdown.render(text)
    return mark_safe(  # what nh3 has cleaned
        nh3.clean(
            html,
            tags=TAGS,
            attributes=ATTRIBUTES,
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer",
            set_tag_attribute_values=LINKS,
        )
    )


def _shift_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + SHIFT, 6)}"


def _description(renderer: Any, tokens: Sequence[Token], index: int, *rest: Any) -> str:
    return escape(tokens[index].content)


_markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_markdown.core.ruler.push("shift_headings", _shift_headings)
_markdown.add_render_rule("image", _description)
