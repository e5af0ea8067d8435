"""How commands name a labelling loop."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import CommandError, CommandParser

from selection.models import LabellingLoop


def add_loop(parser: CommandParser, *, required: bool) -> None:
    parser.add_argument("--loop", required=required, type=uuid.UUID, metavar="KEY")


def loop_of(key: Any) -> LabellingLoop:
    """Raises CommandError."""
    related = LabellingLoop.objects.select_related("project", "campaign", "budget")
    found = related.filter(key=key).first()
    if found is None:
        raise CommandError(f"There is no labelling loop '{key}'. labelling_loop list names them.")
    return found
