"""A problem, and the exception that carries one. Neither holds a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

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

    def at(self, path: str) -> Problem:
        """The same problem in another place."""
        return Problem(self.code, path, self.catalogue, **self.params)

    def __str__(self) -> str:
        # By name: what raises a problem does not depend on any sentence.
        return import_module(self.catalogue).sentence(self)


class CodedError(Exception):
    """An exception whose sentence is made where it is shown. `str()` is that for managers."""

    catalogue = MANAGERS

    def __init__(self, code: str, path: str = "", /, **params: Any):
        self.problem = Problem(code, path, self.catalogue, **params)
        super().__init__(code)

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
        # Errors come back from processes of their own.
        make = partial(type(self), **self.params)
        return make, (self.code, self.path), {"__notes__": getattr(self, "__notes__", [])}
