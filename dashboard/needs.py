"""What waits for somebody, whatever part of the dashboard finds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Need:
    text: str
    command: str = ""
    anchor: str = ""  # of the part of that page
    document: str = ""  # the id of the one that it is about
    page: str = ""  # the name of the campaign's page where it is put right
    query: str = ""  # of that page's address
    job: str = ""  # the key of the one that it is about
