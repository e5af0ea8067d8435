"""tag_file, and the model that aggregate_file keeps for it. No test here may reach a database."""

import gzip
import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.files import tag
from aggregation.files.readers import read_file
from aggregation.methods.registry import METHODS

NAMES = ["Ada", "Bea", "Cem", "Dan", "Eva", "Fay"]
TRAINS = [name for name, method in METHODS.items() if method.trains]


def documents(number, tagged=True):
    """A name in a sentence, and a sentence without one."""
    for i in range(number):
        name = NAMES[i % len(NAMES)]
        document = {
            "id": f"d{i}",
            "tokens": ["Then", name, "Byron", "slept", ".", "It", "rained", "."],
            "sent_starts": [0, 5],
        }
        if tagged:
            tags = ["O", "B-PER", "I-PER", *["O"] * 5]
            document["workers"] = {"ann": tags, "bob": tags}
        yield document


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def run(*arguments):
    said = StringIO()
    call_command(*map(str, arguments), stdout=said, stderr=StringIO())
    return said.getvalue()


@pytest.fixture
def model(tmp_path):
    path = write(tmp_path / "in.jsonl", documents(12))
    run(
        "aggregate_file", path, "--method", "crf-conc", "--out", tmp_path / "out.jsonl",
        "--model", tmp_path / "model.npz",
    )  # fmt: skip
    return tmp_path / "model.npz"


@pytest.fixture
def texts(tmp_path):
    return write(
        tmp_path / "new.jsonl",
        [
            {"id": "n1", "tokens": ["Then", "Gil", "Byron", "left", "."]},
            {"id": "n2", "tokens": []},
            {"id": "n3", "tokens": ["It", "rained", ".", "Then", "Ada", "Byron", "slept"],
             "sent_starts": [0, 3], "title": "not looked at"},
        ],
    )  # fmt: skip


def lines(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_it_works(model, texts, tmp_path):
    out = tmp_path / "tags.jsonl.gz"
    said = run("tag_file", texts, "--model", model, "--out", out)
    assert said.startswith("3 documents, 12 tokens, 2 spans found; ")
    found = lines(out)
    assert [one["id"] for one in found] == ["n1", "n2", "n3"]
    assert found[0]["tags"] == ["O", "B-PER", "I-PER", "O", "O"]
    assert found[1] == {"id": "n2", "tags": [], "confidence": []}
    assert found[2]["tags"] == ["O", "O", "O", "O", "B-PER", "I-PER", "O"]
    assert all(0.5 < sure <= 1 for one in found for sure in one["confidence"])


def test_what_comes_out_does_not_hang_on_what_is_read_at_once(model, texts, tmp_path, monkeypatch):
    made = []
    for tokens in (1, 50_000):
        monkeypatch.setattr(tag, "AT_ONCE", tokens)
        run("tag_file", texts, "--model", model, "--out", tmp_path / "tags.jsonl")
        made.append((tmp_path / "tags.jsonl").read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("method", TRAINS)
def test_every_method_that_trains_keeps_what_it_trained(method, tmp_path):
    """Its tags are those of the model that it kept, but for methods that hear workers as well."""
    path = write(tmp_path / "in.jsonl", documents(12))
    out, again, model = (tmp_path / name for name in ("out.jsonl", "again.jsonl", "model.npz"))
    run("aggregate_file", path, "--method", method, "--out", out, "--model", model)
    run("tag_file", path, "--model", model, "--out", again)
    assert [one["tags"] for one in lines(again)] == [one["tags"] for one in lines(out)]
    assert Tagger.load(model).tags == ("B-PER", "I-PER", "O")


@pytest.mark.parametrize("method", [n for n, m in METHODS.items() if m.takes == "sequences"])
def test_methods_say_whether_they_train(method, tmp_path):
    data = read_file(write(tmp_path / "in.jsonl", documents(6)))
    fitted = METHODS[method].fit({}, data.labels, data.sequences)
    assert hasattr(fitted, "tagger_") == METHODS[method].trains


def test_tags_without_types_stay_so(tmp_path):
    path = write(
        tmp_path / "in.jsonl",
        [
            {"id": f"d{i}", "tokens": ["Then", name, "slept"], "workers": {"w": ["O", "B", "O"]}}
            for i, name in enumerate(NAMES)
        ],
    )
    out, model = tmp_path / "out.jsonl", tmp_path / "model.npz"
    run("aggregate_file", path, "--method", "crf-conc", "--out", out, "--model", model)
    run("tag_file", path, "--model", model, "--out", out)
    assert lines(out)[0]["tags"] == ["O", "B", "O"]


# --- What is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"new\.jsonl, line 2: This is no JSON"),
        ('{"tokens": []}', r"line 2, id: The field is missing\. Each document has id and tokens\."),
        ('{"id": "n2"}', "line 2, tokens: The field is missing"),
        ('{"id": 3, "tokens": []}', "line 2, id: It is a number, but must be a text"),
        ('{"id": "n1", "tokens": []}', "line 2, id: 'n1' stands in line 1 too"),
        ('{"id": "n2", "tokens": ["a", 5]}', "line 2, tokens: Token 2 is a number"),
        ('{"id": "n2", "tokens": "ab"}', "line 2, tokens: It is a text, but must be a list"),
        ('{"id": "n2", "tokens": ["a"], "sent_starts": [1]}', "line 2, sent_starts: It begins"),
    ],
)
def test_a_wrong_line_is_told_and_leaves_what_was_there(model, tmp_path, line, message):
    path, out = tmp_path / "new.jsonl", tmp_path / "tags.jsonl"
    path.write_text('{"id": "n1", "tokens": ["Ada"]}\n' + line + "\n")
    out.write_text("mine")
    with pytest.raises(CommandError, match=message):
        run("tag_file", path, "--model", model, "--out", out)
    assert out.read_text() == "mine"
    assert sorted(one.name for one in tmp_path.iterdir() if one.name.startswith(".")) == []


def test_files_of_other_kinds_are_told(model, texts, tmp_path):
    out = tmp_path / "tags.jsonl"
    rows = tmp_path / "rows.csv"
    rows.write_text("worker,item,label\n")
    with pytest.raises(CommandError, match=r"rows\.csv is CSV\. Give documents to be tagged as"):
        run("tag_file", rows, "--model", model, "--out", out)
    with pytest.raises(CommandError, match="would hold JSON lines"):
        run("tag_file", texts, "--model", model, "--out", tmp_path / "tags.csv")
    with pytest.raises(CommandError, match="is the input"):
        run("tag_file", texts, "--model", model, "--out", texts)
    empty = write(tmp_path / "empty.jsonl", [])
    with pytest.raises(CommandError, match="The file holds no documents"):
        run("tag_file", empty, "--model", model, "--out", out)
    assert not out.exists()


def test_what_is_no_model_is_told(texts, tmp_path):
    out = tmp_path / "tags.jsonl"
    with pytest.raises(CommandError, match=r"none\.npz"):
        run("tag_file", texts, "--model", tmp_path / "none.npz", "--out", out)
    with pytest.raises(CommandError, match=r"new\.jsonl"):
        run("tag_file", texts, "--model", texts, "--out", out)
    foreign = tmp_path / "foreign.npz"
    np.savez(foreign, weights=np.zeros(3))
    with pytest.raises(CommandError, match=r"foreign\.npz"):
        run("tag_file", texts, "--model", foreign, "--out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("method", "name", "message"),
    [
        ("bsc-seq", "model.npz", "'bsc-seq' trains nothing that could tag new texts: leave out "
                                 "--model, or use crf-ma"),
        ("crf-conc", "model", r"--model .*model would be an \.npz file\. End its name so\."),
        ("crf-conc", "none/model.npz", "The folder .*none of --model is not there"),
        ("crf-conc", "in.jsonl", r"--model .*in\.jsonl is the input"),
        ("crf-conc", "out.jsonl", r"--out and --model are both .*out\.jsonl"),
    ],
)  # fmt: skip
def test_a_model_that_cant_be_kept_is_told_before_anything_is_read(tmp_path, method, name, message):
    path = tmp_path / "in.jsonl"
    path.write_text("{")
    with pytest.raises(CommandError, match=message):
        run(
            "aggregate_file", path, "--method", method, "--out", tmp_path / "out.jsonl",
            "--model", tmp_path / name,
        )  # fmt: skip


def test_a_model_that_learnt_nothing_is_told_and_leaves_what_was_there(tmp_path):
    """All tags alike: it would find a span at every token."""
    rows = (["B-X", "O"], ["I-X", "I-X"], ["O", "B-X"])
    workers = {f"w{i}": tags for i, tags in enumerate(rows)}
    path = write(tmp_path / "in.jsonl", [{"id": "d", "tokens": ["a", "b"], "workers": workers}])
    out, model = tmp_path / "out.jsonl", tmp_path / "model.npz"
    out.write_text("mine")
    with pytest.raises(CommandError, match="the tagger has learnt nothing: nobody has labelled"):
        run("aggregate_file", path, "--method", "multi-crf", "--out", out, "--model", model)
    assert out.read_text() == "mine"
    assert not model.exists()


def test_the_same_input_makes_the_same_model(tmp_path):
    path = write(tmp_path / "in.jsonl", documents(6))
    made = []
    for _ in range(2):
        run(
            "aggregate_file", path, "--method", "crf-conc", "--out", tmp_path / "out.jsonl",
            "--model", tmp_path / "model.npz",
        )  # fmt: skip
        made.append((tmp_path / "model.npz").read_bytes())
    assert made[0] == made[1]


def test_tags_are_not_written_over_the_model(model, texts):
    before = model.read_bytes()
    with pytest.raises(CommandError, match=r"--out and --model are both .* Name two files"):
        run("tag_file", texts, "--model", model, "--out", model)
    assert model.read_bytes() == before
