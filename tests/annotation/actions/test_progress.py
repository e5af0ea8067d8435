from io import StringIO

import pytest
from django.core.management.base import OutputWrapper

from annotation.actions import progress
from annotation.actions.progress import Progress


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A function that moves the time on."""
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])

    def pass_(seconds):
        now[0] += seconds

    return pass_


def test_a_log_gets_a_line_a_minute(clock):
    log = StringIO()
    with Progress(log, 1000, "answers") as bar:
        for _ in range(150):
            clock(1)
            bar.advance(2)
    assert log.getvalue() == (
        "answers: 12% (120 of 1,000), about 7:20 left\n"
        "answers: 24% (240 of 1,000), about 6:20 left\n"
    )
    assert bar.done == 300


def test_a_short_command_says_nothing(clock):
    log = StringIO()
    with Progress(log, 10, "answers") as bar:
        bar.advance(10)
    assert log.getvalue() == ""


def test_a_terminal_gets_a_bar_that_is_wiped_at_the_end(clock):
    terminal = Terminal()
    with Progress(terminal, 48, "answers") as bar:
        clock(1)
        bar.advance(24)
        bar.advance(1)  # too soon to be told
    assert terminal.getvalue() == (
        f"\r\x1b[Kanswers [{'#' * 12}{'.' * 12}]  50% (24 of 48), about 0:01 left\r\x1b[K"
    )


@pytest.mark.parametrize("total", [None, 0])
def test_without_a_known_end_the_count_and_the_time_are_told(clock, total):
    log = StringIO()
    with Progress(log, total, "answers") as bar:
        clock(3723)
        bar.advance()
    assert log.getvalue() == "answers: 1 after 1:02:03\n"


def test_nothing_done_and_more_than_all_done_are_told_too(clock):
    log = StringIO()
    with Progress(log, 10, "answers") as bar:
        clock(60)
        bar.advance(0)
        clock(60)
        bar.advance(12)
    assert log.getvalue() == "answers: 0% (0 of 10)\nanswers: 100% (12 of 10), about 0:00 left\n"


def test_a_commands_own_stream_gets_no_line_ends_and_no_colour(clock):
    terminal = Terminal()
    stream = OutputWrapper(terminal)
    stream.style_func = lambda text: f"<red>{text}"
    with Progress(stream, None, "answers") as bar:
        clock(1)
        bar.advance()
    assert terminal.getvalue() == "\r\x1b[Kanswers: 1 after 0:01\r\x1b[K"
