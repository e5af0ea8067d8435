"""BIO tags: read as they come, found in an answer, turned into an answer; two answers compared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from annotation.interfaces import Material
from annotation.interfaces.answers import EntityAnswer, MentionAnswer, MentionsAnswer
from annotation.interfaces.reading import Field
from annotation.interfaces.schema import NOT_LABELLED, bio_tags
from annotation.interfaces.spans import Grid, TypedSpan


def read_tags(field: Field, material: Material) -> list[str | None]:
    """One tag of the schema, or "?", for each token, in whatever order they come."""
    count = len(material.tokens)
    if isinstance(field.value, list) and len(field.value) != count:
        field.refuse("tags.number", given=len(field.value), number=count, not_labelled=NOT_LABELLED)
        return []
    allowed = dict.fromkeys([*bio_tags(material.schema), NOT_LABELLED])
    if isinstance(field.value, list) and all(
        type(tag) is str and tag in allowed for tag in field.value
    ):
        return list(field.value)  # no need to look at each with its path
    return [item.one_of(allowed) for item in field.items(most=count)]


def spans_of_tags(tags: Sequence[str], sentences: Sequence[Sequence[int]]) -> list[TypedSpan]:
    """(first token, last token + 1, type) of every span, strictly: B-x followed by I-x.

    An I-x without an open x span makes no span, and no span goes on into the next sentence.
    "?" ends a span as "O" does.
    """
    first_tokens = {first for first, _ in sentences}
    spans: list[TypedSpan] = []
    start, open_type = 0, ""
    for i, tag in enumerate(tags):
        if open_type and (tag != f"I-{open_type}" or i in first_tokens):
            spans.append((start, i, open_type))
            open_type = ""
        if tag.startswith("B-"):
            start, open_type = i, tag[2:]
    if open_type:
        spans.append((start, len(tags), open_type))
    return spans


def spans_of(answer: EntityAnswer, material: Material) -> list[TypedSpan]:
    """The typed spans of an entity answer of either form, in tokens and in the text's order."""
    if "tags" in answer:
        return spans_of_tags(answer["tags"], material.sentences)
    grid = Grid(material)
    spans = [
        (*grid.words(mention["start"], mention["end"]), mention["type"])
        for mention in answer["mentions"]
    ]
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def tags_of(answer: EntityAnswer, material: Material) -> list[str]:
    """A tag for each token: "?" where the worker did not look, the outermost of nested mentions.

    Mentions give legal tags: one that runs over the end of a sentence begins anew there. Raw
    tags come back as they are.
    """
    if "tags" in answer:
        return list(answer["tags"])
    tags = ["O"] * len(material.tokens)
    grid = Grid(material)
    for start, end in answer["unlabelled"]:
        first, last = grid.words(start, end)
        tags[first:last] = [NOT_LABELLED] * (last - first)
    begins = {first for first, _ in material.sentences}
    for start, end, kind in _outermost(spans_of(answer, material)):
        for i in range(start, end):
            tags[i] = f"B-{kind}" if i == start or i in begins else f"I-{kind}"
    return tags


def _outermost(spans: Iterable[TypedSpan]) -> Iterator[TypedSpan]:
    """Of spans in the text's order those that lie in no other: what tags can say."""
    covered = 0
    for span in spans:
        if span[0] >= covered:
            yield span
            covered = span[1]


def tokens_of(
    names: Collection[str | None], answer: MentionsAnswer, material: Material
) -> list[int]:
    """The tokens to which the mentions with these ids gave tags; one inside another gave none."""
    grid = Grid(material)
    spans = [(*grid.words(each["start"], each["end"]), each["id"]) for each in answer["mentions"]]
    spans.sort(key=lambda span: (span[0], -span[1]))
    kept = [span for span in _outermost(spans) if span[2] in names]
    return [token for start, end, _ in kept for token in range(start, end)]


@dataclass(frozen=True, slots=True)
class Compared:
    """The spans of an answer and of the gold that touch nothing that either leaves out; and of
    the words that the gold looked at how many there are, and how many the answer looked at."""

    given: list[TypedSpan]
    known: list[TypedSpan]
    asked: int
    covered: int


def compared(answer: EntityAnswer, gold: EntityAnswer, material: Material) -> Compared | None:
    """None where the answer leaves out all that the gold looked at: that is no agreement."""
    if not any("tags" in one or one["unlabelled"] for one in (answer, gold)):
        count = len(material.tokens)
        return Compared(spans_of(answer, material), spans_of(gold, material), count, count)
    given_tags, known_tags = tags_of(answer, material), tags_of(gold, material)
    left_out = [NOT_LABELLED in pair for pair in zip(given_tags, known_tags, strict=True)]
    asked = sum(tag != NOT_LABELLED for tag in known_tags)
    covered = left_out.count(False)
    if asked and not covered:
        return None
    before = [0, *accumulate(left_out)]  # how many tokens before each are left out

    def counted(spans: list[TypedSpan]) -> list[TypedSpan]:
        return [span for span in spans if before[span[0]] == before[span[1]]]

    given, known = (counted(spans_of(one, material)) for one in (answer, gold))
    return Compared(given, known, asked, covered)


def answer_of_tags(tags: Sequence[str], material: Material) -> MentionsAnswer:
    """The canonical answer that tags amount to: a mention for each span, without entities."""
    grid = Grid(material)
    mentions: list[MentionAnswer] = []
    for number, (first, last, kind) in enumerate(spans_of_tags(tags, material.sentences), start=1):
        start, end = grid.characters((first, last))
        mentions.append(
            {"id": f"m{number}", "start": start, "end": end, "type": kind, "entity": None}
        )
    unlabelled = []
    for missing, run in groupby(range(len(tags)), lambda i: tags[i] == NOT_LABELLED):
        if missing:
            tokens = list(run)
            unlabelled.append(grid.characters((tokens[0], tokens[-1] + 1)))
    return {"mentions": mentions, "entities": [], "unlabelled": unlabelled}
