"""One claim with its answer, for the page that comes before all tasks."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.interfaces import Material
from annotation.interfaces.answers import RelationAnswer, Verdict
from annotation.interfaces.claim_parts import PartName, asked_parts
from annotation.interfaces.examples import Example, Option, Piece
from annotation.interfaces.relation_feedback import claim_words, verdict_words, verdicts_words
from annotation.interfaces.schema import UNSURE
from annotation.sentences import Problem

VERDICTS: Sequence[tuple[str, Verdict]] = (("y", True), ("n", False), ("u", UNSURE))


def claim_example(answer: RelationAnswer, material: Material, pieces: tuple[Piece, ...]) -> Example:
    """What is asked, the three answers, and of a claim in several parts all of these, at most
    seven, each that is not true with its verdict. A part that the known answer does not judge is
    as good as true."""
    known = {part: _known(answer, part, material) for part in asked_parts(material.payload)}
    if len(known) == 1:
        ((part, verdict),) = known.items()
        options = [
            Option(verdict_words(one), key, is_right=one == verdict) for key, one in VERDICTS
        ]
        return Example(pieces, tuple(options), claim_words(part, material))
    said = verdicts_words(list(known.values()))
    whole = [(key, verdicts_words([one])) for key, one in VERDICTS]
    options = [Option(words, key, is_right=words == said) for key, words in whole]
    is_split = False in known.values() or len(set(known.values())) > 1
    rows = [
        _row(str(number) if is_split else "", claim_words(part, material), verdict, is_split)
        for number, (part, verdict) in enumerate(known.items(), start=1)
    ]
    return Example(pieces, tuple(options), Problem("word.all_true"), rows=tuple(rows))


def _row(key: str, about: str | Problem, verdict: Verdict, is_split: bool) -> Option:
    if verdict is True or not is_split:
        return Option(about, key)
    told = Problem("word.told", about=about, said=verdict_words(verdict))
    return Option(told, key, is_right=True)


def _known(answer: RelationAnswer, part: PartName, material: Material) -> Verdict:
    if part != "relation":
        return True if answer[part] is None else answer[part]
    relation = answer["relation"]
    if relation == UNSURE:
        return UNSURE
    return relation in (None, material.payload["predicted"])
