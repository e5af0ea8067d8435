"""Out in the form of another tool, and in again: the same spans of the same words."""

from __future__ import annotations

import csv
import json
import zipfile
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.reading import Reader
from annotation.formats.records import DocumentRecord, Rules
from annotation.interfaces import Material
from annotation.interfaces.schema import check_schema
from annotation.interfaces.tags import spans_of
from annotation.models import Document
from annotation.queries.exports import Exported
from annotation.queries.file_formats import FORMATS
from annotation.text.tokeniser import sentences_of, tokens_of

TYPES = ["PER", "ORG", "a_b", "X|Y"]
SCHEMA = check_schema({"entity_types": [{"name": name} for name in TYPES]})
RULES = Rules(schema=SCHEMA)
NAMES = [key for key, form in FORMATS.items() if form.of == "names" and key != "tags"]
# Text that all of them hold: CoNLL knows neither blanks nor what joins two words.
WORDS = st.text("aäß😀b.\\'x[]|_", min_size=1, max_size=6)
PLAIN = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@st.composite
def exported(draw) -> Exported:
    text = draw(PLAIN)
    tokens = tokens_of(text, "words", at_most=100)
    sentences = sentences_of(text, tokens)
    tags = ["O"] * len(tokens)
    for first, last in sentences:
        at = first
        while at < last:
            size = draw(st.integers(0, 2))
            if size:
                kind = draw(st.sampled_from(TYPES))
                end = min(at + size, last)
                tags[at:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - at - 1)]
            at += max(size, 1)
    document = Document(
        external_id="d-1", title="", text=text, tokens=tokens, sentences=sentences,
        attributes={}, metadata={},
    )  # fmt: skip
    return Exported("d-1", document, "gold", {"tags": tags}, {}, "entity")


def written(key: str, one: Exported, folder) -> object:
    form = FORMATS[key]
    path = folder / f"file.{form.suffix}"
    if form.files is not None:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in form.files(one):
                archive.writestr(name, content)
    else:
        content = form.header + form.render(one) + form.between + form.render(one) + form.footer
        path.write_text(content, encoding="utf-8", newline="\n")
    return path


def spans(text: str, tokens, sentences, answer) -> list[tuple[str, str]]:
    """The words of each name, without the blanks between them, and its type."""
    material = Material(text=text, tokens=tokens, sentences=sentences)
    return [
        ("".join(text[start:end] for start, end in tokens[first:last]), name)
        for first, last, name in spans_of(answer, material)
    ]


@pytest.mark.parametrize("key", NAMES)
@settings(max_examples=25)
@given(one=exported())
def test_names_go_out_and_come_in_again(key, tmp_path_factory, one):
    path = written(key, one, tmp_path_factory.mktemp("form"))
    with Reader(path, RULES) as reader:
        found = next(iter(reader))
    assert isinstance(found, DocumentRecord), found.reason
    document = one.document
    assert document is not None
    (answer,) = found.answers
    told = spans(found.text, found.tokens, found.sentences, answer.answer)
    assert told == spans(document.text, document.tokens, document.sentences, one.answer)
    assert found.external_id == "d-1"
    if key != "conll":
        assert found.text == document.text.rstrip()


def test_classes_go_to_the_columns_that_others_read():
    answer = {"choice": "Yes", "unsure": False, "value": None, "note": "=1"}
    one = Exported("t 1", None, "answer", answer, {"worker": "w1"}, "choice")
    for key, row in (
        ("labels", {"worker": "w1", "item": "t 1", "label": "Yes"}),
        ("crowdkit", {"worker": "w1", "task": "t 1", "label": "Yes"}),
    ):
        form = FORMATS[key]
        assert list(csv.DictReader(StringIO(form.header + form.render(one)))) == [row]


# What stands in an answer and its document, and how a form says that it loses it.
TOLD = {
    "The title": ("titles",),
    "ATTRIBUTE": ("attributes",),
    "METADATA": ("metadata",),
    "Q-42": ("links",),
    "e-99": ("groups of names",),
    "VALUE": ("values",),
    "INNER": ("nested names",),
    "A doubt": ("notes",),
    "0.8125": ("all confidence", "confidence of the whole"),
    "0.6125": ("all confidence", "confidence of single words"),
    "0.4375": ("all confidence", "confidence of single words and names"),
    "3.1875": ("all confidence", "confidence of the whole", "how much is expected to be wrong"),
    "anna": ("who answered",),
    "41.5": ("times",),
}
OF_ANOTHER = {"answer": ("0.8125", "0.6125", "0.4375", "3.1875"), "consensus": ("anna", "41.5")}


@pytest.mark.parametrize("key", [key for key, form in FORMATS.items() if form.of != "classes"])
def test_what_a_form_says_that_it_loses_is_what_it_loses(key):
    text, form = "Ada Byron met Bob.", FORMATS[key]
    tokens = tokens_of(text, "words", at_most=100)
    document = Document(
        external_id="d-1", title="The title", text=text, tokens=tokens,
        sentences=sentences_of(text, tokens), attributes={"a": "ATTRIBUTE"},
        metadata={"m": "METADATA"},
    )  # fmt: skip
    answer = {
        "mentions": [
            {"id": "m1", "start": 0, "end": 9, "type": "OUTER", "entity": "e-99"},
            {"id": "m2", "start": 4, "end": 9, "type": "INNER", "entity": None},
        ],
        "entities": [{"id": "e-99", "canonical": "m1", "link": "Q-42", "value": "VALUE"}],
        "unlabelled": [],
        "doubts": [{"at": "m1", "note": "A doubt"}],
    }
    of_words = {"token_confidence": [0.6125] * len(tokens), "span_confidence": [0.4375] * 2}
    for name, facts in (
        ("answer", {"worker": "anna", "seconds": 41.5}),
        ("consensus", {"confidence": 0.8125, "expected_errors": 3.1875, **of_words}),
    ):
        one = Exported("d-1", document, name, answer, facts, "entity")
        if form.files is not None:
            written = "".join(path + content for path, content in form.files(one))
        else:
            written = form.of_task([one]) if form.of_task else form.render(one)
        for what, words in TOLD.items():
            if what in OF_ANOTHER[name]:
                continue
            is_told = any(word in form.loses for word in words)
            assert (what in written) != is_told, (name, what)


def test_label_studio_has_a_score_for_each_region_of_a_consensus():
    text = "Ada met Bob."
    tokens = tokens_of(text, "words", at_most=100)
    document = Document(
        external_id="d-1", title="", text=text, tokens=tokens,
        sentences=sentences_of(text, tokens), attributes={}, metadata={},
    )  # fmt: skip
    answer = {"tags": ["B-PER", "O", "B-PER", "O"]}

    def results(name, facts):
        one = json.loads(FORMATS["labelstudio"].render(
            Exported("d-1", document, name, answer, facts, "entity")
        ))  # fmt: skip
        return (one.get("predictions") or one["annotations"])[0]["result"]

    told = results("consensus", {"confidence": 0.8, "span_confidence": [0.9, 0.7]})
    assert [(one["value"]["text"], one["score"]) for one in told] == [("Ada", 0.9), ("Bob", 0.7)]
    assert all("score" not in one for one in results("gold", {}))
    assert all("score" not in one for one in results("consensus", {"span_confidence": None}))


def test_each_form_is_for_names_or_for_classes():
    assert {key for key, form in FORMATS.items() if form.holds("choice")} == {
        "jsonl", "csv", "labels", "crowdkit",
    }  # fmt: skip
    assert "labels" not in {key for key, form in FORMATS.items() if form.holds("entity")}
