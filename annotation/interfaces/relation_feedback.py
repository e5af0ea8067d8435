"""What was said of a relation and its parts, and what was right and wrong about it, in the words
that the page asks with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from annotation.interfaces import Material
from annotation.interfaces.answers import RelationAnswer, Verdict, VerdictName
from annotation.interfaces.schema import NONE, UNSURE
from annotation.interfaces.spans import Grid
from annotation.interfaces.wording import finding, named, quoted, shortened
from annotation.sentences import Problem

VERDICTS: tuple[VerdictName, ...] = (
    "subject_ok",
    "object_ok",
    "subject_type_ok",
    "object_type_ok",
    "subject_link_ok",
    "object_link_ok",
)


def relation_feedback(
    answer: RelationAnswer, gold: RelationAnswer, material: Material
) -> list[dict[str, Any]]:
    """A finding "right" or "wrong" for each `part` that the gold judges, in their order.

    Evidence is marked by those who like to: what differs there is a "hint", with `missed` and
    `extra` in token numbers. Of what does not hold, or can't be told, there is none: whoever says
    so can mark nothing, though an import may have it.
    """
    given, known = answer["relation"], gold["relation"]
    findings = [] if known is None else [_relation_finding(given or UNSURE, known, material)]
    for part in VERDICTS:
        if gold[part] is not None:
            claim = quoted(_claim(part, material))
            findings.append(_verdict_finding(part, claim, answer[part], gold[part]))
    if known in (NONE, UNSURE):
        return findings
    return [*findings, *_evidence_findings(answer["evidence"], gold["evidence"], material)]


def relation_told(answer: RelationAnswer, asked: Sequence[str], material: Material) -> Problem:
    """The pair, or the claim about it, and what was answered: "“Ada” → “London”: “was born in”"."""
    predicted = material.payload.get("predicted")
    relation = answer["relation"] or UNSURE
    if not predicted:
        return Problem("word.told", about=_pair(material), said=quoted(_verb(relation, material)))
    verdicts: dict[str, Verdict] = {name: answer[name] for name in VERDICTS if name in asked}
    if "relation" in asked:
        verdicts["relation"] = "unsure" if relation == UNSURE else bool(relation == predicted)
    odd = [part for part, verdict in verdicts.items() if verdict is not True]
    one = odd if len(odd) == 1 else list(verdicts) if len(verdicts) == 1 else []
    if one:
        about = quoted(claim_words(one[0], material))
        said = verdict_words(verdicts[one[0]])
    else:
        has_relation = "relation" in verdicts
        about = quoted(claim_words("relation", material)) if has_relation else _pair(material)
        said = verdicts_words(list(verdicts.values()))
    return Problem("word.told", about=about, said=quoted(said))


def verdict_words(verdict: Verdict) -> Problem:
    """As the page's button has it."""
    if verdict == UNSURE:
        return Problem("word.cant_tell")
    return Problem("word.said_yes") if verdict else Problem("word.said_no")


def verdicts_words(verdicts: Sequence[Verdict]) -> Problem:
    """Of several parts, as of the whole that the page asks about first: only where one is wrong
    it is "not all"."""
    if all(verdict is True for verdict in verdicts):
        return Problem("word.all_of_it")
    is_untold = UNSURE in verdicts and False not in verdicts
    return verdict_words(UNSURE) if is_untold else Problem("word.not_all")


def claim_words(part: str, material: Material) -> str | Problem:
    """What a claim says of a part, as the page asks it."""
    if part == "relation":
        return _sentence(material.payload["predicted"], material)
    return _claim(part, material)


def _pair(material: Material) -> Problem:
    sides = {side: quoted(_name(side, material)) for side in ("subject", "object")}
    return Problem("word.pair", **sides)


def _verb(name: str, material: Material) -> str | Problem:
    """What an answer says, without the names where they stand around it in the pair's order."""
    wording = _wording(name, material)
    before, _, rest = wording.partition("{subject}")
    verb, _, after = rest.partition("{object}")
    if name in (NONE, UNSURE) or not verb.strip() or before.strip() or after.strip():
        return _sentence(name, material)
    return verb.strip()


def _relation_finding(given: str, known: str, material: Material) -> dict[str, Any]:
    predicted = material.payload.get("predicted")
    if predicted and known in (predicted, NONE, UNSURE):
        verdicts: dict[str, Verdict] = {predicted: True, NONE: False, UNSURE: "unsure"}
        claim = quoted(_sentence(predicted, material))
        if given in verdicts:
            return _verdict_finding("relation", claim, verdicts[given], verdicts[known])
        other = Problem("claim.other", claim=claim, given=given, known=_verdict(verdicts[known]))
        return finding("wrong", other, part="relation")
    right = quoted(_sentence(known, material))
    if given == known:
        return finding("right", Problem("choice.right", known=right), part="relation")
    chosen = quoted(_sentence(given, material))
    return finding("wrong", Problem("choice.wrong", given=chosen, known=right), part="relation")


def _verdict_finding(part: str, claim: Problem, given: Verdict, known: Verdict) -> dict[str, Any]:
    right = _verdict(known)
    if given == known:
        return finding("right", Problem("claim.right", claim=claim, known=right), part=part)
    if given is None:
        return finding("wrong", Problem("claim.missed", claim=claim, known=right), part=part)
    wrong = Problem("claim.wrong", claim=claim, given=_verdict(given), known=right)
    return finding("wrong", wrong, part=part)


def _verdict(said: Verdict) -> Problem:
    if said == UNSURE:
        return quoted(Problem("word.unsure"))
    return quoted(Problem("word.yes") if said else Problem("word.no"))


def _sentence(name: str, material: Material) -> str | Problem:
    """What an answer says, with both names filled in."""
    if name == NONE:
        return Problem("word.no_relation")
    if name == UNSURE:
        return Problem("word.cant_tell")
    # Split, not formatted: names hold braces too.
    filled = re.split(r"(\{subject\}|\{object\})", _wording(name, material))
    return "".join(
        _name(piece[1:-1], material) if i % 2 else piece for i, piece in enumerate(filled)
    )


def _wording(name: str, material: Material) -> str:
    types = material.schema.get("relation_types", ())
    sentences = (each.get("sentence") for each in types if each["name"] == name)
    return next(sentences, None) or f"{{subject}} {name} {{object}}"


def _name(side: str, material: Material) -> str:
    mention = material.payload[side]
    return shortened(mention.get("name") or material.text[mention["start"] : mention["end"]])


def _claim(part: str, material: Material) -> Problem:
    """What the page asks about a side of the pair, as it asks it."""
    side, _, about = part.partition("_")
    mention, name = material.payload[side], _name(side, material)
    if about == "type_ok":
        return Problem("word.claim_type", name=name, type=mention.get("type"))
    if about == "link_ok":
        link = mention.get("link") or {}
        entry = link.get("name") or link.get("key")
        if not entry:
            return Problem("word.claim_no_link", name=name)
        entry = shortened(entry)
        if entry == name:  # else it would say nothing
            entry = f"{entry} ({shortened(link.get('description') or link['key'])})"
        return Problem("word.claim_link", name=name, entry=entry)
    return Problem("word.claim_name", name=name)


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

    def of(pieces: list[list[int]]) -> dict[str, Any]:
        names = named([quoted(shortened(material.text[start:end])) for start, end in pieces])
        return {"pieces": names, "number": len(pieces)}

    if not missed and not extra:
        return [finding("right", Problem("evidence.right", **of(known)), **place)]
    if not missed:
        return [finding("hint", Problem("evidence.extra", **of(extra)), **place)]
    said = (
        Problem("evidence.missed_too", **of(missed))
        if len(missed) < len(known)
        else Problem("evidence.missed", **of(missed))
    )
    if extra:
        also = Problem("word.evidence_extra", **of(extra))
        said = Problem("evidence.both", missed=said, extra=also)
    return [finding("hint", said, **place)]


def _without(pieces: list[list[int]], others: list[list[int]]) -> list[list[int]]:
    """The pieces that overlap with none of the others."""
    return [
        [start, end]
        for start, end in pieces
        if not any(first < end and start < last for first, last in others)
    ]
