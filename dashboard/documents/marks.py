"""Entity answers as marks for lanes, and as the table behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.interfaces import Material
from annotation.interfaces.answers import Answer, EntityAnswer, MentionGroup
from annotation.interfaces.entity import spans_of_tags, wire
from dashboard.documents.lanes import Lane, LaneText, Mark

DOUBTFUL = 0.8  # a span of the consensus below this is drawn as one that may be wrong
NOT_LOOKED_AT = "not looked at"
CLIPPED = 60  # characters of a span's text that are shown

Names = Mapping[str, str]  # key in the knowledge base → name


@dataclass(slots=True)
class SpanRow:
    """One span with one type, and who marked it."""

    start: int
    end: int
    type: str
    colour: int
    text: str
    confidence: float | None = None  # None: the consensus has no such span
    gold: bool = False
    workers: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)  # what was said of it, each once


def worker_marks(
    answer: EntityAnswer, material: Material, colours: Mapping[str, int], names: Names
) -> list[Mark]:
    """The spans of an answer, with the entity that each belongs to, and what was left out."""
    sent = wire(answer, material)
    if "tags" in sent:
        spans = spans_of_tags(sent["tags"], material.sentences)
        return [Mark(start, end, kind, colours.get(kind, 0)) for start, end, kind in spans]
    entities = {entity["id"]: entity for entity in sent["entities"]}
    order = {
        entity: i
        for i, entity in enumerate(
            dict.fromkeys(mention["entity"] for mention in sent["mentions"] if mention["entity"]),
            start=1,
        )
    }
    sizes = Counter(mention["entity"] or "" for mention in sent["mentions"])
    marks = []
    for mention in sent["mentions"]:
        entity = entities.get(mention["entity"] or "")
        title = ""
        if entity is not None:
            title = _described(entity, sizes[entity["id"]], names)
        marks.append(
            Mark(
                mention["start"],
                mention["end"],
                mention["type"],
                colours.get(mention["type"], 0),
                note=_note(entity, order, sizes),
                title=title,
            )
        )
    marks += [Mark(start, end, NOT_LOOKED_AT, 0) for start, end in sent["unlabelled"]]
    return marks


def consensus_marks(
    answer: EntityAnswer,
    sure: Sequence[float | None],
    material: Material,
    colours: Mapping[str, int],
) -> list[Mark]:
    """The consensus; the note is the mean confidence of the span's tokens."""
    marks = []
    for mark in worker_marks(answer, material, colours, {}):
        known = [value for value in sure[mark.start : mark.end] if value is not None]
        if mark.type == NOT_LOOKED_AT or not known:
            marks.append(mark)
            continue
        mean = sum(known) / len(known)
        marks.append(
            Mark(
                mark.start,
                mark.end,
                mark.type,
                mark.colour,
                note="1" if mean >= 0.995 else f"{mean:.2f}".removeprefix("0"),
                title=f"{mean:.0%} sure",
                doubtful=mean < DOUBTFUL,
            )
        )
    return marks


def span_rows(lanes: Sequence[Lane], text: LaneText, start: int, end: int) -> list[SpanRow]:
    """Every span that begins in [start, end), in the order of the text."""
    rows: dict[tuple[int, int, str], SpanRow] = {}
    for lane in lanes:
        for mark in lane.marks:
            if mark.type == NOT_LOOKED_AT or not start <= mark.start < end:
                continue
            row = rows.setdefault(
                (mark.start, mark.end, mark.type),
                SpanRow(
                    mark.start, mark.end, mark.type, mark.colour, _text(text, mark.start, mark.end)
                ),
            )
            if lane.key == "consensus":
                row.confidence = float(mark.note) if mark.note else None
            elif lane.key == "gold":
                row.gold = True
            else:
                row.workers.append(lane.name)
            if lane.key != "consensus" and mark.title and mark.title not in row.entities:
                row.entities.append(mark.title)
    return [rows[key] for key in sorted(rows)]


def links_of(answers: Sequence[Answer]) -> set[str]:
    """The keys of the knowledge base that answers link to."""
    return {
        entity["link"]
        for answer in answers
        for entity in answer.get("entities", ())
        if entity["link"]
    }


def _note(entity: MentionGroup | None, order: Mapping[str, int], sizes: Mapping[str, int]) -> str:
    """The entity's number in this answer, where it has more than one mention; ↗ where linked."""
    if entity is None:
        return ""
    number = str(order[entity["id"]]) if sizes[entity["id"]] > 1 else ""
    return f"{number}↗" if entity["link"] else number


def _described(entity: MentionGroup, size: int, names: Names) -> str:
    parts = [f"one of {size} mentions"] if size > 1 else []
    if link := entity["link"]:
        parts.append(f"is {names[link]} ({link})" if link in names else f"is {link}")
    if entity["value"]:
        parts.append(f"means {entity['value']}")
    return "; ".join(parts)


def _text(text: LaneText, start: int, end: int) -> str:
    parts = [text.tokens[start]]
    for i in range(start + 1, end):
        parts += [" " if text.gaps[i].isspace() else text.gaps[i], text.tokens[i]]
    joined = "".join(parts)
    return joined if len(joined) <= CLIPPED else f"{joined[: CLIPPED - 1]}…"
