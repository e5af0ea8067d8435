"""What was right and wrong about a relation and its parts, in the words that the page asks with."""

from __future__ import annotations

import re
from typing import Any

from annotation.interfaces import Material
from annotation.interfaces.answers import RelationAnswer, VerdictName
from annotation.interfaces.schema import NONE, UNSURE
from annotation.interfaces.spans import Grid
from annotation.interfaces.wording import finding, named, quoted, shortened

VERDICTS: tuple[VerdictName, ...] = (
    "subject_ok",
    "object_ok",
    "subject_type_ok",
    "object_type_ok",
    "subject_link_ok",
    "object_link_ok",
)
VERDICT_WORDS = {True: "yes", False: "no", UNSURE: "can't tell", None: "nothing"}


def relation_feedback(
    answer: RelationAnswer, gold: RelationAnswer, material: Material
) -> list[dict[str, Any]]:
    """A finding "right" or "wrong" for each `part` that the gold judges, in their order.

    Evidence is marked by those who like to: what differs there is a "hint", with `missed` and
    `extra` in token numbers.
    """
    given, known = answer["relation"], gold["relation"]
    findings = [] if known is None else [_relation_finding(given or UNSURE, known, material)]
    for part in VERDICTS:
        if gold[part] is not None:
            claim = quoted(_claim(part, material))
            findings.append(
                _verdict_finding(
                    part, claim, VERDICT_WORDS[answer[part]], VERDICT_WORDS[gold[part]]
                )
            )
    return [*findings, *_evidence_findings(answer["evidence"], gold["evidence"], material)]


def _relation_finding(given: str, known: str, material: Material) -> dict[str, Any]:
    predicted = material.payload.get("predicted")
    if predicted and known in (predicted, NONE, UNSURE):
        said = {
            predicted: VERDICT_WORDS[True],
            NONE: VERDICT_WORDS[False],
            UNSURE: VERDICT_WORDS[UNSURE],
        }
        claim = quoted(_sentence(predicted, material))
        return _verdict_finding("relation", claim, said.get(given, given), said[known])
    right = quoted(_sentence(known, material))
    if given == known:
        return finding("right", f"{right} is right.", part="relation")
    said_words = quoted(_sentence(given, material))
    return finding("wrong", f"You chose {said_words}. Right is {right}.", part="relation")


def _verdict_finding(part: str, claim: str, given: str, known: str) -> dict[str, Any]:
    if given == known:
        return finding("right", f"{claim}: “{known}” is right.", part=part)
    return finding("wrong", f"{claim}: you said “{given}”, right is “{known}”.", part=part)


def _sentence(name: str, material: Material) -> str:
    """What an answer says, with both names filled in."""
    if name in (NONE, UNSURE):
        return {NONE: "No relation", UNSURE: "Can't tell"}[name]
    types = material.schema.get("relation_types", ())
    sentences = (each.get("sentence") for each in types if each["name"] == name)
    sentence = next(sentences, None) or f"{{subject}} {name} {{object}}"
    filled = re.split(r"(\{subject\}|\{object\})", sentence)  # a name may hold a brace too
    return "".join(
        _name(piece[1:-1], material) if i % 2 else piece for i, piece in enumerate(filled)
    )


def _name(side: str, material: Material) -> str:
    mention = material.payload[side]
    return shortened(mention.get("name") or material.text[mention["start"] : mention["end"]])


def _claim(part: str, material: Material) -> str:
    """What the page asks about a side of the pair, as it asks it."""
    side, _, about = part.partition("_")
    mention, name = material.payload[side], _name(side, material)
    if about == "type_ok":
        return f"{name} is of the type {mention.get('type')}"
    if about == "link_ok":
        link = mention.get("link") or {}
        return f"{name} means {shortened(link.get('name') or link.get('key') or 'nothing')}"
    return f"{name} is a name, marked from its first word to its last"


def _evidence_findings(
    given: list[list[int]], known: list[list[int]], material: Material
) -> list[dict[str, Any]]:
    """Pieces that overlap are the same: where evidence begins and ends is a matter of taste."""
    if not known:
        return []
    missed, extra = _without(known, given), _without(given, known)
    grid = Grid(material)
    place = {
        "part": "evidence",
        "missed": [list(grid.words(*piece)) for piece in missed],
        "extra": [list(grid.words(*piece)) for piece in extra],
    }

    def words(pieces: list[list[int]]) -> str:
        return named([quoted(shortened(material.text[start:end])) for start, end in pieces])

    if not missed and not extra:
        says = "says" if len(known) == 1 else "say"
        return [finding("right", f"Evidence: {words(known)} {says} so.", **place)]
    sentences = []
    if missed:
        too = " too" if len(missed) < len(known) else ""
        sentences.append(f"{words(missed)} {'says' if len(missed) == 1 else 'say'} so{too}.")
    if extra:
        sentences.append(f"{words(extra)} {'does' if len(extra) == 1 else 'do'} not say so.")
    return [finding("hint", f"Evidence: {' '.join(sentences)}", **place)]


def _without(pieces: list[list[int]], others: list[list[int]]) -> list[list[int]]:
    """The pieces that overlap with none of the others."""
    return [
        [start, end]
        for start, end in pieces
        if not any(first < end and start < last for first, last in others)
    ]
