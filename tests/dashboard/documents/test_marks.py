from annotation.interfaces import Material
from annotation.interfaces.spans import text_data
from dashboard.documents.lanes import Lane, LaneText
from dashboard.documents.marks import (
    NOT_LOOKED_AT,
    consensus_marks,
    links_of,
    span_rows,
    worker_marks,
)

TEXT = "Ada met Ruth Okafor and Ruth"
MATERIAL = Material(
    text=TEXT,
    tokens=[[0, 3], [4, 7], [8, 12], [13, 19], [20, 23], [24, 28]],
    sentences=[[0, 6]],
)
COLOURS = {"PER": 1, "LOC": 2}


def mention(number: int, start: int, end: int, entity: str | None = None, kind: str = "PER"):
    return {"id": f"m{number}", "start": start, "end": end, "type": kind, "entity": entity}


ANSWER = {
    "mentions": [mention(1, 0, 3), mention(2, 8, 19, "e1"), mention(3, 24, 28, "e1")],
    "entities": [{"id": "e1", "canonical": "m2", "link": "Q7", "value": "1900-XX-XX"}],
    "unlabelled": [[20, 23]],
}


def text() -> LaneText:
    data = text_data(MATERIAL)
    return LaneText(data["tokens"], data["gaps"], data["sentences"])


def test_marks_are_in_tokens_and_tell_their_entity():
    ada, ruth, again, missing = worker_marks(ANSWER, MATERIAL, COLOURS, {"Q7": "Ruth Okafor"})
    assert (ada.start, ada.end, ada.type, ada.colour, ada.note, ada.title) == (
        0,
        1,
        "PER",
        1,
        "",
        "",
    )
    assert (ruth.start, ruth.end, ruth.note) == (2, 4, "1↗")
    assert ruth.title == "one of 2 mentions; is Ruth Okafor (Q7); means 1900-XX-XX"
    assert again.title == ruth.title
    assert (missing.start, missing.end, missing.type, missing.colour) == (4, 5, NOT_LOOKED_AT, 0)


def test_link_to_what_is_no_entry_any_more_is_shown_by_its_key():
    (_, ruth, *_) = worker_marks(ANSWER, MATERIAL, COLOURS, {})
    assert "is Q7;" in ruth.title


def test_raw_tags_are_marks_too():
    tags = {"tags": ["B-PER", "O", "B-PER", "I-PER", "?", "I-LOC"]}
    marks = worker_marks(tags, MATERIAL, COLOURS, {})
    assert [(mark.start, mark.end, mark.type) for mark in marks] == [(0, 1, "PER"), (2, 4, "PER")]


def test_type_that_the_schema_has_lost_has_no_colour_of_its_own():
    (mark,) = worker_marks({"tags": ["B-GPE", *["O"] * 5]}, MATERIAL, COLOURS, {})
    assert (mark.type, mark.colour) == ("GPE", 0)


def test_consensus_is_noted_with_the_mean_of_its_tokens():
    answer = {"mentions": [mention(1, 0, 3), mention(2, 8, 19)], "entities": [], "unlabelled": []}
    ada, ruth = consensus_marks(answer, [0.999, 0.9, 0.9, 0.5, None, 0.9], MATERIAL, COLOURS)
    assert (ada.note, ada.doubtful) == ("1", False)
    assert (ruth.note, ruth.doubtful, ruth.title) == (".70", True, "70% sure")


def test_table_tells_for_each_span_who_marked_it():
    right = worker_marks(ANSWER, MATERIAL, COLOURS, {})
    wrong = worker_marks(
        {"mentions": [mention(1, 8, 19, kind="LOC")], "entities": [], "unlabelled": []},
        MATERIAL, COLOURS, {},
    )  # fmt: skip
    sure = consensus_marks(
        {"mentions": [mention(1, 8, 19)], "entities": [], "unlabelled": []},
        [0.75] * 6, MATERIAL, COLOURS,
    )  # fmt: skip
    lanes = [
        Lane("consensus", "Consensus", sure),
        Lane("gold", "Gold", right),
        Lane("worker", "anna", right),
        Lane("worker", "ben", wrong),
    ]
    rows = span_rows(lanes, text(), 0, 6)
    assert [(row.text, row.type, row.confidence, row.gold, row.workers) for row in rows] == [
        ("Ada", "PER", None, True, ["anna"]),
        ("Ruth Okafor", "LOC", None, False, ["ben"]),
        ("Ruth Okafor", "PER", 0.75, True, ["anna"]),
        ("Ruth", "PER", None, True, ["anna"]),
    ]
    assert rows[2].entities == ["one of 2 mentions; is Q7; means 1900-XX-XX"]
    assert [row.text for row in span_rows(lanes, text(), 4, 6)] == ["Ruth"]


def test_links_of_all_answers_are_collected():
    assert links_of([ANSWER, {"tags": ["O"]}]) == {"Q7"}
