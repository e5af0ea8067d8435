"""A project's schema: its entity types and relation types, and whether mentions may nest.

    {"entity_types": [{"name", "key", "colour", "description", "value", "link"}],
     "relation_types": [{"name", "subject", "object", "inverse", "symmetric",
                         "button", "sentence", "icon", "group"}],
     "nested": false}

`colour` is a number of the fixed palette. `value` is "date" where the page asks for a normalised
date; no entry of the knowledge base is asked for its names then, nor where `link` is false, as of
amounts. A type that is linked as others are has no such member. `subject` and `object` list the
entity types that a relation takes; `sentence` is its wording with {subject} and {object}. Relations
of one `group` stand together, under its name; a relation without one has no such member.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from typing import Any, Final

from annotation.interfaces.looks import RESERVED, assign_letters
from annotation.interfaces.reading import Field
from annotation.sentences import shown

COLOURS = 12
MOST_ENTITY_TYPES = 100
MOST_RELATION_TYPES = 200
LONGEST_NAME = 60
# answers that every relation question has; no relation's name
NONE: Final = "none"
UNSURE: Final = "unsure"
NOT_LABELLED = "?"

ICON = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check_schema(raw: Any) -> dict[str, Any]:
    """The schema with every member filled in; a checked schema comes out as it went in.

    Raises AnswerError with paths such as `entity_types[2].key`.
    """
    body = Field(raw, "schema")
    types: list[dict[str, Any]] = []
    relations: list[dict[str, Any]] = []
    nested = False
    if body.only("entity_types", "relation_types", "nested"):
        if field := body.maybe("entity_types"):
            types = _entity_types(field)
        if field := body.maybe("relation_types"):
            relations = _relation_types(field, [kind["name"] for kind in types if kind["name"]])
        nested = body.optional("nested", Field.flag) or False
    body.raise_errors()
    _assign_colours(types)
    _assign_keys(types)
    return {"entity_types": types, "relation_types": relations, "nested": nested}


def entity_type_names(schema: Mapping[str, Any]) -> list[str]:
    return [entity_type["name"] for entity_type in schema.get("entity_types", ())]


def unlinked_type_names(schema: Mapping[str, Any]) -> list[str]:
    """Of the types for whose names no entry of the knowledge base is asked."""
    return [
        kind["name"]
        for kind in schema.get("entity_types", ())
        if kind.get("value") == "date" or not kind.get("link", True)
    ]


def bio_tags(schema: Mapping[str, Any]) -> list[str]:
    """Every tag that a token can have: "O", then B- and I- of each type in the schema's order."""
    return ["O", *(f"{bio}-{name}" for name in entity_type_names(schema) for bio in "BI")]


def relation_names(schema: Mapping[str, Any]) -> list[str]:
    """Every answer to a relation question: "none", "unsure", then the relations."""
    return [NONE, UNSURE, *(relation["name"] for relation in schema.get("relation_types", ()))]


def relations_between(
    schema: Mapping[str, Any], subject_type: str | None, object_type: str | None
) -> list[dict[str, Any]]:
    """The relation types that take these entity types, in the schema's order."""
    return [
        relation
        for relation in schema.get("relation_types", ())
        if subject_type in relation["subject"] and object_type in relation["object"]
    ]


def relations_offered(
    schema: Mapping[str, Any], subject_type: str | None, object_type: str | None
) -> list[dict[str, Any]]:
    """All that can be said of a pair in one question: the relations that take these types, and
    those that say the other way round what the pair could not be asked otherwise.

    Two firms: "founded" says of A and B what "founded by" says of B and A, though in the schema
    it takes a person. Where the inverse is offered already, or has no name, nothing is added.
    """
    offered = relations_between(schema, subject_type, object_type)
    by_name = {relation["name"]: relation for relation in schema.get("relation_types", ())}
    said = {relation["name"] for relation in offered}
    for back in relations_between(schema, object_type, subject_type):
        inverse = by_name.get(back.get("inverse"))
        if inverse and inverse["name"] not in said and not _is_offered(back, offered):
            offered = [*offered, inverse]
            said.add(inverse["name"])
    return offered


def relations_unsaid(
    schema: Mapping[str, Any], subject_type: str | None, object_type: str | None
) -> list[str]:
    """Names of relations that may hold from the object to the subject, and that no answer to the
    question about the pair can say: their inverse has no name."""
    offered = relations_offered(schema, subject_type, object_type)
    return [
        back["name"]
        for back in relations_between(schema, object_type, subject_type)
        if not _is_offered(back, offered)
    ]


def _is_offered(back: Mapping[str, Any], offered: list[dict[str, Any]]) -> bool:
    """Whether one of `offered` says the same of a pair as `back` says of it turned round."""
    return any(
        relation["name"] == back.get("inverse") or relation.get("inverse") == back["name"]
        for relation in offered
    )


# --- Entity types -------------------------------------------------------------------------------


def _entity_types(field: Field) -> list[dict[str, Any]]:
    types: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    keys: dict[str, str] = {}
    for item in field.items(MOST_ENTITY_TYPES):
        if item.only("name", "key", "colour", "description", "value", "link"):
            is_linked = item.optional("link", Field.flag)
            types.append(
                {
                    "name": _name(item.at("name"), names) or "",
                    "key": _key(item, keys),
                    "colour": _colour(item),
                    "description": _text(item, "description", most=500),
                    "value": item.optional("value", lambda field: field.one_of(["date"])),
                    **({"link": False} if is_linked is False else {}),
                }
            )
    return types


def _name(field: Field, taken: dict[str, str]) -> str | None:
    """A name that is none of `taken`, which maps names to the paths that took them, or to "" where
    they are the house's own."""
    name = field.text(LONGEST_NAME)
    if name is None:
        return None
    # No blanks: a name is also a column of a CoNLL file.
    if not name[0].isalnum() or not name.isprintable() or " " in name:
        field.refuse("name.form", name=shown(name))
        return None
    if name in taken:
        if taken[name]:
            field.refuse("name.taken", name=name, where=taken[name])
        else:
            field.refuse("name.reserved", name=name)
        return None
    taken[name] = field.path.removesuffix(".name")
    return name


def _key(item: Field, taken: dict[str, str]) -> str:
    """The letter that chooses a type; empty where one is still to be assigned."""
    field = item.maybe("key")
    key = field.text(1, least=0) if field else None
    if field is None or not key:
        return ""
    letter = key.lower()
    if len(letter) != 1 or not letter.isalpha():
        field.refuse("key.no_letter", key=shown(key))
    elif letter in taken:
        field.refuse("key.taken", key=letter, where=taken[letter])
    else:
        taken[letter] = item.path
    return letter


def _colour(item: Field) -> int | None:
    field = item.maybe("colour")
    colour = field.whole() if field else None
    if field and colour is not None and not 1 <= colour <= COLOURS:
        field.refuse("colour.unknown", colour=colour, most=COLOURS)
    return colour


def _assign_colours(types: list[dict[str, Any]]) -> None:
    """To types that have none: the first of the colours that are used least."""
    used = [entity_type["colour"] for entity_type in types if entity_type["colour"]]
    for entity_type in types:
        if not entity_type["colour"]:
            entity_type["colour"] = min(range(1, COLOURS + 1), key=used.count)
            used.append(entity_type["colour"])


def _assign_keys(types: list[dict[str, Any]]) -> None:
    """To types that have none: a letter of the name, else any that is left, else no key. Letters
    that mean something on the page are for those alone who ask for them."""
    used = {entity_type["key"] for entity_type in types} | RESERVED
    free = "".join(letter for letter in string.ascii_lowercase if letter not in used)
    without = [entity_type for entity_type in types if not entity_type["key"]]
    letters = assign_letters([entity_type["name"] for entity_type in without], free)
    for entity_type, letter in zip(without, letters, strict=True):
        entity_type["key"] = letter


# --- Relation types -----------------------------------------------------------------------------


def _relation_types(field: Field, entity_types: list[str]) -> list[dict[str, Any]]:
    names = dict.fromkeys((NONE, UNSURE), "")  # answers to every relation question
    members = ("name", "subject", "object", "inverse", "symmetric", "button", "sentence", "icon",
               "group")  # fmt: skip
    return [
        _relation_type(item, names, entity_types)
        for item in field.items(MOST_RELATION_TYPES)
        if item.only(*members)
    ]


def _relation_type(item: Field, names: dict[str, str], entity_types: list[str]) -> dict[str, Any]:
    name = _name(item.at("name"), names) or ""
    subject = _types_taken(item.at("subject"), entity_types)
    object_ = _types_taken(item.at("object"), entity_types)
    symmetric = item.optional("symmetric", Field.flag) or False
    inverse = _text(item, "inverse", most=LONGEST_NAME)
    if symmetric and set(subject) != set(object_):
        item.at("symmetric").refuse("symmetric.sides")
    if symmetric and (inverse or name) != name:
        item.at("inverse").refuse("symmetric.inverse")
    button = _text(item, "button", most=LONGEST_NAME) or name
    group = _text(item, "group", most=LONGEST_NAME)
    return {
        "name": name,
        "subject": subject,
        "object": object_,
        "inverse": (name if symmetric else inverse) or None,
        "symmetric": symmetric,
        "button": button,
        "sentence": _sentence(item) or f"{{subject}} {button} {{object}}",
        "icon": _icon(item),
        **({"group": group} if group else {}),
    }


def _types_taken(field: Field, entity_types: list[str]) -> list[str]:
    items = field.items(MOST_ENTITY_TYPES)
    names = [item.one_of(entity_types) for item in items]
    if field.value == []:
        field.refuse("types.empty")
    for i, name in enumerate(names):
        if name is not None and name in names[:i]:
            items[i].refuse("name.twice", name=name)
    return [name for name in names if name is not None]


def _sentence(item: Field) -> str:
    sentence = _text(item, "sentence", most=300)
    if sentence and ("{subject}" not in sentence or "{object}" not in sentence):
        item.at("sentence").refuse("sentence.sides")
    return sentence


def _icon(item: Field) -> str:
    icon = _text(item, "icon", most=LONGEST_NAME)
    if icon and not ICON.fullmatch(icon):
        item.at("icon").refuse("icon.form", icon=icon)
    return icon


def _text(item: Field, member: str, most: int) -> str:
    """A text that may be missing, null or empty."""
    field = item.maybe(member)
    return (field.text(most, least=0) if field else None) or ""
