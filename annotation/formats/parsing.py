"""Documents of a file, ready to be stored, in batches: parsed by other processes where it is large.

To parse a line (its JSON, tokens, sentences, digest) takes five times as long as to store it, and
needs no database. The first lines are parsed here, so that small files need no process; from then
on there are as many processes as processors, which get lines in turn and give back what they
became, in the order of the file. Each has one batch at most: memory does not grow with the file.
"""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from annotation.formats import jsonl
from annotation.formats.reading import Reader
from annotation.formats.records import DocumentRecord, Prepared, Rejected, Rules

Line = tuple[int, bytes | None]
Batch = list[Prepared | Rejected]
Item = TypeVar("Item")

BATCH_LINES = 1_000
BATCH_BYTES = 1_000_000  # of lines, which is some 20 MB on their way
PARSED_HERE = 4_000_000  # bytes: what is parsed here in the time that a process takes to begin
MOST_PROCESSES = 4  # what they parse, one process has to store


def batches(reader: Reader) -> Iterator[Batch]:
    """All documents of a file, in its order. Raises FormatError where it can't be read on."""
    if reader.format != "jsonl":  # a document is more than a line
        return _in_batches(map(_prepared, reader), _characters)
    return _of_lines(reader)


def _of_lines(reader: Reader) -> Iterator[Batch]:
    lines = reader.lines(reader.rules.max_line_bytes)
    chunks = _in_batches(lines, lambda line: len(line[1] or b""))
    processes = min(len(os.sched_getaffinity(0)), MOST_PROCESSES)
    parsed = 0
    for chunk in chunks:
        yield parse(chunk, reader.rules)
        parsed += sum(len(line or b"") for _, line in chunk)
        if processes > 1 and parsed > PARSED_HERE:
            break
    children: list[_Parser] = []
    try:
        for chunk in chunks:
            if not children:
                children = [_Parser(reader.rules) for _ in range(processes)]
                turns = itertools.cycle(children)
            child = next(turns)
            done = child.result()
            child.begin(chunk)  # and is at work again while its last batch is stored
            if done is not None:
                yield done
        for child in itertools.islice(turns, processes) if children else ():
            if (done := child.result()) is not None:
                yield done
    finally:
        for child in children:
            child.end()


def parse(lines: Iterable[Line], rules: Rules) -> Batch:
    with _uncollected():
        return [_prepared(item) for item in jsonl.read(lines, "", rules)]


@contextmanager
def _uncollected() -> Iterator[None]:
    """A batch is many small lists, which the collector would go through time and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _prepared(item: DocumentRecord | Rejected) -> Prepared | Rejected:
    return item.prepared() if isinstance(item, DocumentRecord) else item


def _characters(item: Prepared | Rejected) -> int:
    return len(item.text) if isinstance(item, Prepared) else 0


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
        self._chunk: list[Line] | None = None

    def begin(self, chunk: list[Line]) -> None:
        self._chunk = chunk
        with suppress(OSError):  # it is gone: result() sees to it
            self._pipe.send(chunk)

    def result(self) -> Batch | None:
        """What became of the batch that was begun; None where none was. A process that was killed,
        for want of memory, say, loses nothing: its batch is parsed here."""
        chunk, self._chunk = self._chunk, None
        if chunk is None:
            return None
        try:
            with _uncollected():
                return _unpacked(self._pipe.recv())
        except (EOFError, OSError):
            return parse(chunk, self._rules)

    def end(self) -> None:
        self._pipe.close()
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection, rules: Rules) -> None:
    """The other side."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that reads the file
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_packed(parse(pipe.recv(), rules)))


def _packed(batch: Batch) -> list[Any]:
    """For the pipe, in a third of the time: a bare tuple is pickled without a call of Python."""
    return [tuple(item) if isinstance(item, Prepared) else item for item in batch]


def _unpacked(batch: list[Any]) -> Batch:
    return [Prepared._make(item) if type(item) is tuple else item for item in batch]
