"""What waits for somebody, whatever part of the dashboard finds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Need:
    """A decision: what is the matter, why, and the button that leads to where it is put right."""

    text: str
    why: str = ""
    button: str = "Look"  # a verb and its object
    icon: str = "flag"  # of dashboard.icons
    tone: str = ""  # warn, danger
    command: str = ""
    anchor: str = ""  # of the part of that page
    document: str = ""  # the id of the one that it is about
    page: str = ""  # the name of the campaign's page where it is put right
    query: str = ""  # of that page's address
    job: str = ""  # the key of the one that it is about
