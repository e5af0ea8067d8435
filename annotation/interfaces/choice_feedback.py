"""What was right and wrong about a choice: a finding for each part of the answer."""

from __future__ import annotations

from typing import Any

from annotation.interfaces import Material
from annotation.interfaces.answers import ChoiceAnswer
from annotation.interfaces.scales import steps_on
from annotation.interfaces.wording import counted, finding, quoted, shortened


def choice_feedback(
    answer: ChoiceAnswer, gold: ChoiceAnswer, material: Material, tolerance: int
) -> list[dict[str, Any]]:
    """A finding "right" or "wrong" for each `part`: "choice", "value".

    That of a value holds `taken`, the least and the greatest that count as right.
    """
    if answer["unsure"] or gold["unsure"]:
        return [_certainty_finding(answer, gold)]
    findings = []
    if answer["choice"] is not None or gold["choice"] is not None:
        findings.append(_choice_finding(answer["choice"], gold["choice"]))
    if answer["value"] is not None or gold["value"] is not None:
        findings.append(_value_finding(answer["value"], gold["value"], material, tolerance))
    return findings


def _certainty_finding(answer: ChoiceAnswer, gold: ChoiceAnswer) -> dict[str, Any]:
    known = _in_words(gold)
    if answer["unsure"] and gold["unsure"]:
        return finding("right", f"{known} is right.", part="choice")
    return finding("wrong", f"You chose {_in_words(answer)}. Right is {known}.", part="choice")


def _in_words(answer: ChoiceAnswer) -> str:
    if answer["unsure"]:
        return quoted("Can't tell")
    choice, value = answer["choice"], answer["value"]
    parts = [choice and quoted(shortened(choice)), None if value is None else f"{value:g}"]
    return " and ".join(part for part in parts if part)


def _choice_finding(given: str | None, known: str | None) -> dict[str, Any]:
    chosen, right = (quoted(shortened(name)) if name else "nothing" for name in (given, known))
    if given == known:
        return finding("right", f"{right} is right.", part="choice")
    return finding("wrong", f"You chose {chosen}. Right is {right}.", part="choice")


def _value_finding(
    given: float | None, known: float | None, material: Material, tolerance: int
) -> dict[str, Any]:
    scale = material.options.get("scale")
    if given is None or known is None or not scale:  # gold from before the scale was changed
        chosen, right = ("no value" if value is None else f"{value:g}" for value in (given, known))
        kind = "right" if given == known else "wrong"
        return finding(kind, f"You chose {chosen}. Right is {right}.", part="value")
    room = tolerance * scale.get("step", 1)
    least, most = max(scale["min"], known - room), min(scale["max"], known + room)
    off = round(steps_on(given, scale) - steps_on(known, scale))
    taken = f", and from {least:g} to {most:g} is taken" if least < most else ""
    right = f"right is {known:g}{taken}."
    place = {"part": "value", "taken": [least, most]}
    if off == 0:
        return finding("right", f"{known:g} is right.", **place)
    if abs(off) <= tolerance:
        return finding("right", f"Your {given:g} is taken: {right}", **place)
    distance = f"{counted(abs(off), 'step')} too {'low' if off < 0 else 'high'}"
    return finding("wrong", f"You chose {given:g}, {distance}: {right}", **place)
