"""Managers' Markdown as HTML that is safe on a worker's page."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

LONGEST_TEXT = 20_000  # characters; a table that was made to be slow takes a second
TOP = 3  # a page has its own h1, and the dialog that shows the text its own h2
TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
PLAIN = ("text", "code_inline", "softbreak", "hardbreak")
# To its sign, or as far as it may be shown.
SENTENCE = re.compile(r".{1,300}?[.!?؟。](?=\s|$)|.{0,300}")
HEADING = ("heading_open", "heading_close")
CLASSES = {"blockquote": {"example-right", "example-wrong"}}
# Links leave the page open, with the task in it, and tell nobody where they were followed from.
LINKS = {"a": {"target": "_blank"}}

# "Right: …", "**Wrong:** …", "✓ …", "❌ Falsch: …": how a quote begins that is an example; a
# paragraph as well, if it says the word. Instructions are in the language of their texts, which
# need not be that of the page: the words of each are known in all of them.
RIGHT_WORDS = ("right", "richtig", "correcto", "juste", "صحيح")
WRONG_WORDS = ("wrong", "falsch", "incorrecto", "faux", "خطأ")
RIGHT = (*RIGHT_WORDS, "✓", "✔", "✅")
SIGN = "[✓✔✅✗✘❌]\ufe0f?"
SAID = rf"(?:{'|'.join((*RIGHT_WORDS, *WRONG_WORDS))})[ \u00a0\u202f]?:"  # "Juste :" in French
MARK = rf"(?:\*\*|__)?(?:(?:{SIGN} ?)?{SAID}|{SIGN}:?)(?:\*\*|__)?"
WORD = rf"(?:\*\*|__)?{SAID}"
EXAMPLE = re.compile(rf"{MARK}\s*", re.I)
WORD_EXAMPLE = re.compile(WORD, re.I)
# Two in successive lines would else be one quote, or one paragraph.
EXAMPLE_LINE = re.compile(rf"^(?= {{0,3}}> ?{MARK}|{WORD})", re.I | re.M)

Words = tuple[str, str]  # what a right and a wrong example are called


def render(text: str) -> SafeString:
    """HTML of CommonMark with tables; HTML in it is shown as it was written.

    A picture is its description: nothing is loaded from other hosts. A quote that begins with
    "Right:" or "Wrong:" in a language of the product, or with ✓ or ✗, is an example and gets its
    class and the word, in the language that is active; so does a paragraph of its own that begins
    with the word.
    """
    return _rendered(text, _words())


def steps(text: str) -> tuple[SafeString, ...]:
    """The same HTML cut at its headings, as steps that are read one after the other.

    The cuts are at the highest headings of which there are two: a title alone makes no step. What
    stands before the first cut is a step of its own, unless it is no more than titles.
    """
    return _steps(text, _words())


@lru_cache(maxsize=128)
def _rendered(text: str, words: Words) -> SafeString:
    return _html(_parse(text, words))


@lru_cache(maxsize=128)
def _steps(text: str, words: Words) -> tuple[SafeString, ...]:
    tokens = _parse(text, words)
    heads = [i for i, token in enumerate(tokens) if token.type == HEADING[0] and not token.level]
    used = Counter(tokens[i].tag for i in heads)
    repeated = [tag for tag, times in used.items() if times > 1]
    highest = min(repeated or used, default="")
    cuts = [i for i in heads if tokens[i].tag == highest]
    before = tokens[: cuts[0]] if cuts else []
    if all(token.type in HEADING for token in before if not token.level):
        cuts = cuts[1:]
    edges = [0, *cuts, len(tokens)]
    return tuple(_html(tokens[start:end]) for start, end in itertools.pairwise(edges) if end)


def first_sentence(text: str) -> str:
    """The first of the first paragraph, without marks; "" where there is no paragraph."""
    for before, token in itertools.pairwise(_parse(text, _words())):
        if before.type == "paragraph_open" and not before.level:
            words = (child.content or " " for child in token.children or () if child.type in PLAIN)
            return SENTENCE.match(" ".join("".join(words).split()))[0]  # type: ignore[index]
    return ""


def _words() -> Words:
    return gettext("Right"), gettext("Wrong")


def _parse(text: str, words: Words) -> list[Token]:
    return _markdown.parse(EXAMPLE_LINE.sub("\n", text), {"words": words})


def _html(tokens: Sequence[Token]) -> SafeString:
    return mark_safe(  # what nh3 has cleaned
        nh3.clean(
            _markdown.renderer.render(tokens, _markdown.options, {}),
            tags=TAGS,
            attributes=ATTRIBUTES,
            allowed_classes=CLASSES,
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer",
            set_tag_attribute_values=LINKS,
        )
    )


def _shift_headings(state: StateCore) -> None:
    """The highest ones used come right below those of the page, whatever their number."""
    headings = [token for token in state.tokens if token.type in HEADING]
    highest = min((int(token.tag[1:]) for token in headings), default=0)
    for token in headings:
        token.tag = f"h{min(int(token.tag[1:]) - highest + TOP, 6)}"


def _quote_examples(state: StateCore) -> None:
    """A paragraph "**Right:** …" is written as a quote is, with or without its ">"."""
    quoted: list[Token] = []
    is_quote = False
    for token, inline in itertools.zip_longest(state.tokens, state.tokens[1:]):
        if token.type == "paragraph_open" and not token.level:
            is_quote = WORD_EXAMPLE.match(inline.content) is not None
            if is_quote:
                quoted.append(Token("blockquote_open", "blockquote", 1, block=True))
        quoted.append(token)
        if token.type == "paragraph_close" and not token.level and is_quote:
            quoted.append(Token("blockquote_close", "blockquote", -1, block=True))
            is_quote = False
    state.tokens = quoted


def _name_examples(state: StateCore) -> None:
    """Before what stands in a line is parsed: the mark goes, the word comes."""
    tokens = state.tokens
    for quote, paragraph, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (quote.type, paragraph.type) != ("blockquote_open", "paragraph_open"):
            continue
        if found := EXAMPLE.match(inline.content):
            is_right = found[0].strip("*_").lower().startswith(RIGHT)
            right, wrong = state.env["words"]
            quote.attrSet("class", "example-right" if is_right else "example-wrong")
            word = right if is_right else wrong
            inline.content = f"**{word}** {inline.content[found.end() :]}"


def _description(renderer: Any, tokens: Sequence[Token], index: int, *rest: Any) -> str:
    return escape(tokens[index].content)


_markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_markdown.core.ruler.before("inline", "name_examples", _name_examples)
_markdown.core.ruler.before("name_examples", "quote_examples", _quote_examples)
_markdown.core.ruler.push("shift_headings", _shift_headings)
_markdown.add_render_rule("image", _description)
