"""Ids that are given here and must not come from outside."""

from __future__ import annotations


def reserved(link: str) -> bool:
    """NIL, what is told of who has no entry, with or without a number; and our own."""
    return (link[:3].upper() == "NIL" and not link[3:].strip("0123456789")) or link.startswith(
        "touchstone:"
    )
