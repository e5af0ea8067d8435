from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats import conll
from annotation.formats.conll import read as read_lines
from annotation.formats.records import DocumentRecord, Rejected, Rules
from tests.annotation.formats.conftest import SCHEMA

TWO = """\
# id = d1
# title = A title
Ada\tB-PER
was\tO

London\tB-LOC

# id = d2
Bob\t?
"""


def words(document):
    return document.text.split(" ")


def tags(document):
    (gold,) = document.answers
    assert gold.source == "gold"
    return gold.answer["tags"]


def test_it_works(read):
    first, second = read(TWO, "two.conll")
    assert (first.line, first.external_id, first.title) == (1, "d1", "A title")
    assert first.text == "Ada was London"
    assert first.tokens == [[0, 3], [4, 7], [8, 14]]
    assert first.sentences == [[0, 2], [2, 3]]
    assert tags(first) == ["B-PER", "O", "B-LOC"]
    assert (second.external_id, tags(second)) == ("d2", ["?"])


def test_columns_stand_apart_by_blanks_where_there_is_no_tab(read):
    (document,) = read("Ada  NNP I-NP B-PER\nwas VBD I-VP O\n", "a.conll")
    assert (words(document), tags(document)) == (["Ada", "was"], ["B-PER", "O"])


def test_with_tabs_a_word_may_hold_a_blank_and_without_a_no_break_space(read):
    (document,) = read("New York\tB-LOC\n", "a.conll")
    assert document.tokens == [[0, 8]]
    (document,) = read("10\u00a0000 O\n", "a.conll")
    assert document.text == "10\u00a0000"


def test_one_column_is_words_without_gold(read):
    (document,) = read("Ada\nwas\n\n\n\nhere\n", "a.conll")
    assert document.answers == []
    assert document.sentences == [[0, 2], [2, 3]]


@pytest.mark.parametrize(
    "boundary", ["-DOCSTART- -X- -X- O", "-DOCSTART-", "# newdoc", "#newdoc id = ", "# newdoc id"]
)
def test_documents_without_an_id_are_named_after_the_file_and_their_place(read, boundary):
    content = f"{boundary}\n\nAda O\n\n{boundary}\n\nBob O\n\nhere O\n"
    items = read(content, "eng.train.gz", format="conll")
    assert [(one.external_id, one.line) for one in items] == [("eng-1", 1), ("eng-2", 5)]
    assert [words(one) for one in items] == [["Ada"], ["Bob", "here"]]


@pytest.mark.parametrize("boundary", ["# id = x", "#id=x", "# newdoc id = x"])
def test_ids_are_read_in_every_usual_form(read, boundary):
    one, other = read(f"{boundary}\nAda O\n{boundary}y\nBob O\n", "a.conll")
    assert (one.external_id, other.external_id) == ("x", "xy")


def test_an_id_after_a_boundary_names_the_document_that_began_there(read):
    (document,) = read("-DOCSTART- O\n\n# id = x\n# title = y\nAda O\n", "a.conll")
    assert (document.external_id, document.title) == ("x", "y")


def test_iob1_becomes_iob2(read):
    given = "I-PER I-PER B-PER O I-LOC I-PER"
    (document,) = read("".join(f"x {tag}\n" for tag in given.split()), "a.conll")
    assert tags(document) == ["B-PER", "I-PER", "B-PER", "O", "B-LOC", "B-PER"]


def test_no_mention_goes_on_into_the_next_sentence(read):
    (document,) = read("x B-PER\nx I-PER\n\nx I-PER\n", "a.conll")
    assert tags(document) == ["B-PER", "I-PER", "B-PER"]


def test_comments_are_passed_over_but_a_hash_is_a_word_like_any_other(read):
    (document,) = read("# made by hand\nAda NN O\n# sent_id = 3\n# NN O\n#tag NN O\n#\n", "a.conll")
    assert words(document) == ["Ada", "#", "#tag"]
    (document,) = read("#\tO\n# id\tO\n", "a.conll")
    assert document.text == "# # id"


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("Ada B-PER\nwas\n", 2, "has 1 column, those before have 2"),
        ("Ada B-PER\nwas VBD O\n", 2, "has 3 columns"),
        ("Ada B-PER\n\nwas VERB\n", 3, "'VERB' is no tag"),
        ("Ada S-PER\n", 1, "'S-PER' is no tag. The last column holds O, B-…, I-… or ?"),
        ("Ada B-PER\nhere B-FOO\n", 2, "'B-FOO' is not known"),
        ("Ada B-PER\n\nh\0re O\n", 3, "Byte 2 of the line is NUL"),
        (b"Ada B-PER\nh\xe9re O\n", 2, "Byte 2 of the line, 0xE9, is no UTF-8"),
        ("Ada O\n" + "x" * 500 + " O\n", 2, "The line is longer than 400 bytes"),
        ("Ada O\n" * 100, 0, "The document is longer than 400 bytes"),
        ("Ada\tO\n \tO\n", 2, "The word is missing"),
        ("", 0, "There are no words in it"),
    ],
)
def test_a_bad_line_rejects_its_document_with_its_number_and_no_other(read, content, line, reason):
    content = content if isinstance(content, bytes) else content.encode()
    first, rejected, last = read(
        b"# id = a\nx O\n# id = b\n" + content + b"# id = c\nx O\n",
        "a.conll",
        max_line_bytes=400,
    )
    assert (first.external_id, last.external_id) == ("a", "c")
    assert isinstance(rejected, Rejected)
    assert (rejected.external_id, rejected.line) == ("b", 3 + line)
    assert reason in rejected.reason


def test_a_file_of_blank_lines_and_comments_has_no_documents(read):
    assert read("\n# just this\n\n-DOCSTART- O\n\n", "a.conll") == []


@given(st.lists(st.binary(max_size=12)))
def test_no_bytes_break_the_reader(lines):
    numbered = enumerate((line.replace(b"\n", b"") for line in lines), start=1)
    for item in read_lines(numbered, "any.conll", Rules(schema=SCHEMA)):
        assert isinstance(item, DocumentRecord | Rejected)


word = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=6
).filter(lambda word: word == word.strip() and word != "-DOCSTART-") | st.sampled_from(
    ["👨‍👩‍👧", "e\u0301", "東京", "مرحبا", "#", "# x", "O", "a b", "\ufeff"]
)
tag = st.sampled_from(["O", "B-PER", "B-LOC", "?"])
sentences = st.lists(st.lists(st.tuples(word, tag), min_size=1, max_size=5), min_size=1, max_size=3)


@given(st.lists(sentences, max_size=3))
def test_what_was_written_is_read_back_the_same(documents):
    written, expected = [], []
    for number, document in enumerate(documents):
        rows = [row for sentence in document for row in sentence]
        ends = [sum(map(len, document[:i])) for i in range(len(document) + 1)]
        pairs = [list(pair) for pair in pairwise(ends)]
        texts, tags_ = [row[0] for row in rows], [row[1] for row in rows]
        comments = {"id": f"d{number}", "title": "A title", "worker": "w1", "score": None}
        written.append(conll.write(comments, texts, tags_, pairs))
        expected.append((f"d{number}", "A title", " ".join(texts), pairs, tags_))
    lines = "".join(written).encode().split(b"\n")
    read = list(read_lines(enumerate(lines, start=1), "x.conll", Rules(schema=SCHEMA)))
    assert [
        (one.external_id, one.title, one.text, one.sentences, tags(one)) for one in read
    ] == expected
