"""Batches of documents, ready to be stored: the same, whichever process parses them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from annotation.formats import parsing
from annotation.formats.parsing import batches
from annotation.formats.reading import Reader
from annotation.formats.records import Columns, Prepared, Rejected, Rules

RULES = Rules(schema={"entity_types": [{"name": "PER"}]}, max_line_bytes=5_000)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Lines of many kinds, and bounds so small that all but the first go to processes."""
    monkeypatch.setattr(parsing, "BATCH_LINES", 7)
    monkeypatch.setattr(parsing, "PARSED_HERE", 300)
    path = tmp_path / "many.jsonl"
    lines = [json.dumps({"id": f"d{n}", "text": f"Ada met {n}.", "genre": n}) for n in range(90)]
    lines[30] = "no JSON"
    lines[31] = ""
    lines[32] = json.dumps({"id": "x", "text": "word " * 2_000})  # longer than a line may be
    lines[60] = json.dumps({"id": "g", "tokens": ["Ada", "met"], "gold": ["B-PER", "O"]})
    path.write_text("\n".join(lines))
    return path


def read(path, processes, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(processes))
    with Reader(path, RULES) as reader:
        return items_of(batches(reader))


def items_of(found):
    """In the order of the file."""
    items = [item for batch in found for item in (*batch.documents.rows(), *batch.rejected)]
    return sorted(items, key=lambda item: item.line)


def test_processes_give_what_one_gives_in_the_order_of_the_file(path, monkeypatch):
    alone, together = (read(path, number, monkeypatch) for number in (1, 3))
    assert together == alone
    assert Columns._fields == Prepared._fields
    assert [item.line for item in alone] == [n for n in range(1, 91) if n != 32]
    assert [item.line for item in alone if isinstance(item, Rejected)] == [31, 33]


def test_a_process_that_was_killed_loses_nothing(path, monkeypatch):
    alone = read(path, 1, monkeypatch)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(2))
    made = []
    start = parsing._Parser.__init__
    monkeypatch.setattr(
        parsing._Parser, "__init__", lambda self, rules: made.append(self) or start(self, rules)
    )
    with Reader(path, RULES) as reader:
        found = []
        for batch in batches(reader):
            found.append(batch)
            if made:
                made[0]._process.kill()
    assert items_of(found) == alone


def test_processes_end_with_the_one_that_reads_the_file(path):
    """Killed, it can't end them: they end by themselves."""
    program = (
        "import os, sys, time\n"
        "from annotation.formats import parsing\n"
        "from annotation.formats.records import Rules\n"
        "if __name__ == '__main__':\n"
        "    child = parsing._Parser(Rules())\n"
        '    child.begin((1, [b\'{"id": 1, "text": "Ada"}\']))\n'
        "    assert child.result().documents.line == [1]\n"
        "    print(child._process.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    script = path.with_name("reads.py")
    script.write_text(program)
    parent = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )  # fmt: skip
    child = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 120
    while alive(child):
        assert time.monotonic() < deadline, "the process of a killed import is still there"
        time.sleep(0.01)


def alive(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def test_documents_of_other_formats_come_in_batches_too(tmp_path, monkeypatch):
    monkeypatch.setattr(parsing, "BATCH_LINES", 2)
    path = tmp_path / "few.conll"
    path.write_text("".join(f"# id = {n}\nAda B-PER\n\n" for n in range(5)))
    with Reader(path, RULES) as reader:
        found = list(batches(reader))
    assert [len(batch.documents.line) for batch in found] == [2, 2, 1]
    first = found[0].documents.rows()[0]
    assert (first.external_id, first.tokens, first.n_tokens) == ("0", "[[0, 3]]", 1)
