import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.models import Project
from annotation.text.tokeniser import BASIC, BLANK, PATTERNS, STOP, sentences_of, tokens_of

FAMILY = "👨‍👩‍👧‍👦"
# Pieces that have tripped tokenisers; texts are made of these and of any characters between.
PIECES = [
    "O'Brien", "Ada’s", "1,200.50", "1٬200", "don't", "e.g.", "U.S.", " ", "\n", "...", ".", "。",
    "'", "’", "s", "S", "é", "e\u0301", "\u0301", FAMILY, "🇩🇪", "🇩", "🏳️‍🌈", "👍🏽", "1️⃣", "\u200d",
    "\u200b", "\u200e", "\ufeff", "\u00ad", "\u00a0", "東京", "カー", "สวัสดี", "กำ", "हिन्दी",
    "한국어", "מתקפה", "مرحبا", "\u0600", "𝐀", "𝟏", "𠀀", "ℹ", "№", "İ", "ß", "\x1c", "\r\n", "𑀓𑁆",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=12).map("".join)
modes = st.sampled_from(Project.Tokeniser.values)


def words(text, mode="words"):
    return [text[start:end] for start, end in tokens_of(text, mode)]


def sentences(text):
    tokens = tokens_of(text, "words")
    return [
        text[tokens[first][0] : tokens[last - 1][1]] for first, last in sentences_of(text, tokens)
    ]


@given(texts, modes)
def test_tokens_stand_in_order_and_cover_every_visible_character(text, mode):
    covered = set()
    last = 0
    for start, end in tokens_of(text, mode):
        assert last <= start < end <= len(text)
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        covered.update(range(start, end))
        last = end
    blank = {match.start() for match in regex.finditer(BLANK, text, regex.V1)}
    assert covered | blank == set(range(len(text)))


@given(texts, st.sampled_from(["words", "characters"]))
def test_no_token_begins_or_ends_inside_what_a_reader_counts_as_one_character(text, mode):
    inside = set()
    for match in regex.finditer(r"\X", text):
        # A blank takes the marks after it into its cluster; a token begins after the blank.
        if not regex.search(r"\s|\p{Cc}|\p{Cf}", match[0][0]) and not match[0][-1].isspace():
            inside.update(range(match.start() + 1, match.end()))
    for token in tokens_of(text, mode):
        assert not inside & set(token)


@given(st.one_of(texts, st.text(st.characters(codec="ascii"), max_size=30)))
@example("1's😀")
@example("O'Brien'0")
@example("a's𝐀")
@example("a's😀'sб")
@example("1.𝟏,1")
@example("x\u06001'sa")
def test_the_fast_way_finds_the_same_words_as_the_pattern_that_defines_them(text):
    assert tokens_of(text, "words") == [
        list(match.span()) for match in PATTERNS["words"].finditer(text)
    ]


@given(texts, modes, st.integers(0, 5))
def test_at_most_so_many_tokens_are_looked_for(text, mode, most):
    assert tokens_of(text, mode, at_most=most) == tokens_of(text, mode)[:most]


@given(texts, modes)
def test_sentences_hold_all_tokens_once_and_in_order(text, mode):
    tokens = tokens_of(text, mode)
    expected = 0
    for first, last in sentences_of(text, tokens):
        assert first == expected < last
        expected = last
    assert expected == len(tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada's café, don't!", ["Ada", "'s", "café", ",", "don't", "!"]),
        ("O'Brien and O’Brien", ["O'Brien", "and", "O’Brien"]),
        ("the dogs' rock 'n' roll", ["the", "dogs", "'", "rock", "'", "n", "'", "roll"]),
        ("$1,200.50 at 12:30.", ["$", "1,200.50", "at", "12", ":", "30", "."]),
        ("Anglo-Saxon a_b", ["Anglo", "-", "Saxon", "a", "_", "b"]),
        ("东京 2023年", ["东", "京", "2023", "年"]),
        ("カード", ["カ", "ー", "ド"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("مرحبا، ١٬٢٠٠", ["مرحبا", "،", "١٬٢٠٠"]),
        (f"a{FAMILY}🇩🇪🇫🇷", ["a", FAMILY, "🇩🇪", "🇫🇷"]),
        ("cafe\u0301s 1️⃣ co\u00adop", ["cafe\u0301s", "1️⃣", "co\u00adop"]),
        ("a\u200bb\u200f c", ["a", "b", "c"]),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_whitespace_keeps_together_what_has_no_blank_inside():
    assert words("O'Brien, don't\u00a0!", "whitespace") == ["O'Brien,", "don't", "!"]


def test_characters_are_what_a_reader_counts():
    assert words(f"e\u0301a {FAMILY}🇩🇪", "characters") == ["e\u0301", "a", FAMILY, "🇩🇪"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She came. He left.", ["She came.", "He left."]),
        ("She came\nHe left", ["She came", "He left"]),
        ("Mr. Smith met J. K. Rowling.", ["Mr. Smith met J. K. Rowling."]),
        ("The U.S. president spoke.", ["The U.S. president spoke."]),
        ("On Jan. 5 it rained. Then not.", ["On Jan. 5 it rained.", "Then not."]),
        ("It is No. 5. No. Really?", ["It is No. 5.", "No.", "Really?"]),
        ("It weighs 5.5 kg. 3 kg more.", ["It weighs 5.5 kg.", "3 kg more."]),
        ('"Stop!" he said. "Go."', ['"Stop!" he said.', '"Go."']),
        ("(She went.) So!", ["(She went.)", "So!"]),
        ("Well... maybe. Or not… Yes", ["Well... maybe.", "Or not…", "Yes"]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("「すごい！」と言った。そう。", ["「すごい！」と言った。", "そう。"]),
        ("「はい。」「いいえ。」", ["「はい。」", "「いいえ。」"]),
        ("नमस्ते। आप कैसे हैं?", ["नमस्ते।", "आप कैसे हैं?"]),
        ("هل وصلت؟ نعم.", ["هل وصلت؟", "نعم."]),
        ("Ada was here . She left .", ["Ada was here .", "She left ."]),
        ("example.com is up", ["example.com is up"]),
        (" \n ", []),
    ],
)  # fmt: skip
def test_sentences(text, expected):
    assert sentences(text) == expected


def test_a_text_is_cut_at_every_stop_whatever_the_short_way_round_texts_without_one():
    beyond = "".join(map(chr, range(0x10000, 0x20000)))
    stops = regex.findall(STOP, BASIC + beyond, regex.V1) + list("\n\v\f\r\x85\u2028\u2029")
    assert len(stops) > 100
    assert [stop for stop in stops if len(sentences(f"one{stop} Two")) != 2] == []
    assert sentences_of("", []) == []


@pytest.mark.parametrize(
    "piece", [".", "🇩", "a'", "\u0600", "。」", '!"', ". ", "1,", "\u200d", "नि"]
)
def test_long_rows_of_one_thing_take_no_more_than_their_length(piece):
    """Each of these made some pattern look back or ahead over the whole row at every step."""
    text = piece * 30_000
    for mode in Project.Tokeniser.values:
        sentences_of(text, tokens_of(text, mode))
