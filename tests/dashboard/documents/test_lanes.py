import itertools

from hypothesis import given
from hypothesis import strategies as st

from dashboard.documents import lanes
from dashboard.documents.lanes import Lane, LaneText, Mark, Word, lay_out, plain_words


def text_of(words: str, sentences=None) -> LaneText:
    tokens = words.split()
    gaps = ["", *[" "] * (len(tokens) - 1), ""] if tokens else [""]
    return LaneText(tokens, gaps, sentences or [[0, len(tokens)]])


def laid(text: LaneText, *marks: Mark, key: str = "worker", part: int = 1):
    return lay_out(text, plain_words(text), [], [Lane(key, "ada", marks)], part)


def pieces(part) -> list[tuple[int, int, bool, bool]]:
    return [
        (piece.first, piece.last, piece.starts, piece.ends)
        for passage in part.passages
        for segment in passage
        for row in segment.below
        for piece in row.pieces
    ]


def words(part) -> list[list[str]]:
    return [[word.text for word in segment.words] for segment in itertools.chain(*part.passages)]


def test_segment_ends_where_its_room_does():
    assert words(laid(text_of("one two three four five six"))) == [
        ["one ", "two ", "three ", "four "],
        ["five ", "six"],
    ]


def test_segment_never_crosses_a_sentence():
    text = text_of("Go . Run .", sentences=[[0, 2], [2, 4]])
    assert words(laid(text)) == [["Go ", ". "], ["Run ", "."]]


def test_comma_stays_with_its_word():
    text = LaneText(["seventeen", "small", "boats", ","], ["", " ", " ", "", ""], [[0, 4]])
    assert words(laid(text)) == [["seventeen ", "small "], ["boats", ","]]


def test_span_of_the_consensus_stays_together_where_it_can():
    text = text_of("They came from Port Lund")
    mark = Mark(3, 5, "LOC", 2)
    above = lay_out(text, plain_words(text), [Lane("consensus", "Consensus", [mark])], [])
    assert words(above) == [["They ", "came ", "from "], ["Port ", "Lund"]]


def test_wide_letters_take_two_places():
    text = LaneText(list("東京大阪京都神戸奈良"), [""] * 11, [[0, 10]])
    assert [len(segment) for segment in words(laid(text))] == [8, 2]


def test_mark_is_cut_into_the_pieces_of_its_segments():
    part = laid(text_of("one two three four five six"), Mark(1, 5, "PER", 1))
    assert pieces(part) == [(2, 5, True, False), (1, 2, False, True)]


def test_marks_inside_each_other_make_the_lane_deeper_up_to_a_limit():
    inner = [Mark(0, end, "PER", 1) for end in range(1, 9)]
    assert Lane("worker", "ada", inner[:2]).depth == 2
    assert Lane("worker", "ada", inner).depth == lanes.DEEPEST
    assert Lane("worker", "ada", []).depth == 1
    assert Lane("worker", "ada", [Mark(0, 2, "PER", 1), Mark(2, 3, "PER", 1)]).depth == 1


def test_new_line_begins_a_new_passage():
    text = LaneText(["Dear", "Otto", "Send", "wool"], ["", " ", "\n\n", " ", "\n"], [[0, 4]])
    part = laid(text)
    assert [len(passage) for passage in part.passages] == [1, 1]
    assert words(part) == [["Dear ", "Otto "], ["Send ", "wool "]]


def test_long_document_is_shown_in_parts(monkeypatch):
    monkeypatch.setattr(lanes, "PASSAGE_TOKENS", 10)
    monkeypatch.setattr(lanes, "PART_TOKENS", 20)
    text = text_of("a " * 50, sentences=[[i, i + 5] for i in range(0, 50, 5)])
    mark = Mark(18, 23, "PER", 1)
    parts = [laid(text, mark, part=number) for number in (1, 2, 3)]
    assert [(part.start, part.end) for part in parts] == [(0, 20), (20, 40), (40, 50)]
    assert {part.parts for part in parts} == {3}
    assert sum(last - first for first, last, _, _ in pieces(parts[0])) == 2
    assert sum(last - first for first, last, _, _ in pieces(parts[1])) == 3
    assert laid(text, mark, part=99).number == 3


def test_empty_document_has_no_segment():
    part = laid(LaneText([], [""], []))
    assert part.passages == []
    assert (part.number, part.parts) == (1, 1)


TOKENS = st.lists(st.sampled_from(["a", "word", "long-" * 9, "東京", "."]), min_size=1, max_size=60)
GAPS = st.sampled_from(["", " ", "  ", "\n"])


@given(tokens=TOKENS, data=st.data())
def test_every_word_and_every_mark_is_laid_out_once(tokens, data):
    count = len(tokens)
    gaps = data.draw(st.lists(GAPS, min_size=count + 1, max_size=count + 1))
    edges = sorted({0, count, *data.draw(st.lists(st.integers(0, count), max_size=4))})
    text = LaneText(tokens, gaps, [list(pair) for pair in itertools.pairwise(edges)])
    spans = st.tuples(st.integers(0, count - 1), st.integers(1, count)).filter(
        lambda s: s[0] < s[1]
    )
    marks = [Mark(*span, "PER", 1) for span in data.draw(st.lists(spans, max_size=6))]
    key = data.draw(st.sampled_from(["worker", "consensus"]))
    part = laid(text, *marks, key=key)

    segments = list(itertools.chain(*part.passages))
    shown = [word for segment in segments for word in segment.words]
    assert shown == [Word(word.text) for word in plain_words(text)]
    assert all(1 <= len(segment.words) <= lanes.SEGMENT_TOKENS for segment in segments)
    for segment in segments:
        for row in segment.below:
            assert all(
                1 <= piece.first < piece.last <= len(segment.words) + 1 for piece in row.pieces
            )
    covered = sum(last - first for first, last, _, _ in pieces(part))
    assert covered == sum(mark.end - mark.start for mark in marks)
