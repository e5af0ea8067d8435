"""Shards in processes of this machine, which talk through pipes."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import signal
import traceback
import weakref
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

from aggregation.algorithms.shards import LocalShards, OpenShards
from aggregation.methods.pools.disk import DiskPool, Make, Shard
from annotation.management.threads import ONE_THREAD

SECONDS_TO_END = 5  # that a process has before it is ended


class ProcessPool:
    """Processes of this machine, each with parts of its own, which stay there.

    Close it, or use it in a `with`: its processes end then. What is raised in one of them is
    raised here, with its traceback as the cause. Shards are dealt out in turn, so there may be
    more of them than processes. Makers, shards, arguments and results go through pipes: they must
    be picklable, and what was defined in a notebook is not. The processes begin afresh ("spawn"):
    they share no connection with this one and import what the parts need.

    Parameters
    ----------
    jobs : int
    folder : where each process keeps its parts between calls, one of them in memory at a time
        None: all stay in memory.
    """

    def __init__(self, jobs: int, *, folder: str | Path | None = None):
        if jobs < 1:
            raise ValueError(f"There must be at least 1 process, but there are {jobs}.")
        self.size = jobs
        self._keys = itertools.count()
        self._children: list[_Child] = []
        try:
            for _ in range(jobs):
                self._children.append(_Child(folder))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; parts that were opened here can't be used any more."""
        for child in self._children:
            child.dismiss()
        for child in self._children:
            child.end()

    def open(self, make: Make, shards: Iterable[Shard]) -> OpenShards:
        shards = list(shards)
        key = next(self._keys)
        children = self._children[: max(len(shards), 1)]  # the others would have none
        calls = [child.call("open", key) for child in children]
        try:
            for child in children:
                child.send(make)
            for child, shard in zip(itertools.cycle(children), shards, strict=False):
                child.send(shard)
        finally:
            for child in children:
                child.send_end()
        for child, call in zip(children, calls, strict=True):
            child.finish(call)
        return _ProcessShards(children, key, len(shards))


class _ProcessShards:
    def __init__(self, children: list[_Child], key: int, n_parts: int):
        self._children, self._key, self._n_parts = children, key, n_parts
        weakref.finalize(self, _let_go, children, key)

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        """The processes begin at once; take all results before the next call."""
        calls = [child.call("each", self._key) for child in self._children]
        message = pickle.dumps((verb, arguments), protocol=pickle.HIGHEST_PROTOCOL)
        for child in self._children:
            child.send_pickled(message)
        return self._results(calls)

    def _results(self, calls: list[int]) -> Iterator[Any]:
        turns = itertools.cycle(zip(self._children, calls, strict=True))
        for child, call in itertools.islice(turns, self._n_parts):
            yield child.result(call)
        for child, call in zip(self._children, calls, strict=True):
            child.finish(call)


def _let_go(children: list[_Child], key: int) -> None:
    for child in children:
        child.forgotten.append(key)


class RaisedThere(Exception):
    """The traceback of an exception in another process: the cause of the one raised here."""

    def __str__(self) -> str:
        return f'in a process of the pool:\n"""\n{self.args[0]}"""'


class _Child:
    """This side of a process.

    A call sends its name with a key, then what it takes. The other side answers with results and
    then an end, or an error, which ends it too. Nothing is sent to it while it may be writing.
    """

    def __init__(self, folder: str | Path | None):
        context = multiprocessing.get_context("spawn")
        self.forgotten: list[int] = []  # keys of parts that nobody asks for any more
        self._calls = 0
        self._answering = False
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, folder), daemon=True)
        with _one_thread():
            self._process.start()
        theirs.close()

    def call(self, name: str, key: int) -> int:
        """Begin one; returns its number."""
        if self._pipe.closed:
            raise ValueError("This pool was closed.")
        with suppress(Exception):  # of a call whose results nobody took
            while self._answering:
                self._receive()
        self._calls += 1
        forgotten = [self.forgotten.pop() for _ in range(len(self.forgotten))]
        self.send((name, key, forgotten))
        self._answering = True
        return self._calls

    def send(self, thing: Any) -> None:
        self.send_pickled(pickle.dumps(thing, protocol=pickle.HIGHEST_PROTOCOL))

    def send_end(self) -> None:
        self.send_pickled(b"")

    def send_pickled(self, message: bytes) -> None:
        try:
            self._pipe.send_bytes(message)
        except OSError:
            raise self._lost() from None

    def result(self, call: int) -> Any:
        if call != self._calls:
            raise RuntimeError("The results of a call must be taken before the next call.")
        return self._receive()

    def finish(self, call: int) -> None:
        """Wait for the end of a call without further results."""
        while call == self._calls and self._answering:
            self._receive()

    def _receive(self) -> Any:
        """A result; None where the answer ends."""
        if self._pipe.closed:
            raise ValueError("This pool was closed.")
        try:
            kind, value = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, OSError):
            self._answering = False
            raise self._lost() from None
        self._answering = kind == "result"
        if kind == "error":
            error, text = value
            raise error from RaisedThere(text)
        return value

    def _lost(self) -> RuntimeError:
        self._process.join(SECONDS_TO_END)
        return RuntimeError(
            f"A process of the pool ended with exit code {self._process.exitcode}; -9 is for want "
            "of memory as a rule."
        )

    def dismiss(self) -> None:
        self._pipe.close()  # the other side ends when it finds that out

    def end(self) -> None:
        self._process.join(0 if self._answering else SECONDS_TO_END)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


@contextmanager
def _one_thread() -> Generator[None]:
    """For what is started meanwhile: libraries read these variables when they are loaded."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


# In the process.


def _serve(pipe: Connection, folder: str | Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that closes the pool
    opened: dict[int, OpenShards] = {}
    with suppress(EOFError, OSError):  # the other side has closed the pipe, or is no more
        while True:
            name, key, forgotten = pickle.loads(pipe.recv_bytes())
            for old in forgotten:
                opened.pop(old, None)
            if name == "open":
                _answer(pipe, _opening(pipe, folder, opened, key))
            else:
                _answer(pipe, _results(pipe, opened, key))


def _answer(pipe: Connection, results: Iterator[Any]) -> None:
    try:
        for result in results:
            _send(pipe, "result", result)
        _send(pipe, "end", None)
    except (EOFError, OSError) as error:
        if pipe.closed or isinstance(error, EOFError | BrokenPipeError):
            raise
        _send_error(pipe, error)  # such as a file that a loader did not find
    except Exception as error:
        _send_error(pipe, error)


def _send_error(pipe: Connection, error: Exception) -> None:
    text = traceback.format_exc()
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever an exception's own class may raise
        error = RuntimeError(f"{type(error).__name__}: {error}")
    _send(pipe, "error", (error, text))


def _send(pipe: Connection, kind: str, value: Any) -> None:
    pipe.send_bytes(pickle.dumps((kind, value), protocol=pickle.HIGHEST_PROTOCOL))


def _opening(
    pipe: Connection, folder: str | Path | None, opened: dict[int, OpenShards], key: int
) -> Iterator[Any]:
    """No results."""
    messages = iter(pipe.recv_bytes, b"")
    try:
        make = pickle.loads(next(messages))
        shards = (pickle.loads(message) for message in messages)
        if folder is None:
            opened[key] = LocalShards([make(*shard) for shard in shards])
        else:
            opened[key] = DiskPool(folder).open(make, shards)
    finally:
        for _ in messages:
            pass
    yield from ()


def _results(pipe: Connection, opened: dict[int, OpenShards], key: int) -> Iterator[Any]:
    verb, arguments = pickle.loads(pipe.recv_bytes())
    yield from opened[key].each(verb, *arguments)
