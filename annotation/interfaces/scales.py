"""The scale of a choice: {"min", "max", "step"}, perhaps with words for its two ends, {"low",
"high"}, and how many steps lie between two values."""

from __future__ import annotations

from typing import Any

from annotation.interfaces.reading import Field

MOST_STEPS = 1_000
LONGEST_END = 60  # characters: it stands beside the other end, on a phone too


def read_scale(field: Field) -> dict[str, Any]:
    """{"min", "max", "step"} with steps that lead from one end to the other; {} where refused."""
    if not field.only("min", "max", "step", "low", "high"):
        return {}
    least, most = field.at("min").number(), field.at("max").number()
    step = 1 if field.maybe("step") is None else field.at("step").number()
    if least is None or most is None or step is None:
        return {}
    if least >= most:
        field.at("max").refuse("scale.ends", least=least, most=most)
    elif step <= 0:
        field.at("step").refuse("scale.step", step=step)
    elif (most - least) / step > MOST_STEPS:
        field.at("step").refuse("scale.long", step=step, most=MOST_STEPS)
    elif not is_step((most - least) / step):
        field.at("step").refuse("scale.uneven", step=step, least=least, most=most)
    named = {name: field.maybe(name) for name in ("low", "high")}
    ends = {name: end.text(LONGEST_END) for name, end in named.items() if end}
    return {"min": least, "max": most, "step": step, **ends}


def is_step(steps: float) -> bool:
    return abs(steps - round(steps)) < 1e-6  # 0.1 + 0.2 is no exact 0.3


def steps_on(value: float, scale: dict[str, Any]) -> float:
    """How many steps a value is above the least; whole, but for what floats round."""
    return float((value - scale["min"]) / scale.get("step", 1))
