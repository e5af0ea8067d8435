"""--param NAME=VALUE, as several commands take it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError


def read_parameters(pairs: list[str]) -> dict[str, Any]:
    parameters = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"--param {pair} has no value. Write it as NAME=VALUE.")
        parameters[name] = value_of(value)
    return parameters


def value_of(text: str) -> int | float | str:
    """A number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
