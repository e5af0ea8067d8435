import gzip
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.files import readers
from aggregation.files.data import BadFile
from aggregation.files.readers import read_file

ADA = {
    "id": "d1",
    "tokens": ["Ada", "Byron", "slept", ".", "Bob", "did"],
    "sent_starts": [0, 4],
    "workers": {
        "w1": ["B-PER", "I-PER", "O", "O", "B-PER", "O"],
        "w2": ["O", "B-LOC", "O", "O", "?", "?"],
    },
}


def document(**fields):
    return ADA | fields


def short(name="d1", **fields):
    return {"id": name, "tokens": ["a", "b"], "workers": {"w": ["O", "O"]}} | fields


@pytest.fixture
def read(tmp_path):
    def read_documents(*documents, name="in.jsonl", **options):
        path = tmp_path / name
        path.write_text("".join(json.dumps(one) + "\n" for one in documents))
        return read_file(path, **options)

    return read_documents


@pytest.fixture
def read_rows(tmp_path):
    def read_text(text, **options):
        path = tmp_path / "in.csv"
        path.write_text(text)
        return read_file(path, **options)

    return read_text


def said(data):
    """{(worker, unit): class} by names."""
    labels = data.labels
    return {
        (data.workers[w], u): data.written()[k]
        for u, w, k in zip(
            labels.unit.tolist(), labels.worker.tolist(), labels.label.tolist(), strict=True
        )
    }


# --- JSON lines ---------------------------------------------------------------------------------


def test_it_works(read):
    data = read(ADA, short("d2", tokens=["Ada", "b"], workers={"w2": ["?", "O"]}))
    assert data.names == ("d1", "d2")
    assert data.starts.tolist() == [0, 6, 8]
    assert data.workers == ("w1", "w2")
    assert data.classes == ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")
    assert data.sequences.starts.tolist() == [0, 4, 6, 8]
    assert data.sequences.documents.tolist() == [0, 2, 3]
    words = [data.sequences.vocabulary[i] for i in data.sequences.words]
    assert words == [*ADA["tokens"], "Ada", "b"]
    assert data.group.tolist() == [0] * 6 + [1] * 2
    assert data.labels.labelled().tolist() == [True] * 6 + [False, True]
    assert said(data) == {
        **{("w1", i): tag for i, tag in enumerate(ADA["workers"]["w1"])},
        **{("w2", i): tag for i, tag in enumerate(ADA["workers"]["w2"]) if tag != "?"},
        ("w2", 7): "O",
    }


tag = st.sampled_from(["B-PER", "I-PER", "B-LOC", "O", "?"])


@given(
    st.lists(
        st.integers(0, 4).flatmap(
            lambda n: st.dictionaries(
                st.sampled_from(["a", "b", "c"]), st.lists(tag, min_size=n, max_size=n)
            ).map(lambda workers: (n, workers))
        ),
        min_size=1,
        max_size=5,
    )
)
def test_every_label_is_where_the_file_has_it(tmp_path_factory, documents):
    path = tmp_path_factory.mktemp("read") / "in.jsonl"
    lines = [
        {"id": f"d{i}", "tokens": ["x"] * n, "workers": workers}
        for i, (n, workers) in enumerate(documents)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    expected, first = {}, 0
    for n, workers in documents:
        for worker, tags in workers.items():
            expected |= {(worker, first + i): t for i, t in enumerate(tags) if t != "?"}
        first += n
    data = read_file(path)
    assert said(data) == expected
    assert data.labels.n_units == first


def test_without_sentences_a_document_is_one(read):
    assert read(short(), short("d2", sent_starts=None)).sequences.starts.tolist() == [0, 2, 4]


def test_tags_without_types_are_written_so_again(read):
    data = read(short(workers={"w": ["B", "I"]}))
    assert data.written() == ("B", "I", "O")
    assert data.sequences.tags == data.classes == ("B-span", "I-span", "O")


def test_a_type_may_hold_dashes_and_be_in_any_script(read):
    assert read(short(workers={"w": ["B-non-profit", "B-組織"]})).written()[:2] == (
        "B-non-profit",
        "B-組織",
    )


def test_documents_without_words_workers_or_labels_are_kept(read):
    data = read(
        short(workers={}),
        short("d2", tokens=[], workers={"w": []}, sent_starts=[0]),
        short("d3", workers={"w": ["?", "?"]}),
    )
    assert data.starts.tolist() == [0, 2, 2, 4]
    assert data.sequences.starts.tolist() == [0, 2, 4]
    assert data.sequences.documents.tolist() == [0, 1, 1, 2]
    assert (data.labels.n_labels, data.workers, data.classes) == (0, ("w",), ("O",))


def test_gold_is_not_looked_at_unless_asked_for(read):
    data = read(short(gold="whatever"))
    assert data.gold.tolist() == [-1, -1]


def test_gold_to_score_with_makes_no_class_and_gold_to_learn_from_does(read):
    documents = short(gold=["B-ORG", "?"]), short("d2", gold=None), short("d3", gold=["O", "O"])
    data = read(*documents, gold=True)
    assert (data.classes, data.known_classes) == (("O",), ("O", "B-ORG"))
    assert data.gold.tolist() == [1, -1, -1, -1, 0, 0]
    data = read(*documents, clamp=True)
    assert data.classes == data.known_classes == ("B-ORG", "I-ORG", "O")
    assert data.gold.tolist() == [0, -1, -1, -1, 2, 2]


def test_types_can_be_given(read):
    data = read(short(workers={"w": ["B-PER", "O"]}), classes=["PER", "LOC"])
    assert data.classes == ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")


def test_packed_marked_and_blank_lines(tmp_path):
    path = tmp_path / "in.jsonl.gz"
    text = "\ufeff\n" + json.dumps(ADA) + "\r\n\n  \n"
    path.write_bytes(gzip.compress(text.encode()))
    assert read_file(path).names == ("d1",)


def test_without_an_ending_the_first_character_tells(tmp_path):
    path = tmp_path / "labels"
    path.write_text("\n " + json.dumps(ADA))
    assert read_file(path).sequences is not None
    path.write_text("worker,item,label\na,b,c\n")
    assert read_file(path).sequences is None


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(json.dumps(ADA).encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert read_file("-").names == ("d1",)


def test_bytes_read_are_told(read, tmp_path):
    told = []
    read(*(short(f"d{i}") for i in range(10_000)), advance=told.append)
    assert len(told) > 1
    assert sum(told) <= (tmp_path / "in.jsonl").stat().st_size


NO_TAG = (
    "which is no tag. A tag is O, B-x or I-x with a type x, B or I where no tag of the file has a "
    "type, or ? for not labelled."
)


@pytest.mark.parametrize(
    ("documents", "trouble"),
    [
        ([short(), {"id": "d2", "tokens": []}],
         "line 2, workers: The field is missing. Each document has id, tokens and workers."),
        ([{"tokens": [], "workers": {}}],
         "line 1, id: The field is missing. Each document has id, tokens and workers."),
        ([short(id=3)], "line 1, id: It is a number, but must be a text."),
        ([short(id="")], "line 1, id: It is empty. Give each document an id."),
        ([short(), short("d2"), short()],
         "line 3, id: 'd1' stands in line 1 too. Give each document an id of its own."),
        ([short(tokens="a b")], "line 1, tokens: It is a text, but must be a list."),
        ([short(tokens=["a", 2])], "line 1, tokens: Token 2 is a number, but must be a text."),
        ([short(tokens=["a", ["b"]])], "line 1, tokens: Token 2 is a list, but must be a text."),
        ([short(workers=[])], "line 1, workers: It is a list, but must be an object."),
        ([short(workers={"w": "OO"})],
         "line 1, workers.w: It is a text, but must be a list of tags."),
        ([short(workers={"": ["O", "O"]})],
         "line 1, workers: A worker's name is empty. Give each worker one."),
        ([short(workers={"w": ["O", "O"], "v": ["O"]})],
         "line 1, workers.v: It has 1 tag, but the document has 2 tokens. Give each token a tag, "
         "? where it is not labelled."),
        ([short(workers={"w": ["O", "Q-PER"]})],
         f"line 1, workers.w: Token 2 has 'Q-PER', {NO_TAG}"),
        ([short(), short("d2", workers={"w": ["X", "O"]})],
         f"line 2, workers.w: Token 1 has 'X', {NO_TAG}"),
        ([short(workers={"w": ["B-", "O"]})], f"line 1, workers.w: Token 1 has 'B-', {NO_TAG}"),
        ([short(workers={"w": ["", "O"]})], f"line 1, workers.w: Token 1 has '', {NO_TAG}"),
        ([short(workers={"w": ["O", 1]})],
         "line 1, workers.w: Token 2 is a number, but must be a text."),
        ([short(workers={"w": ["O", None]})],
         "line 1, workers.w: Token 2 is null, but must be a text."),
        ([short(workers={"w": ["O", {}]})],
         "line 1, workers.w: Token 2 is an object, but must be a text."),
        ([short(workers={"w": ["B-PER", "O"]}), short("d2", workers={"w": ["O", "B"]})],
         "line 2, workers.w: Token 2 has 'B', but line 1 has 'B-PER'. Give all tags a type, or "
         "none."),
        ([short(workers={"w": ["I", "O"]}), short("d2", workers={"w": ["O", "B-PER"]})],
         "line 2, workers.w: Token 2 has 'B-PER', but line 1 has 'I'. Give all tags a type, or "
         "none."),
        ([short(sent_starts=[1])],
         "line 1, sent_starts: It begins with 1, but the first sentence starts at 0."),
        ([short(sent_starts=[])],
         "line 1, sent_starts: It is empty, but the first sentence starts at 0."),
        ([short(sent_starts=[0, 1, 1])],
         "line 1, sent_starts: 1 follows 1, but the starts must rise."),
        ([short(sent_starts=[0, 2])],
         "line 1, sent_starts: A sentence starts at token 2, but there are 2 tokens, numbered from "
         "0."),
        ([short(sent_starts=[0, True])],
         "line 1, sent_starts: It must be a list of whole numbers, or left out."),
        ([short(sent_starts="0")],
         "line 1, sent_starts: It must be a list of whole numbers, or left out."),
        ([short(gold=["O"])],
         "line 1, gold: It has 1 tag, but the document has 2 tokens. Give each token a tag, ? "
         "where it is not labelled."),
        ([short(gold=["O", "PER"])], f"line 1, gold: Token 2 has 'PER', {NO_TAG}"),
        ([short(gold={})], "line 1, gold: It is an object, but must be a list of tags."),
        ([[]], "line 1: This is no object. Write one object a line, as {…}."),
    ],
)  # fmt: skip
def test_bad_documents(read, tmp_path, documents, trouble):
    with pytest.raises(BadFile) as raised:
        read(*documents, gold=True)
    told = str(raised.value)
    assert told == f"{tmp_path / 'in.jsonl'}, {trouble}"


@pytest.mark.parametrize(
    ("content", "trouble"),
    [
        (b"", ": The file holds no documents."),
        (b"\n \n", ": The file holds no documents."),
        (b'\n{"id": "d1", ', ", line 2: This is no JSON: Expecting property name enclosed in "
         "double quotes (character 14)."),
        (b'{"id": "\xff"}',
         ", line 1: Byte 9 of the line, 0xFF, is no UTF-8. Save the file as UTF-8."),
        (b'{"id": "d1", "tokens": [], "workers": {"w": [], "w": []}}',
         ", line 1, w: 'w' stands 2 times in one object."),
        (b'{"id": "\\ud800", "tokens": [], "workers": {}}',
         ", line 1: A text holds half of a surrogate pair. Send whole characters."),
        (json.dumps(ADA).encode("utf-16"), " is written in UTF-16. Save it as UTF-8."),
        (gzip.compress(b'{"id": "d1", "tokens": [], "workers": {}}\n' * 2, mtime=0)[:-12],
         ", after line 1: the packed data end too early. Copy the file again."),
        (b"PK\x03\x04", " is packed with zip. Unpack it, or pack it with gzip."),
    ],
)  # fmt: skip
def test_bad_bytes(tmp_path, content, trouble):
    path = tmp_path / "in.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadFile) as raised:
        read_file(path)
    assert str(raised.value) == f"{path}{trouble}"


def test_a_type_that_was_not_given(read, tmp_path):
    with pytest.raises(BadFile) as raised:
        read(short(workers={"w": ["O", "B-PRE"]}), classes=["PER", "LOC"])
    assert str(raised.value).endswith(
        "line 1, workers.w: Token 2 has 'B-PRE', but the types are PER, LOC as --classes names "
        "them. Mend the tag, or name its type there too."
    )


def test_gold_to_learn_from_must_be_there(read):
    with pytest.raises(BadFile, match=r"in.jsonl: No document has gold. Leave out --clamp-gold"):
        read(short(), short("d2", gold=None), clamp=True)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(BadFile, match=r"none.jsonl can't be opened: No such file or directory."):
        read_file(tmp_path / "none.jsonl")
    with pytest.raises(BadFile, match=r"can't be opened: Is a directory."):
        read_file(tmp_path)


def test_a_file_of_no_known_ending_in_another_encoding(tmp_path):
    path = tmp_path / "labels"
    path.write_bytes(ROWS.encode("utf-16"))
    with pytest.raises(BadFile) as raised:
        read_file(path)
    assert str(raised.value) == f"{path} is written in UTF-16. Save it as UTF-8."


def test_a_line_too_long_to_be_held(read, monkeypatch):
    monkeypatch.setattr(readers, "LONGEST", 50)
    with pytest.raises(BadFile, match=r"line 1: The line is longer than 50 bytes. Cut it"):
        read(short(tokens=["a" * 60]))


# --- CSV ----------------------------------------------------------------------------------------

ROWS = "worker,item,label\nann,i2,yes\nbob,i2,no\nann,i1,no\n"


def test_rows(read_rows):
    data = read_rows(ROWS)
    assert data.names == ("i2", "i1")
    assert data.workers == ("ann", "bob")
    assert data.classes == ("no", "yes")
    assert data.starts.tolist() == [0, 1, 2]
    assert data.sequences is None
    assert said(data) == {("ann", 0): "yes", ("bob", 0): "no", ("ann", 1): "no"}


def test_columns_in_any_order_with_others_between_and_quotes(read_rows):
    data = read_rows(
        '\n when,Label , WORKER,gold,item\n\n1, "a ""b""", "w, 1",x,"two\nlines"\n2,c,w2,,i\n'
    )
    assert data.names == ("two\nlines", "i")
    assert said(data) == {("w, 1", 0): 'a "b"', ("w2", 1): "c"}


def test_whole_numbers_are_ordered_by_their_size(read_rows):
    rows = "worker,item,label\na,1,10\na,2,9\na,3,-1\n"
    assert read_rows(rows).classes == ("-1", "9", "10")
    assert read_rows(rows + "a,4,x\n").classes == ("-1", "10", "9", "x")


def test_classes_can_be_given_with_their_order(read_rows):
    data = read_rows(ROWS, classes=["yes", "unsure", "no"])
    assert data.classes == ("yes", "unsure", "no")
    assert data.labels.label.tolist() == [0, 2, 2]


def test_gold_of_items(read_rows):
    rows = "worker,item,label,gold\na,1,x,z\nb,1,y,\na,2,x,\nc,1,x,z\n"
    data = read_rows(rows, gold=True)
    assert (data.classes, data.known_classes) == (("x", "y"), ("x", "y", "z"))
    assert data.gold.tolist() == [2, -1]
    assert read_rows(rows, clamp=True).classes == ("x", "y", "z")
    assert read_rows(rows).gold.tolist() == [-1, -1]
    assert read_rows(ROWS, gold=True).gold.tolist() == [-1, -1]


GOLD_ROWS = "worker,item,label,gold\na,1,x,x\n"


@pytest.mark.parametrize(
    ("text", "options", "trouble"),
    [
        ("", {}, ": The file is empty."),
        ("\n\n", {}, ": The file is empty."),
        ("worker,item,label\n", {}, ": The file holds no labels, only the names of the columns."),
        ("worker;item;label\na;b;c\n", {},
         ", line 1: The column 'worker' is missing; the columns are worker;item;label. Name worker "
         "once, with a comma between two columns."),
        ("\nworker,item\n", {},
         ", line 2: The column 'label' is missing; the columns are worker, item. Name label once, "
         "with a comma between two columns."),
        ("worker,item,label,item\n", {},
         ", line 1: The column 'item' is there more than once; the columns are worker, item, "
         "label, item. Name item once, with a comma between two columns."),
        (ROWS, {"clamp": True},
         ", line 1: The column 'gold' is missing; the columns are worker, item, label. Name gold "
         "once, with a comma between two columns or leave out --clamp-gold."),
        (ROWS + "ann,i3\n", {},
         ", line 5: There are 2 cells, but 3 columns. Put a cell that holds a comma between double "
         "quotes."),
        (ROWS + "ann,i3,a,b\n", {},
         ", line 5: There are 4 cells, but 3 columns. Put a cell that holds a comma between double "
         "quotes."),
        (ROWS + "ann,i3, \n", {},
         ", line 5, label: The cell is blank. Fill it, or leave the line out."),
        (ROWS + ",i3,no\n", {},
         ", line 5, worker: The cell is blank. Fill it, or leave the line out."),
        (ROWS + "ann,,no\n", {},
         ", line 5, item: The cell is blank. Fill it, or leave the line out."),
        (ROWS + "\nann,i2,no\nbob,i2,no\n", {},
         ", line 6: Worker 'ann' has labelled item 'i2' in line 2 already ('yes' there, 'no' "
         "here). Keep one of the two lines."),
        (ROWS, {"classes": ["yes", "maybe"]},
         ", line 3, label: 'no' is none of the classes, which are yes, maybe as --classes names "
         "them. Mend the cell, or name it there too."),
        (ROWS + 'ann,"i3,no\n' + ROWS, {},
         ", line 5: What begins here is no CSV: unexpected end of data. Is there a double quote "
         "that is not closed?"),
        (GOLD_ROWS + "b,1,x,y\n", {"clamp": True},
         ", line 3, gold: The gold of item '1' is 'y' here, but 'x' in line 2. Give it one."),
        (GOLD_ROWS + "b,2,y,z\n", {"clamp": True, "classes": ["x", "y"]},
         ", line 3, gold: 'z' is none of the classes, which are x, y as --classes names them. Mend "
         "the cell, or name it there too."),
        (GOLD_ROWS.replace("x,x", "x,"), {"clamp": True},
         ": The column 'gold' is blank throughout. Leave out --clamp-gold, or fill it."),
    ],
)  # fmt: skip
def test_bad_rows(read_rows, tmp_path, text, options, trouble):
    with pytest.raises(BadFile) as raised:
        read_rows(text, **options)
    assert str(raised.value) == f"{tmp_path / 'in.csv'}{trouble}"


def test_rows_that_are_no_text(tmp_path):
    path = tmp_path / "in.csv"
    path.write_bytes(b"worker,item,label\na,b,\xe9\n")
    with pytest.raises(BadFile) as raised:
        read_file(path)
    assert str(raised.value) == (
        f"{path}, line 2: Byte 5 of the line, 0xE9, is no UTF-8. Save the file as UTF-8."
    )


def test_the_first_of_several_doubles_is_told(read_rows):
    rows = "worker,item,label\n" + "z,9,x\nb,1,x\na,1,x\n" + "a,1,x\nb,1,y\nz,9,x\n"
    with pytest.raises(BadFile, match="line 5: Worker 'a' has labelled item '1' in line 4"):
        read_rows(rows)


def test_many_rows_keep_their_places(read_rows):
    draw = np.random.default_rng(0)
    pairs = draw.permutation(2_000)[:1_500]
    labels = draw.integers(3, size=1_500)
    text = "worker,item,label\n" + "".join(
        f"w{p % 40},i{p // 40},c{k}\n" for p, k in zip(pairs.tolist(), labels.tolist(), strict=True)
    )
    data = read_rows(text)
    found = {(w, data.names[u]): k for (w, u), k in said(data).items()}
    assert found == {
        (f"w{p % 40}", f"i{p // 40}"): f"c{k}"
        for p, k in zip(pairs.tolist(), labels.tolist(), strict=True)
    }
