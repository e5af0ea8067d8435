"""Reading the answer to an entity task: its mentions and entities, and what they say of each other.

The mistakes of single fields are told first, all together; then those between fields, for which
each field has to be right in itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from annotation.interfaces import Material
from annotation.interfaces.answers import Doubt, EntityAnswer, MentionsAnswer
from annotation.interfaces.doubts import read_doubts
from annotation.interfaces.reading import Field
from annotation.interfaces.schema import entity_type_names
from annotation.interfaces.spans import Grid, ReadSpan, Span, clashes, read_ranges
from annotation.interfaces.tags import read_tags
from annotation.interfaces.values import read_date, read_link
from annotation.sentences import shown

LONGEST_ID = 64


@dataclass(frozen=True, slots=True)
class _Mention:
    field: Field
    id: str
    span: Span
    type: str
    entity: str | None

    def __str__(self) -> str:
        return f"{self.field.value['start']}–{self.field.value['end']}"  # in the sender's unit


@dataclass(frozen=True, slots=True)
class _Entity:
    field: Field
    id: str
    canonical: str
    link: str | None
    value: str | None


def read_answer(raw: Any, material: Material, read_span: ReadSpan) -> EntityAnswer:
    """The canonical answer; `read_span` says in which unit the spans come. Raises AnswerError."""
    body = Field(raw)
    if isinstance(raw, dict) and "tags" in raw:
        body.only("tags", "doubts")
        tags = read_tags(body.at("tags"), material)
        of_all = read_doubts(body, {})
        body.raise_errors()
        known = [tag for tag in tags if tag is not None]  # there is no other
        return cast(EntityAnswer, {"tags": known, **of_all})
    grid = Grid(material)
    mentions: list[_Mention] = []
    entities: list[_Entity] = []
    unlabelled: list[Span] = []
    doubts: dict[str, list[Doubt]] = {}
    if body.only("mentions", "entities", "unlabelled", "doubts"):
        mentions = _mentions(body.at("mentions"), material, grid, read_span)
        if field := body.maybe("entities"):
            entities = _entities(field, most=2 * len(material.tokens))
        if field := body.maybe("unlabelled"):
            unlabelled = read_ranges(field, grid, read_span, "part")
        doubts = read_doubts(body, {mention.id: mention.id for mention in mentions})
    body.raise_errors()  # below, each mention and entity is right in itself
    _check_ids(mentions)
    _check_ids(entities)
    _check_overlaps(mentions, grid, bool(material.schema.get("nested")))
    _check_unlabelled(mentions, unlabelled)
    _check_entities(mentions, entities)
    body.raise_errors()
    return cast(EntityAnswer, {**_canonical(mentions, entities, unlabelled, grid), **doubts})


def _mentions(field: Field, material: Material, grid: Grid, read_span: ReadSpan) -> list[_Mention]:
    # Spans that don't cross are fewer than two for each token.
    types = entity_type_names(material.schema)
    mentions = []
    for item in field.items(most=2 * len(grid.tokens)):
        if not item.only("id", "start", "end", "type", "entity"):
            continue
        name = _read_id(item.at("id"))
        span = read_span(item.at("start"), item.at("end"), grid, "mention")
        kind = item.at("type").one_of(types)
        entity = item.optional("entity", _read_id)
        if name is not None and span is not None and kind is not None:
            mentions.append(_Mention(item, name, span, kind, entity))
    return mentions


def _read_id(field: Field) -> str | None:
    return field.text(LONGEST_ID)


def _entities(field: Field, most: int) -> list[_Entity]:
    entities = []
    for item in field.items(most):
        if not item.only("id", "canonical", "link", "value"):
            continue
        name = _read_id(item.at("id"))
        canonical = _read_id(item.at("canonical"))
        link = item.optional("link", read_link)
        value = item.optional("value", read_date)
        if name is not None and canonical is not None:
            entities.append(_Entity(item, name, canonical, link, value))
    return entities


# --- What mentions and entities say of each other -----------------------------------------------


def _check_ids(items: Sequence[_Mention] | Sequence[_Entity]) -> None:
    first: dict[str, str] = {}
    for item in items:
        path = first.setdefault(item.id, item.field.path)
        if path != item.field.path:
            item.field.at("id").refuse("id.double", id=shown(item.id), where=path)


def _check_overlaps(mentions: list[_Mention], grid: Grid, nested: bool) -> None:
    for i, j in clashes([mention.span for mention in mentions], nested):
        one, other = mentions[i], mentions[j]
        texts = {"text": grid.quoted(one.span), "other_text": grid.quoted(other.span)}
        if nested:
            one.field.refuse("mention.crosses", one=str(one), other=str(other), **texts)
        else:
            one.field.refuse("mention.overlaps", one=str(one), other=str(other), **texts)


def _check_unlabelled(mentions: list[_Mention], unlabelled: list[Span]) -> None:
    for mention in mentions:
        start, end = mention.span
        before = bisect_left(unlabelled, (end,))  # the parts are sorted and apart
        if before and unlabelled[before - 1][1] > start:
            mention.field.refuse("mention.not_looked_at", mention=str(mention))


def _check_entities(mentions: list[_Mention], entities: list[_Entity]) -> None:
    members: dict[str, set[str]] = {entity.id: set() for entity in entities}
    for mention in mentions:
        if mention.entity in members:
            members[mention.entity].add(mention.id)
        elif mention.entity is not None:
            mention.field.at("entity").refuse(
                "mention.no_entity", entity=shown(mention.entity), number=len(entities)
            )
    for entity in entities:
        if not members[entity.id]:
            entity.field.refuse("entity.empty", entity=shown(entity.id))
        elif entity.canonical not in members[entity.id]:
            entity.field.at("canonical").refuse(
                "entity.canonical",
                mention=shown(entity.canonical),
                entity=shown(entity.id),
                number=len(members[entity.id]),
            )


def _canonical(
    mentions: list[_Mention], entities: list[_Entity], unlabelled: list[Span], grid: Grid
) -> MentionsAnswer:
    mentions = sorted(mentions, key=lambda mention: (mention.span[0], -mention.span[1]))
    order = {mention.entity: i for i, mention in reversed(list(enumerate(mentions)))}
    return {
        "mentions": [
            {
                "id": mention.id,
                "start": start,
                "end": end,
                "type": mention.type,
                "entity": mention.entity,
            }
            for mention in mentions
            for start, end in (grid.characters(mention.span),)
        ],
        "entities": [
            {
                "id": entity.id,
                "canonical": entity.canonical,
                "link": entity.link,
                "value": entity.value,
            }
            for entity in sorted(entities, key=lambda entity: order[entity.id])
        ],
        "unlabelled": [grid.characters(span) for span in unlabelled],
    }
