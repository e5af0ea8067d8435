"""Read settings from the environment; a wrong value stops the start with one clear sentence."""

import os
import re
from collections.abc import Callable
from typing import TypeVar

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    """True or False; an unset or empty variable gives `default`."""
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is '{value}'. Set it to 1 or 0.")


def hour(name: str, default: int) -> int | None:
    """Of the day, or None for "off"."""
    if text(name).lower() == "off":
        return None
    try:
        return number(name, default, at_least=0, at_most=23)
    except ImproperlyConfigured as error:
        raise ImproperlyConfigured(f"{error} Or set it to off.") from None


def number(name: str, default: int, *, at_least: int, at_most: int) -> int:
    value = text(name)
    try:
        result = int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} is '{value}'. Set it to a whole number.") from None
    if not at_least <= result <= at_most:
        raise ImproperlyConfigured(
            f"{name} is {result}. Set it to a number from {at_least} to {at_most}."
        )
    return result


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list, blanks dropped."""
    return [word for part in text(name, default).split(",") if (word := part.strip())]


def one_of(name: str, choices: list[str], default: str) -> str:
    value = text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is '{value}'. Set it to one of {', '.join(choices)}.")
    return value


def rate(name: str, default: str) -> str:
    """So many requests in a while, as REST framework reads it."""
    value = text(name, default)
    if not re.fullmatch(r"[1-9]\d*/(s|sec|m|min|h|hour|d|day)", value):
        raise ImproperlyConfigured(
            f"{name} is '{value}'. Set it to a rate such as {default}; per sec, min, hour or day."
        )
    return value


def parsed(name: str, default: str, parse: Callable[[str], T], hint: str) -> T:
    """The value put through `parse`; whatever that raises becomes one sentence with the hint."""
    value = text(name, default)
    try:
        return parse(value)
    except Exception as error:
        raise ImproperlyConfigured(f"{name} can't be read ({error}). {hint}") from error
