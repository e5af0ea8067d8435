import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.documents import DEEPEST
from annotation.formats.jsonl import read as read_lines
from annotation.formats.jsonl import write
from annotation.formats.records import MOST_TOKENS, DocumentRecord, Rejected, Rules

GOOD = {"id": "good", "text": "Ada was here."}


def line(**fields):
    return json.dumps({"id": "d1", "text": "Ada met Bob."} | fields) + "\n"


def one(items):
    (item,) = items
    return item


def test_it_works(read):
    document = one(
        read(
            line(
                title=" A \n title ",
                attributes={"source": "wire"},
                metadata={"n": [1, None]},
                gold={"mentions": [{"id": "m1", "start": 0, "end": 3, "type": "PER"}]},
                split="val",
            )
        )
    )
    assert document == DocumentRecord(
        line=1,
        external_id="d1",
        title="A title",
        text="Ada met Bob.",
        tokens=[[0, 3], [4, 7], [8, 11], [11, 12]],
        sentences=[[0, 4]],
        attributes={"source": "wire"},
        metadata={"n": [1, None]},
        answers=document.answers,
        unused=("split",),
    )
    (answer,) = document.answers
    assert (answer.interface, answer.source) == ("entity", "gold")
    assert answer.answer["mentions"] == [
        {"id": "m1", "start": 0, "end": 3, "type": "PER", "entity": None}
    ]


def test_the_projects_tokeniser_cuts_the_text(read):
    assert one(read(line(), tokeniser="whitespace")).tokens == [[0, 3], [4, 7], [8, 12]]


def test_words_without_a_text_are_joined_by_blanks(read):
    document = one(read(line(text=None, tokens=["Ada", "’s", "café"])))
    assert document.text == "Ada ’s café"
    assert document.tokens == [[0, 3], [4, 6], [7, 11]]


def test_words_with_a_text_are_found_in_it(read):
    assert one(read(line(tokens=["Ada", "met", "Bob", "."]))).tokens[-1] == [11, 12]


def test_pairs_with_a_text_are_kept(read):
    assert one(read(line(tokens=[[0, 7], [8, 12]]))).tokens == [[0, 7], [8, 12]]


def test_sentences_are_kept_or_begun_where_the_file_says(read):
    tokens = ["Ada", "met", "Bob", "."]
    kept = one(read(line(tokens=tokens, sentences=[[0, 1], [1, 4]])))
    begun = one(read(line(tokens=tokens, sent_starts=[0, 1])))
    assert kept.sentences == begun.sentences == [[0, 1], [1, 4]]


def test_ids_may_be_whole_numbers(read):
    assert one(read(line(id=17))).external_id == "17"


@pytest.mark.parametrize("name", ["a/b..c", "...", ".hidden", "v1.2/.../x"])
def test_dots_may_stand_in_an_id_beside_other_characters(read, name):
    assert one(read(line(id=name))).external_id == name


def test_a_list_of_tags_is_kept_raw_with_its_gaps_and_illegal_tags(read):
    tags = ["I-PER", "O", "?", "O"]
    answers = one(read(line(gold=tags, predictions={"tags": tags}))).answers
    assert [(one.source, one.answer) for one in answers] == [
        ("gold", {"tags": tags}),
        ("prediction", {"tags": tags}),
    ]


def test_null_is_as_good_as_absent(read):
    absent = one(read(line()))
    names = ("title", "tokens", "sentences", "sent_starts", "attributes", "metadata", "gold")
    assert one(read(line(**dict.fromkeys(names)))) == absent


def test_a_consensus_is_a_prediction_unless_there_is_another_one(read):
    tags = ["B-PER", "O", "O", "O"]
    (answer,) = one(read(line(consensus=tags))).answers
    assert (answer.source, answer.answer) == ("prediction", {"tags": tags})
    both = one(read(line(consensus=tags, predictions=["O"] * 4)))
    assert [answer.answer["tags"] for answer in both.answers] == [["O"] * 4]
    assert both.unused == ("consensus",)


@pytest.mark.parametrize("answer", [{"choice": "A"}, {"relation": "none"}, {"clusters": []}])
def test_answers_that_need_more_than_the_document_are_not_used(read, answer):
    document = one(read(line(gold=answer)))
    assert document.answers == []
    assert document.unused == ("gold",)


def test_blank_lines_are_passed_over_but_counted(read):
    assert [item.line for item in read("\n \n" + line() + "\r\n" + line())] == [3, 5]


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"id": None}, "id", "There is no id"),
        ({"id": True}, "id", "neither a text nor a whole number"),
        ({"id": 1.5}, "id", "neither a text nor a whole number"),
        ({"id": ""}, "id", "has 0 characters. Use 1 to 200"),
        ({"id": ".."}, "id", "browsers drop them from the address"),
        ({"id": "a/../b"}, "id", "browsers drop them from the address"),
        ({"id": "a/."}, "id", "browsers drop them from the address"),
        ({"id": "x" * 201}, "id", "has 201 characters"),
        ({"id": " d1"}, "id", "has a blank at an end"),
        ({"id": "d\t1"}, "id", "a character that can't be seen"),
        ({"text": 5}, "text", "This is no text"),
        ({"text": None}, "text", "neither text nor tokens"),
        ({"text": ""}, "text", "There are no words in it"),
        ({"text": " \n\u200b"}, "text", "There are no words in it"),
        ({"text": "x " * (MOST_TOKENS + 1)}, "text", "more than 200,000 tokens"),
        ({"title": ["a"]}, "title", "This is no text"),
        ({"title": "x" * 501}, "title", "has 501 characters"),
        ({"tokens": "Ada"}, "tokens", "This is no list"),
        ({"tokens": []}, "tokens", "There are no words in it"),
        ({"tokens": ["Ada", 5]}, "tokens[0]", "no \\[start, end\\] pair"),
        ({"tokens": [[0, 3, 4]]}, "tokens[0]", "no \\[start, end\\] pair"),
        ({"tokens": [[0, 3.0]]}, "tokens[0]", "no \\[start, end\\] pair"),
        ({"tokens": [[False, True]]}, "tokens[0]", "no \\[start, end\\] pair"),
        ({"tokens": [[0, 3], [8, 13]]}, "tokens[1]", "outside the text of 12 characters"),
        ({"tokens": [[-3, 3]]}, "tokens[0]", "outside the text"),
        ({"tokens": [[3, 3]]}, "tokens[0]", "is empty"),
        ({"tokens": [[0, 3], [2, 5]]}, "tokens[1]", "before the end of the token before, 3"),
        ({"tokens": [[0, 4]]}, "tokens[0]", "'Ada ' begins or ends with a blank"),
        ({"tokens": [[0, 5]], "text": "A\tB\nC"}, "tokens[0]", "a tab or a line break"),
        ({"tokens": ["Ada", "saw"]}, "tokens[1]", "goes on with 'met Bob.' at 4"),
        ({"tokens": ["Ada", "met"]}, "tokens", "goes on after the last token: 'Bob.'"),
        ({"tokens": [[0, 3]], "text": None}, "tokens", "no words to join"),
        ({"tokens": ["Ada", ""], "text": None}, "tokens[1]", "This token is empty"),
        ({"tokens": [""], "text": None}, "tokens[0]", "This token is empty"),
        ({"tokens": [" a", "b"], "text": None}, "tokens[0]", "begins or ends with a blank"),
        ({"tokens": ["a", "\u00a0b"], "text": None}, "tokens[1]", "begins or ends with a blank"),
        ({"tokens": ["a", "b\x1f"], "text": None}, "tokens[1]", "begins or ends with a blank"),
        ({"tokens": ["Ada", "b "], "text": None}, "tokens[1]", "begins or ends with a blank"),
        ({"tokens": ["a", "b\nc"], "text": None}, "tokens[1]", "a tab or a line break"),
        ({"sentences": "x"}, "sentences", "no list of"),
        ({"sentences": [[0, 4], [4]]}, "sentences", "no list of"),
        ({"sentences": [[0, 2], [3, 4]]}, "sentences[1]", "does not go on at token 2"),
        ({"sentences": [[0, 0]]}, "sentences[0]", "does not go on at token 0"),
        ({"sentences": [[0, 3]]}, "sentences", "end at token 3 of 4"),
        ({"sent_starts": [0, "x"]}, "sent_starts", "no list of token numbers"),
        ({"sent_starts": []}, "sent_starts", "have to begin with 0"),
        ({"sent_starts": [1]}, "sent_starts", "have to begin with 0"),
        ({"sent_starts": [0, 2, 2]}, "sent_starts", "to grow"),
        ({"sent_starts": [0, 4]}, "sent_starts", "stay under 4"),
        ({"attributes": []}, "attributes", "This is no object"),
        ({"metadata": "x"}, "metadata", "This is no object"),
        ({"gold": "O O"}, "gold", "neither a list of tags nor an answer"),
        ({"gold": {}}, "gold", "neither mentions nor tags"),
        ({"gold": ["O"]}, "gold", "the document has 4 words"),
        ({"gold": ["O", "O", "B-ORG", "O"]}, "gold[2]", "'B-ORG' is not known"),
        ({"gold": {"tags": ["X"] * 4}}, "gold.tags[0]", "'X' is not known"),
        ({"gold": {"mentions": 5}}, "gold.mentions", "Send a list"),
        ({"gold": {"mentions": [5]}}, "gold.mentions[0]", "Send an object"),
        ({"predictions": {"mentions": [{"start": 0, "end": 99, "type": "PER"}]}},
         "predictions.mentions[0].end", "outside the text, which has 12 characters"),
        ({"gold": {"mentions": [{"start": 3, "end": 7, "type": "PER"}]}},
         "gold.mentions[0].start", "between two words"),
        ({"gold": {"mentions": [{"start": 0, "end": 3, "type": "FOO"}]}},
         "gold.mentions[0].type", "'FOO' is not known"),
        ({"gold": {"mentions": [{"start": 0, "end": 7, "type": "PER"},
                                {"start": 4, "end": 11, "type": "PER"}]}},
         "gold.mentions[1]", "overlaps"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_document_is_told_with_its_field(read, fields, field, reason):
    # The good one comes first: a file whose first document has no id gets ids of its own.
    good, rejected = read(json.dumps(GOOD) + "\n" + line(**fields))
    assert isinstance(rejected, Rejected)
    assert (rejected.line, rejected.field) == (2, field)
    assert re.search(reason, rejected.reason)
    assert good.external_id == "good"


def test_nested_mentions_are_taken_where_the_schema_allows_them(read):
    mentions = [
        {"start": 0, "end": 11, "type": "PER"},
        {"start": 0, "end": 3, "type": "PER"},
    ]
    schema = {"entity_types": [{"name": "PER"}], "nested": True}
    (answer,) = one(read(line(gold={"mentions": mentions}), schema=schema)).answers
    assert len(answer.answer["mentions"]) == 2


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[1, 2]", "This is no object"),
        (b'"text"', "This is no object"),
        (b"{", r"This is no JSON: .* \(character 2\)"),
        (b'{"id": "a" "b"}', r"Expecting ',' delimiter \(character 12\)"),
        (b'{"id": "a", "n": NaN}', "NaN is no number in JSON"),
        (b'{"id": "a", "n": -Infinity}', "-Infinity is no number in JSON"),
        (b'{"id": "a", "n": 1e999}', "1e999 is too large a number"),
        (b'{"id": "a", "n": ' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"id": "a", "text": "\xe9t\xe9"}', "Byte 22 of the line, 0xE9, is no UTF-8"),
        (b'{"id": "a", "text": "\xed\xa0\x80"}', "Byte 22 of the line, 0xED, is no UTF-8"),
        (b'{"id": "a", "text": "\x00"}', "Byte 22 of the line is NUL"),
        (b'{"id": "a", "text": "a\\u0000"}', "NUL character"),
        (b'{"id": "a", "text": "\\ud83d"}', "half of a surrogate pair"),
        (b'{"id": "a", "metadata": {"\\udc00": 1}}', "half of a surrogate pair"),
        (b'{"id": "a", "id": "b"}', "'id' stands 2 times in one object"),
        (b'{"id": "a", "metadata": {"x": 1, "x": 1}}', "'x' stands 2 times"),
        (b'{"id": "a", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deep"),
        (b'{"id": "a", "x": "' + b"x" * 300_000 + b'"}', "longer than 250,000 bytes"),
    ],
)
def test_a_line_that_is_no_document_is_rejected_with_its_number(read, data, reason):
    content = json.dumps(GOOD).encode()
    before, rejected, after = read(content + b"\n" + data + b"\n" + content, max_line_bytes=250_000)
    assert before.external_id == after.external_id == "good"
    assert isinstance(rejected, Rejected)
    assert rejected.line == 2
    assert re.search(reason, rejected.reason)


def test_escaped_pairs_of_surrogates_and_backslashes_are_taken(read):
    document = one(read('{"id": "a", "text": "\\ud83d\\ude00 \\\\u0000 \\\\ud800"}'))
    assert document.text == "😀 \\u0000 \\ud800"


def test_attributes_may_be_nested_so_deep_and_no_deeper(read):
    def nested(levels):
        return json.loads("[" * levels + "]" * levels)

    assert isinstance(one(read(line(metadata={"x": nested(DEEPEST - 1)}))), DocumentRecord)
    rejected = one(read(line(metadata={"x": nested(DEEPEST)})))
    assert rejected.field == "metadata"


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(data):
    for item in read_lines([(1, data)], "any.jsonl", Rules()):
        assert isinstance(item, Rejected)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=3), children)
    ),
    max_leaves=6,
)
fields = ["id", "text", "tokens", "sentences", "sent_starts", "title", "attributes", "gold"]
odd_documents = st.dictionaries(
    st.sampled_from(fields),
    json_values
    | st.sampled_from(["Ada met Bob.", ["Ada"], [[0, 3]], [0], {"tags": ["O"]}])
    | st.builds(lambda s, e: {"mentions": [{"start": s, "end": e}]}, json_values, json_values),
)


@given(odd_documents)
def test_no_json_breaks_the_reader(fields):
    content = json.dumps({"id": "d1", "text": "Ada met Bob."} | fields).encode()
    (item,) = read_lines([(1, content)], "any.jsonl", Rules())
    assert isinstance(item, DocumentRecord | Rejected)


def test_a_line_is_one_line_also_for_readers_that_know_other_line_ends():
    written = write({"id": "d1", "text": "a\u2028b\u2029c\x85d\ne"})
    assert written.splitlines() == [written.removesuffix("\n")]
    assert json.loads(written)["text"] == "a\u2028b\u2029c\x85d\ne"
