"""Documents of a file, ready to be stored, in batches: parsed by other processes where it is large.

To parse a line (its JSON, tokens, sentences, digest) takes longer than to store it, and needs no
database. The first lines are parsed here, so that small files need no process; from then on there
is one process more than there are processors. They get lines in turn and give back what these
became, in the order of the file. Each has one batch at most: memory does not grow with the file.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import NamedTuple, TypeVar

from annotation.collector import uncollected
from annotation.formats import jsonl
from annotation.formats.reading import Reader
from annotation.formats.records import (
    Columns,
    DocumentRecord,
    Prepared,
    Rejected,
    Rules,
    prepared_of,
)

Run = tuple[int, list[bytes | None]]  # the number of the first line, and the lines
Item = TypeVar("Item")

BATCH_LINES = 1_000
BATCH_BYTES = 1_000_000  # of lines, which is some 20 MB on their way
PARSED_HERE = 4_000_000  # bytes: what is parsed here in the time that a process takes to begin
MOST_PROCESSES = 4  # what they parse, one process has to store


class Batch(NamedTuple):
    documents: Columns
    rejected: list[Rejected]


def batches(reader: Reader) -> Iterator[Batch]:
    """All documents of a file, in its order. Raises FormatError where it can't be read on."""
    if reader.format != "jsonl":  # a document is more than a line
        return (_batch(map(prepared_of, items)) for items in _in_batches(reader, _characters))
    return _of_lines(reader)


def _of_lines(reader: Reader) -> Iterator[Batch]:
    runs = _bounded(reader.runs(reader.rules.max_line_bytes))
    processors = len(os.sched_getaffinity(0))
    processes = min(processors + 1, MOST_PROCESSES)  # one of them waits until it is stored
    parsed = 0
    for run in runs:
        yield parse(run, reader.rules)
        parsed += sum(map(_bytes, run[1]))
        if processors > 1 and parsed > PARSED_HERE:
            break
    children: list[_Parser] = []
    try:
        for run in runs:
            if not children:
                children = [_Parser(reader.rules) for _ in range(processes)]
                turns = itertools.cycle(children)
            child = next(turns)
            done = child.result()
            child.begin(run)  # and is at work again while its last batch is stored
            if done is not None:
                yield done
        for child in itertools.islice(turns, processes) if children else ():
            if (done := child.result()) is not None:
                yield done
    finally:
        for child in children:
            child.end()


def parse(run: Run, rules: Rules) -> Batch:
    first, lines = run
    with uncollected():
        return _batch(jsonl.prepared(lines, first, rules))


def _batch(items: Iterable[Prepared | Rejected]) -> Batch:
    documents, rejected = [], []
    for item in items:
        if isinstance(item, Rejected):
            rejected.append(item)
        else:
            documents.append(item)
    return Batch(Columns.of(documents), rejected)


def _characters(item: DocumentRecord | Rejected) -> int:
    return len(item.text) if isinstance(item, DocumentRecord) else 0


def _bytes(line: bytes | None) -> int:
    return len(line or b"")


def _bounded(runs: Iterable[Run]) -> Iterator[Run]:
    """Runs of at most BATCH_LINES, which end where they hold BATCH_BYTES."""
    for first, run in runs:
        for at in range(0, len(run), BATCH_LINES):
            most, number = run[at : at + BATCH_LINES], first + at
            short = sum(map(_bytes, most)) < BATCH_BYTES  # nearly always: no line is asked again
            for lines in (most,) if short else _in_batches(most, _bytes):
                yield number, lines
                number += len(lines)


def _in_batches(items: Iterable[Item], size: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Lists of at most BATCH_LINES, which end where they hold BATCH_BYTES."""
    batch, held = [], 0
    for item in items:
        batch.append(item)
        held += size(item)
        if len(batch) >= BATCH_LINES or held >= BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


# --- Processes ----------------------------------------------------------------------------------


class _Parser:
    """This side of a process that parses a batch at a time. It begins afresh ("spawn"), so that it
    holds no connection to the database, and ends with its pipe: also where this process is killed.
    """

    def __init__(self, rules: Rules):
        context = multiprocessing.get_context("spawn")
        self._rules = rules
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, rules), daemon=True)
        self._process.start()
        theirs.close()
        self._run: Run | None = None

    def begin(self, run: Run) -> None:
        self._run = run
        with suppress(OSError):  # it is gone: result() sees to it
            self._pipe.send(run)

    def result(self) -> Batch | None:
        """What became of the batch that was begun; None where none was. A process that was killed,
        for want of memory, say, loses nothing: its batch is parsed here."""
        run, self._run = self._run, None
        if run is None:
            return None
        try:
            with uncollected():
                documents, rejected = self._pipe.recv()
                return Batch(Columns._make(documents), rejected)
        except (EOFError, OSError):
            return parse(run, self._rules)

    def end(self) -> None:
        self._pipe.close()
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection, rules: Rules) -> None:
    """The other side."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that reads the file
    with suppress(EOFError, OSError):
        while True:
            documents, rejected = parse(pipe.recv(), rules)
            pipe.send((tuple(documents), rejected))
