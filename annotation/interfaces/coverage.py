"""What an answer that leaves parts open is worth against gold.

What a worker left undecided, or did not look at, is left out of a score: it says nothing, right or
wrong. But who decides little would be scored on what is easy, and who decides nothing on nothing.
So a score counts in full from half of what the gold asks on, and below that in proportion.
"""

from __future__ import annotations

ENOUGH = 0.5  # part of what the gold asks


def worth(decided: float, asked: float) -> float:
    """What a score over `decided` of `asked` counts for, from 0 to 1."""
    return min(1.0, decided / asked / ENOUGH) if asked else 1.0
