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
BROKEN_WORD = "There is a tab or a line break in this token. Cut it there."


def read_text(fields: dict[str, Any], rules: Rules) -> tuple[str, list[list[int]]]:
    """(text, tokens). Without `tokens` the project's tokeniser cuts the text; without `text`
    it is the tokens, joined by blanks."""
    text, given = fields.get("text"), fields.get("tokens")
    if text is not None and not isinstance(text, str):
        raise Refused("text", "This is no text.")
    if given is None:
        if text is None:
            raise Refused("text", "There is neither text nor tokens. Give one of the two.")
        tokens = tokens_of(text, rules.tokeniser, at_most=MOST_TOKENS + 1)
    elif not isinstance(given, list):
        raise Refused("tokens", "This is no list. Give a list of words, or of [start, end] pairs.")
    elif not given:
        raise Refused("tokens", "There are no words in it.")
    elif all(type(token) is str for token in given):
        text, tokens = _joined(given) if text is None else (text, _located(given, text))
    elif text is None:
        raise Refused("tokens", "There are no words to join. Give words, or the text as well.")
    else:
        tokens = _checked_pairs(given, text)
    if not tokens:
        raise Refused("text", "There are no words in it.")
    if len(tokens) > MOST_TOKENS:
        raise Refused(
            "text", f"There are more than {MOST_TOKENS:,} tokens. Cut the document into parts."
        )
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
                f"tokens[{i}]",
                f"The text goes on with '{shown(text[start : start + len(word) + 10])}' at "
                f"{start}, and not with '{shown(word)}'. Tokens and text have to agree.",
            )
        tokens.append([start, start + len(word)])
        start += len(word)
    if rest := text[start:].strip():
        raise Refused("tokens", f"The text goes on after the last token: '{shown(rest)}'.")
    return tokens


def _refuse_odd_words(words: list[str], text: str) -> None:
    """`text` is the words joined by blanks, so that it is searched once and not each word."""
    if not ODD.search(text):
        return
    for i, word in enumerate(words):
        if not word or word.strip() != word:
            raise Refused(
                f"tokens[{i}]",
                f"'{shown(word)}' begins or ends with a blank. Leave it out."
                if word
                else "This token is empty. Leave it out.",
            )
        if LINE_BREAK.search(word):
            raise Refused(f"tokens[{i}]", BROKEN_WORD)


def _checked_pairs(given: list[Any], text: str) -> list[list[int]]:
    last, size = 0, len(text)
    breaks = LINE_BREAK.search(text) is not None
    for i, pair in enumerate(given):
        if not _is_pair(pair):
            raise Refused(f"tokens[{i}]", "This is no [start, end] pair of whole numbers.")
        start, end = pair
        if not 0 <= start < end <= size:
            raise Refused(
                f"tokens[{i}]",
                f"[{start}, {end}] is empty or lies outside the text of {size} characters.",
            )
        if start < last:
            raise Refused(
                f"tokens[{i}]",
                f"[{start}, {end}] begins before the end of the token before, {last}. "
                "Tokens stand in order and do not overlap.",
            )
        if text[start].isspace() or text[end - 1].isspace():
            raise Refused(
                f"tokens[{i}]",
                f"'{shown(text[start:end])}' begins or ends with a blank. Leave it out.",
            )
        if breaks and LINE_BREAK.search(text, start, end):
            raise Refused(f"tokens[{i}]", BROKEN_WORD)
        last = end
    return given


def _is_pair(pair: Any) -> bool:
    return type(pair) is list and len(pair) == 2 and type(pair[0]) is type(pair[1]) is int


def read_sentences(fields: dict[str, Any], text: str, tokens: list[list[int]]) -> list[list[int]]:
    """Of `sentences` ([first, last) tokens), else of `sent_starts`, else found in the text."""
    count = len(tokens)
    if (given := fields.get("sentences")) is not None:
        if not isinstance(given, list) or not all(map(_is_pair, given)):
            raise Refused("sentences", "This is no list of [first token, last token] pairs.")
        expected = 0
        for i, (first, last) in enumerate(given):
            if first != expected or last <= first:
                raise Refused(
                    f"sentences[{i}]",
                    f"[{first}, {last}] does not go on at token {expected}. Sentences hold all "
                    "tokens, each once, and the second number is the first token after.",
                )
            expected = last
        if expected != count:
            raise Refused("sentences", f"They end at token {expected} of {count}.")
        return given
    if (given := fields.get("sent_starts")) is not None:
        if not isinstance(given, list) or not all(type(first) is int for first in given):
            raise Refused("sent_starts", "This is no list of token numbers.")
        pairs = [list(pair) for pair in pairwise([*given, count])]
        if given[:1] != [0] or any(last <= first for first, last in pairs):
            raise Refused(
                "sent_starts",
                f"The numbers have to begin with 0, to grow, and to stay under {count}, the "
                "number of tokens.",
            )
        return pairs
    return sentences_of(text, tokens)
