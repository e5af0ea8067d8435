"""What the simulated workers say of how two names are related."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.interfaces.answers import RelationAnswer
from annotation.interfaces.schema import NONE, UNSURE
from demonstration import crowd

# What is easily taken for what, the likeliest first.
CONFUSED_WITH = {
    "per:place_of_birth": ("per:place_of_residence",),
    "per:place_of_residence": ("per:place_of_birth",),
    "per:place_of_death": ("per:place_of_residence", "per:place_of_birth"),
    "per:date_of_birth": ("per:date_of_death",),
    "per:date_of_death": ("per:date_of_birth",),
    "per:organizations_founded": ("per:employee_or_member_of",),
    "per:holds_shares_in": ("per:organizations_founded", "per:employee_or_member_of"),
    "per:schools_attended": ("per:employee_or_member_of",),
    "per:employee_or_member_of": ("per:organizations_founded", "per:schools_attended"),
    "per:parents": ("per:children", "per:other_family"),
    "per:children": ("per:parents", "per:other_family"),
    "per:spouse": ("per:other_family",),
    "per:siblings": ("per:other_family", "per:spouse"),
    "per:other_family": ("per:children", "per:parents"),
    "org:date_founded": ("org:date_dissolved",),
    "org:date_dissolved": ("org:date_founded",),
    "org:parents": ("org:subsidiaries", "org:member_of"),
    "org:subsidiaries": ("org:parents", "org:members"),
    "org:member_of": ("org:members", "org:parents"),
}


@dataclass(frozen=True, slots=True)
class RelationHabit:
    """How often a relation that the sentence tells is overlooked or taken for another, and one
    that it does not tell is read into it."""

    misses: float
    confuses: float
    imagines: float
    unsure: float
    seconds: float


HABITS = {
    crowd.CAREFUL: RelationHabit(misses=0.04, confuses=0.03, imagines=0.03, unsure=0.02, seconds=7),
    crowd.HASTY: RelationHabit(misses=0.30, confuses=0.08, imagines=0.04, unsure=0.01, seconds=3),
    crowd.SLOPPY: RelationHabit(misses=0.10, confuses=0.10, imagines=0.20, unsure=0.05, seconds=5),
    crowd.CONFUSED: RelationHabit(
        misses=0.08, confuses=0.45, imagines=0.08, unsure=0.12, seconds=9
    ),
    crowd.SPAMMER: RelationHabit(misses=0.60, confuses=0.60, imagines=0.50, unsure=0.00, seconds=1),
}

UNASKED: RelationAnswer = {  # what a page that verifies nothing sends of the rest
    "relation": NONE, "subject_ok": None, "object_ok": None, "subject_type_ok": None,
    "object_type_ok": None, "subject_link_ok": None, "object_link_ok": None, "evidence": [],
}  # fmt: skip


def answer(
    right: str, offered: Sequence[str], habit: RelationHabit, draw: random.Random
) -> tuple[RelationAnswer, float]:
    """The answer and its seconds. `offered` are the relations that the page offers, "none" and
    "unsure" left out; `right` is one of them, or "none"."""
    said, chance = right, draw.random()
    if chance < habit.unsure:
        said = UNSURE
    elif right == NONE:
        if offered and draw.random() < habit.imagines:
            said = draw.choice(offered)
    elif draw.random() < habit.misses:
        said = NONE
    elif draw.random() < habit.confuses:
        alike = [name for name in CONFUSED_WITH.get(right, ()) if name in offered]
        others = alike[:1] or [name for name in offered if name != right] or [NONE]
        said = draw.choice(others)
    return {**UNASKED, "relation": said}, round(habit.seconds * draw.uniform(0.6, 1.8), 1)
