"""Reading JSON that nobody has checked: each value knows its path, and mistakes are collected.

Whatever comes in, the only exception that leaves is AnswerError. What is taken can be stored in
PostgreSQL's jsonb: no NUL, no lone surrogate, no NaN. Nothing here descends by itself, so that
the depth of a body does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import islice
from typing import Any, TypeVar

from annotation.interfaces import AnswerError
from annotation.text.storable import unstorable

T = TypeVar("T")

MOST_ERRORS = 20  # a body with a thousand mistakes is told the first twenty
MOST_SHOWN = 40  # characters of a value quoted in a message
MOST_LISTED = 20  # names
LARGEST = 10**15  # far above any offset; whole numbers up to here are exact as floats

ABSENT: Any = object()


def shown(value: str) -> str:
    """A text for a message: short, and safe to encode whatever it holds."""
    start = value[:MOST_SHOWN]
    if not start.isprintable():
        start = "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode() for char in start
        )
    return start if len(value) <= MOST_SHOWN else f"{start}…"


def listed(names: Collection[str]) -> str:
    """Names for a message, in their order."""
    few = ", ".join(shown(name) for name in islice(names, MOST_LISTED))
    return few if len(names) <= MOST_LISTED else f"{few} and {len(names) - MOST_LISTED} more"


class Field:
    """One value of a body, and where it stands in it.

    A reading method that returns None has refused the value. The reasons gather in one list that
    all fields of the body share; `raise_errors` raises them together.
    """

    __slots__ = ("errors", "is_root", "path", "value")

    def __init__(
        self, value: Any, path: str = "answer", errors: list[tuple[str, str]] | None = None
    ):
        self.value = value
        self.path = path
        self.is_root = errors is None
        self.errors: list[tuple[str, str]] = [] if errors is None else errors

    def refuse(self, message: str) -> None:
        if len(self.errors) < MOST_ERRORS:
            self.errors.append((self.path, message))

    def raise_errors(self) -> None:
        if self.errors:
            raise AnswerError(self.errors)

    # --- Going down -----------------------------------------------------------------------------

    def only(self, *names: str) -> bool:
        """Whether this is an object. Its members other than `names` are refused, each by name."""
        if not isinstance(self.value, dict):
            self.refuse(f"This is {self._described()}. Send an object with {listed(names)}.")
            return False
        strangers = (name for name in self.value if name not in names)
        for name in islice(strangers, MOST_ERRORS):
            self.at(shown(str(name)) or "''").refuse(
                f"This member is not known here. Leave it out; known are {listed(names)}."
            )
        return True

    def at(self, name: str) -> Field:
        """A member of this object. Where it is missing, the method that reads it says so."""
        path = name if self.is_root else f"{self.path}.{name}"
        return Field(self.value.get(name, ABSENT), path, self.errors)

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
            self.refuse(f"This is {self._described()}. Send a list.")
            return []
        if len(self.value) > most:
            self.refuse(f"The list has {len(self.value)} elements, but at most {most} fit here.")
            return []
        return [
            Field(value, f"{self.path}[{i}]", self.errors) for i, value in enumerate(self.value)
        ]

    def pair(self) -> tuple[Field, Field] | None:
        """The two elements of a [start, end] list."""
        if not isinstance(self.value, list) or len(self.value) != 2:
            self.refuse(f"This is {self._described()}. Send two numbers, [start, end].")
            return None
        start, end = self.items(2)
        return start, end

    # --- Values ---------------------------------------------------------------------------------

    def text(self, most: int, least: int = 1) -> str | None:
        """A text of `least` to `most` characters that a database can store."""
        if not isinstance(self.value, str):
            self.refuse(f"This is {self._described()}. Send a text.")
        elif not least <= len(self.value) <= most:
            self.refuse(
                f"The text has {len(self.value)} characters. Send {least} to {most} characters."
            )
        elif problem := unstorable(self.value):
            self.refuse(problem)
        else:
            return self.value
        return None

    def one_of(self, names: Collection[str]) -> str | None:
        """A text that is among `names`."""
        if not isinstance(self.value, str):
            self.refuse(f"This is {self._described()}. Send one of {listed(names)}.")
        elif self.value not in names:
            known = f"Use one of {listed(names)}." if names else "Nothing is known here yet."
            self.refuse(f"'{shown(self.value)}' is not known. {known}")
        else:
            return self.value
        return None

    def whole(self) -> int | None:
        """A whole number; true and false are none, and neither is 3.0."""
        if type(self.value) is int and abs(self.value) <= LARGEST:
            return self.value
        self.refuse(f"This is {self._described()}. Send a whole number.")
        return None

    def number(self) -> float | None:
        """A finite number."""
        if type(self.value) in (int, float) and abs(self.value) <= LARGEST:  # false for NaN
            return self.value
        self.refuse(f"This is {self._described()}. Send a number.")
        return None

    def flag(self) -> bool | None:
        if isinstance(self.value, bool):
            return self.value
        self.refuse(f"This is {self._described()}. Send true or false.")
        return None

    def _described(self) -> str:
        value = self.value
        if value is ABSENT:
            return "missing"
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, str):
            return f"the text '{shown(value)}'"
        if isinstance(value, int | float):
            return f"the number {value}" if abs(value) <= LARGEST else "a number out of range"
        return f"a list of {len(value)}" if isinstance(value, list) else "an object"
