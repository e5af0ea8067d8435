"""The text of a reviewed document: what is shown as lanes, and what is read as it stands."""

from dashboard.documents.lanes import Lane, LaneText, Mark, lay_out, plain_words
from dashboard.review.blocks import passages_of

TOKENS = ["Ann", "Lee", "left", ".", "Bo", "saw", "Port", "Lund", ".", "All", "slept", "."]
GAPS = ["", " ", " ", "", " ", " ", " ", " ", "", " ", " ", "", ""]
SENTENCES = [(0, 4), (4, 9), (9, 12)]
MARKS = [
    Mark(0, 2, "PER", 1),
    Mark(1, 2, "NAME", 3),  # inside the first
    Mark(4, 5, "PER", 1),
    Mark(6, 8, "LOC", 2),
    Mark(9, 10, "not looked at", 0),
]


def blocks(dispute):
    text = LaneText(TOKENS, GAPS, SENTENCES)
    words = plain_words(text)
    shown = lay_out(text, words, [Lane("consensus", "Consensus", MARKS)], [], 1)
    (passage,) = passages_of(shown, words, MARKS, SENTENCES, dispute)
    return passage


def read(block):
    return [(run.text, run.mark.type if run.mark else "", run.after) for run in block.runs]


def test_the_sentence_in_dispute_has_lanes_and_the_others_flow():
    before, disputed, after = blocks((6, 8))
    assert [one.is_disputed for one in (before, disputed, after)] == [False, True, False]
    assert read(before) == [("Ann Lee", "PER", " "), ("left. ", "", "")]
    assert read(after) == [("All slept.", "", "")]
    words = [word.text for piece in disputed.pieces for word in piece.segment.words]
    assert "".join(words) == "Bo saw Port Lund. "
    here = [piece for piece in disputed.pieces if piece.is_here]
    assert "Port " in [word.text for piece in here for word in piece.segment.words]


def test_without_a_dispute_all_is_read():
    (block,) = blocks((0, 0))
    assert not block.is_disputed
    assert "".join(run.text + run.after for run in block.runs) == (
        "Ann Lee left. Bo saw Port Lund. All slept."
    )
    assert [run.mark.type for run in block.runs if run.mark] == ["PER", "PER", "LOC"]
