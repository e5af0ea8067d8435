"""Material for the tests of the interfaces, and the JSON that strangers send."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

from hypothesis import strategies as st

from annotation.interfaces import AnswerError, Material
from annotation.interfaces.schema import bio_tags, check_schema, relation_names

SCHEMA = check_schema(
    {
        "entity_types": [{"name": "PER"}, {"name": "LOC"}, {"name": "ORG"}],
        "relation_types": [
            {"name": "per:born_in", "subject": ["PER"], "object": ["LOC"]},
            {"name": "per:lives_in", "subject": ["PER"], "object": ["LOC"]},
            {"name": "per:employee_of", "subject": ["PER"], "object": ["ORG"]},
        ],
    }
)
NESTED = SCHEMA | {"nested": True}
TEXT = "Ada Lovelace was born in London . She wrote ."


def make_material(text: str = TEXT, **fields: Any) -> Material:
    """Tokens are what stands between blanks; a sentence ends with its full stop."""
    tokens = [list(match.span()) for match in re.finditer(r"\S+", text)]
    ends = [i + 1 for i, (start, end) in enumerate(tokens) if text[start:end] == "."]
    if tokens and ends[-1:] != [len(tokens)]:
        ends.append(len(tokens))
    sentences = [list(pair) for pair in zip([0, *ends], ends, strict=False)]
    given = {"schema": SCHEMA, "text": text, "tokens": tokens, "sentences": sentences}
    return Material(**given | fields)


def labels_of(schema: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Numbers as a project would give them."""
    names = {"tag": bio_tags(schema), "relation": relation_names(schema), "link": ["none", "Q1"]}
    return {
        vocabulary: {name: number for number, name in enumerate(group)}
        for vocabulary, group in names.items()
    }


def mention(name: str, start: int, end: int, kind: str = "PER", entity: str | None = None) -> dict:
    return {"id": name, "start": start, "end": end, "type": kind, "entity": entity}


def entity(name: str, canonical: str, link: str | None = None, value: str | None = None) -> dict:
    return {"id": name, "canonical": canonical, "link": link, "value": value}


def answer(*mentions: dict, entities: tuple = (), unlabelled: tuple = ()) -> dict[str, Any]:
    return {
        "mentions": list(mentions),
        "entities": list(entities),
        "unlabelled": [list(span) for span in unlabelled],
    }


def refusals(reader: Any, raw: Any, material: Material) -> dict[str, str]:
    """Path → message of what `reader` refuses."""
    try:
        taken = reader(raw, material)
    except AnswerError as error:
        return {problem.path: str(problem) for problem in error.problems}
    raise AssertionError(f"taken as {taken}")


# --- What strangers send ------------------------------------------------------------------------

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400), 2**63])
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from(["\0", "\ud800", "m1", "PER", "none", "unsure", "x" * 70_000]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=()), max_size=8), inner)
    ),
    max_leaves=12,
)


def paths_in(value: Any, path: tuple = ()) -> list[tuple]:
    """The way to every value inside a JSON value, itself included."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(deep for name, item in inner for deep in paths_in(item, (*path, name)))]


@st.composite
def damaged(draw: st.DrawFn, right: Any) -> Any:
    """A right body in which one value is replaced, taken away, doubled or joined by a stranger."""
    body = copy.deepcopy(right)
    *way, last = draw(st.sampled_from([path for path in paths_in(body) if path]))
    place = body
    for step in way:
        place = place[step]
    what = draw(st.sampled_from(["replace", "remove", "double", "add"]))
    if what == "replace":
        place[last] = draw(anything)
    elif what == "remove":
        del place[last]
    elif what == "double" and isinstance(place, list):
        place.append(copy.deepcopy(place[last]))
    elif isinstance(place, dict):
        place[draw(st.text(st.characters(exclude_categories=()), max_size=8))] = draw(anything)
    return body


def is_storable(value: Any) -> bool:
    """Whether PostgreSQL's jsonb takes it. Judged by what is written, not by our own check."""
    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
        written.encode()
    except (ValueError, UnicodeEncodeError):
        return False
    return "\\u0000" not in written
