import pytest

from aggregation.algorithms.sequences.crf import words


@pytest.mark.parametrize(
    ("word", "shape", "long_shape"),
    [
        ("Mary", "Xx", "Xxxx"),
        ("Angela", "Xx", "Xxxxx"),
        ("McDonald", "XxXx", "XxXxxxx"),
        ("U.S.", "X.X.", "X.X."),
        ("1996-08-23", "9-9-9", "9999-99-99"),
        ("------", "-", "----"),
        ("", "", ""),
        ("Żółw", "Xx", "Xxxx"),
        ("Ǆ", "X", "X"),
        ("ǅ", "X", "X"),
        ("東京タワー", "a", "aaaa"),
        ("हिन्दी", "a", "aaa"),  # vowel signs belong to their letters
        ("٣٤", "9", "99"),
        ("😀😀", "😀", "😀😀"),
        ("\n\n", "\n", "\n\n"),
        ("\ud800", "\ud800", "\ud800"),  # half of a character, as a broken file has it
    ],
)
def test_shapes(word, shape, long_shape):
    assert words.shape(word) == shape
    assert words.long_shape(word) == long_shape


@pytest.mark.parametrize(
    ("word", "case"),
    [
        ("mary", "lower"),
        ("Mary", "initial"),
        ("MARY", "upper"),
        ("U.S.", "upper"),
        ("A", "single"),
        ("A.", "single"),
        ("McDonald", "inner"),
        ("iPhone", "mixed"),
        ("1st", "lower"),
        ("Élan", "initial"),
        ("ǅ", "initial"),
        ("Ὀδυσσεύς", "initial"),
        ("東京", None),
        ("1996", None),
        ("", None),
    ],
)
def test_case(word, case):
    assert words.case(word) == case


@pytest.mark.parametrize(
    ("word", "digits"),
    [("1", "1"), ("1996", "4"), ("12345", "5-"), ("123456", "5-"), ("4th", "some"),
     ("1.5", "some"), ("٣٤", "2"), ("four", None), ("", None)],
)  # fmt: skip
def test_digits(word, digits):
    assert words.digits(word) == digits


@pytest.mark.parametrize(
    ("word", "marks"),
    [("...", "all"), ("U.S.", "."), ("twenty-one's", "-"), ("word", None), ("1996", None),
     ("हिन्दी", None), ("", None)],
)  # fmt: skip
def test_marks(word, marks):
    assert words.marks(word) == marks


def test_flags_are_case_digits_and_marks():
    assert words.flags("Boeing-747") == "initial,some,-"
    assert words.flags("Boeing") == "initial,,"
    assert words.flags("東京") == ",,"


def test_affixes_are_no_longer_than_the_word():
    assert [words.prefix(n, "Ann") for n in (2, 3, 4)] == ["An", "Ann", None]
    assert [words.suffix(n, "Ann") for n in (2, 3, 4)] == ["nn", "Ann", None]
