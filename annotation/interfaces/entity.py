"""Entity: mentions with types, the entities they refer to, links and dates.

The canonical answer, in code points; mentions in the order of the text, outer before inner:

    {"mentions": [{"id": "m1", "start": 17, "end": 31, "type": "PER", "entity": "e1" | null}],
     "entities": [{"id": "e1", "canonical": "m1", "link": "Q42" | null,
                   "value": "2015-04-25" | null}],
     "unlabelled": [[start, end]]}

or, raw, {"tags": ["O", "B-PER", "?", …]}, one a token: kept as it is, illegal sequences and gaps
included. A page sends and gets the same with token numbers in the place of code points.

Judgments: `tags`, a BIO tag for every token ("O" included; MISSING where the worker did not
look); `clusters`, for every mention in the order of the text the number of its entity, counted
by first mention; `links`, for every mention the link of its entity. A mention without an entity,
and every span of raw tags, is MISSING in both.

A mention may run over the end of a sentence. As tags it is then one span in each sentence, since
the sentence is the unit of the statistics.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from annotation.interfaces import Labels, Material, Product, Traits
from annotation.interfaces.answers import EntityAnswer, MentionAnswer
from annotation.interfaces.coverage import worth
from annotation.interfaces.doubts import doubted_in, doubts_in, with_doubts
from annotation.interfaces.entity_decisions import overlaid
from annotation.interfaces.entity_feedback import feedback
from annotation.interfaces.entity_options import SWITCHES, is_on
from annotation.interfaces.examples import Example, Option, marked
from annotation.interfaces.gold_parts import entity_parts as gold_parts
from annotation.interfaces.judgments import MISSING, pack
from annotation.interfaces.looks import types_shown
from annotation.interfaces.mentions import read_answer
from annotation.interfaces.pairing import matched
from annotation.interfaces.reading import check_flags
from annotation.interfaces.schema import NOT_LABELLED, entity_type_names
from annotation.interfaces.spans import (
    Grid,
    read_characters,
    read_words,
    text_data,
)
from annotation.interfaces.tags import (
    answer_of_tags,
    compared,
    spans_of,
    spans_of_tags,
    tags_of,
    tokens_of,
)
from annotation.interfaces.values import link_label
from annotation.sentences import Problem

__all__ = [
    "TRAITS",
    "VERSION",
    "answer_of_tags",
    "check",
    "check_options",
    "doubted_units",
    "feedback",
    "for_page",
    "gold_parts",
    "judge",
    "label_names",
    "overlaid",
    "page_data",
    "problems",
    "read",
    "score_gold",
    "spans_of_tags",
    "tags_of",
    "wire",
]

VERSION = 1
TRAITS = Traits(
    on_documents=True,
    suggestions=True,
    product=Product.MENTIONS,
    switches=frozenset(SWITCHES),
    linked="entities",
)


def check_options(raw: Any) -> dict[str, Any]:
    """The campaign's options, of which this interface reads `coreference` and `linking`.

    The other members are not its own and stay as they are. Raises AnswerError naming the field.
    """
    return check_flags(raw, tuple(SWITCHES))


def example(answer: EntityAnswer, material: Material) -> Example | None:
    """The first sentences with names, and the types of these."""
    types = {each["name"]: each for each in types_shown(material.schema)}
    looks = {
        name: f"type-{one['colour'] or 1} pattern-{one['pattern']}" for name, one in types.items()
    }
    words = material.tokens
    marks = [
        (words[start][0], words[end - 1][1], name, looks.get(name, ""))
        for start, end, name in spans_of(answer, material)
    ]
    pieces = marked(material, marks)
    used = dict.fromkeys(piece.label for piece in pieces if piece.label)
    options = [
        Option(name, types[name]["key"].replace("shift+", "⇧"), looks[name])
        for name in used
        if name in types
    ]
    return Example(pieces, tuple(options))


def problems(schema: dict[str, Any], options: dict[str, Any]) -> Iterator[Problem]:
    if not schema.get("entity_types"):
        yield Problem("lacks.entity_types")


def read(raw: Any, material: Material) -> EntityAnswer:
    return read_answer(raw, material, read_words)


def check(raw: Any, material: Material) -> EntityAnswer:
    return read_answer(raw, material, read_characters)


# --- The page -----------------------------------------------------------------------------------


def wire(answer: EntityAnswer, material: Material) -> EntityAnswer:
    if "tags" in answer:
        return cast(EntityAnswer, {"tags": list(answer["tags"]), **doubts_in(answer)})
    grid = Grid(material)

    def moved(mention: MentionAnswer) -> MentionAnswer:
        start, end = grid.words(mention["start"], mention["end"])
        return {**mention, "start": start, "end": end}

    sent = {
        "mentions": [moved(mention) for mention in answer["mentions"]],
        "entities": [{**entity} for entity in answer["entities"]],
        "unlabelled": [list(grid.words(*span)) for span in answer["unlabelled"]],
        **doubts_in(answer),
    }
    return cast(EntityAnswer, sent)


def for_page(answer: EntityAnswer, material: Material) -> EntityAnswer:
    """With raw tags as the mentions that they stand for."""
    if "tags" not in answer:
        return wire(answer, material)
    found = wire(answer_of_tags(answer["tags"], material), material)
    return with_doubts(found, doubts_in(answer))


def page_data(material: Material) -> dict[str, Any]:
    data = {
        **text_data(material),
        "types": types_shown(material.schema),
        "nested": bool(material.schema.get("nested")),
        **{name: is_on(material.options, name) for name in SWITCHES},
    }
    if suggested := material.payload.get("suggestions"):
        data["suggestions"] = _suggestions(suggested, material)
    return data


def _suggestions(given: EntityAnswer, material: Material) -> EntityAnswer:
    """On the wire, always as mentions; without the types that the schema has lost since."""
    answer = answer_of_tags(given["tags"], material) if "tags" in given else given
    types = entity_type_names(material.schema)
    mentions = [mention for mention in answer["mentions"] if mention["type"] in types]
    left = {mention["id"] for mention in mentions}
    entities = {
        entity["id"]: entity for entity in answer["entities"] if entity["canonical"] in left
    }
    return wire(
        {
            "mentions": [
                {**mention, "entity": mention["entity"] if mention["entity"] in entities else None}
                for mention in mentions
            ],
            "entities": list(entities.values()),
            "unlabelled": [],  # what a system did not look at is for the worker to look at
        },
        material,
    )


# --- Judging ------------------------------------------------------------------------------------


def label_names(answer: EntityAnswer, material: Material) -> dict[str, list[str]]:
    tags = dict.fromkeys(tags_of(answer, material))
    tags.pop(NOT_LABELLED, None)
    groups = [] if "tags" in answer else answer["entities"]
    links = (link_label(group["link"]) for group in groups)
    return {"tag": list(tags), "link": list(dict.fromkeys(links))}


def judge(answer: EntityAnswer, material: Material, labels: Labels) -> bytes:
    numbers = {NOT_LABELLED: MISSING, **labels["tag"]}
    tags = [numbers[tag] for tag in tags_of(answer, material)]
    if "tags" in answer:
        clusters = links = [MISSING] * len(spans_of(answer, material))
    else:
        mentions = sorted(
            answer["mentions"], key=lambda mention: (mention["start"], -mention["end"])
        )
        entities = [mention["entity"] for mention in mentions]
        order = {entity: i for i, entity in enumerate(dict.fromkeys(filter(None, entities)))}
        link_of = {
            entity["id"]: labels["link"][link_label(entity["link"])]
            for entity in answer["entities"]
        }
        clusters = [order.get(entity or "", MISSING) for entity in entities]
        links = [link_of.get(entity or "", MISSING) for entity in entities]
    return pack({"tags": tags, "clusters": clusters, "links": links})


def doubted_units(answer: EntityAnswer, material: Material) -> dict[str, list[int]]:
    """The words of the mentions that the worker was unsure of."""
    if "tags" in answer:  # no part of them has a name
        return {}
    return {"tags": tokens_of(doubted_in(answer), answer, material)}


def score_gold(
    answer: EntityAnswer, gold: EntityAnswer, material: Material, tolerance: int
) -> float:
    """F1 of the typed spans, each edge at most `tolerance` tokens off; 1 where neither has any.

    Spans that touch what either of the two leaves out are not counted. Who looked at less than
    half of the words that the gold looked at has shown little, see `coverage`; an answer that
    leaves out all of them is no agreement: 0.
    """
    both = compared(answer, gold, material)
    if both is None:
        return 0.0
    full, spans = worth(both.covered, both.asked), len(both.given) + len(both.known)
    if not spans:
        return full
    return full * 2 * len(matched(both.given, both.known, tolerance)) / spans
