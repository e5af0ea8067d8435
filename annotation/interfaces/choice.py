"""Choice: one of the campaign's options, a value on its scale, or both.

The answer, the same on the wire:

    {"choice": "B" | null, "unsure": false, "value": 3.5 | null, "note": ""}

Where the worker is unsure, both are null; else each is there that the campaign asks for.
The campaign's options hold {"choices": ["A", "B"], "scale": {"min", "max", "step", "low", "high"},
"question": "…"}, where `low` and `high` are words for the ends of the scale, which may be missing;
the task's payload `text`, `pair`: [{"title", "text"}, …] or `image`: {"file", "alt", "width",
"height"}, and perhaps a `question` of its own. Without them the document's text is shown. Pages
load pictures from their own host alone: `file` is one that was kept there (actions.pictures).

Judgments, vectors of one number: `choice`, the class, where there are choices ("unsure" is a
class: who can't tell has judged); `value`, the step on the scale counted from 0, where there is
a scale; MISSING where unsure.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from annotation.interfaces import Labels, Material, Traits
from annotation.interfaces.answers import ChoiceAnswer, Doubt
from annotation.interfaces.choice_feedback import choice_feedback, choice_told
from annotation.interfaces.doubts import read_doubts, with_doubts
from annotation.interfaces.examples import Example, Option, Piece, beginning, some
from annotation.interfaces.judgments import MISSING, pack
from annotation.interfaces.reading import Field
from annotation.interfaces.scales import is_step, read_scale, steps_on
from annotation.interfaces.schema import UNSURE
from annotation.interfaces.wording import shortened
from annotation.sentences import Problem
from annotation.text.storable import unstorable

VERSION = 1
TRAITS = Traits(
    on_documents=True,
    own_tasks=True,
    options=frozenset({"question"}),
    answered={"choices": "choice", "scale": "value"},
    all_or_nothing=True,
)
LONGEST_NOTE = 2_000
LONGEST_CHOICE = 200
LONGEST_QUESTION = 1_000
MOST_CHOICES = 200
MOST_VALUES = 11  # of a scale that is shown with all of them
DIGITS, LETTERS = "123456789", "abcdefghjklmopqrstvwxyz"  # keys, as static/js/choice/keys.js gives
PICTURES = "/pictures/"  # where the server has them; a test holds it to its address
SHOWN = ("text", "pair", "image", "question")


def check_options(raw: Any) -> dict[str, Any]:
    """The campaign's options, of which this interface reads `choices`, `scale` and `question`.

    The other members are not its own and stay as they are. Raises AnswerError with paths such as
    `scale.step`.
    """
    body = Field(raw, "options")
    if not isinstance(raw, dict):
        body.only("choices", "scale", "question")
    elif problem := unstorable(raw):
        body.refuse_as(problem)
    body.raise_errors()
    checked = dict(raw)
    choices, scale = body.maybe("choices"), body.maybe("scale")
    if choices:
        checked["choices"] = _choices(choices)
    if scale:
        checked["scale"] = read_scale(scale)
    if question := body.maybe("question"):
        checked["question"] = question.text(LONGEST_QUESTION)
    if not choices and not scale:
        body.at("choices").refuse("options.nothing_to_choose")
    body.raise_errors()
    return checked


def problems(schema: dict[str, Any], options: dict[str, Any]) -> Iterator[Problem]:
    if len(options.get("choices", ())) < 2 and "scale" not in options:
        yield Problem("lacks.choices")


def _choices(field: Field) -> list[str | None]:
    items = field.items(MOST_CHOICES)
    names = [item.text(LONGEST_CHOICE) for item in items]
    if isinstance(field.value, list) and len(field.value) < 2:
        field.refuse("options.few_choices", number=len(field.value))
    for i, name in enumerate(names):
        if name == UNSURE:
            items[i].refuse("options.unsure", name=UNSURE)
        elif name is not None and name in names[:i]:
            items[i].refuse("name.twice", name=name)
    return names


# --- Answers ------------------------------------------------------------------------------------


def read(raw: Any, material: Material) -> ChoiceAnswer:
    body = Field(raw)
    unsure, note = False, ""
    choice: str | None = None
    value: float | None = None
    doubts: dict[str, list[Doubt]] = {}
    if body.only("choice", "unsure", "value", "note", "doubts"):
        doubts = read_doubts(body, {})
        unsure = body.optional("unsure", Field.flag) or False
        note = body.optional("note", _read_note) or ""
        if unsure:
            for name in ("choice", "value"):
                if field := body.maybe(name):
                    field.refuse("choice.unsure")
        else:
            choice, value = _choice(body, material), _value(body, material)
    body.raise_errors()
    found: ChoiceAnswer = {"choice": choice, "unsure": unsure, "value": value, "note": note}
    return with_doubts(found, doubts)


def check(raw: Any, material: Material) -> ChoiceAnswer:
    return read(raw, material)


def _read_note(field: Field) -> str | None:
    return field.text(LONGEST_NOTE, least=0)


def _choice(body: Field, material: Material) -> str | None:
    choices, scale = material.options.get("choices") or [], material.options.get("scale")
    if choices or not scale:
        return body.at("choice").one_of(choices)
    if field := body.maybe("choice"):
        field.refuse("choice.no_choices")
    return None


def _value(body: Field, material: Material) -> float | None:
    scale = material.options.get("scale")
    field = body.at("value")
    if not scale:
        if body.maybe("value"):
            field.refuse("choice.no_scale")
        return None
    value = field.number()
    if value is not None and not (
        scale["min"] <= value <= scale["max"] and is_step(steps_on(value, scale))
    ):
        field.refuse(
            "choice.off_scale",
            value=value,
            least=scale["min"],
            most=scale["max"],
            step=scale.get("step", 1),
        )
    return value


# --- The page -----------------------------------------------------------------------------------


def wire(answer: ChoiceAnswer, material: Material) -> ChoiceAnswer:
    return answer


def for_page(answer: ChoiceAnswer, material: Material) -> ChoiceAnswer:
    return wire(answer, material)


def page_data(material: Material) -> dict[str, Any]:
    """The first choices with their keys."""
    shown = {
        name: source[name]
        for source, names in ((material.options, ("question",)), (material.payload, SHOWN))
        for name in names
        if name in source
    }
    if "pair" in shown:
        shown["pair"] = _sides(shown["pair"])
    if "image" in shown:
        shown["image"] = _picture(shown["image"])
    if shows_text(material.payload):
        shown["text"] = material.text
    return {
        **shown,
        "choices": [{"name": name, "key": key} for name, key in _keys(material.options).items()],
        "scale": material.options.get("scale"),
        "direction": material.text_direction,
        "language": material.language,
    }


def _keys(options: dict[str, Any]) -> dict[str, str]:
    """Choice → its key, of the first ones: a digit or, beside a scale of digits, a letter."""
    choices, scale = options.get("choices") or [], options.get("scale")
    has_digits = scale and any(len(f"{value:g}") == 1 for value in _values(scale))
    keys = LETTERS if has_digits else DIGITS
    return dict(zip_longest(choices, keys[: len(choices)], fillvalue=""))


def _values(scale: dict[str, Any]) -> list[float]:
    """All that a scale has, where each stands as a button."""
    step, number = scale.get("step", 1), round(steps_on(scale["max"], scale)) + 1
    return [scale["min"] + i * step for i in range(number)] if number <= MOST_VALUES else []


def shows_text(payload: dict[str, Any]) -> bool:
    """Where the task brings nothing of its own to look at."""
    return not payload.keys() & {"text", "pair", "image"}


def example(answer: ChoiceAnswer, material: Material) -> Example | None:
    payload = material.payload
    sides, image = _sides(payload.get("pair", ())), payload.get("image")
    text = payload.get("text", "") or (material.text if shows_text(payload) else "")
    options = [
        Option(name, key, is_right=name == answer["choice"])
        for name, key in _keys(material.options).items()
    ]
    return Example(
        (Piece(beginning(text)),) if text else (),
        tuple(some(options)),
        payload.get("question") or material.options.get("question", ""),
        texts=tuple(Piece(beginning(side["text"]), side["title"]) for side in sides),
        picture=_picture(image) if image else None,
        scale=tuple(_scale_shown(material.options.get("scale"), answer["value"])),
    )


def _scale_shown(scale: dict[str, Any] | None, right: float | None) -> Iterator[Option]:
    if scale is None or right is None:
        return
    ends = {scale["min"]: scale.get("low", ""), scale["max"]: scale.get("high", "")}
    for value in sorted({*_values(scale), *ends, right}):
        words = ends.get(value, "")
        yield Option(f"{value:g}: {words}" if words else f"{value:g}", is_right=value == right)


def task_name(payload: dict[str, Any]) -> str:
    """The beginning of what is judged; of a picture, what is seen on it."""
    side = payload["pair"][0] if "pair" in payload else payload.get("text", "")
    text = side if isinstance(side, str) else side["text"]
    return shortened(text or payload.get("image", {}).get("alt", ""))


def told(answer: ChoiceAnswer, material: Material) -> Problem | str:
    return choice_told(answer, task_name(material.payload))


def _sides(pair: Any) -> list[dict[str, str]]:
    """The texts of a pair, each with the title that stands above it."""
    titled = zip("AB", pair, strict=False)
    return [
        {"title": title} | ({"text": side} if isinstance(side, str) else side)
        for title, side in titled
    ]


def _picture(image: dict[str, Any]) -> dict[str, Any]:
    """An image of a payload as a page loads it, from its own host."""
    shown = dict(image)
    return {"src": f"{PICTURES}{shown.pop('file')}", **shown}


# --- Judging ------------------------------------------------------------------------------------


def classes(schema: dict[str, Any], options: dict[str, Any]) -> list[str]:
    return list(options.get("choices", ()))


def class_of(answer: ChoiceAnswer) -> str:
    return UNSURE if answer["choice"] is None else str(answer["choice"])


def answer_of(name: str) -> ChoiceAnswer:
    unsure = name == UNSURE
    return {"choice": None if unsure else name, "unsure": unsure, "value": None, "note": ""}


def label_names(answer: ChoiceAnswer, material: Material) -> dict[str, list[str]]:
    return {"choice": [class_of(answer)] if material.options.get("choices") else []}


def judge(answer: ChoiceAnswer, material: Material, labels: Labels) -> bytes:
    vectors = {}
    if material.options.get("choices"):
        vectors["choice"] = [labels["choice"][class_of(answer)]]
    if scale := material.options.get("scale"):
        value = answer["value"]
        vectors["value"] = [MISSING if value is None else round(steps_on(value, scale))]
    return pack(vectors)


def score_gold(
    answer: ChoiceAnswer, gold: ChoiceAnswer, material: Material, tolerance: int
) -> float:
    """1 for the same choice, and a value at most `tolerance` steps off; else 0."""
    if answer["choice"] != gold["choice"] or answer["unsure"] != gold["unsure"]:
        return 0.0
    if gold["value"] is None or answer["value"] is None:
        return float(answer["value"] == gold["value"])
    scale = material.options["scale"]
    off = abs(steps_on(answer["value"], scale) - steps_on(gold["value"], scale))
    return float(round(off) <= tolerance)


def feedback(
    answer: ChoiceAnswer, gold: ChoiceAnswer, material: Material, tolerance: int
) -> list[dict[str, Any]]:
    return choice_feedback(answer, gold, material, tolerance)
