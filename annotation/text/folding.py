"""Names in the one form in which they are compared: a query and a row fold to the same text."""

from __future__ import annotations

import re
import unicodedata

# What NFKD leaves whole although readers take it for a letter with a mark, and signs that
# keyboards write in more than one way.
SINGLE = str.maketrans(
    {
        "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "ŋ": "n",
        "æ": "ae", "œ": "oe", "þ": "th", "ĸ": "k",
        "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"',
        "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "ـ": "",
    }
)  # fmt: skip

# Accents of Latin, Greek and Cyrillic, and the vowel points of Hebrew and Arabic, which writers
# leave out; joiners, direction marks and soft hyphens, which nobody sees. Other marks are letters
# to their readers: か and が, कि and कु stay apart.
DROPPED = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0655"
    "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+"
)


def fold(text: str) -> str:
    """Lower case, without accents and invisible characters, words by single blanks.

    Where nothing would be left, only case and blanks are folded.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # Signs come first, for ´ is two characters once it is decomposed; and again, for ǿ is ø then.
    split = unicodedata.normalize("NFKD", text.casefold().translate(SINGLE))
    kept = unicodedata.normalize("NFC", DROPPED.sub("", split)).casefold().translate(SINGLE)
    return " ".join(kept.split()) or " ".join(text.casefold().split())
