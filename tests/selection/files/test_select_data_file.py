"""The command `select_data_file`: what it chooses, what it says, and what it refuses."""

import csv
import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments.coverage.trials import Problem, default_runner
from selection.algorithms import (
    DiverseUncertainty,
    FacilityLocation,
    Labelled,
    LogisticRegression,
    Nominal,
    Numeric,
    Pool,
)
from selection.files.items import read_items
from selection.methods.registry import PICKERS

N = 120
NONE = np.zeros(0, dtype=np.int64)


def rows():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, N)) * 3
    return [
        {"id": f"d{i}", "length": round(first[i], 3), "dots": round(second[i], 3),
         "source": "abc"[i % 3]}
        for i in range(N)
    ]  # fmt: skip


def write(path, found):
    with open(path, "w", newline="") as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(row) + "\n" for row in found)
        else:
            table = csv.DictWriter(file, list(found[0]))
            table.writeheader()
            table.writerows(found)
    return str(path)


@pytest.fixture
def items(tmp_path):
    return write(tmp_path / "items.csv", rows())


@pytest.fixture
def out(tmp_path):
    return tmp_path / "next.csv"


def labels(tmp_path, numbers, label=lambda i: "yes" if rows()[i]["length"] > 0 else "no"):
    return write(tmp_path / "labelled.csv", [{"id": f"d{i}", "label": label(i)} for i in numbers])


def said(items, out, *arguments, budget=10):
    told = StringIO()
    call_command(
        "select_data_file", str(items), "--budget", str(budget), "--out", str(out), *arguments,
        stdout=told, stderr=StringIO(),
    )  # fmt: skip
    return told.getvalue()


def chosen(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def numbers(path):
    return [int(row["id"][1:]) for row in chosen(path)]


def made_pool(found=None):
    found = found or rows()
    return Pool.of([
        Numeric("length", np.array([row["length"] for row in found])),
        Numeric("dots", np.array([row["dots"] for row in found])),
        Nominal("source", np.arange(len(found)) % 3, ("a", "b", "c")),
    ])  # fmt: skip


def test_it_works(items, out):
    told = said(items, out)
    assert told.startswith("diverse-uncertainty: 10 of 120 items chosen; 0 labelled\n")
    assert "of the 23 values of 3 attributes are held by an item" in told
    assert "not covered: values of " in told
    assert "Nothing is labelled yet, so all were chosen as for a start." in told
    found = chosen(out)
    assert [row["rank"] for row in found] == [str(i) for i in range(1, 11)]
    picked = FacilityLocation(made_pool()).pick(Labelled(), NONE, np.arange(N), 10)
    assert numbers(out) == picked.items.tolist()
    assert [float(row["gain"]) for row in found] == pytest.approx(picked.gain, abs=1e-6)


def test_with_labels_it_goes_on_with_what_is_uncertain(items, out, tmp_path):
    known = list(range(0, N, 2))
    told = said(
        items, out, "--labelled", labels(tmp_path, known), "--param", "start_size=40", budget=7
    )
    assert "7 of 120 items chosen; 60 labelled as no, yes" in told
    assert "as for a start" not in told
    classes = [int(rows()[i]["length"] > 0) for i in known]
    picker = DiverseUncertainty(made_pool(), learner=LogisticRegression(), start_size=40)
    free = np.arange(1, N, 2)
    picked = picker.pick(Labelled.of_classes(known, classes, 2), NONE, free, 7)
    assert numbers(out) == picked.items.tolist()


def test_one_class_alone_teaches_nothing(items, out, tmp_path):
    told = said(items, out, "--labelled", labels(tmp_path, [0, 1, 2], lambda i: "no"))
    assert "One class alone was found, so all were chosen as for a start." in told


@pytest.mark.parametrize("method", PICKERS)
def test_each_method_chooses_what_is_not_labelled_the_same_each_time(method, items, out, tmp_path):
    known = labels(tmp_path, range(40))
    said(items, out, "--method", method, "--labelled", known, "--seed", "3", budget=12)
    first = out.read_bytes()
    # Coverage ends when each value is held twice.
    assert len(numbers(out)) == (1 if method == "coverage" else 12)
    assert min(numbers(out)) >= 40
    assert all(row["gain"] == "" for row in chosen(out)) == (method == "random")
    said(items, out, "--method", method, "--labelled", known, "--seed", "3", budget=12)
    assert out.read_bytes() == first


@pytest.mark.parametrize("learner", ["gaussian", "bernoulli", "best"])
def test_another_learner_can_be_named(learner, items, out, tmp_path):
    known = labels(tmp_path, range(40))
    said(items, out, "--method", "uncertainty", "--labelled", known, "--param",
         f"learner={learner}")  # fmt: skip
    assert len(numbers(out)) == 10


def test_json_lines_say_the_same_as_csv(items, out, tmp_path):
    said(items, out)
    first = out.read_bytes()
    said(write(tmp_path / "items.jsonl", rows()), out)
    assert out.read_bytes() == first


def test_costs_add_up_to_the_budget_at_most_and_are_no_attribute(out, tmp_path):
    found = [row | {"words": 1 + i % 7} for i, row in enumerate(rows())]
    items = write(tmp_path / "items.csv", found)
    told = said(items, out, "--cost", "words", budget=20.5)
    assert sum(found[i]["words"] for i in numbers(out)) <= 20.5
    assert "chosen for 20 by 'words'" in told
    assert "3 attributes" in told


def test_a_column_of_labels_is_not_looked_at(items, out, tmp_path):
    said(items, out)
    first = out.read_bytes()
    with_labels = [row | {"label": f"of {row['id']}"} for row in rows()]
    said(write(tmp_path / "labels.csv", with_labels), out)
    assert out.read_bytes() == first


def test_coverage_takes_its_settings_and_says_when_all_is_covered(items, out):
    told = said(items, out, "--method", "coverage", "--param", "times=1", budget=N)
    assert "covered: 23 of the 23 values" in told
    assert "not covered" not in told
    assert "nothing else would cover anything more" in told
    few = len(numbers(out))
    said(items, out, "--method", "coverage", "--param", "times=1", "--param", "step=1", budget=N)
    assert len(numbers(out)) > few


def test_labels_of_items_that_have_gone_are_told_and_left_out(items, out, tmp_path):
    path = tmp_path / "labelled.csv"
    path.write_text("id,label\nd1,yes\ngone,no\nd2,no\n")
    told = said(items, out, "--labelled", str(path))
    assert "1 labelled item is not among the items any more, such as 'gone': left out." in told
    assert "2 labelled as no, yes" in told


def test_what_says_nothing_is_told(out, tmp_path):
    found = [row | {"same": 5, "name": f"n{i}"} for i, row in enumerate(rows())]
    told = said(write(tmp_path / "items.csv", found), out)
    assert "The same in all items, so of no use: same." in told
    assert "Another text in each item, so nothing that items have in common: name." in told


def test_nothing_but_constants_still_gives_a_choice(out, tmp_path):
    found = [{"id": f"d{i}", "same": 1} for i in range(9)]
    told = said(write(tmp_path / "items.csv", found), out, budget=4)
    assert numbers(out) == [0, 1, 2, 3]
    assert "so of no use: same" in told


def test_without_attributes_items_can_be_drawn_at_random_alone(out, tmp_path):
    items = write(tmp_path / "items.csv", [{"id": f"d{i}"} for i in range(9)])
    told = said(items, out, "--method", "random", budget=4)
    assert len(set(numbers(out))) == 4
    assert "covered" not in told


def test_called_again_and_again_it_is_the_experiments_loop(items, out, tmp_path):
    """Without a server, with labels from a file, in batches."""
    truth = np.array([int(row["length"] > 0) for row in rows()])
    problem = Problem(made_pool(), truth, np.eye(2)[truth], gold=0)
    known = []
    for _ in range(4):
        arguments = ["--labelled", labels(tmp_path, known)] if known else []
        said(items, out, *arguments, "--param", "start_size=20", budget=20)
        known += numbers(out)
    run = default_runner(start=20, batch=20)
    assert run(problem, np.arange(N), 80, 0).tolist() == known


def test_when_all_are_chosen_it_says_so(items, out):
    assert "These are all that were left." in said(items, out, budget=500)
    assert len(numbers(out)) == N


def test_unknown_values_numbers_and_texts_are_told_apart(tmp_path, monkeypatch):
    path = tmp_path / "items.csv"
    path.write_text("id,a,b,c\nx,1,,1\ny,,u,v\nz,3e1,w,\n")
    a, b, c = read_items(str(path)).attributes
    assert isinstance(a, Numeric)
    assert a.values == pytest.approx([1, np.nan, 30], nan_ok=True)
    assert (b.names, b.codes.tolist()) == (("u", "w"), [-1, 0, 1])
    assert (c.names, c.codes.tolist()) == (("1", "v"), [0, 1, -1])
    monkeypatch.setattr("selection.files.items.CHUNK", 1)  # a column turns from numbers to texts
    again = read_items(str(path)).attributes
    assert [type(one) for one in again] == [Numeric, Nominal, Nominal]
    assert (again[2].names, again[2].codes.tolist()) == (("1", "v"), [0, 1, -1])
    assert (again[1].names, again[1].codes.tolist()) == (("u", "w"), [-1, 0, 1])


def test_members_that_come_late_are_unknown_before(tmp_path, monkeypatch):
    monkeypatch.setattr("selection.files.items.CHUNK", 1)
    path = write(
        tmp_path / "items.jsonl",
        [{"id": 1, "a": True}, {"id": "2", "b": 2}, {"id": "3", "a": None}],
    )
    found = read_items(path)
    assert found.ids == ("1", "2", "3")
    a, b = found.attributes
    assert (a.names, a.codes.tolist()) == (("true",), [0, -1, -1])
    assert b.values == pytest.approx([np.nan, 2, np.nan], nan_ok=True)


def test_ids_that_look_like_formulas_come_back_guarded(out, tmp_path):
    found = [{"id": f"=d{i}", "a": i} for i in range(4)]
    said(write(tmp_path / "items.jsonl", found), out, budget=1)
    assert chosen(out)[0]["id"].startswith("'=d")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,a\nx,1\nx,2\n", r"items.csv, line 3, id: 'x' stands in line 2 too"),
        ("a\n1\n", "The column 'id' is missing; the columns are a\\."),
        ("id,a,a\nx,1,2\n", "The column 'a' is there twice"),
        ("id,a,\nx,1,2\n", "A column has no name"),
        ("id,a\nx,1,2\n", "line 2: There are 3 cells, but 2 columns"),
        ("id,a\n,1\n", "line 2, id: Each item must have an id"),
        ("id,a\n", "The file holds no items"),
        ("", "The file is empty"),
        ("id\nx\ny\n", "items.csv has no attributes: .* --method random"),
        ("id,label\nx,a\n", "items.csv has no attributes"),
    ],
)
def test_files_that_hold_no_items_are_refused_with_their_line(text, words, out, tmp_path):
    path = tmp_path / "items.csv"
    path.write_text(text)
    out.write_text("as it was")
    with pytest.raises(CommandError, match=words):
        said(path, out, budget=1)
    assert out.read_text() == "as it was"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"id": "x", "a": [1]}', "line 1, a: An attribute must be a number, a text or null"),
        ('{"a": 1}', "line 1, id: Each item must have an id"),
        ('{"id": "x", "a": NaN}', "NaN is no number in JSON"),
    ],
)
def test_members_that_are_no_attributes_are_refused(line, words, out, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text(line)
    with pytest.raises(CommandError, match=words):
        said(path, out, budget=1)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ("0", "line 2, price: A cost must be a number above 0, but it is '0'"),
        ("-3", "above 0, but it is '-3'"),
        ("", "line 2, price: A cost must be a number above 0, but it is missing"),
        ("dear", "above 0, but it is 'dear'"),
        ("9", "--budget 3 pays for no item: by 'price' the cheapest costs 9."),
    ],
)
def test_costs_that_are_none_are_refused(cost, words, out, tmp_path):
    path = tmp_path / "items.csv"
    path.write_text(f"id,a,price\nx,1,{cost}\n")
    with pytest.raises(CommandError, match=words):
        said(path, out, "--cost", "price", budget=3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,label\nd1,yes\nd1,no\n", "line 3, id: 'd1' stands in line 2 too"),
        ("id,label\nd1,\n", "line 2, label: The cell is blank"),
        ("item,label\nd1,a\n", "The columns must be id and label, each once"),
        ("id,label\nx1,a\nx2,a\n", "none of its 2 ids, such as 'x1', is among the items"),
    ],
)
def test_labels_that_are_none_are_refused(text, words, items, out, tmp_path):
    path = tmp_path / "labelled.csv"
    path.write_text(text)
    with pytest.raises(CommandError, match=words):
        said(items, out, "--labelled", str(path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--method", "best"], "There is no method 'best'. Use random, coverage"),
        (["--budget", "0"], "--budget must be above 0, but is 0"),
        (["--budget", "nan"], "--budget must be above 0, but is nan"),
        (["--budget", "2.5"], "--budget 2.5 must be a whole number of items, or name --cost"),
        (["--cost", "price"], "There is no column 'price' of costs"),
        (["--cost", "label"], "--cost label: that column holds no costs"),
        (["--seed", "-1"], "--seed must be 0 or more, but is -1"),
        (["--param", "width=2", "--method", "random"], "'random' has no parameter 'width'"),
        (["--param", "width=0.5"], "width must be at least 1, but is 0.5"),
        (["--param", "learner=tree"], "'learner' must be logistic, .* best, but is 'tree'"),
        (["--param", "start=similar", "--method", "density"], "'start' must be facility-location"),
        (["--param", "bins=1", "--method", "coverage"], "bins must be at least 2, but is 1"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments, words, items, out):
    with pytest.raises(CommandError, match=words):
        said(items, out, *arguments)
    assert not out.exists()


def test_files_are_not_written_over_each_other(items, tmp_path):
    with pytest.raises(CommandError, match="is the input"):
        said(items, items)
    known = labels(tmp_path, [1])
    with pytest.raises(CommandError, match="is the file of labels"):
        said(items, known, "--labelled", known)


def test_when_all_is_labelled_nothing_is_left(items, out, tmp_path):
    with pytest.raises(CommandError, match="All items are labelled"):
        said(items, out, "--labelled", labels(tmp_path, range(N)))
