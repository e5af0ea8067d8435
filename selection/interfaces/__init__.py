"""What differs between the interfaces when a model learns from their labels. One module each.

An entry is its module, with the functions of `entries.Entry`, and one line in REGISTRY. Numerics
are imported inside functions alone: web servers ask what can be learnt.
"""

from __future__ import annotations

REGISTRY = {
    "entity": "selection.interfaces.entity",
    "relation": "selection.interfaces.relation",
    "choice": "selection.interfaces.choice",
}
BEST = "best"  # of an interface's learners, by cross-validation


def can_learn(interface: str) -> bool:
    return interface in REGISTRY
