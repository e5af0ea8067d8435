"""Who stands in the record of changes for what a command does."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError, CommandParser


def add_by(parser: CommandParser) -> None:
    parser.add_argument("--by", metavar="USERNAME", help="who decided it, for the record")


def user_of(by: str | None) -> Any:
    """None where nobody is named. Raises CommandError for a name that no account has."""
    if by is None:
        return None
    user = get_user_model().objects.filter(username=by).first()
    if user is None:
        raise CommandError(f"There is no account '{by}'.")
    return user
