import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.folding import fold


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Ada Lovelace", "ada  lovelace "),
        ("Café Élysée", "cafe elysee"),
        ("Łódź", "lodz"),
        ("Straße", "STRASSE"),
        ("Þórshöfn", "thorshofn"),
        ("Йошкар-Ола", "иошкар-ола"),
        ("İstanbul", "istanbul"),
        ("Ａｄａ", "ada"),
        ("O’Brien", "o'brien"),
        ("Jean–Luc", "jean-luc"),
        ("مُحَمَّد", "محمد"),
        ("שָׁלוֹם", "שלום"),
        ("می‌خواهم", "میخواهم"),
    ],
)
def test_what_is_typed_meets_what_is_written(written, typed):
    assert fold(written) == fold(typed)


@pytest.mark.parametrize(("one", "other"), [("か", "が"), ("कि", "कु"), ("東京", "東"), ("a", "b")])
def test_marks_that_make_another_letter_stay(one, other):
    assert fold(one) != fold(other)


def test_a_name_of_marks_alone_is_not_folded_away():
    assert fold("\u0301") == "\u0301"


@given(st.text())
def test_folding_twice_changes_nothing_and_leaves_no_blank_at_an_end(text):
    once = fold(text)
    assert fold(once) == once
    assert once == " ".join(once.split())
