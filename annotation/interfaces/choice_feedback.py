"""What was right and wrong about a choice: a finding for each part of the answer."""

from __future__ import annotations

from typing import Any

from annotation.interfaces import Material
from annotation.interfaces.answers import ChoiceAnswer
from annotation.interfaces.scales import steps_on
from annotation.interfaces.wording import finding, quoted, shortened
from annotation.sentences import Problem


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


def choice_told(answer: ChoiceAnswer, name: str) -> Problem | str:
    """What was judged, by its beginning, and how: "“The sky.”: “Blue”"."""
    return Problem("word.told", about=quoted(name), said=_in_words(answer)) if name else ""


def _certainty_finding(answer: ChoiceAnswer, gold: ChoiceAnswer) -> dict[str, Any]:
    if answer["unsure"] and gold["unsure"]:
        return finding("right", Problem("choice.right", known=_in_words(gold)), part="choice")
    chosen = Problem("choice.wrong", given=_in_words(answer), known=_in_words(gold))
    return finding("wrong", chosen, part="choice")


def _in_words(answer: ChoiceAnswer) -> Problem:
    if answer["unsure"]:
        return quoted(Problem("word.cant_tell"))
    choice, value = answer["choice"], answer["value"]
    if choice is None:
        return Problem("word.value", value=value)
    name = quoted(shortened(choice))
    return name if value is None else Problem("word.choice_and_value", choice=name, value=value)


def _choice_finding(given: str | None, known: str | None) -> dict[str, Any]:
    if known is None:
        problem = Problem("choice.none", given=quoted(shortened(given or "")))
    elif given == known:
        return finding(
            "right", Problem("choice.right", known=quoted(shortened(known))), part="choice"
        )
    elif given is None:
        problem = Problem("choice.missed", known=quoted(shortened(known)))
    else:
        problem = Problem(
            "choice.wrong", given=quoted(shortened(given)), known=quoted(shortened(known))
        )
    return finding("wrong", problem, part="choice")


def _value_finding(
    given: float | None, known: float | None, material: Material, tolerance: int
) -> dict[str, Any]:
    if given is None or known is None:
        missing = (
            Problem("value.none", given=given)
            if known is None
            else Problem("value.missed", known=known)
        )
        return finding("wrong", missing, part="value")
    scale = material.options.get("scale")
    if not scale:  # gold from before the scale was changed
        if given == known:
            return finding("right", Problem("value.right", known=known), part="value")
        return finding("wrong", Problem("value.wrong", given=given, known=known), part="value")
    room = tolerance * scale.get("step", 1)
    least, most = max(scale["min"], known - room), min(scale["max"], known + room)
    off = round(steps_on(given, scale) - steps_on(known, scale))
    kind = "right" if abs(off) <= tolerance else "wrong"
    said: dict[str, Any] = {"given": given, "known": known}
    if off == 0:
        problem = Problem("value.right", known=known)
    elif kind == "right":
        problem = Problem("value.taken", least=least, most=most, **said)
    else:
        said |= {"direction": "low" if off < 0 else "high", "number": abs(off)}
        problem = (
            Problem("value.off_taken", least=least, most=most, **said)
            if least < most
            else Problem("value.off", **said)
        )
    return finding(kind, problem, part="value", taken=[least, most])
