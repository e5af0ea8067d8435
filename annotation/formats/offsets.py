"""Places in a text as programs in Java and JavaScript count them: in UTF-16 code units."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate


class CodeUnits:
    """Of one text. Only a character beyond U+FFFF counts for two: most texts have none."""

    def __init__(self, text: str):
        self._starts: list[int] | None = None
        if not text.isascii() and max(text, default="") > "\uffff":
            sizes = (1 + (character > "\uffff") for character in text)
            self._starts = list(accumulate(sizes, initial=0))

    def code_point(self, unit: int) -> int:
        """Where the character is that begins at a code unit, or holds it."""
        return unit if self._starts is None else bisect_left(self._starts, unit)

    def unit(self, code_point: int) -> int:
        return code_point if self._starts is None else self._starts[code_point]
