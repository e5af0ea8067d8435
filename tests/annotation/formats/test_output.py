import gzip
import os

import pytest

from annotation.formats.output import replaced


def test_the_file_is_there_at_the_end_and_not_before(tmp_path):
    path = tmp_path / "out.jsonl"
    with replaced(path) as file:
        file.write("é\n")
        assert not path.exists()
    assert path.read_bytes() == "é\n".encode()
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_an_error_leaves_what_was_there_before_and_nothing_else(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("before")
    with pytest.raises(TypeError), replaced(path) as file:
        file.writelines(["half", None])
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_a_name_that_ends_in_gz_is_packed_always_to_the_same_bytes(tmp_path):
    paths = [tmp_path / "one.gz", tmp_path / "two.gz"]
    for path in paths:
        with replaced(path) as file:
            file.write("é\n" * 100)
    assert gzip.decompress(paths[0].read_bytes()).decode() == "é\n" * 100
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_others_may_read_it_as_the_umask_says(tmp_path):
    path = tmp_path / "out"
    before = os.umask(0o022)
    try:
        with replaced(path) as file:
            file.write("x")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o644
