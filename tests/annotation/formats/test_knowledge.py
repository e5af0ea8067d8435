"""Entries of a knowledge base out of files, and what is said of lines that hold none."""

from __future__ import annotations

import gzip
import json

import pytest

from annotation.formats.knowledge import EntryReader, EntryRecord
from annotation.formats.records import FormatError

ADA = {
    "key": "Q7259", "name": "Ada Lovelace", "aliases": ["Ada Byron", "Countess of Lovelace"],
    "description": "English mathematician", "url": "https://kb.example/Q7259", "type": "PER",
}  # fmt: skip


@pytest.fixture
def read(tmp_path):
    def read(content, name="kb.jsonl", format="auto", longest=10_000):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with EntryReader(path, longest, format) as reader:
            return list(reader)

    return read


def only(items):
    assert len(items) == 1
    return items[0]


def test_an_object_a_line_is_an_entry(read):
    entry = only(read(json.dumps(ADA) + "\n\n"))
    assert entry == EntryRecord(line=1, **ADA)


def test_key_and_name_are_enough(read):
    entry = only(read('{"key": 7, "name": " Ada\\n Lovelace ", "rank": 3}'))
    assert (entry.key, entry.name, entry.aliases, entry.url) == ("7", "Ada Lovelace", [], "")
    assert entry.unused == ("rank",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("kb.tsv", "key\tname\taliases\ttype\nQ1\tAda \"A.\" Lovelace\tAda|Countess\tPER\n"),
        ("kb.csv", 'Key,Name,Aliases,Type\r\nQ1,"Ada ""A."" Lovelace",Ada|Countess,PER\r\n'),
        ("kb", "key\tname\taliases\ttype\nQ1\tAda \"A.\" Lovelace\tAda|Countess\tPER\n"),
        ("kb.txt", 'key,name,aliases,type\nQ1,"Ada ""A."" Lovelace",Ada|Countess,PER'),
    ],
)  # fmt: skip
def test_a_table_names_its_columns_in_the_first_line(read, name, content):
    entry = only(read(content, name))
    assert (entry.line, entry.key, entry.name) == (2, "Q1", 'Ada "A." Lovelace')
    assert (entry.aliases, entry.type) == (["Ada", "Countess"], "PER")


def test_a_packed_file_and_one_with_a_byte_order_mark_are_read(read):
    line = json.dumps(ADA).encode()
    assert only(read(gzip.compress(line), "kb.jsonl.gz")).key == "Q7259"
    assert only(read(b"\xef\xbb\xbf" + line)).key == "Q7259"


@pytest.mark.parametrize("header", ["key\tdescription", "name", "key\tname\tname", "key\tname\0"])
def test_a_table_without_key_and_name_is_no_knowledge_base(read, header):
    with pytest.raises(FormatError, match=r"kb\.tsv"):
        read(f"{header}\nQ1\tAda\n", "kb.tsv")


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"name": "Ada"}, "key", "There is no key"),
        ({"key": "", "name": "Ada"}, "key", "There is no key"),
        ({"key": "Q1"}, "name", "There is no name"),
        ({"key": "Q1", "name": " \t"}, "name", "There is no name"),
        ({"key": " Q1", "name": "Ada"}, "key", "a blank at an end"),
        ({"key": ["Q1"], "name": "Ada"}, "key", "neither a text"),
        ({"key": True, "name": "Ada"}, "key", "neither a text"),
        ({"key": "none", "name": "Ada"}, "key", "no entry at all"),
        ({"key": "Q" * 201, "name": "Ada"}, "key", "201 characters. Use at most 200"),
        ({"key": "Q1", "name": "A" * 301}, "name", "301 characters. Use at most 300"),
        ({"key": "Q1", "name": 7}, "name", "This is no text"),
        ({"key": "Q1", "name": "A\x07da"}, "name", "a control character"),
        ({"key": "Q1", "name": "A\0da"}, "", "NUL"),
        ({"key": "Q1", "name": "\ud800"}, "", "half of a surrogate pair"),
        ({"key": "Q1", "name": "Ada", "aliases": "Ada"}, "aliases", "This is no list"),
        ({"key": "Q1", "name": "Ada", "aliases": [1]}, "aliases[0]", "This is no text"),
        ({"key": "Q1", "name": "Ada", "aliases": ["x"] * 101}, "aliases", "at most 100"),
        ({"key": "Q1", "name": "Ada", "description": "x" * 1001}, "description", "at most 1000"),
        ({"key": "Q1", "name": "Ada", "type": "x" * 101}, "type", "at most 100"),
        ({"key": "Q1", "name": "Ada", "url": "https://kb.example/" + "x" * 999}, "url", "at most"),
        ({"key": "Q1", "name": "Ada", "url": "javascript:alert(1)"}, "url", "no address"),
        ({"key": "Q1", "name": "Ada", "url": "ftp://kb.example/"}, "url", "no address"),
        ({"key": "Q1", "name": "Ada", "url": "//kb.example/"}, "url", "no address"),
        ({"key": "Q1", "name": "Ada", "url": "https:///x"}, "url", "no address"),
        ({"key": "Q1", "name": "Ada", "url": "https://kb.example/a b"}, "url", "no address"),
    ],
)
def test_a_wrong_field_is_named_with_the_line(read, fields, field, words):
    good = json.dumps(ADA)
    first, rejected, last = read("\n".join([good, json.dumps(fields), good]))
    assert (rejected.line, rejected.field) == (2, field)
    assert words in rejected.reason
    assert (first.line, last.line) == (1, 3)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "no JSON"),
        (b"[]", "This is no object"),
        (b'{"key": "Q1", "name": "\xff"}', "0xFF, is no UTF-8"),
        (b'{"key": "Q1", "name": "\0"}', "is NUL"),
        (b'{"key": 1, "key": 2, "name": "x"}', "stands 2 times"),
        (b'{"key": "Q1", "name": "' + b"x" * 10_000 + b'"}', "longer than 10,000 bytes"),
        (b"[" * 5_000, "nested too deep"),
    ],
)
def test_a_line_that_can_t_be_read_is_rejected_and_the_next_is_read(read, line, words):
    rejected, entry = read(line + b"\n" + json.dumps(ADA).encode())
    assert rejected.line == 1
    assert words in rejected.reason
    assert entry.line == 2


@pytest.mark.parametrize(
    ("name", "row", "words"),
    [
        ("kb.tsv", "Q1\tAda\tmore", "3 cells, but there are 2 columns"),
        ("kb.csv", 'Q1,"Ada', "no row of CSV"),
        ("kb.csv", 'Q1,"Ada"x', "no row of CSV"),
    ],
)
def test_a_wrong_row_is_rejected_alone(read, name, row, words):
    separator = "\t" if name.endswith("tsv") else ","
    content = f"key{separator}name\n{row}\nQ2{separator}Grace\n"
    rejected, entry = read(content, name)
    assert (rejected.line, entry.key) == (2, "Q2")
    assert words in rejected.reason


def test_names_that_say_the_same_twice_are_kept_once(read):
    entry = only(read(json.dumps(ADA | {"aliases": ["Ada", " Ada ", "", None, "Byron"]})))
    assert entry.aliases == ["Ada", "Byron"]
