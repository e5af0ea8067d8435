import csv
import gzip
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from aggregation.algorithms import score_spans, spans_of_tags
from aggregation.files import aggregate, writers
from aggregation.methods.registry import METHODS
from annotation.actions import progress
from tests.aggregation.algorithms.categorical.test_disputed import misled
from tests.aggregation.algorithms.tagging import HAS_NER, NER

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the real data sets are not here")

# No test here asks for the database, so pytest-django lets none of them reach it.

TOKENS = ["Ada", "Byron", "met", "Bob", "."]
DOCUMENTS = [
    {
        "id": f"d{i}",
        "tokens": TOKENS,
        "sent_starts": [0, 3],
        "workers": {
            "ann": ["B-PER", "I-PER", "O", "B-PER", "?"],
            "bob": ["B-PER", "I-PER", "O", "O", "?"],
            "eve": ["O", "B-LOC", "O", "B-PER", "?"],
        },
        "gold": ["B-PER", "I-PER", "O", "O", "O"] if i == 1 else None,
    }
    for i in range(6)
]
ROWS = "worker,item,label,gold\n" + "".join(
    f"{worker},q{i},{label},{'no' if i == 2 else ''}\n"
    for i in range(6)
    for worker, label in (("ann", "yes"), ("bob", "yes"), ("eve", "no"))
)


@pytest.fixture
def tags(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in DOCUMENTS))
    return path


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(ROWS)
    return path


def run(path, *arguments, out, stderr=None):
    said = StringIO()
    call_command(
        "aggregate_file", str(path), *map(str, arguments), "--out", str(out),
        stdout=said, stderr=stderr or StringIO(),
    )  # fmt: skip
    return said.getvalue()


def lines(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_it_works(tags, tmp_path):
    out = tmp_path / "out.jsonl"
    said = run(tags, "--method", "mv-token", out=out)
    assert re.fullmatch(
        r"mv-token: 6 documents, 30 tokens, 72 labels, 3 workers; no iterations, \d+\.\d s\n"
        r"Confidences are not checked against gold\.\n",
        said,
    )
    assert lines(out)[5] == {
        "id": "d5",
        "tags": ["B-PER", "I-PER", "O", "B-PER", "?"],
        "confidence": [0.666667, 0.666667, 1.0, 0.666667, None],
        "span_confidence": [0.444444, 0.555556],  # 2/3 of 2/3; 2/3, and ? may be an I-PER
        "expected_spans": 1.666667,
        "gold_check": "not checked against gold",
    }
    assert [one["id"] for one in lines(out)] == [one["id"] for one in DOCUMENTS]


def test_items(rows, tmp_path):
    out = tmp_path / "out.csv"
    said = run(rows, "--method", "majority", out=out)
    assert said.startswith("majority: 6 items, 18 labels, 3 workers; no iterations, ")
    assert out.read_text().splitlines()[:3] == [
        "item,label,confidence,gold_check", "q0,yes,0.666667,not checked against gold",
        "q1,yes,0.666667,not checked against gold",
    ]  # fmt: skip


def test_file_says_whether_gold_has_checked_it(tmp_path):
    rows, out = tmp_path / "in.csv", tmp_path / "out.csv"

    def checks(known):
        rows.write_text(
            "worker,item,label,gold\n"
            + "".join(
                f"{worker},{item},{'no' if item % 3 else 'yes'},{'no' if item < known else ''}\n"
                for item in range(12)
                for worker in ("ann", "bob", "eve")
            )
        )
        run(rows, "--method", "dawid-skene", "--clamp-gold", out=out)
        with out.open() as file:
            return {row["gold_check"] for row in csv.DictReader(file)}

    assert checks(9) == {"not checked against gold"}
    assert checks(10) == {"checked against gold"}


def test_repeated_judgments_count_as_asked(tmp_path):
    rows, out = tmp_path / "in.csv", tmp_path / "out.csv"
    rows.write_text(
        "worker,item,label\nann,q1,no\nbob,q1,yes\nann,q1,yes\nann,q2,no\nann,q1,yes\neve,q1,no\n"
    )

    def votes(*arguments):
        said = run(rows, "--method", "majority", *arguments, out=out)
        with out.open() as file:
            return next(csv.reader(list(file)[1:]))[1:3], said.splitlines()[1:]

    labels, told = votes()
    assert labels == ["yes", "0.666667"]  # yes, yes, no
    assert told == [
        "2 judgments came after another of the same worker and item: the last one counts.",
        "Shares of votes, not checked against gold.",
    ]
    assert votes("--repeated", "first")[0] == ["no", "0.666667"]
    labels, told = votes("--repeated", "each")
    assert labels == ["yes", "0.555556"]  # 1 and 2/3 against 1 and 1/3
    assert told[0].endswith("each counts by its share of them.")
    message = refused(rows, "--method", "majority", "--repeated", "refuse", out=out)
    assert "line 4: Worker 'ann' has labelled item 'q1' in line 2 already" in message
    message = refused(rows, "--method", "mace", "--repeated", "each", out=out)
    assert message == "MACE takes each label as one: it can't weigh repeated judgments"
    assert run(rows, "--repeated", "each", out=out).startswith("hierarchical-dawid-skene")


def test_one_label_an_item_is_as_it_was_given_and_how_sure_is_not_known(tmp_path):
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    labels = ["yes" if i % 9 else "no" for i in range(90)]
    rows = [f"i{i},w{i % 7},{label}" for i, label in enumerate(labels)]
    path.write_text("\n".join(["item,worker,label", *rows]) + "\n")
    said = run(path, out=out)
    assert "how sure they are is not known" in said
    with out.open() as file:
        found = list(csv.DictReader(file))
    assert [row["label"] for row in found] == labels
    assert {row["confidence"] for row in found} == {""}


def test_items_where_method_and_vote_differ_are_asked_for_and_decide(tmp_path):
    labels, truth = misled(0)
    rows, out, asked = (tmp_path / name for name in ("in.csv", "out.csv", "asked.csv"))
    lines = zip(labels.worker, labels.unit, labels.label, strict=True)
    said = "".join(f"w{w},i{u},{'no' if y == 0 else 'yes'}\n" for w, u, y in lines)
    rows.write_text("worker,item,label\n" + said)

    def right():
        with out.open() as file:
            found = {row["item"]: row["label"] for row in csv.DictReader(file)}
        names = ["no", "yes"]
        return np.mean([found[f"i{u}"] == names[truth[u]] for u in range(600)])

    run(rows, "--differ", asked, out=out)
    before = right()
    with asked.open() as file:
        questions = list(csv.DictReader(file))
    assert len(questions) == 30
    assert all(one["method"] != one["vote"] and one["gold"] == "" for one in questions)
    answered = "".join(
        f"{one['item']},{'no' if truth[int(one['item'][1:])] == 0 else 'yes'}\n"
        for one in questions
    )
    known = tmp_path / "known.csv"
    known.write_text("item,gold\n" + answered)
    told = run(rows, "--known", known, "--differ", asked, out=out)
    assert "The vote is taken: of 30 known answers where the two differ hierarchical-" in told
    assert "judged by folds that did not decide" in told
    assert "converged after" in told.splitlines()[1]  # the method that was asked, not the vote
    assert right() > before + 0.03
    with asked.open() as file:
        assert list(csv.DictReader(file)) == questions  # the method's, though the vote is written
    known.write_text("item,gold\ni9999,no\n")
    message = refused(rows, "--known", known, out=out)
    assert message.startswith(f"{known}, line 2: item 'i9999' is not among those that were")


def test_where_method_and_vote_differ_is_no_question_of_tags(tags, tmp_path):
    message = refused(tags, "--differ", tmp_path / "asked.csv", out=tmp_path / "out.jsonl")
    assert message.startswith(f"{tags} holds tags of documents")
    assert not (tmp_path / "asked.csv").exists()


def test_without_a_method_a_file_gets_what_a_campaign_would(rows, tags, tmp_path):
    said = run(rows, out=tmp_path / "out.csv").splitlines()
    assert said[0].startswith("hierarchical-dawid-skene was chosen: it learns each worker's own")
    assert said[1].startswith("hierarchical-dawid-skene: ")
    assert "independent ones" in said[2] or said[2].startswith("Nothing has three answers")
    named = tmp_path / "named.csv"
    run(rows, "--method", "hierarchical-dawid-skene", out=named)
    assert named.read_text() == (tmp_path / "out.csv").read_text()
    said = run(tags, out=tmp_path / "out.jsonl").splitlines()
    assert said[0].startswith("hmm-crowd was chosen: workers have labelled ")


@pytest.mark.parametrize(
    "method", [name for name, method in METHODS.items() if method.takes != "clusters"]
)
def test_every_method_takes_documents(tags, tmp_path, method):
    out, workers = tmp_path / "out.jsonl", tmp_path / "workers.jsonl"
    said = run(tags, "--method", method, "--reliability", workers, out=out)
    assert said.startswith(f"{method}: 6 documents, 30 tokens, 72 labels, 3 workers; ")
    assert len(lines(out)) == 6
    for one in lines(out):
        assert one["tags"][4] == "?"
        assert all(0 <= sure <= 1 for sure in one["confidence"][:4])
    assert [one["worker"] for one in lines(workers)] == ["ann", "bob", "eve"]


@pytest.mark.parametrize("method", [n for n, m in METHODS.items() if m.takes == "labels"])
def test_methods_of_units_take_items(rows, tmp_path, method):
    out, workers = tmp_path / "out.csv", tmp_path / "workers.csv"
    run(rows, "--method", method, "--reliability", workers, out=out)
    assert len(out.read_text().splitlines()) == 7
    assert len(workers.read_text().splitlines()) == 4


def test_tags_without_types_stay_so(tmp_path):
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"id": "d", "tokens": ["a", "b"], "workers": {"w": ["B", "I"]}}')
    run(path, "--method", "dawid-skene", "--reliability", tmp_path / "w.jsonl", out=out)
    assert lines(out)[0]["tags"] == ["B", "I"]
    assert list(lines(tmp_path / "w.jsonl")[0]["confusion"]["B"]) == ["B", "I", "O"]


def test_what_one_worker_says_comes_out_again(tmp_path):
    path, out = tmp_path / "in.jsonl.gz", tmp_path / "out.jsonl.gz"
    said = [["B-x", "?"], [], ["O"], ["?"], ["I-y", "B-x", "I-x"]]
    documents = [
        {"id": f"№ {i}\u2028", "tokens": ["ä"] * len(tags), "workers": {"w": tags}}
        for i, tags in enumerate(said)
    ]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, documents)).encode()))
    run(path, "--method", "mv-token", out=out)
    assert [(one["id"], one["tags"]) for one in lines(out)] == [
        (f"№ {i}\u2028", tags) for i, tags in enumerate(said)
    ]


def test_the_same_input_makes_the_same_bytes(tags, tmp_path):
    made = []
    for i in range(2):
        out, workers = tmp_path / f"out{i}.jsonl.gz", tmp_path / f"workers{i}.csv"
        run(tags, "--method", "dawid-skene", "--seed", 3, "--reliability", workers, out=out)
        made.append((out.read_bytes(), workers.read_bytes()))
    assert made[0] == made[1]


def test_parameters_reach_the_method(tags, tmp_path):
    said = run(
        tags, "--method", "dawid-skene", "--param", "max_iter=1", "--param", "diagonal=.2",
        out=tmp_path / "out.jsonl",
    )  # fmt: skip
    assert "did NOT converge after 1 iteration, " in said


def test_the_seed_reaches_the_methods_that_draw(tags, tmp_path, monkeypatch):
    seen = []
    fit = METHODS["majority"].fit
    monkeypatch.setattr(
        type(METHODS["majority"]), "fit",
        lambda self, *data, **options: seen.append(options["seed"]) or fit(*data),
    )  # fmt: skip
    run(tags, "--method", "majority", "--seed", 7, out=tmp_path / "out.jsonl")
    assert seen == [7]


def test_what_a_method_notes_is_told(tags, tmp_path, monkeypatch):
    fit = METHODS["mv-token"].make.fit

    def noted(self, sequences):
        fit(self, sequences)
        self.diagnostics_ = replace(self.diagnostics_, note="Too little: another one stood in.")
        return self

    monkeypatch.setattr(METHODS["mv-token"].make, "fit", noted)
    said = run(tags, "--method", "mv-token", out=tmp_path / "out.jsonl")
    assert said.splitlines()[1:] == [
        "Too little: another one stood in. Confidences are not checked against gold."
    ]


def test_gold_is_used_only_to_clamp(tags, rows, tmp_path):
    out = tmp_path / "out.jsonl"
    run(tags, "--method", "dawid-skene", out=out)
    assert lines(out)[1] == lines(out)[2] | {"id": "d1"}
    run(tags, "--method", "dawid-skene", "--clamp-gold", out=out)
    assert lines(out)[1]["tags"] == ["B-PER", "I-PER", "O", "O", "O"]
    assert lines(out)[1]["confidence"] == [1.0] * 5
    assert lines(out)[2]["tags"][4] == "?"

    out = tmp_path / "out.csv"
    run(rows, "--method", "dawid-skene", "--clamp-gold", out=out)
    assert "q2,no,1.0," in out.read_text()


def test_given_classes_settle_ties(tmp_path):
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("worker,item,label\na,1,no\nb,1,yes\n")
    for classes, winner in (("no, yes", "no"), ("yes,no", "yes")):
        run(path, "--method", "majority", "--classes", classes, out=out)
        assert out.read_text().splitlines()[1].startswith(f"1,{winner},0.5,")


# --- The workers --------------------------------------------------------------------------------


def test_workers_as_rows(rows, tmp_path):
    workers = tmp_path / "workers.csv"
    run(rows, "--method", "dawid-skene", "--reliability", workers, out=tmp_path / "o.csv")
    with workers.open() as file:
        ann, bob, eve = csv.DictReader(file)
    assert list(ann) == ["worker", "judged", "accuracy", "low", "high"]
    assert (ann["worker"], ann["judged"]) == ("ann", "6")
    assert float(ann["low"]) < float(ann["accuracy"]) < float(ann["high"])
    assert float(eve["accuracy"]) < float(bob["accuracy"])


def test_workers_with_their_tables_as_json_lines(rows, tmp_path):
    workers = tmp_path / "workers.jsonl.gz"
    run(rows, "--method", "dawid-skene", "--reliability", workers, out=tmp_path / "o.csv")
    ann = lines(workers)[0]
    assert list(ann) == ["worker", "judged", "accuracy", "low", "high", "confusion"]
    assert list(ann["confusion"]) == ["no", "yes"]
    assert sum(ann["confusion"]["yes"].values()) == pytest.approx(1, abs=1e-5)
    assert ann["confusion"]["yes"]["yes"] > 0.5


def test_parameters_of_workers_by_the_names_of_classes(rows, tmp_path):
    for name in ("workers.jsonl", "workers.csv"):
        run(rows, "--method", "mace", "--reliability", tmp_path / name, out=tmp_path / "o.csv")
    ann = lines(tmp_path / "workers.jsonl")[0]["parameters"]
    assert set(ann["strategy"]) == {"no", "yes"}
    assert 0 <= ann["honesty"] <= 1
    head = (tmp_path / "workers.csv").read_text().splitlines()[0]
    assert head == "worker,judged,accuracy,low,high,honesty"


def test_a_worker_who_judged_nothing_has_no_figures(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": "d", "tokens": ["a"], "workers": {"a": ["O"], "b": ["?"]}}')
    for name in ("w.csv", "w.jsonl"):
        run(path, "--method", "mv-token", "--reliability", tmp_path / name, out=tmp_path / "o")
    assert (tmp_path / "w.csv").read_text().splitlines()[2] == "b,0,,,"
    assert lines(tmp_path / "w.jsonl")[1] == {
        "worker": "b", "judged": 0, "accuracy": None, "low": None, "high": None,
    }  # fmt: skip


# --- What goes wrong ----------------------------------------------------------------------------


def refused(path, *arguments, out):
    with pytest.raises(CommandError) as raised:
        run(path, *arguments, out=out)
    assert raised.value.returncode == 1
    return str(raised.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "best"], "There is no method 'best'. Use majority, "),
        (["--method", "majority", "--param", "tol=1"], "'majority' has no parameter 'tol'."),
        (["--method", "dawid-skene", "--param", "tol"], "--param tol has no value."),
        (["--method", "dawid-skene", "--param", "tol=x"], "Parameter 'tol' must be a number"),
        (["--method", "majority", "--clamp-gold"], "'majority' takes no gold"),
        (["--method", "majority", "--jobs", "2"], "'majority' works in one process"),
        (["--method", "majority", "--jobs", "0"], "--jobs must be from 1 to "),
        (["--method", "majority", "--classes", "PER,"], "--classes PER, has a blank name."),
        (["--method", "majority", "--reliability", "workers.txt"],
         "--reliability workers.txt is neither CSV nor JSON lines by its name. End it in .csv or "
         ".jsonl, .gz after it for a packed file."),
    ],
)  # fmt: skip
def test_what_it_does_not_take(tags, tmp_path, arguments, message):
    assert refused(tags, *arguments, out=tmp_path / "out.jsonl").startswith(message)
    assert os.listdir(tmp_path) == ["in.jsonl"]


def test_methods_of_sequences_do_not_take_items(rows, tmp_path):
    message = refused(rows, "--method", "mv-seq", out=tmp_path / "out.csv")
    assert message.startswith(
        f"'mv-seq' is for tags of tokens, and {rows} is CSV, with labels of items. Use majority, "
    )
    assert "mv-" not in message.partition("Use ")[2]


def test_where_output_can_not_go(tags, rows, tmp_path):
    voted = ("--method", "majority")
    assert refused(tags, *voted, out=tags) == f"--out {tags} is the input. Name another file."
    (tmp_path / "link.jsonl").hardlink_to(tags)
    assert "is the input" in refused(tags, *voted, out=tmp_path / "link.jsonl")
    nowhere = tmp_path / "none" / "out.jsonl"
    assert refused(tags, *voted, out=nowhere) == (
        f"The folder {nowhere.parent} of --out is not there. Make it first."
    )
    assert refused(tags, *voted, out=tmp_path) == f"--out {tmp_path} is a folder. Name a file."
    assert refused(tags, *voted, out="-") == "--out - is no file. Name one."
    out = tmp_path / "out.jsonl"
    assert refused(tags, *voted, "--reliability", tags, out=out) == (
        f"--reliability {tags} is the input. Name another file."
    )
    assert refused(tags, *voted, "--reliability", out, out=out) == (
        f"--out and --reliability are both {out}. Name two files."
    )
    assert refused(tags, *voted, out=tmp_path / "out.csv.gz") == (
        f"--out {tmp_path / 'out.csv.gz'} would hold JSON lines, as the input does. End its name "
        "in .jsonl."
    )
    assert refused(rows, *voted, out=out) == (
        f"--out {out} would hold CSV, as the input does. End its name in .csv."
    )


def test_a_folder_that_can_not_be_written(tags, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert refused(tags, "--method", "majority", out=tmp_path / "out.jsonl") == (
        f"Nothing can be written to the folder {tmp_path} of --out."
    )


def test_bad_input_is_told_and_nothing_is_touched(tags, tmp_path):
    with tags.open("a") as file:
        file.write('{"id": "d9", "tokens": ["a"], "workers": {"ann": ["O", "O"]}}\n')
    out, workers = tmp_path / "out.jsonl", tmp_path / "workers.csv"
    out.write_text("what was here before\n")
    message = refused(tags, "--method", "mv-token", "--reliability", workers, out=out)
    assert message == (
        f"{tags}, line 7, workers.ann: It has 2 tags, but the document has 1 token. Give each "
        "token a tag, ? where it is not labelled."
    )
    assert out.read_text() == "what was here before\n"
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out.jsonl"]


def test_labels_that_are_remarks_are_told_before_memory_is_full(rows, tmp_path, monkeypatch):
    monkeypatch.setattr(aggregate, "MOST_CELLS", 11)
    assert refused(rows, "--method", "majority", out=tmp_path / "out.csv") == (
        f"{rows} has 2 different labels, too many for 6 units and 3 workers: a table of 0 GiB. "
        "Are these the labels? --classes can name the ones to be found."
    )


def test_what_breaks_in_the_middle_of_writing_leaves_nothing(tags, tmp_path, monkeypatch):
    written = []

    def full(document):
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        written.append(document)
        return "…\n"

    monkeypatch.setattr(writers, "json_line", full)
    out = tmp_path / "out.jsonl"
    out.write_text("before\n")
    assert refused(tags, "--method", "mv-token", out=out) == f"{out}: No space left on device."
    assert len(written) == 3
    assert out.read_text() == "before\n"
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out.jsonl"]


# --- Progress, processes, and no database -------------------------------------------------------


class Terminal(StringIO):
    def isatty(self):
        return True


def test_each_stage_is_told_on_a_terminal(tags, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "BAR_EVERY", 0)
    stderr = Terminal()
    run(tags, "--method", "dawid-skene", out=tmp_path / "out.jsonl", stderr=stderr)
    told = stderr.getvalue()
    assert re.search(r"fitting dawid-skene, passes over the labels: \d+ after 0:00", told)
    assert re.search(r"reading, in bytes \[#*\.*\] +\d+% ", told)
    assert "writing [########################] 100% (6 of 6)" in told
    assert told.endswith("\r\x1b[K")


def test_a_log_stays_short(tags, tmp_path):
    stderr = StringIO()
    run(tags, "--method", "dawid-skene", out=tmp_path / "out.jsonl", stderr=stderr)
    assert stderr.getvalue() == ""


def test_the_pool_is_given_to_the_method(tags, tmp_path, monkeypatch):
    opened = []

    class Pools:
        size = 3

        def __init__(self, jobs, n_labels):
            opened.append(jobs)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            opened.append("closed")

        def open(self, make, shards):
            cut = list(shards)
            opened.append(len(cut))
            return aggregate.LocalPool().open(make, cut)

    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    run(tags, "--method", "dawid-skene", out=alone)
    monkeypatch.setattr(aggregate, "pool_for", Pools)
    run(tags, "--method", "dawid-skene", "--jobs", "3", out=together)
    assert opened == [3, 3, "closed"]
    assert together.read_text() == alone.read_text()


def test_two_processes_come_to_the_same(tags, tmp_path):
    made = []
    for jobs in ("1", "2"):
        out = tmp_path / f"out{jobs}.jsonl"
        run(tags, "--method", "dawid-skene", "--jobs", jobs, out=out)
        made.append(lines(out))
    assert made[0] == made[1]


def test_it_needs_no_database(tags, tmp_path):
    """A server that is not there, and a folder without a database."""
    out = tmp_path / "out.jsonl"
    done = subprocess.run(
        [sys.executable, "-W", "error", "manage.py", "aggregate_file", str(tags),
         "--method", "dawid-skene", "--out", str(out)],
        cwd=ROOT,
        env=os.environ
        | {
            "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert len(lines(out)) == 6


# --- Real data ----------------------------------------------------------------------------------


@pytest.mark.skipif(not HAS_NER, reason=f"{NER} is not here, or is another file")
def test_real_entities(tmp_path):
    source, out = NER, tmp_path / "out.jsonl"
    run(source, "--method", "mv-token", out=out)
    score, sentences = Counter(), 0
    for known, found in zip(lines(source), lines(out), strict=True):
        assert known["id"] == found["id"]
        if known["gold"] is None:
            continue
        edges = [*known["sent_starts"], len(known["tokens"])]
        for start, end in pairwise(edges):
            said = found["tags"][start:end]
            if set(said) == {"?"}:
                continue
            sentences += 1
            ours = spans_of_tags(["O" if tag == "?" else tag for tag in said])
            one = score_spans(ours, spans_of_tags(known["gold"][start:end]))
            score.update(right=one.right, predicted=one.predicted, gold=one.gold)
    precision, recall = score["right"] / score["predicted"], score["right"] / score["gold"]
    f1 = 2 * score["right"] / (score["predicted"] + score["gold"])
    assert sentences == 2_800
    assert [round(100 * share, 2) for share in (precision, recall, f1)] == [80.88, 62.55, 70.54]


@needs_data
@pytest.mark.parametrize(("method", "share"), [("majority", 0.9188), ("dawid-skene", 0.9288)])
def test_real_choices(tmp_path, method, share):
    source, out = DATA / "rte.csv.gz", tmp_path / "out.csv"
    run(source, "--method", method, out=out)
    with gzip.open(source, "rt") as file:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(file)}
    with out.open() as file:
        found = {row["item"]: row["label"] for row in csv.DictReader(file)}
    assert list(found) == list(gold)
    right = sum(found[item] == label for item, label in gold.items()) / len(gold)
    assert right == pytest.approx(share, abs=5e-5)
