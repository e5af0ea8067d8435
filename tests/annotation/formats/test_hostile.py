"""Small files made to take long: every reader is through with them in seconds, and holds little."""

from __future__ import annotations

import gzip
import time
from contextlib import suppress
from functools import cache

import pytest

from aggregation.files.data import BadFile
from aggregation.files.readers import read_file
from annotation.formats import conll, source
from annotation.formats.choices import read_choices
from annotation.formats.claims import read_claims
from annotation.formats.gold import read_gold
from annotation.formats.guesses import read_guesses
from annotation.formats.knowledge import EntryReader
from annotation.formats.names import read_names
from annotation.formats.pictures import read_picture
from annotation.formats.reading import Reader
from annotation.formats.records import FormatError, Rejected, Rules, TimeOver
from annotation.formats.relations import read_relation_types
from annotation.formats.source import Source
from annotation.sentences import Problem

LONGEST = 8 * 1024 * 1024
MB = 1024 * 1024


def all_of(reader, *arguments):
    with reader(*arguments) as opened:
        return sum(1 for _ in opened)


def records(read, path, *arguments):
    with Source(path) as opened:
        return sum(1 for _ in read(opened.lines(LONGEST), *arguments))


def picture(path):
    return read_picture(b"\xff\xd8\xff" + path.read_bytes()[: 8 * MB])


READERS = {
    "documents": lambda path: all_of(Reader, path, Rules()),
    "JSON lines": lambda path: all_of(Reader, path, Rules(), "jsonl"),
    "CoNLL": lambda path: all_of(Reader, path, Rules(), "conll"),
    "entries": lambda path: all_of(EntryReader, path, LONGEST),
    "entries, CSV": lambda path: all_of(EntryReader, path, LONGEST, "csv"),
    "gold": lambda path: records(read_gold, path),
    "choices": lambda path: records(read_choices, path, {}),
    "names": lambda path: sum(1 for _ in read_names(path, ["PER"])),
    "guesses": lambda path: sum(1 for _ in read_guesses(path, Rules())),
    "claims": lambda path: sum(1 for _ in read_claims(path)),
    "relations": read_relation_types,
    "labels": read_file,
    "picture": picture,
}
CONTENT = {  # made where a test takes it, and not by each process that collects
    "blank lines": lambda: b"\n" * 3 * MB,
    "compressed blank lines": lambda: gzip.compress(b"\n" * 60 * MB),
    "empty members": lambda: gzip.compress(b"") * 50_000,
    "NULs": lambda: b"\0" * 10 * MB,
    "lines of NUL": lambda: b"\0\n" * 200_000,
    "one line of 10 MB": lambda: b"a" * 10 * MB,
    "one line of 7 MB": lambda: b"a" * 7 * MB,
    "lists in lists": lambda: b"[" * 5 * MB + b"\n" + b'{"a":' * MB,
    "one document": lambda: b"a\n" * 100_000,
    "quotes": lambda: b'"' * 7 * MB,
    "a quote that is never closed": lambda: b'key,name\n"' + b"a\n" * 100_000,
}


@cache
def made(content):
    return CONTENT[content]()


@pytest.mark.parametrize("content", CONTENT)
@pytest.mark.parametrize("reader", READERS)
def test_no_small_file_takes_long(tmp_path, reader, content):
    path = tmp_path / "a"
    path.write_bytes(made(content))
    began = time.process_time()
    with suppress(FormatError, BadFile):
        READERS[reader](path)
    assert time.process_time() - began < 60


# --- One document without end --------------------------------------------------------------------


def test_a_document_is_refused_while_it_is_read(tmp_path, monkeypatch):
    """3,000,000 words in one document were kept to its end: 660 MB, and 7 s of CPU."""
    taken = []
    monkeypatch.setattr(conll, "MOST_TOKENS", 1_000)
    monkeypatch.setattr(conll, "_columns", lambda text: taken.append(text) or [text])
    path = tmp_path / "a.conll"
    path.write_bytes(b"# id = first\nx\n# id = long\n\n" + b"a\n" * 50_000 + b"# id = last\nx\n")
    with Reader(path, Rules()) as opened:
        first, rejected, last = opened
    assert (first.external_id, last.external_id) == ("first", "last")
    assert rejected == Rejected(3, Problem("conll.many_words", most=1_000), "long")
    assert rejected.reason == (
        "The document is longer than 1,000 words. Mark where each document begins by a line "
        "'# id = …'."
    )
    assert len(taken) == 1 + 1_001 + 1


def test_what_follows_in_a_refused_document_is_not_taken_apart(monkeypatch):
    taken = []
    monkeypatch.setattr(conll, "_text", lambda line, longest: taken.append(line) or line.decode())
    lines = [b"a O", b"b", *[b"c O"] * 1000, b"# id = x", b"d O"]
    items = list(conll.read(enumerate(lines, start=1), "a", Rules()))
    assert [type(item).__name__ for item in items] == ["Rejected", "DocumentRecord"]
    assert taken == [b"a O", b"b", b"# id = x", b"d O"]


def test_the_ends_of_lines_count_for_the_size_of_a_document():
    lines = [(1, b"a"), (1001, b""), (1002, b"b"), (1003, b"# id = x"), (1004, b"c")]
    rejected, document = conll.read(lines, "a", Rules(max_line_bytes=1000))
    assert (rejected.line, document.external_id) == (1, "x")
    assert "longer than 1,000 bytes" in rejected.reason


@pytest.mark.parametrize("line", [b"# note\n", b"a\n", b"\0\n", b"\n", b" \n"])
def test_time_ends_also_inside_of_a_document(tmp_path, monkeypatch, line):
    """The clock was looked at after each document alone, and here none ever ends."""
    now = iter(range(10_000))
    monkeypatch.setattr(source, "monotonic", lambda: next(now))
    monkeypatch.setattr(source, "CHUNK", 64)
    path = tmp_path / "a.conll"
    path.write_bytes(b"x\n" + line * 20_000)
    with Reader(path, Rules(), seconds=50) as opened, pytest.raises(TimeOver) as error:
        list(opened)
    assert 0 < error.value.line <= 55 * 64
