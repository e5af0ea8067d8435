"""What a campaign of names can ask for besides the names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Each switch with what holds where a campaign says nothing: links cost nothing where there is no
# knowledge base, while grouping is work for each name.
SWITCHES = {"coreference": False, "linking": True}


def is_on(options: Mapping[str, Any], switch: str) -> bool:
    """Whether the campaign asks for it."""
    said = options.get(switch)
    return SWITCHES[switch] if said is None else bool(said)
