"""Django's SQLite, with a queue for writers.

SQLite lets one transaction write at a time, and the others ask again after a sleep: under load
some sleep through every gap until their timeout (64 writers: "database is locked" after 20 s).
Here a transaction first takes an exclusive lock on a file beside the database. The kernel wakes
those who wait in their order, and lets go when a process dies.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.backends.sqlite3 import base

try:
    import fcntl
except ImportError:  # not a Unix: SQLite's own waiting serves
    fcntl = None  # type: ignore[assignment]


class DatabaseWrapper(base.DatabaseWrapper):
    _queue: int | None = None  # file descriptor, open while this connection is

    _only_reads = False

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Transactions that begin within see one moment, and wait for nobody who writes, nor does
        anybody for them."""
        self._only_reads = True
        try:
            yield
        finally:
            self._only_reads = False

    def _start_transaction_under_autocommit(self) -> None:
        if self._only_reads:
            self.cursor().execute("BEGIN")
            return
        self._wait_for_turn()
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> Any:
        try:
            return super()._commit()
        finally:
            self._end_turn()

    def _rollback(self) -> Any:
        try:
            return super()._rollback()
        finally:
            self._end_turn()

    def _close(self) -> Any:
        try:
            return super()._close()
        finally:
            if self._queue is not None:
                os.close(self._queue)  # and with it the lock
                self._queue = None

    def _wait_for_turn(self) -> None:
        if fcntl is None or self.is_in_memory_db():
            return
        if self._queue is None:
            path = f"{self.settings_dict['NAME']}-queue"
            self._queue = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._queue, fcntl.LOCK_EX)

    def _end_turn(self) -> None:
        if self._queue is not None:
            fcntl.flock(self._queue, fcntl.LOCK_UN)
