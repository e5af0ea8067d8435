"""Relation: how one mention is related to another, and whether both are what they are said to be.

The canonical answer, with the evidence in code points (on the wire in token numbers):

    {"relation": "per:employee_of" | "none" | "unsure",
     "subject_ok", "object_ok", "subject_type_ok", "object_type_ok",
     "subject_link_ok", "object_link_ok": true | false | "unsure" | null,
     "evidence": [[start, end]]}

Only `relation` is required; it is null where a task asks about parts alone. The task's payload
holds the mentions `subject` and `object` ({"start", "end", "type"} in code points, a "name" where
the text alone would not do, and in the verify form its "link" {"key", "name", "description"}, if
any), and `predicted`, the relation that the verify form asks about: there "none" says that it does
not hold. `asks` names the parts that it asks (all of them, where it is missing), `provenance` holds
the spans that the claim rests on. `only`, a list of names, may narrow what is offered.

Judgments: `parts`, one vector of eight in the order above: the number of the relation ("none"
and "unsure" have numbers too); six times 0 no, 1 yes, 2 unsure; the number of the sentence where
the evidence begins. MISSING is what was not asked, or not marked.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from annotation.interfaces import Labels, Material, Product, Traits
from annotation.interfaces.answers import Doubt, RelationAnswer, Verdict, VerdictName
from annotation.interfaces.claim_example import claim_example
from annotation.interfaces.claim_parts import PartName, asked_parts
from annotation.interfaces.doubts import read_doubts, with_doubts
from annotation.interfaces.examples import Example, Option, marked, some
from annotation.interfaces.judgments import MISSING, pack
from annotation.interfaces.reading import Field
from annotation.interfaces.relation_feedback import VERDICTS, relation_feedback, relation_told
from annotation.interfaces.schema import NONE, UNSURE, relation_names, relations_offered
from annotation.interfaces.spans import (
    Grid,
    ReadSpan,
    Span,
    read_characters,
    read_ranges,
    read_words,
    text_data,
)
from annotation.interfaces.wording import named, quoted, shortened
from annotation.sentences import Problem

VERSION = 1
TRAITS = Traits(together=True, product=Product.RELATIONS, all_or_nothing=True)
VERDICT_NUMBERS = {False: 0, True: 1, UNSURE: 2, None: MISSING}
TAKEN = "einu"  # evidence, instructions, no relation, can't tell
SHAPES = {"subject": "●", "object": "■"}  # as on the page
SIDES = (("subject", 1), ("object", 6))  # with their colours
DIGITS = "123456789"
LETTERS = [key for key in string.ascii_lowercase if key not in TAKEN]


def read(raw: Any, material: Material) -> RelationAnswer:
    return _answer(raw, material, read_words)


def check(raw: Any, material: Material) -> RelationAnswer:
    return _answer(raw, material, read_characters)


def _answer(raw: Any, material: Material, read_span: ReadSpan) -> RelationAnswer:
    body = Field(raw)
    grid = Grid(material)
    relation: str | None = None
    verdicts: dict[VerdictName, Verdict] = {}
    evidence: list[Span] = []
    doubts: dict[str, list[Doubt]] = {}
    if body.only("relation", *VERDICTS, "evidence", "doubts"):
        doubts = read_doubts(body, {})
        asked = _asked(material)
        if "relation" in asked:
            relation = _relation(body.at("relation"), material)
        verdicts = {name: body.optional(name, _verdict) for name in VERDICTS}
        for name in verdicts:
            if name not in asked and material.payload.get("asks") is not None:
                verdicts[name] = None
        if field := body.maybe("evidence"):
            evidence = read_ranges(field, grid, read_span, "evidence")
    body.raise_errors()
    found = _canonical(relation, verdicts, [grid.characters(span) for span in evidence])
    return with_doubts(found, doubts)


def _canonical(
    relation: str | None, verdicts: Mapping[VerdictName, Verdict], evidence: list[list[int]]
) -> RelationAnswer:
    return {
        "relation": relation,
        "subject_ok": verdicts.get("subject_ok"),
        "object_ok": verdicts.get("object_ok"),
        "subject_type_ok": verdicts.get("subject_type_ok"),
        "object_type_ok": verdicts.get("object_type_ok"),
        "subject_link_ok": verdicts.get("subject_link_ok"),
        "object_link_ok": verdicts.get("object_link_ok"),
        "evidence": evidence,
    }


def _asked(material: Material) -> Collection[PartName]:
    """The parts that this task asks."""
    payload = material.payload
    asks = payload.get("asks") if payload.get("predicted") else None
    return ("relation", *VERDICTS) if asks is None else asks


def _relation(field: Field, material: Material) -> str | None:
    fitting = [NONE, UNSURE, *(relation["name"] for relation in _fitting(material))]
    if isinstance(field.value, str) and field.value in relation_names(material.schema):
        if field.value in fitting:
            return field.value
        subject, object_ = _types(material)
        field.refuse(
            "relation.types",
            relation=field.value,
            subject=subject,
            object=object_,
            names=fitting,
        )
        return None
    return field.one_of(fitting)


def _verdict(field: Field) -> Verdict:
    if isinstance(field.value, bool) or field.value == UNSURE:
        return field.value
    field.refuse("relation.verdict", unsure=UNSURE)
    return None


def _types(material: Material) -> tuple[str | None, str | None]:
    payload = material.payload
    return payload.get("subject", {}).get("type"), payload.get("object", {}).get("type")


def _fitting(material: Material) -> list[dict[str, Any]]:
    offered = relations_offered(material.schema, *_types(material))
    only = material.payload.get("only")
    return [relation for relation in offered if only is None or relation["name"] in only]


# --- The page -----------------------------------------------------------------------------------


def wire(answer: RelationAnswer, material: Material) -> RelationAnswer:
    grid = Grid(material)
    return {**answer, "evidence": [list(grid.words(*span)) for span in answer["evidence"]]}


def for_page(answer: RelationAnswer, material: Material) -> RelationAnswer:
    return wire(answer, material)


def page_data(material: Material) -> dict[str, Any]:
    """`relations` are the answers to offer, each with its key; "none" and "unsure" come last."""
    grid = Grid(material)
    fitting = _fitting(material)
    relations = [
        {
            "name": relation["name"],
            "button": relation.get("button") or relation["name"],
            "sentence": relation.get("sentence") or f"{{subject}} {relation['name']} {{object}}",
            "icon": relation.get("icon") or "",
            "key": key,
            **({"group": relation["group"]} if relation.get("group") else {}),
        }
        for relation, key in zip(fitting, _keys(fitting, material), strict=True)
    ]
    data = {
        **text_data(material),
        "subject": _mention(material.payload["subject"], grid, material),
        "object": _mention(material.payload["object"], grid, material),
        "relations": [
            *relations,
            {"name": NONE, "button": "", "sentence": "", "icon": NONE, "key": "n"},
            {"name": UNSURE, "button": "", "sentence": "", "icon": UNSURE, "key": "u"},
        ],
    }
    if predicted := material.payload.get("predicted"):
        data["predicted"] = predicted
        data["asks"] = list(asked_parts(material.payload))
        spans = material.payload.get("provenance") or ()
        data["provenance"] = [list(grid.covered(start, end)) for start, end in spans]
    return data


def _keys(offered: list[dict[str, Any]], material: Material) -> list[str]:
    return keys_of(offered, material.schema.get("relation_types", ()))


def keys_of(offered: Sequence[Mapping[str, Any]], known: Sequence[Mapping[str, Any]]) -> list[str]:
    """A key for each, as long as there are any: digits for up to nine, as they stand; of more, a
    letter. It is given over all that are `known`: one whose letter has been learnt keeps it from
    pair to pair. What is left without goes to those offered that have none."""
    if len(offered) <= len(DIGITS):
        return [*DIGITS[: len(offered)]]
    lasting = _letters_of(known, [*LETTERS, *DIGITS])
    keys = {each["name"]: lasting.get(each["name"], "") for each in offered}
    without = [each for each in offered if not keys[each["name"]]]
    left = [key for key in (*LETTERS, *DIGITS) if key not in keys.values()]
    return [*(keys | _letters_of(without, left)).values()]


def _letters_of(relations: Sequence[Mapping[str, Any]], keys: Iterable[str]) -> dict[str, str]:
    """Name → a letter with which a word of it begins, else one in it, else whatever is left."""
    left = dict.fromkeys(keys)
    words = {each["name"]: (each.get("button") or each["name"]).lower() for each in relations}
    given: dict[str, str] = {}
    ways: tuple[Callable[[str], Iterable[str]], ...] = (
        lambda word: (part[0] for part in re.split(r"[\W_]+", word) if part),
        lambda word: word,
        lambda _: [*left],
    )
    for way in ways:
        for name, word in words.items():
            if name not in given and (key := next((one for one in way(word) if one in left), "")):
                given[name] = key
                del left[key]
    return given


def example(answer: RelationAnswer, material: Material) -> Example | None:
    """The pair in its sentence and what says why, with the relation that is right among others; of
    a claim, what is true of it."""
    sides = [(SHAPES[name], colour, material.payload[name]) for name, colour in SIDES]
    marks = [
        (side["start"], side["end"], f"{shape} {side.get('type') or ''}".strip(), f"type-{colour}")
        for shape, colour, side in sides
    ]
    pieces = marked(material, marks, answer["evidence"])
    if material.payload.get("predicted"):
        return claim_example(answer, material, pieces)
    if answer["relation"] is None:
        return None
    fitting = _fitting(material)
    options = [
        Option(
            (relation.get("sentence") or f"{{subject}} {relation['name']} {{object}}").format(
                **SHAPES
            ),
            key, is_right=relation["name"] == answer["relation"],
        )
        for relation, key in zip(fitting, _keys(fitting, material), strict=True)
    ]  # fmt: skip
    none = Option(Problem("word.no_relation"), "n", is_right=answer["relation"] == NONE)
    return Example(pieces, (*some(options), none))


def task_name(payload: dict[str, Any]) -> Problem | str:
    """ "“Ada” and “London”"."""
    names = [payload[side].get("name") for side in ("subject", "object")]
    return named([quoted(shortened(name)) for name in names]) if all(names) else ""


def told(answer: RelationAnswer, material: Material) -> Problem:
    return relation_told(answer, list(asked_parts(material.payload)), material)


def _mention(mention: dict[str, Any], grid: Grid, material: Material) -> dict[str, Any]:
    start, end = grid.words(mention["start"], mention["end"])
    kind = mention.get("type")
    shown = {
        "start": start,
        "end": end,
        "type": kind,
        "name": mention.get("name") or grid.text[mention["start"] : mention["end"]],
    }
    if not material.payload.get("predicted"):
        return shown
    described = (
        entity_type.get("description", "")
        for entity_type in material.schema.get("entity_types", ())
        if entity_type["name"] == kind
    )
    link = mention.get("link")
    link = link and {
        "key": link["key"],
        "name": link.get("name") or link["key"],
        "description": link.get("description") or "",
    }
    return shown | {"description": next(described, ""), "link": link}


# --- Judging ------------------------------------------------------------------------------------


def classes(schema: dict[str, Any], options: dict[str, Any]) -> list[str]:
    return [*relation_names(schema), NONE]


def class_of(answer: RelationAnswer) -> str:
    return answer["relation"] or UNSURE


def answer_of(name: str) -> RelationAnswer:
    return _canonical(name, {}, [])


def label_names(answer: RelationAnswer, material: Material) -> dict[str, list[str]]:
    return {"relation": [] if answer["relation"] is None else [answer["relation"]]}


def judge(answer: RelationAnswer, material: Material, labels: Labels) -> bytes:
    verdicts = [VERDICT_NUMBERS[answer[name]] for name in VERDICTS]
    name = answer["relation"]
    number = MISSING if name is None else labels["relation"][name]
    return pack({"parts": [number, *verdicts, _sentence_of_evidence(answer, material)]})


def _sentence_of_evidence(answer: RelationAnswer, material: Material) -> int:
    if not answer["evidence"]:
        return MISSING
    word, _ = Grid(material).words(*answer["evidence"][0])
    return next((i for i, (_, last) in enumerate(material.sentences) if word < last), 0)


def score_gold(
    answer: RelationAnswer, gold: RelationAnswer, material: Material, tolerance: int
) -> float:
    """1 where the relation, and every part that the gold gives, are the same; else 0."""
    asked = [name for name in VERDICTS if gold[name] is not None]
    right = answer["relation"] == gold["relation"]
    return float(right and all(answer[name] == gold[name] for name in asked))


def feedback(
    answer: RelationAnswer, gold: RelationAnswer, material: Material, tolerance: int
) -> list[dict[str, Any]]:
    return relation_feedback(answer, gold, material)
