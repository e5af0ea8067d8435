import gzip
import time
import tracemalloc
import zlib
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.formats import source
from annotation.formats.records import FormatError, TimeOver
from annotation.formats.source import Source


def lines_of(path, longest=1000, **options):
    with Source(path) as opened:
        return list(opened.lines(longest, **options))


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(source, "CHUNK", 16)


def test_lines_are_numbered_from_1_and_lose_their_ends(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\n\ntwo\rthree\nlast")
    assert lines_of(path) == [(1, b"one"), (2, b""), (3, b"two\rthree"), (4, b"last")]


@pytest.mark.parametrize("packed", [False, True])
@given(content=st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b""))))
@example(content=[b""] * 40)  # whole chunks of blank lines
def test_lines_are_the_same_however_chunks_fall(tmp_path_factory, packed, content):
    data = b"\n".join(content)
    path = tmp_path_factory.mktemp("source") / "a.txt"
    path.write_bytes(gzip.compress(b"x\n" + data) if packed else b"x\n" + data)
    expected = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    if not data.endswith(b"\r") and not expected[-1]:
        expected.pop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "CHUNK", 16)
        every = lines_of(path, every_blank=True)
        assert every == [*enumerate([b"x", *expected], start=1)]


@pytest.mark.usefixtures("small_chunks")
def test_a_longer_line_is_passed_over_and_the_next_one_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * 20 + b"\n" + b"b" * 21 + b"\nccc\n" + b"d" * 100)
    assert lines_of(path, longest=20) == [(1, b"a" * 20), (2, None), (3, b"ccc"), (4, None)]


def test_a_line_of_any_length_is_never_held(tmp_path):
    path = tmp_path / "a.txt.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(30):
            file.write(b"x y z" * 200_000)
    tracemalloc.start()
    assert lines_of(path, longest=100_000) == [(1, None)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000


def test_gzip_is_known_by_its_content_and_may_have_members_and_padding(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(gzip.compress(b"one\ntw") + gzip.compress(b"o\n") + b"\0" * 100)
    assert lines_of(path) == [(1, b"one"), (2, b"two")]


@pytest.mark.parametrize("kept", [0.2, 0.99])
def test_truncated_gzip_is_an_error_that_says_after_which_line(tmp_path, kept):
    # Not to be packed well, so that each part of the file holds lines.
    data = b"".join(b"%d %d\n" % (i, i * 2_654_435_761 % 2**32) for i in range(20_000))
    packed = gzip.compress(data)
    path = tmp_path / "a.gz"
    path.write_bytes(packed[: int(len(packed) * kept)])
    with Source(path) as opened, pytest.raises(FormatError, match="end too early") as error:
        list(opened.lines(1000))
    assert f"a.gz, after line {opened.line}:" in str(error.value)
    assert 0 < opened.line < 20_000


def test_damaged_gzip_is_an_error(tmp_path):
    packed = bytearray(gzip.compress(bytes(range(256)) * 50))
    packed[-5] ^= 0xFF  # its checksum
    path = tmp_path / "a.gz"
    path.write_bytes(packed)
    with pytest.raises(FormatError, match="damaged"):
        lines_of(path)


def test_something_after_the_gzip_data_is_an_error(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"one\n") + b"and more")
    with pytest.raises(FormatError, match="after line 1: the packed data are damaged"):
        lines_of(path)


def test_a_bomb_is_refused_before_it_unfolds(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "BOMB_SIZE", 1_000_000)
    member = zlib.compressobj(9, wbits=31)
    path = tmp_path / "a.gz"
    packed = (
        b"".join(member.compress((b"x" * 99 + b"\n") * 10_000) for _ in range(20)) + member.flush()
    )
    path.write_bytes(packed)
    with Source(path) as opened, pytest.raises(FormatError, match="more than 200 times as many"):
        list(opened.lines(1000))
    assert opened.line < len(packed) * 210 / 100


def test_highly_packed_data_below_the_bound_are_read(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress((b"x" * 99 + b"\n") * 10_000, 9))
    assert len(lines_of(path)) == 10_000


def test_the_mark_of_utf_8_is_dropped(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\n")
    assert lines_of(path) == [(1, b"one")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-be", "utf-32-be"])
def test_other_encodings_are_one_clear_error(tmp_path, encoding):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeff{}".encode(encoding) if "be" in encoding else "{}".encode(encoding))
    with pytest.raises(FormatError, match=f"written in {encoding[:6].upper()}. Save it as UTF-8"):
        lines_of(path)


@pytest.mark.parametrize(
    ("start", "name"),
    [(b"PK\x03\x04", "zip"), (b"BZh9", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"(\xb5/\xfd", "zstd")],
)
def test_other_archives_are_named(tmp_path, start, name):
    path = tmp_path / "a"
    path.write_bytes(start + b"...")
    with pytest.raises(FormatError, match=f"packed with {name}. Unpack it"):
        lines_of(path)


def test_a_file_that_can_not_be_opened_is_a_format_error(tmp_path):
    with pytest.raises(FormatError, match="No such file"):
        Source(tmp_path / "missing")
    with pytest.raises(FormatError, match="Is a directory"):
        Source(tmp_path)


def test_a_file_that_can_not_be_read_on_is_a_format_error():
    with pytest.raises(FormatError, match="mem, after line 0: it can't be read on: Input/output"):
        lines_of("/proc/self/mem")


def test_the_head_is_seen_without_being_used_up(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b" \n\n {}\n")
    with Source(path) as opened:
        assert opened.head() == b"{}"
        assert list(opened.lines(10)) == [(1, b" "), (2, b""), (3, b" {}")]


def test_an_empty_file_has_no_lines_and_no_head(tmp_path):
    path = tmp_path / "a"
    path.touch()
    with Source(path) as opened:
        assert opened.head() == b""
        assert list(opened.lines(10)) == []


def test_taken_counts_the_bytes_of_the_file_and_not_of_its_text(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"one\n" * 1000))
    with Source(path) as opened:
        list(opened.lines(10))
        assert opened.taken == path.stat().st_size


# --- Files that would take a process's time -------------------------------------------------------


class Clock:
    """Goes on by a second each time that somebody looks at it."""

    def __init__(self):
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return float(self.looks)


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(source, "monotonic", clock)
    return clock


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(
    "content", [b"\n" * 10_000, b" \r\n" * 10_000, b"x\n" * 10_000, b"x" * 10_000]
)
@pytest.mark.parametrize("packed", [False, True])
def test_the_clock_is_looked_at_for_every_chunk(tmp_path, clock, content, packed):
    path = tmp_path / "a"
    path.write_bytes(gzip.compress(content) if packed else content)
    with Source(path, seconds=20) as opened, pytest.raises(TimeOver) as error:
        for _ in opened.lines(10):
            pass
    assert error.value.line == opened.line <= 22 * 16
    assert clock.looks <= 23


@pytest.mark.usefixtures("small_chunks")
def test_the_clock_is_looked_at_while_the_head_is_searched(tmp_path, clock):
    path = tmp_path / "a"
    path.write_bytes(b"\n" * 10_000)
    with Source(path, seconds=20) as opened, pytest.raises(TimeOver):
        opened.head()


def test_the_clock_is_looked_at_for_every_empty_member(tmp_path, clock):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"") * 1000)
    with Source(path, seconds=20) as opened, pytest.raises(TimeOver):
        list(opened.lines(10))


def test_without_a_limit_nobody_looks_at_the_clock(tmp_path, clock):
    path = tmp_path / "a"
    path.write_bytes(b"x\n" * 1000)
    assert len(lines_of(path)) == 1000
    assert clock.looks == 0


@pytest.mark.usefixtures("small_chunks")
@given(content=st.lists(st.sampled_from([b"\n", b" ", b"\r\n", b"x", b"\n" * 20, b" \n" * 20])))
def test_blank_lines_are_counted_and_a_chunk_of_them_told_once(tmp_path_factory, content):
    data = b"".join(content)
    path = tmp_path_factory.mktemp("source") / "a"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "CHUNK", 16)
        with Source(path) as opened:
            every = list(opened.lines(1000, every_blank=True))
        with Source(path) as opened:
            some = list(opened.lines(1000))
    assert [number for number, _ in every] == list(range(1, len(every) + 1))
    told = [item for item in some if item[1].strip()]
    assert told == [item for item in every if item[1].strip()]
    # Where there were blank lines, there is one.
    blank = {number for number, line in every if not line.strip()}
    numbers = [0, *(number for number, _ in some)]
    for before, after in pairwise(numbers):
        assert after == before + 1 or (blank >= {*range(before + 1, after + 1)} and after in blank)
    assert numbers[-1] == len(every)


def test_blank_lines_are_cheap_and_not_held(tmp_path):
    path = tmp_path / "a.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(60):
            file.write(b"\n" * 1_000_000)
    tracemalloc.start()
    began = time.process_time()
    with Source(path) as opened:
        assert opened.head() == b""
    lines_of(path)
    used = time.process_time() - began
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert opened.line == 60_000_000
    assert used < 60  # 30 s a line at a time, on a machine three times as fast
    assert peak < 5_000_000
