"""No test here is marked for a database, so one that asked it anything would fail."""

import gzip
import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

TAGS = "B-PER I-PER O B-LOC O"


def document(name, gold, **fields):
    return {"id": name, "gold": gold.split() if gold else None, **fields}


def answer(name, tags, confidence=0.9):
    tags = tags.split()
    sure = [None if tag == "?" else confidence for tag in tags]
    return {"id": name, "tags": tags, "confidence": sure}


@pytest.fixture
def written(tmp_path):
    """Writes a file of dicts as JSON lines or of text, and returns its path."""

    def write(name, content):
        if not isinstance(content, str):
            content = "".join(json.dumps(line) + "\n" for line in content)
        path = tmp_path / name
        if name.endswith(".gz"):
            path.write_bytes(gzip.compress(content.encode()))
        else:
            path.write_text(content)
        return str(path)

    return write


def scored(predicted, gold, *arguments):
    out = StringIO()
    call_command("score_file", predicted, gold, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().splitlines()


@pytest.fixture
def tags(written):
    def score(predicted, gold, *arguments):
        return scored(written("pred.jsonl", predicted), written("gold.jsonl", gold), *arguments)

    return score


@pytest.fixture
def items(written):
    def score(predicted, gold, *arguments):
        return scored(written("pred.csv", predicted), written("gold.csv", gold), *arguments)

    return score


# --- Documents ---------------------------------------------------------------------------------


def test_it_works(tags):
    said = tags(
        [answer("a", TAGS), answer("b", "B-PER O O B-LOC O")],
        [document("a", TAGS), document("b", TAGS, sent_starts=[0, 3])],
    )
    assert said == [
        "P 75.00 R 75.00 F1 75.00 over 3 sentences (2 documents with gold)",
        "  95 % interval P 0.00–100.00 R 0.00–100.00 F1 0.00–100.00 (by documents)",
        "relaxed P 100.00 R 87.50 F1 93.33, which counts the parts of spans that match",
        "  95 % interval P 100.00–100.00 R 75.00–100.00 F1 85.71–100.00 "
        "(bootstrap over documents, seed 0)",
        "spans: 3 right, 4 predicted, 4 in gold",
        "strict, by type       P       R      F1  in gold",
        "LOC              100.00  100.00  100.00        2",
        "PER               50.00   50.00   50.00        2",
        "calibration error 0.00 points (6.97 by chance alone), cross entropy of right or wrong "
        "0.3251 nats, over "
        "10 labelled tokens",
    ]


@pytest.mark.parametrize(
    ("options", "spans", "said_of_them"),
    [
        ((), "1 right, 1 predicted, 2 in gold", "they make no span"),
        (("--conlleval",), "2 right, 3 predicted, 2 in gold", "each begins a span (--conlleval)"),
    ],
)
def test_an_i_without_an_open_span_begins_one_by_conlleval(tags, options, spans, said_of_them):
    said = tags(
        [answer("a", "I-PER I-PER O B-LOC I-PER")],
        [document("a", "B-PER I-PER O B-LOC O")],
        *options,
    )
    assert f"spans: {spans}" in said
    assert (
        f"I- tags without an open span of their type: 2 predicted, 0 in gold; {said_of_them}"
        in said
    )


def test_sentences_that_nobody_labelled_are_left_out(tags):
    said = tags(
        [answer("a", "B-PER I-PER O ? ? ?"), answer("b", "? ?")],
        [document("a", "B-PER I-PER O B-LOC O O", sent_starts=[0, 3]), document("b", "B-LOC O")],
    )
    assert said[0] == "P 100.00 R 100.00 F1 100.00 over 1 sentence (1 document with gold)"
    assert said[1] == "  95 % interval: none, it takes 2 documents with gold"
    assert said[-1] == "left out, nobody labelled a token: 2 sentences"


def test_token_that_nobody_labelled_in_a_sentence_that_counts_is_outside(tags):
    said = tags([answer("a", "B-PER ? ? B-LOC O")], [document("a", TAGS)])
    assert said[0].startswith("P 50.00 R 50.00")
    assert said[-1].endswith("over 3 labelled tokens")


def test_no_span_goes_on_into_the_next_sentence_of_gold(tags):
    whole = tags([answer("a", "B-PER I-PER")], [document("a", "B-PER I-PER")])
    cut = tags([answer("a", "B-PER I-PER")], [document("a", "B-PER I-PER", sent_starts=[0, 1])])
    assert "spans: 1 right, 1 predicted, 1 in gold" in whole
    assert cut[0].endswith("over 2 sentences (1 document with gold)")


def test_what_is_left_out_is_counted_and_named(tags):
    said = tags(
        [answer("a", TAGS), *(answer(name, TAGS) for name in "bcdef")],
        [
            document("a", "B-PER I-PER ? O O", sent_starts=[0, 3]),
            *(document(name, None) for name in "bcdef"),
            document("g", TAGS),
        ],
    )
    assert said[0].endswith("over 1 sentence (1 document with gold)")
    assert said[-3:] == [
        "left out, gold not known in full: 1 sentence",
        "left out, no gold: 5 documents: b, c, d and 2 more",
        "in gold alone: 1 document: g",
    ]


def test_gold_may_be_a_file_of_tags_too_and_packed(written):
    gold = written("gold.jsonl.gz", [{"id": "a", "tags": TAGS.split()}])
    assert scored(written("pred.jsonl", [answer("a", TAGS)]), gold)[0].startswith("P 100.00")


def test_tags_without_types(tags):
    said = tags([answer("a", "B I O B O")], [document("a", "B I O O O")])
    assert said[0].startswith("P 50.00 R 100.00")
    assert not any("by type" in line for line in said)


def test_a_share_of_nothing_is_a_dash(tags):
    assert tags([answer("a", "O O O O O")], [document("a", TAGS)])[0].startswith(
        "P – R 0.00 F1 0.00"
    )


def test_without_confidences_calibration_is_not_known(tags):
    predicted = [{"id": "a", "tags": TAGS.split()}]
    assert tags(predicted, [document("a", TAGS)])[-1] == (
        "calibration: not known, the file has no confidences"
    )


def test_a_seed_settles_the_interval(tags):
    predicted = [answer(str(i), TAGS if i % 3 else "O O O B-LOC O") for i in range(30)]
    gold = [document(str(i), TAGS) for i in range(30)]
    assert tags(predicted, gold, "--seed", "4") == tags(predicted, gold, "--seed", "4")
    assert tags(predicted, gold, "--seed", "4") != tags(predicted, gold, "--seed", "5")


# --- Items -------------------------------------------------------------------------------------


def test_items_have_an_accuracy(items):
    said = items(
        "item,label,confidence\na,yes,0.5\nb,yes,0.5\nc,no,\nd,no,nan\n",
        "item,gold\na,yes\nb,no\nc,no\nd,no\n",
    )
    assert said == [
        "accuracy 75.00 over 4 items",
        "  95 % interval accuracy 30.06–95.44 (Wilson)",
        "calibration error 0.00 points (25.00 by chance alone), cross entropy of right or wrong "
        "0.6931 nats, over 2 items",
    ]


def test_gold_of_items_may_stand_beside_the_workers_labels(items):
    said = items("item,label\na,1\nb,1\n", "worker,item,label,gold\nw,a,0,1\nv,a,1,1\nw,b,1,\n")
    assert said[0] == "accuracy 100.00 over 1 item"
    assert said[-1] == "left out, no gold: 1 item: b"


def test_gold_of_items_may_be_called_label(items):
    assert items("item,label\na,1\n", "item,label\na,1\nb,0\n")[0::3] == [
        "accuracy 100.00 over 1 item", "in gold alone: 1 item: b",
    ]  # fmt: skip


# --- Bad input ---------------------------------------------------------------------------------


def told(score, *arguments):
    """The message, without the folder that the files are in."""
    with pytest.raises(CommandError) as caught:
        score(*arguments)
    assert caught.value.returncode == 1
    return re.sub(r"\S+/(?=pred|gold)", "", str(caught.value))


def test_file_that_is_not_there(written, tmp_path):
    gold = written("gold.jsonl", [document("a", TAGS)])
    said = told(scored, str(tmp_path / "none.jsonl"), gold)
    assert said.endswith("none.jsonl can't be opened: No such file or directory.")


@pytest.mark.parametrize(
    ("predicted", "said"),
    [
        ('{"id": "a", "tags": [}\n', "pred.jsonl, line 1: This is no JSON"),
        ("\n[1]\n", "pred.jsonl, line 2: This is no object"),
        ("\n", "pred.jsonl: The file holds no documents."),
        ([{"tags": ["O"]}], "pred.jsonl, line 1, id: Each document must have an id"),
        ([{"id": "a"}], "pred.jsonl, line 1, tags: The field is missing"),
        ([{"id": "a", "tags": "O"}], "line 1, tags: It must be a list of tags"),
        ([answer("a", TAGS)] * 2, "pred.jsonl, line 2, id: 'a' stands in line 1 too"),
        ([answer("z", TAGS)], "pred.jsonl, line 1, id: 'z' is not in gold.jsonl"),
        ([answer("a", "O O")], "line 1, tags: 'a' has 2 tags, but 5 in gold.jsonl, line 1"),
        ([answer("a", "O O X-PER O O")], "line 1, tags: Token 3 has 'X-PER', which is no tag"),
        ([answer("a", "B O B-PER O O")], "line 1, tags: Token 3 has 'B-PER', but line 1 has 'B'"),
        ([answer("a", "B I O B O")], "The tags of gold.jsonl have types, as in B-x, and those of"),
        ([{"id": "a", "tags": [1]}], "line 1, tags: Token 1 is a number"),
        ([{"id": "a", "tags": [[]]}], "line 1, tags: Token 1 is a list"),
        ([answer("a", TAGS, 1.5)], "confidence: Number 1 is 1.5, but it must be from 0 to 1"),
        ([answer("a", TAGS, "1")], "confidence: It must be a list of numbers"),
        (
            [answer("a", TAGS) | {"confidence": [1]}],
            "It is of length 1, but the tags are of length 5",
        ),
        ([answer("a", "? ? ? ? ?")], "No sentence of pred.jsonl that somebody labelled has gold"),
    ],
)
def test_bad_tags_are_told_with_their_line(tags, predicted, said):
    assert said in told(tags, predicted, [document("a", TAGS)])


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ([{"id": "a"}], "gold.jsonl, line 1, gold: The field is missing"),
        ([document("a", "O Q O O O")], "gold.jsonl, line 1, gold: Token 2 has 'Q', which is no"),
        ([document("a", TAGS, sent_starts=[1])], "line 1, sent_starts: It begins with 1"),
        ([document("a", TAGS, sent_starts=[0, 9])], "A sentence starts at token 9"),
        ([document("a", None)], "No document of pred.jsonl has gold in gold.jsonl"),
    ],
)
def test_bad_gold_is_told_with_its_line(tags, gold, said):
    assert said in told(tags, [answer("a", TAGS)], gold)


@pytest.mark.parametrize(
    ("predicted", "gold", "said"),
    [
        ("", "item,gold\na,1\n", "pred.csv: The file is empty."),
        ("item,label\n", "item,gold\na,1\n", "pred.csv: The file holds no labels"),
        ("item,x\na,1\n", "item,gold\na,1\n", "pred.csv, line 1: The column 'label' is missing"),
        ("item,label\na,1,2\n", "item,gold\na,1\n", "pred.csv, line 2: There are 3 cells"),
        ("item,label\na,\n", "item,gold\na,1\n", "pred.csv, line 2, label: The cell is blank"),
        ("item,label\na,1\na,2\n", "item,gold\na,1\n", "pred.csv, line 3, item: 'a' stands in"),
        ("item,label\nb,1\n", "item,gold\na,1\n", "pred.csv, line 2, item: 'b' is not in gold.csv"),
        ("item,label\na,1\n", "item,gold\na,\n", "No item of pred.csv has gold in gold.csv"),
        ("item,label\na,1\n", "item,gold\na,1\na,2\n", "gold.csv, line 3, gold: The gold of item"),
        ("item,label\na,1\n", "worker,item,label\nw,a,1\n", "gold.csv, line 1: The column 'gold'"),
        ("item,label,confidence\na,1,x\n", "item,gold\na,1\n", "line 2, confidence: 'x' is no num"),
        ("item,label,confidence\na,1,2\n", "item,gold\na,1\n", "line 2, confidence: '2' is no num"),
    ],
)
def test_bad_items_are_told_with_their_line(items, predicted, gold, said):
    assert said in told(items, predicted, gold)


def test_two_kinds_of_files(written):
    predicted = written("pred.csv", "item,label\na,1\n")
    gold = written("gold.jsonl", [document("a", TAGS)])
    assert told(scored, predicted, gold) == (
        "pred.csv is CSV of items, but gold.jsonl is JSON lines of documents. Give two files of "
        "one kind."
    )


def test_only_one_file_can_be_the_standard_input():
    assert told(scored, "-", "-").startswith("Only one of the two can be the standard input.")


def test_confidences_of_spans_are_scored_apart_from_words(tags):
    """Two documents: one span of .9 is right, one of .6 is wrong, one true span is missed."""
    said = tags(
        [
            answer("a", "B-PER I-PER O O O", 0.9)
            | {"span_confidence": [0.9], "expected_spans": 1.5},
            answer("b", "O B-LOC O O", 0.8) | {"span_confidence": [0.6], "expected_spans": 0.5},
        ],
        [document("a", "B-PER I-PER O B-LOC O"), document("b", "O O O O")],
    )
    # |.9 − 1| and |.6 − 0|, a span each; words: .9, .9 right and .8 wrong; outside .9 three times,
    # two of them right, and .8 three times, all right.
    assert "calibration error of spans: 35.00 points (33.00 by chance alone), over 2" in said
    assert (
        "calibration error of words of spans: 33.33 points (21.47 by chance alone), over 3" in said
    )
    assert (
        "calibration error of words outside: 21.67 points (17.53 by chance alone), over 6" in said
    )
    assert "expected F1 75.00, true F1 50.00" in said  # 2 · 1.5 of 2 + 2; 2 · 1 of 2 + 2


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"span_confidence": [0.9, 0.1]},
            "span_confidence: it has 2 numbers, but the tags have 1 ",
        ),
        ({"span_confidence": 1}, "span_confidence: It must be a list of numbers from 0 to 1"),
        ({"span_confidence": [1.2]}, "span_confidence: Number 1 is 1.2, but it must be from 0 to"),
        ({"expected_spans": "two"}, "expected_spans: It must be a number, 0 or more, or null, but"),
    ],
)
def test_confidences_of_spans_that_do_not_fit_are_told(tags, more, message):
    with pytest.raises(CommandError, match=message):
        tags([answer("a", "B-PER O") | more], [document("a", "B-PER O")])
