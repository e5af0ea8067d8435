"""What a worker is called where there is little room."""

from __future__ import annotations

DEVICE = "device:"  # a worker without a name: his browser made the rest up
DEVICE_LETTERS = 6
LONGEST = 24


def short_name(external_id: str, display_name: str = "") -> str:
    """His name, or his id without what only keeps ids of browsers apart."""
    if display_name:
        name = display_name
    elif external_id.startswith(DEVICE):
        name = external_id.removeprefix(DEVICE)[:DEVICE_LETTERS]
    else:
        name = external_id
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
