"""Text → tokens → sentences. Offsets are Unicode code points.

A token never begins or ends inside a grapheme cluster (what a reader counts as one character: a
letter with its accents, a flag, an emoji family), and every visible character is in a token.
White space, control and invisible format characters stand between tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

import regex

# Sets for the V1 syntax of `regex`. PREPEND: signs such as U+0600 that join what follows.
PREPEND = r"\p{GCB=Prepend}"
BLANK = rf"[\s\p{{Cc}}[\p{{Cf}}--{PREPEND}]]"
# What a grapheme cluster goes on with: marks, joiners, skin tones.
EXTEND = r"[\p{M}\p{GCB=Extend}\p{GCB=SpacingMark}\u200D]"
# Scripts that put no blank between words: each grapheme is a token, so that any word can be
# selected. `scx` and not the script alone, because the long-vowel mark of kana is shared.
UNSPACED = r"\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Line_Break=Complex_Context}"
LETTER = rf"[[\p{{L}}\p{{N}}]--[{UNSPACED}\p{{Extended_Pictographic}}{PREPEND}]]"
MORE = rf"[{LETTER}{EXTEND}\u00AD]"  # what a word goes on with: also a soft hyphen
# A token of its own unless something extends it: a sign, or a letter of an unspaced script.
SINGLE = (
    rf"[[\p{{L}}\p{{N}}\p{{P}}\p{{S}}]--[{LETTER}\p{{Extended_Pictographic}}{PREPEND}{EXTEND}]]"
)

RUN = rf"(?:{PREPEND}*+{LETTER}{MORE}*+)++"
CLITIC = rf"['’][sS](?!{MORE})"
JOINER = rf"(?:(?<=[\p{{L}}\p{{M}}])(?!{CLITIC})['’](?={LETTER})|(?<=\p{{Nd}})[.,٫٬](?=\p{{Nd}}))"
# One cluster. The first branch keeps a blank out of the cluster that it would be part of; the
# second is the flags, for which \X looks back over all flags before: quadratic in a row of them.
CHARACTER = rf"{PREPEND}++(?=\s)|\p{{Regional_Indicator}}{{1,2}}+{EXTEND}*+|(?!{BLANK})\X"

PATTERNS = {
    # O'Brien and 1,200.50 stay whole; the 's of "Ada's" is its own token, because the name that
    # a worker marks ends before it.
    "words": regex.compile(rf"{RUN}(?:{JOINER}{RUN})*+|(?<={MORE}){CLITIC}|{CHARACTER}", regex.V1),
    "whitespace": regex.compile(rf"(?!{BLANK})[^\s\p{{Cc}}]++", regex.V1),
    "characters": regex.compile(CHARACTER, regex.V1),
}

# The basic plane without surrogates.
BASIC = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10000))))

OPENING = r"[\p{Ps}\p{Pi}\p{Pf}\"']"
CLOSING = r"[\p{Pe}\p{Pi}\p{Pf}\"']"
STOP = r"[\p{Sentence_Terminal}…]"
WIDE_STOP = "[。｡．！？]"  # no blank follows these

SENTENCE_END = regex.compile(
    rf"[\n\v\f\r\x85\u2028\u2029]"
    rf"|(?<!{STOP}){STOP}++(?<={WIDE_STOP})(?:(?!{CLOSING})|{CLOSING}++(?=[\s{OPENING}]))"
    rf"|(?<!{STOP})(?P<stop>{STOP}++){CLOSING}*+(?=\s++(?!{OPENING}*+\p{{Ll}})(?P<number>\p{{N}})?)",
    regex.V1,
)
# The dotted word that ends at a full stop: "Mr", "e.g", "U.S", "J".
LAST_WORD = regex.compile(r"(?<![\p{L}\p{M}\p{N}.])[\p{L}\p{M}.]++\Z", regex.V1)
INITIAL = regex.compile(r"(?:.*\.)?\p{Lu}\p{M}*+\Z", regex.V1)
LONGEST_ABBREVIATION = 12

# fmt: off
ABBREVIATIONS = {
    "adm", "al", "approx", "bzw", "ca", "capt", "cf", "cmdr", "col", "d.h", "dr", "e.g", "fr",
    "gen", "gov", "hon", "hr", "i.e", "lt", "maj", "messrs", "mgr", "mlle", "mme", "mr", "mrs",
    "ms", "mt", "mx", "pres", "prof", "rep", "rev", "sen", "sgt", "st", "u.a", "usw", "viz", "vs",
    "z.b",
}
BEFORE_A_NUMBER = {
    "apr", "art", "aug", "ch", "chap", "dec", "eq", "feb", "fig", "figs", "jan", "jul", "jun",
    "mar", "no", "nos", "nov", "nr", "oct", "p", "par", "pp", "sec", "sect", "sep", "sept", "vol",
    "vols",
}
# fmt: on


def tokens_of(text: str, mode: str, *, at_most: int | None = None) -> list[list[int]]:
    """[start, end) of each token, in order; no more than `at_most` are looked for.

    `mode` is one of Project.Tokeniser.
    """
    return list(map(list, spans_of(text, mode, at_most=at_most)))


def spans_of(text: str, mode: str, *, at_most: int | None = None) -> list[tuple[int, int]]:
    """The same as pairs that can't be changed, in less time."""
    pattern = PATTERNS[mode]
    if mode != "words":
        return [found.span() for found in islice(pattern.finditer(text), at_most)]
    found = islice(_plain_words().finditer(text), at_most)
    if text.isascii():  # both patterns agree
        return list(map(re.Match.span, found))
    spans: list[tuple[int, int]] = []
    for match in found:
        if match.lastindex is None:
            spans.append(match.span())
        else:
            words = pattern.finditer(text, *match.span())
            spans += [word.span() for word in islice(words, at_most)]
    return spans[:at_most]


@cache
def _plain_words() -> re.Pattern[str]:
    """PATTERNS["words"] for `re`, whose sets are bitmaps, where one look at the next character
    shows that both agree; else its one group takes everything up to the next blank.

    Built at the first use (a tenth of a second), so that a web process never pays for it.
    """
    letter, more, extend, single, digit, joined = map(
        _basic_members, (LETTER, MORE, EXTEND, SINGLE, r"\p{Nd}", r"[\p{L}\p{M}]")
    )
    beyond = r"\U00010000-\U0010FFFF"  # never in a bitmap
    special = beyond + _basic_members(PREPEND)
    clitic = f"['’][sS](?![{more}{beyond}])"
    run = f"[{letter}][{more}]*+"
    joiner = f"(?:(?<=[{joined}])(?!{clitic})['’](?=[{letter}])|(?<=[{digit}])[.,٫٬](?=[{digit}]))"
    return re.compile(
        f"{run}(?:{joiner}{run})*+(?!['’.,٫٬]?[{special}])"
        f"|(?<=[{more}]){clitic}"
        f"|(?!['’][sS][{beyond}])[{single}](?![{extend}{special}])"
        f"|([^{_basic_members(BLANK)}]\\S*+)"
    )


def _basic_members(characters: str) -> str:
    """The members of a `regex` set below U+10000, as the inside of an `re` set."""
    found = [match.span() for match in regex.finditer(characters + "+", BASIC, regex.V1)]
    return "".join(
        f"\\u{ord(BASIC[start]):04X}-\\u{ord(BASIC[end - 1]):04X}" for start, end in found
    )


def sentences_of(text: str, tokens: Sequence[Sequence[int]]) -> list[list[int]]:
    """[first token, last token) of each sentence; together they hold all tokens, in order.

    A sentence ends at a line break, and at a stop that a blank follows (a wide stop needs none)
    unless a lower-case letter comes next or the stop belongs to an abbreviation or an initial.
    Closing quotes and brackets stay with their sentence.
    """
    if not tokens:
        return []
    if _may_end().search(text, 0, tokens[-1][0]) is None:  # of most short texts
        return [[0, len(tokens)]]
    sentences, first = [], 0
    for end in _sentence_ends(text):
        following = bisect_left(tokens, end, lo=first, key=_start)
        if following == len(tokens):
            break
        if following > first:
            sentences.append([first, following])
            first = following
    if first < len(tokens):
        sentences.append([first, len(tokens)])
    return sentences


def _start(token: Sequence[int]) -> int:
    return token[0]


@cache
def _may_end() -> re.Pattern[str]:
    """What no sentence ends without, for `re`: a line break or a stop (all beyond the basic
    plane count as one). Built at the first use."""
    return re.compile(rf"[{_basic_members(STOP)}\n\v\f\r\x85\u2028\u2029\U00010000-\U0010FFFF]")


def _sentence_ends(text: str) -> Iterator[int]:
    for match in SENTENCE_END.finditer(text):
        if match["stop"] != "." or not _is_abbreviated(text, match):
            yield match.end()


def _is_abbreviated(text: str, match: regex.Match[str]) -> bool:
    """Whether the full stop found by `match` belongs to the word before it."""
    at = match.start()
    word = LAST_WORD.search(text, max(0, at - LONGEST_ABBREVIATION), at)
    if word is None:
        return False
    name = word[0].casefold()
    if match["number"]:
        return name in BEFORE_A_NUMBER or name in ABBREVIATIONS
    return name in ABBREVIATIONS or INITIAL.match(word[0]) is not None
