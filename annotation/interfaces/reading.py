"""Reading JSON that nobody has checked: each value knows its path, and mistakes are collected.

Whatever comes in, the only exception that leaves is AnswerError. What is taken can be stored in
PostgreSQL's jsonb: no NUL, no lone surrogate, no NaN. Nothing here descends by itself, so that
the depth of a body does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Any, TypeVar

from annotation.interfaces import AnswerError
from annotation.sentences import Problem, shown
from annotation.text.storable import unstorable

T = TypeVar("T")

MOST_ERRORS = 20  # a body with a thousand mistakes is told the first twenty
LARGEST = 10**15  # far above any offset; whole numbers up to here are exact as floats

ABSENT: Any = object()


class Field:
    """One value of a body, and where it stands in it.

    A reading method that returns None has refused the value. The problems gather in one list that
    all fields of the body share; `raise_errors` raises them together.
    """

    __slots__ = ("is_root", "path", "problems", "value")

    def __init__(self, value: Any, path: str = "answer", problems: list[Problem] | None = None):
        self.value = value
        self.path = path
        self.is_root = problems is None
        self.problems: list[Problem] = [] if problems is None else problems

    def refuse(self, code: str, /, **params: Any) -> None:
        self.refuse_as(Problem(code, **params))

    def refuse_as(self, problem: Problem) -> None:
        """For a problem that was found without its place."""
        if len(self.problems) < MOST_ERRORS:
            self.problems.append(problem.at(self.path))

    def raise_errors(self) -> None:
        if self.problems:
            raise AnswerError(self.problems)

    # --- Going down -----------------------------------------------------------------------------

    def only(self, *names: str) -> bool:
        """Whether this is an object. Its members other than `names` are refused, each by name."""
        if not isinstance(self.value, dict):
            self.refuse("want.object", found=self._description(), names=names)
            return False
        strangers = (name for name in self.value if name not in names)
        for name in islice(strangers, MOST_ERRORS):
            self.at(shown(str(name)) or "''").refuse("member.unknown", names=names)
        return True

    def at(self, name: str) -> Field:
        """A member of this object. Where it is missing, the method that reads it says so."""
        path = name if self.is_root else f"{self.path}.{name}"
        return Field(self.value.get(name, ABSENT), path, self.problems)

    def maybe(self, name: str) -> Field | None:
        """A member that may be missing or null."""
        field = self.at(name)
        return None if field.value is ABSENT or field.value is None else field

    def optional(self, name: str, read: Callable[[Field], T | None]) -> T | None:
        """What `read` makes of a member that may be missing or null."""
        field = self.maybe(name)
        return None if field is None else read(field)

    def items(self, most: int) -> list[Field]:
        """The elements of this list, or none where it is no list or longer than `most`."""
        if not isinstance(self.value, list):
            self.refuse("want.list", found=self._description())
            return []
        if len(self.value) > most:
            self.refuse("list.long", number=len(self.value), most=most)
            return []
        return [
            Field(value, f"{self.path}[{i}]", self.problems) for i, value in enumerate(self.value)
        ]

    def pair(self) -> tuple[Field, Field] | None:
        """The two elements of a [start, end] list."""
        if not isinstance(self.value, list) or len(self.value) != 2:
            self.refuse("want.pair", found=self._description())
            return None
        start, end = self.items(2)
        return start, end

    # --- Values ---------------------------------------------------------------------------------

    def text(self, most: int, least: int = 1) -> str | None:
        """A text of `least` to `most` characters that a database can store."""
        if not isinstance(self.value, str):
            self.refuse("want.text", found=self._description())
        elif not least <= len(self.value) <= most:
            self.refuse("text.length", number=len(self.value), least=least, most=most)
        elif problem := unstorable(self.value):
            self.refuse_as(problem)
        else:
            return self.value
        return None

    def one_of(self, names: Collection[str]) -> str | None:
        """A text that is among `names`."""
        if not isinstance(self.value, str):
            self.refuse("want.one_of", found=self._description(), names=list(names))
        elif not names:
            self.refuse("name.none_known", name=shown(self.value))
        elif self.value not in names:
            self.refuse("name.unknown", name=shown(self.value), names=list(names))
        else:
            return self.value
        return None

    def whole(self) -> int | None:
        """A whole number; true and false are none, and neither is 3.0."""
        if type(self.value) is int and abs(self.value) <= LARGEST:
            return self.value
        self.refuse("want.whole", found=self._description())
        return None

    def number(self) -> float | None:
        """A finite number."""
        if type(self.value) in (int, float) and abs(self.value) <= LARGEST:  # false for NaN
            return self.value
        self.refuse("want.number", found=self._description())
        return None

    def flag(self) -> bool | None:
        if isinstance(self.value, bool):
            return self.value
        self.refuse("want.flag", found=self._description())
        return None

    def _description(self) -> Problem:
        """What was sent, as a problem that stands in the one with what is wanted."""
        value = self.value
        if value is ABSENT:
            return Problem("found.missing")
        if value is None:
            return Problem("found.null")
        if isinstance(value, bool):
            return Problem("found.true") if value else Problem("found.false")
        if isinstance(value, str):
            return Problem("found.text", text=shown(value))
        if isinstance(value, int | float):
            small = abs(value) <= LARGEST  # false for NaN
            return Problem("found.number", value=value) if small else Problem("found.out_of_range")
        if isinstance(value, list):
            return Problem("found.list", number=len(value))
        return Problem("found.object")


def check_flags(raw: Any, names: Sequence[str]) -> dict[str, Any]:
    """A campaign's options, of which an interface reads the flags `names`: the other members are
    not its own and stay as they are. Raises AnswerError."""
    body = Field(raw, "options")
    if not isinstance(raw, dict):
        body.only(*names)
    elif problem := unstorable(raw):
        body.refuse_as(problem)
    body.raise_errors()
    for name in names:
        body.optional(name, Field.flag)
    body.raise_errors()
    return dict(raw)
