"""How many stars a document gets.

The answer, the same on the wire: {"stars": 4}, or null where the worker can’t tell. The campaign's
options hold {"question": "…"}, and {"most": 3} where five are too many.

Judgments: `stars`, a vector of one class, "1" to "5" or "unsure".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.interfaces import Labels, Material, Traits
from annotation.interfaces.judgments import pack
from annotation.interfaces.reading import Field
from annotation.interfaces.schema import UNSURE
from annotation.interfaces.wording import finding
from annotation.sentences import Problem
from annotation.sentences.rendering import gettext_noop, ngettext_noop

SENTENCES = {
    "stars.most": ngettext_noop(
        "{number} star can't be given. Let it be 2 to {most}.",
        "{number} stars can't be given. Let it be 2 to {most}.",
    ),
    "stars.number": gettext_noop("{stars} is no number of stars. Send 1 to {most}."),
    "lacks.question": gettext_noop("A stars campaign needs a question."),
}
VERSION = 7
TRAITS = Traits(
    on_documents=True,
    options=frozenset({"question"}),
    answered={"most": "stars"},
    all_or_nothing=True,
)
MOST = 5


def check_options(raw: Any) -> dict[str, Any]:
    body = Field(raw, "options")
    if field := body.maybe("most"):
        most = field.whole()
        if most is not None and not 2 <= most <= MOST:
            field.refuse("stars.most", number=most, most=MOST)
    body.raise_errors()
    return dict(raw)


def problems(schema: dict[str, Any], options: dict[str, Any]) -> Iterator[Problem]:
    if not options.get("question"):
        yield Problem("lacks.question")


def read(raw: Any, material: Material) -> dict[str, Any]:
    body, stars = Field(raw), None
    if body.only("stars") and (field := body.maybe("stars")):
        stars = field.whole()
        if stars is not None and not 1 <= stars <= _most(material.options):
            field.refuse("stars.number", stars=stars, most=_most(material.options))
    body.raise_errors()
    return {"stars": stars}


check = read


def wire(answer: dict[str, Any], material: Material) -> dict[str, Any]:
    return answer


for_page = wire


def page_data(material: Material) -> dict[str, Any]:
    return {
        "text": material.text,
        "question": material.options["question"],
        "most": _most(material.options),
        "direction": material.text_direction,
    }


def _most(options: dict[str, Any]) -> int:
    return int(options.get("most", MOST))


def label_names(answer: dict[str, Any], material: Material) -> dict[str, list[str]]:
    return {"stars": [class_of(answer)]}


def judge(answer: dict[str, Any], material: Material, labels: Labels) -> bytes:
    return pack({"stars": [labels["stars"][class_of(answer)]]})


def classes(schema: dict[str, Any], options: dict[str, Any]) -> list[str]:
    return [str(stars) for stars in range(1, _most(options) + 1)]


def class_of(answer: dict[str, Any]) -> str:
    return UNSURE if answer["stars"] is None else str(answer["stars"])


def answer_of(name: str) -> dict[str, Any]:
    return {"stars": None if name == UNSURE else int(name)}


def score_gold(
    answer: dict[str, Any], gold: dict[str, Any], material: Material, tolerance: int
) -> float:
    return float(answer == gold)


def feedback(
    answer: dict[str, Any], gold: dict[str, Any], material: Material, tolerance: int
) -> list[dict[str, Any]]:
    if answer == gold:
        return [finding("right", Problem("value.right", known=gold["stars"]))]
    return [finding("wrong", Problem("value.wrong", given=answer["stars"], known=gold["stars"]))]
