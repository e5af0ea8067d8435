"""What a spreadsheet makes of a cell, and texts that try to be more than a text there."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import strategies as st

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def is_run(cell: str) -> bool:
    """Whether a spreadsheet may take it for a formula: wide forms are narrow ones to it, and what
    can't be seen at the start is passed over."""
    bare = unicodedata.normalize("NFKC", cell).lstrip(
        "".join(map(chr, range(33))) + "\x7f\u200b\u200c\u200d\u2060\ufeff\u00ad"
    )
    return bare.startswith(("=", "+", "-", "@")) and not NUMBER.fullmatch(cell)


# No NUL and no half of a surrogate pair: no reader takes them.
nasty_texts = st.text(
    st.sampled_from(" =+-@'\"\t\r\n,;|＝＋－＠\u00a0\u3000\ufeff\u200b1.eE")
    | st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    max_size=12,
)
