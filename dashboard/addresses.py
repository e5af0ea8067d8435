"""What an address asks for behind its question mark."""

from __future__ import annotations

from django.http import HttpRequest

MOST = 1_000_000_000  # a database takes no offset of any length


def number_in(request: HttpRequest, name: str = "page") -> int:
    """A number from 1 on; 1 where none is given."""
    given = request.GET.get(name, "")
    is_number = given.isascii() and given.isdigit() and len(given) < 18
    return min(max(int(given), 1), MOST) if is_number else 1
