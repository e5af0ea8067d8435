"""Every table that we write: nothing in it is run by a spreadsheet, and what our own readers make
of it is what was written. And nobody writes one by other means."""

from __future__ import annotations

import ast
import csv
import re
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aggregation.algorithms import CrowdLabels, Reliability
from aggregation.files.answers import read_answers
from aggregation.files.data import CrowdFile
from aggregation.files.readers import read_file
from aggregation.files.writers import write_labels, write_reliability
from aggregation.knowledge.files import COLUMNS, HEADER, as_row
from annotation.formats.knowledge import EntryReader, EntryRecord
from annotation.formats.names import ListedName, read_names
from annotation.formats.relations import read_relation_types
from annotation.formats.tables import csv_row, csv_rows, tab_row
from experiments.selection import report, saving
from experiments.selection.selecting import SelectionExperiment
from experiments.selection.trials import SelectionTrials
from tests.spreadsheet import is_run, nasty_texts

ROOT = Path(__file__).resolve().parents[1]
TABLES = "annotation/formats/tables.py"
# A CoNLL file is read by taggers, which take its words as they are, '' and = among them.
# So is a submission of mentions, and what makes one for a test of a shared task.
WITH_TABS = {
    TABLES,
    "annotation/formats/brat.py",
    "annotation/formats/columns.py",
    "annotation/formats/conll.py",
    "annotation/formats/conllu.py",
    "annotation/formats/json_array.py",
    "annotation/formats/reading.py",
    "annotation/formats/webanno.py",
    "annotation/text/columns.py",
    "benchmarks/bench_evaluation.py",
    "evaluation/formats/mention_lines.py",
    "evaluation/formats/submissions.py",
    "evaluation/formats/tac_lines.py",
    "experiments/evaluation/shared_task.py",
}

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
# On one line, without blanks at its ends: what names are when they have been read.
lines = nasty_texts.map(
    lambda text: " ".join(re.sub(r"[^\S ]|[\x00-\x1f\x7f-\x9f]", " ", text).split())
).filter(bool)
keys = lines.map(lambda text: " ".join("".join(filter(str.isprintable, text)).split())).filter(
    lambda text: text not in ("", "none")
)
# Each line of a file may end in \r\n, so a \r before \n can't be told from that; cells that are
# blank are refused.
cells = nasty_texts.filter(lambda text: not text.isspace() and text and "\r" not in text)
distinct = st.lists(cells, min_size=1, max_size=4, unique_by=str.strip)


def csv_cells(text: str) -> list[list[str]]:
    return list(csv.reader(StringIO(text, newline=""), strict=True))


def nothing_is_run(rows: list[list[str]]) -> bool:
    return not any(is_run(cell) for row in rows for cell in row)


# --- The knowledge base -------------------------------------------------------------------------


@in_one_folder
@given(
    key=keys, name=lines, aliases=st.lists(lines, max_size=3, unique=True), type=lines,
    description=lines,
)  # fmt: skip
def test_a_knowledge_base_comes_back_from_its_table(
    tmp_path, key, name, aliases, type, description
):
    aliases = [alias.replace("|", "/") for alias in aliases]
    entity = {
        "kind": "entity", "key": key, "name": name, "aliases": aliases, "type": type,
        "description": description, "url": "", "value": "", "mentions": 3, "confidence": -0.5,
    }  # fmt: skip
    mention = {
        "kind": "mention", "id": key, "text": name, "type": type, "entity": key, "document": name,
        "start": 0, "end": 3, "confidence": 1.0,
        "provenance": {"campaign": key, "run": None, "method": type, "task": name, "answers": 2},
    }  # fmt: skip
    table = HEADER + as_row(entity) + as_row(mention)
    assert nothing_is_run([row.split("\t") for row in table.splitlines()])
    path = tmp_path / "kb.tsv"
    path.write_text(table)
    with EntryReader(path, 100_000) as reader:
        (found,) = reader
    assert isinstance(found, EntryRecord)
    assert (found.key, found.name, found.type) == (key, name, type)
    assert (found.aliases, found.description) == (list(dict.fromkeys(aliases)), description)

    # Its columns as a list of names, which a manager may cut out of it.
    rows = [row.split("\t") for row in table.splitlines()[1:2]]
    cut = ["\t".join(row[COLUMNS.index(c)] for c in ("name", "type", "key")) for row in rows]
    path.write_text("\n".join(cut))
    if not cut[0].startswith("#"):  # a note
        assert list(read_names(path, {type})) == [ListedName(1, name, type, key)]


@in_one_folder
@given(entry=st.tuples(keys, lines, lines), with_tabs=st.booleans())
def test_a_table_of_entries_is_read_as_it_was_written(tmp_path, entry, with_tabs):
    path = tmp_path / ("kb.tsv" if with_tabs else "kb.csv")
    row = tab_row if with_tabs else csv_row
    path.write_text(row(["key", "name", "description"]) + row(entry))
    with EntryReader(path, 100_000) as reader:
        (found,) = reader
    assert (found.key, found.name, found.description) == entry


@in_one_folder
@given(button=lines, sentence=lines)
def test_a_table_of_relations_is_read_as_it_was_written(tmp_path, button, sentence):
    path = tmp_path / "relations.csv"
    columns = ["name", "subject", "object", "button", "sentence"]
    path.write_text(csv_row(columns) + csv_row(["met", "PER", "PER", button, sentence]))
    (found,) = read_relation_types(path)
    assert (found["button"], found["sentence"]) == (button, sentence)


# --- Labels and workers -------------------------------------------------------------------------


def crowd_file(items: list[str], workers: list[str], classes: list[str]) -> CrowdFile:
    labels = CrowdLabels(
        np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32),
        len(items), len(workers), len(classes),
    )  # fmt: skip
    return CrowdFile(
        tuple(items), np.arange(len(items) + 1), tuple(workers), labels, None, tuple(classes),
        tuple(classes), np.full(len(items), -1),
    )  # fmt: skip


@in_one_folder
@given(items=distinct, classes=distinct)
def test_labels_come_back_from_their_table(tmp_path, items, classes):
    told = StringIO()
    predicted = np.arange(len(items)) % len(classes)
    data = crowd_file(items, ["w"], classes)
    write_labels(told, data, predicted, np.full(len(items), 0.5), lambda n: None, is_checked=False)
    assert nothing_is_run(csv_cells(told.getvalue()))
    path = tmp_path / "labels.csv"
    path.write_text(told.getvalue(), newline="")
    found = read_answers(str(path), gold=False).items  # for scores, blanks at ends don't count
    assert {item: one.label for item, one in found.items()} == {
        item.strip(): classes[i].strip() for item, i in zip(items, predicted.tolist(), strict=True)
    }
    _, *rows = (row for _, row in csv_rows(StringIO(told.getvalue(), newline="")))
    assert [row[0] for row in rows] == items


@in_one_folder
@given(items=distinct, workers=distinct, classes=distinct)
def test_what_a_crowd_said_is_read_as_it_was_written(tmp_path, items, workers, classes):
    said = [
        (worker, item, classes[(i + j) % len(classes)])
        for i, item in enumerate(items)
        for j, worker in enumerate(workers)
    ]
    path = tmp_path / "said.csv"
    path.write_text("".join(map(csv_row, [("worker", "item", "label"), *said])), newline="")
    found = read_file(path)
    assert found.names == tuple(items)
    assert found.workers == tuple(workers)
    assert [
        (found.workers[w], found.names[u], found.classes[k])
        for u, w, k in zip(found.labels.unit, found.labels.worker, found.labels.label, strict=True)
    ] == sorted(said, key=lambda row: items.index(row[1]))


@given(workers=st.lists(nasty_texts, min_size=1, max_size=4))
def test_workers_come_back_from_their_table(workers):
    n = len(workers)
    figures = np.full(n, 0.5)
    reliability = Reliability(
        figures, figures, figures, np.arange(n), parameters={"bias": np.full(n, -0.25)}
    )
    told = StringIO()
    write_reliability(told, "csv", crowd_file(["i"], workers, ["a"]), reliability)
    assert nothing_is_run(csv_cells(told.getvalue()))
    header, *rows = (row for _, row in csv_rows(StringIO(told.getvalue(), newline="")))
    assert header == ["worker", "judged", "accuracy", "low", "high", "bias"]
    assert [row[0] for row in rows] == workers
    assert {row[-1] for row in rows} == {"-0.25"}


# --- Experiments --------------------------------------------------------------------------------


@in_one_folder
@given(across=nasty_texts, columns=st.lists(nasty_texts, min_size=2, max_size=3, unique=True))
def test_experiments_come_back_from_their_table(tmp_path, across, columns):
    values = -np.ones((2, len(columns), 1))
    experiment = SelectionExperiment(
        "e", "An experiment", across, (-1.0,), SelectionTrials(tuple(columns), values), (-1.0,), {}
    )
    with pytest.MonkeyPatch.context() as patch:  # drawings are another matter
        patch.setattr(report, "curves_svg", lambda *parts: "")
        path = report.write_files(experiment, tmp_path)[0]
    text = path.read_bytes().decode()
    assert nothing_is_run(csv_cells(text))
    header, row = (cells for _, cells in csv_rows(StringIO(text, newline="")))
    assert header == [across, *(name for column in columns for name in (column, f"{column} ±"))]
    assert row == ["-1", *["-1.0000", "0.0000"] * len(columns)]


def test_numbers_of_experiments_stay_numbers(tmp_path):
    figures = np.array([[-0.25, 0.5]])
    found = saving.Saving("F1", np.array([0.5, 1]), np.array([0.5, 1]), figures, figures, ())
    path = saving.write_files(found, "t", "saving", tmp_path)[0]
    assert path.read_text() == (
        "answers,answers_of_scored,fixed,adaptive\n"
        "0.5000,0.5000,-0.2500,-0.2500\n1.0000,1.0000,0.5000,0.5000\n"
    )


# --- By no other means --------------------------------------------------------------------------


def sources() -> list[str]:
    folders = ("annotation", "aggregation", "selection", "evaluation", "config", "benchmarks")
    others = ("dashboard", "demonstration", "experiments")
    return [
        str(path.relative_to(ROOT))
        for folder in (*folders, *others)
        for path in (ROOT / folder).rglob("*.py")
    ]


def writes_tables(text: str) -> tuple[bool, bool]:
    """Whether a module knows csv, and whether a text of it, but for what it says of itself, holds
    a tab."""
    tree = ast.parse(text)
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    has_csv = has_tab = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            has_csv |= any(name.name.partition(".")[0] == "csv" for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            has_csv |= node.module in ("csv", "_csv")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            has_tab |= "\t" in node.value and id(node) not in said
    return has_csv, has_tab


def test_tables_are_written_and_read_in_one_place():
    found = {name: writes_tables((ROOT / name).read_text()) for name in sources()}
    assert len(found) > 300
    assert {name for name, (has_csv, _) in found.items() if has_csv} == {TABLES}
    assert {name for name, (_, has_tab) in found.items() if has_tab} == WITH_TABS


@pytest.mark.parametrize(
    "text",
    ["import csv\ncsv.writer(file)", "from csv import DictWriter", "'\\t'.join(x)", "f'{a}\\t{b}'"],
)
def test_another_writer_would_be_found(text):
    assert any(writes_tables(text))
