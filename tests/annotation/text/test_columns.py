"""Tables whose cells are parted by tabs."""

import re

from annotation.text.columns import column_gaps


def laid(text: str) -> list[str]:
    """The lines of a text as they are drawn, with stops of eight letters."""
    words = list(re.finditer(r"\S+", text))
    tokens = [word[0] for word in words]
    edges = [0, *(edge for word in words for edge in word.span()), len(text)]
    gaps = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    drawn = [column_gaps(tokens, gaps).get(i, gap) for i, gap in enumerate(gaps)]
    whole = "".join(gap + token for gap, token in zip(drawn, [*tokens, ""], strict=True))
    return whole.expandtabs(8).split("\n")


def test_each_column_begins_below_its_head_whatever_its_cells_are():
    lines = laid(
        "Ships\tand\tports :\nNo one\nName\tPort\tMaster\tLost\n"
        "Northern Star\tPort Lund of the North\tFalk\tMay\nDorn\t\tRuth Okafor\tJune\n"
        "\tKiel\tA\tMay"
    )
    assert lines[:2] == ["Ships   and     ports :", "No one"]  # one line is no table
    for words in (("Port", "Port", "", "Kiel"), ("Master", "Falk", "Ruth", "A"),
                  ("Lost", "May", "June", "May")):  # fmt: skip
        places = {line.find(word) for line, word in zip(lines[2:], words, strict=True) if word}
        assert len(places) == 1, words


def test_what_is_no_table_stays_as_it_is():
    spaced = "Name   Port   Lost\nDorn   Kiel   May"
    for text in ("Ada met Bob .", "A:\tI came late .\nB:\tWhy ?", spaced):
        assert laid(text) == text.expandtabs(8).split("\n")
