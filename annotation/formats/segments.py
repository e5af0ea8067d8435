"""The text of a document, its tokens and its sentences, out of what a file says of them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from annotation.formats.records import MOST_TOKENS, Refused, Rules
from annotation.sentences import shown
from annotation.text.tokeniser import sentences_of, tokens_of

# What would break the line that a token has in a CoNLL file.
LINE_BREAK = re.compile(r"[\t\n\v\f\r\x1C-\x1F\x85\u2028\u2029]")
# Found in words joined by blanks wherever one of them is odd, and seldom else.
ODD = re.compile(rf"\A\s|\s\s|\s\Z|\A\Z|{LINE_BREAK.pattern}")


def read_text(fields: dict[str, Any], rules: Rules) -> tuple[str, list[list[int]]]:
    """(text, tokens). Without `tokens` the project's tokeniser cuts the text; without `text`
    it is the tokens, joined by blanks."""
    text, given = fields.get("text"), fields.get("tokens")
    if text is not None and not isinstance(text, str):
        raise Refused("value.no_text", "text")
    if given is None:
        if text is None:
            raise Refused("text.none", "text")
        tokens = tokens_of(text, rules.tokeniser, at_most=MOST_TOKENS + 1)
    elif not isinstance(given, list):
        raise Refused("tokens.no_list", "tokens")
    elif not given:
        raise Refused("words.none", "tokens")
    elif all(type(token) is str for token in given):
        text, tokens = _joined(given) if text is None else (text, _located(given, text))
    elif text is None:
        raise Refused("words.to_join", "tokens")
    else:
        tokens = _checked_pairs(given, text)
    if not tokens:
        raise Refused("words.none", "text")
    if len(tokens) > MOST_TOKENS:
        raise Refused("tokens.many", "text", most=MOST_TOKENS)
    return text, tokens


def _joined(words: list[str]) -> tuple[str, list[list[int]]]:
    text = " ".join(words)
    _refuse_odd_words(words, text)
    tokens, start = [], 0
    for word in words:
        end = start + len(word)
        tokens.append([start, end])
        start = end + 1
    return text, tokens


def _located(words: list[str], text: str) -> list[list[int]]:
    """Where the words stand in the text: in order, with nothing but blanks between them."""
    _refuse_odd_words(words, " ".join(words))
    tokens, start, size = [], 0, len(text)
    for i, word in enumerate(words):
        while start < size and text[start].isspace():
            start += 1
        if not text.startswith(word, start):
            raise Refused(
                "tokens.disagree",
                f"tokens[{i}]",
                text=shown(text[start : start + len(word) + 10]),
                start=start,
                word=shown(word),
            )
        tokens.append([start, start + len(word)])
        start += len(word)
    if rest := text[start:].strip():
        raise Refused("tokens.text_goes_on", "tokens", text=shown(rest))
    return tokens


def _refuse_odd_words(words: list[str], text: str) -> None:
    """`text` is the words joined by blanks, so that it is searched once and not each word."""
    if not ODD.search(text):
        return
    for i, word in enumerate(words):
        if not word:
            raise Refused("token.empty", f"tokens[{i}]")
        if word.strip() != word:
            raise Refused("token.blank", f"tokens[{i}]", word=shown(word))
        if LINE_BREAK.search(word):
            raise Refused("token.line_break", f"tokens[{i}]")


def _checked_pairs(given: list[Any], text: str) -> list[list[int]]:
    last, size = 0, len(text)
    breaks = LINE_BREAK.search(text) is not None
    for i, pair in enumerate(given):
        if not _is_pair(pair):
            raise Refused("token.no_pair", f"tokens[{i}]")
        start, end = pair
        if not 0 <= start < end <= size:
            raise Refused("token.outside", f"tokens[{i}]", start=start, end=end, number=size)
        if start < last:
            raise Refused("token.overlaps", f"tokens[{i}]", start=start, end=end, last=last)
        if text[start].isspace() or text[end - 1].isspace():
            raise Refused("token.blank", f"tokens[{i}]", word=shown(text[start:end]))
        if breaks and LINE_BREAK.search(text, start, end):
            raise Refused("token.line_break", f"tokens[{i}]")
        last = end
    return given


def _is_pair(pair: Any) -> bool:
    return type(pair) is list and len(pair) == 2 and type(pair[0]) is type(pair[1]) is int


def read_sentences(fields: dict[str, Any], text: str, tokens: list[list[int]]) -> list[list[int]]:
    """Of `sentences` ([first, last) tokens), else of `sent_starts`, else found in the text."""
    count = len(tokens)
    if (given := fields.get("sentences")) is not None:
        if not isinstance(given, list) or not all(map(_is_pair, given)):
            raise Refused("sentences.no_pairs", "sentences")
        expected = 0
        for i, (first, last) in enumerate(given):
            if first != expected or last <= first:
                pair = {"first": first, "last": last}
                raise Refused("sentences.gap", f"sentences[{i}]", **pair, expected=expected)
            expected = last
        if expected != count:
            raise Refused("sentences.end", "sentences", last=expected, number=count)
        return given
    if (given := fields.get("sent_starts")) is not None:
        if not isinstance(given, list) or not all(type(first) is int for first in given):
            raise Refused("starts.no_numbers", "sent_starts")
        pairs = [list(pair) for pair in pairwise([*given, count])]
        if given[:1] != [0] or any(last <= first for first, last in pairs):
            raise Refused("starts.order", "sent_starts", number=count)
        return pairs
    return sentences_of(text, tokens)
