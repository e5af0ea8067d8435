"""A problem, and the exception that carries one. Neither holds a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Self

MANAGERS = "annotation.sentences.managers"
MOST_SHOWN = 40  # characters of a value that a sentence quotes


def shown(value: str) -> str:
    """A text for a sentence: short, and safe to encode whatever it holds."""
    start = value[:MOST_SHOWN]
    if not start.isprintable():
        start = "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode() for char in start
        )
    return start if len(value) <= MOST_SHOWN else f"{start}…"


@dataclass(frozen=True, slots=True, init=False)
class Problem:
    """What is wrong (`code`), where (`path`: "mentions[0].end", or empty) and the parameters that
    its sentence names: numbers, texts, lists of names, and problems that stand within it.

    `catalogue` is the module with its English sentence; `str()` makes that sentence.
    """

    code: str
    path: str
    params: Mapping[str, Any]
    catalogue: str

    def __init__(self, code: str, path: str = "", catalogue: str = MANAGERS, /, **params: Any):
        for name, value in (
            ("code", code), ("path", path), ("params", params), ("catalogue", catalogue),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def at(self, path: str, **more: Any) -> Problem:
        """The same problem in another place, with what is known of it there."""
        return Problem(self.code, path, self.catalogue, **{**self.params, **more})

    def stored(self) -> dict[str, Any]:
        """For a row, where its parameters are numbers and texts alone."""
        return {"code": self.code, "params": dict(self.params)}

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> Problem:
        return cls(stored["code"], **stored["params"])

    def __str__(self) -> str:
        # By name: what raises a problem does not depend on any sentence.
        return import_module(self.catalogue).sentence(self)


class CodedError(Exception):
    """An exception whose sentence is made where it is shown. `str()` is that for managers."""

    catalogue = MANAGERS

    def __init__(self, code: str, path: str = "", /, **params: Any):
        self.problem = Problem(code, path, self.catalogue, **params)
        super().__init__(code)

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """The error that carries a problem which was found elsewhere."""
        error = cls(problem.code, problem.path, **problem.params)
        error.problem = problem  # with its own catalogue
        return error

    @property
    def code(self) -> str:
        return self.problem.code

    @property
    def path(self) -> str:
        return self.problem.path

    @property
    def params(self) -> Mapping[str, Any]:
        return self.problem.params

    def __str__(self) -> str:
        return str(self.problem)

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors come back from processes of their own; a class may be made from other arguments.
        return _come_back, (type(self), self.args, self.__dict__)


def problem_of(error: BaseException) -> Problem:
    """Also of an error that carries no code: of the system, of a database, of a library."""
    if isinstance(error, CodedError):
        return error.problem
    if isinstance(error, OSError) and error.filename:  # without its folder: managers read this
        return Problem("file.system", file=Path(error.filename).name, why=error.strerror)
    text = " ".join(str(error).split()) or type(error).__name__
    return Problem("told.sentence", sentence=text if text.endswith(".") else f"{text}.")


def _come_back(kind: type[CodedError], args: tuple[Any, ...], state: dict[str, Any]) -> CodedError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error
