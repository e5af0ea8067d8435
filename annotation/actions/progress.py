"""How far a command has come: a bar on a terminal, a line a minute in a log, or a job's row."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import TextIO

from django.core.management.base import OutputWrapper

BAR_EVERY = 0.1  # seconds
LINE_EVERY = 60
WIDTH = 24

Listener = Callable[[int, int | None, str], None]  # done, total, label
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within the block what a command has done is told to `listener` too, step by step."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


class Progress:
    """Counts what is done and tells it on `stream`, at most ten times a second.

    `total` None: the end is not known. `advance` may be called by several threads. Each line in
    a log is whole; a bar is wiped at the end, so that the command's result stands alone.
    """

    def __init__(self, stream: TextIO | OutputWrapper, total: int | None, label: str):
        self.stream, self.total, self.label = stream, total, label
        self.done = 0
        self._on_terminal = stream.isatty()
        self._every = BAR_EVERY if self._on_terminal else LINE_EVERY
        self._lock = threading.Lock()
        self._listener = _listener.get()  # here: its threads have contexts of their own
        self._begun = self._reported_at = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._on_terminal:
            self._write("\r\x1b[K")

    def advance(self, number: int = 1) -> None:
        with self._lock:
            self.done += number
            if self._listener is not None:
                self._listener(self.done, self.total, self.label)
            now = time.monotonic()
            if now - self._reported_at < self._every:
                return
            self._reported_at = now
            line = self._line(now - self._begun)
            self._write(f"\r\x1b[K{line}" if self._on_terminal else f"{line}\n")

    def _write(self, text: str) -> None:
        if isinstance(self.stream, OutputWrapper):  # a command's: would end each text by a newline
            self.stream.write(text, style_func=str, ending="")
        else:
            self.stream.write(text)
        self.stream.flush()

    def _line(self, seconds: float) -> str:
        if not self.total:
            return f"{self.label}: {self.done:,} after {_clock(seconds)}"
        share = min(self.done / self.total, 1.0)
        left = f", about {_clock(seconds / share - seconds)} left" if share else ""
        told = f"{share:4.0%} ({self.done:,} of {self.total:,}){left}"
        if not self._on_terminal:
            return f"{self.label}: {told.strip()}"
        filled = round(share * WIDTH)
        return f"{self.label} [{'#' * filled}{'.' * (WIDTH - filled)}] {told}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
