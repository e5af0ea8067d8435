"""How the types of a schema are told apart on a page: by colour, underline and key.

Twelve colours times four patterns of the underline are 48 looks. The colour stands in the schema;
of the types that share one, each next has the next pattern. So what a type looks like depends on
the schema alone, and is the same for every worker.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

PATTERNS = 4  # solid, dashed, dotted, double
# Keys of the page: take and dismiss a suggestion, find a word, instructions, unsure.
RESERVED = frozenset("axfiu")
TAKEN = frozenset("i")  # the frame's; a type that was given it before has it with Shift
MEMBERS = ("name", "key", "colour", "description", "value")
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def types_shown(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entity types as a page gets them: with `pattern`, from 0, and for those for which no
    letter is left a key such as "shift+j"; `link` only where it is false."""
    types = schema.get("entity_types", ())
    of_colour: Counter[int] = Counter()
    shown = []
    for kind in types:
        colour = kind.get("colour") or 1
        pattern = (colour - 1 + of_colour[colour]) % PATTERNS
        of_colour[colour] += 1
        key = kind.get("key") or ""
        key = f"shift+{key}" if key in TAKEN else key
        link = {} if kind.get("link", True) else {"link": False}
        members = {name: kind.get(name) for name in MEMBERS} | link
        shown.append(members | {"key": key, "pattern": pattern})
    without = [kind for kind in shown if not kind["key"]]
    used = {kind["key"].removeprefix("shift+") for kind in shown if len(kind["key"]) > 1}
    free = "".join(letter for letter in string.ascii_lowercase if letter not in used)
    letters = assign_letters([kind["name"] for kind in without], free)
    for kind, letter in zip(without, letters, strict=True):
        kind["key"] = f"shift+{letter}" if letter else ""
    return shown


def assign_letters(names: Sequence[str], free: str) -> list[str]:
    """A letter for each name: its first, else the first of one of its words, else any that it has,
    else any that is left; "" where none is. Those that a letter says more of come first."""
    left = dict.fromkeys(free)
    found = [""] * len(names)
    for choose in (_first, _initials, str.lower, lambda name: "".join(left)):
        for i, name in enumerate(names):
            if not found[i]:
                found[i] = next((letter for letter in choose(name) if letter in left), "")
                left.pop(found[i], None)
    return found


def _first(name: str) -> str:
    return name[:1].lower()


def _initials(name: str) -> str:
    return "".join(word[0].lower() for word in WORD.findall(name))
