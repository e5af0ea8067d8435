from evaluation.formats.wording import AROUND, passage


def test_a_passage_has_both_mentions_and_whole_words():
    text = "before " * 60 + "Ada was born in London " + "after " * 60
    a, c = text.index("Ada"), text.index("London")
    found = passage(text, (a, a + 3, c, c + 6))
    assert "Ada was born in London" in found
    assert set(found.split()) == {"…", "before", "Ada", "was", "born", "in", "London", "after"}
    assert len(found) <= 2 * AROUND + 30
    short = "Ada was born in London."
    assert passage(short, (0, 3, 16, 22)) == short
    glued = "x" * 500 + " Ada was born in London " + "y" * 500
    assert passage(glued, (501, 504, 517, 523)).strip("… ") == "Ada was born in London"
