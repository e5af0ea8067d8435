"""What is seen of a word alone, in any script: each view of it is a string, or None."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial

AFFIXES = (2, 3, 4)  # lengths of prefixes and suffixes, in characters
LONGEST_RUN = 4  # of equal characters in a long shape
LETTERS = {"Lu": "X", "Lt": "X", "Ll": "x", "Lm": "a", "Lo": "a"}


class _Shapes(dict[int, str]):
    """Of each character, found when it is met for the first time: X and x for upper and lower
    case, a for a letter of a script without case, 9 for a digit; marks belong to the letter before
    them, and everything else stands for itself."""

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))
        if category.startswith("M"):
            shape = ""
        elif category.startswith("N"):
            shape = "9"
        else:
            shape = LETTERS.get(category, chr(code))
        self[code] = shape
        return shape


_SHAPES = _Shapes()
_RUN = re.compile(r"(.)\1+", re.DOTALL)
_LONG_RUN = re.compile(rf"((.)\2{{{LONGEST_RUN - 1}}})\2+", re.DOTALL)


def shape(word: str) -> str:
    """Each run is one character: "Xx" of "Mary", "X.X." of "U.S.", "9-9" of "1996-08"."""
    return _RUN.sub(r"\1", word.translate(_SHAPES))


def long_shape(word: str) -> str:
    """Runs are at most four characters: "Xxx" of "Ann", "Xxxxx" of "Angela", "9999" of "1996"."""
    return _LONG_RUN.sub(r"\1", word.translate(_SHAPES))


def case(word: str) -> str | None:
    """None without a letter that has a case."""
    if word.isupper():
        return "upper" if sum(map(str.isupper, word)) > 1 else "single"
    if word.islower():
        return "lower"
    if is_capitalised(word):
        return "initial" if not any(map(str.isupper, word[1:])) else "inner"
    return "mixed" if any(map(_has_case, word)) else None


def digits(word: str) -> str | None:
    """How many where there is nothing else ("5-" for five and more), or "some"."""
    n = sum(map(str.isdigit, word))
    if not n:
        return None
    if n < len(word):
        return "some"
    return str(n) if n < 5 else "5-"


def marks(word: str) -> str | None:
    """What else there is but letters and digits: None for nothing, "all" where there is nothing
    but marks, else the first of them."""
    others = [c for c in word.translate(_SHAPES) if c not in "Xxa9"]
    if not others:
        return None
    return "all" if not any(map(str.isalnum, word)) else others[0]


def flags(word: str) -> str:
    """Case, digits and marks at once."""
    return f"{case(word) or ''},{digits(word) or ''},{marks(word) or ''}"


def prefix(length: int, word: str) -> str | None:
    return word[:length] if len(word) >= length else None


def suffix(length: int, word: str) -> str | None:
    return word[-length:] if len(word) >= length else None


def is_capitalised(word: str) -> bool:
    """Whether its first character is a letter in upper case."""
    return word[:1].isupper() or word[:1].istitle()


def is_small(word: str) -> bool:
    return word[:1].islower()


def has_lower(word: str) -> bool:
    return any(map(str.islower, word))


def has_upper(word: str) -> bool:
    return any(map(str.isupper, word))


def _has_case(character: str) -> bool:
    return character.isupper() or character.islower()


VIEWS: dict[str, Callable[[str], str | None]] = {
    "word": str,
    "lower": str.lower,
    "shape": shape,
    "long_shape": long_shape,
    "case": case,
    "digits": digits,
    "marks": marks,
    "flags": flags,
    **{f"prefix{n}": partial(prefix, n) for n in AFFIXES},
    **{f"suffix{n}": partial(suffix, n) for n in AFFIXES},
}
