import gzip

import pytest

from annotation.formats.reading import Reader
from annotation.formats.records import Rules


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", "x", "jsonl"),
        ("A.NDJSON", "x", "jsonl"),
        ("a.json.gz", "{", "jsonl"),
        ("a.conll", "{", "conll"),
        ("a.bio.gz", "{", "conll"),
        ("a.txt", " \n\n {", "jsonl"),
        ("a", "Ada O", "conll"),
        ("a.gz", "{", "jsonl"),
        ("a", "", "conll"),
    ],
)
def test_auto_goes_by_the_name_and_then_by_the_first_byte(tmp_path, name, content, expected):
    path = tmp_path / name
    path.write_bytes(gzip.compress(content.encode()) if ".gz" in name else content.encode())
    with Reader(path, Rules()) as reader:
        assert reader.format == expected


@pytest.mark.parametrize("content", [", O\n", "id\ntext\n", "1,000 O\n", "a,b\n"])
def test_tokens_with_a_comma_are_no_table(tmp_path, content):
    path = tmp_path / "a"
    path.write_text(content)
    with Reader(path, Rules()) as reader:
        assert reader.format == "conll"


def test_a_format_that_is_named_is_taken(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("Ada\n")
    with Reader(path, Rules(), "conll") as reader:
        assert [item.text for item in reader] == ["Ada"]
