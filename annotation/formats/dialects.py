"""Documents as other tools write them in JSON: doccano, Prodigy, Label Studio and spaCy.

    doccano       {"id": 1, "text": "Ada was here.", "label": [[0, 3, "PER"]]}
    Prodigy       {"text": "Ada was here.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
    Label Studio  [{"id": 1, "data": {"text": …}, "annotations": [{"result": […]}]}]
    spaCy         [["Ada was here.", {"entities": [[0, 3, "PER"]]}]], or its training JSON with
                  "paragraphs" of "sentences" of "tokens"

A file is in the dialect of its first document; each document is turned into the fields that
`read_document` knows. Marked spans are read as gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from annotation.formats.offsets import CodeUnits
from annotation.formats.records import Refused

Fields = dict[str, Any]
SPANS = ("label", "labels", "entities")  # by version of doccano
OF_DOCCANO = frozenset({"id", "text", "meta", "metadata", "Comments", "relations", *SPANS})
BILUO = {"B": "B", "I": "I", "L": "I", "U": "B"}


def dialect_of(first: Any) -> str:
    """ "" for a document of our own, or of nobody that is known."""
    if _is_pair(first):
        return "spacy"
    if not isinstance(first, dict) or first.keys() & {"gold", "tokens_with_tags"}:
        return ""
    if isinstance(first.get("paragraphs"), list):
        return "spacy"
    if isinstance(first.get("data"), dict) and "text" not in first:
        return "labelstudio"
    if "text" in first and any(_are_triples(first.get(name)) for name in SPANS):
        return "doccano"
    if OF_DOCCANO.issuperset(first) and any(first.get(name) == [] for name in SPANS):
        return "doccano"  # of which nothing is marked in the first document
    spans = first.get("spans")
    if "text" in first and isinstance(spans, list) and all(map(_is_labelled, spans)):
        return "prodigy" if spans or "_input_hash" in first else ""
    return ""


def fields_of(item: Any, dialect: str) -> Fields:
    """Raises Refused where the item is of no such dialect."""
    fields = _CONVERT[dialect](item) if dialect else item
    if not isinstance(fields, dict):
        raise Refused("json.no_object")
    return fields


def documents_of(item: Any, dialect: str) -> Iterator[Fields]:
    """One; of spaCy's training JSON one for each paragraph, which has a text of its own."""
    if dialect == "spacy" and isinstance(item, dict):
        yield from _of_paragraphs(item)
    else:
        yield fields_of(item, dialect)


# --- doccano --------------------------------------------------------------------------------------


def _are_triples(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(
        (isinstance(one, list) and len(one) == 3 and type(one[0]) is type(one[1]) is int)
        or (isinstance(one, dict) and {"start_offset", "end_offset", "label"} <= one.keys())
        for one in value
    )


def _of_doccano(item: Any) -> Fields:
    fields = _object(item)
    named = next((name for name in SPANS if isinstance(fields.get(name), list)), "")
    if fields.get(named) and not _are_triples(fields[named]):
        raise Refused("dialect.spans", named)
    spans = [
        one if isinstance(one, list) else [one["start_offset"], one["end_offset"], one["label"]]
        for one in fields.get(named, ())
    ]
    rest = {name: value for name, value in fields.items() if name not in (*SPANS, "relations")}
    metadata = rest.pop("meta", None) or rest.pop("metadata", None)
    found = rest | {"gold": _mentions(spans)}
    return found | ({"metadata": metadata} if isinstance(metadata, dict) else {})


# --- Prodigy --------------------------------------------------------------------------------------


def _is_labelled(span: Any) -> bool:
    return isinstance(span, dict) and {"start", "end", "label"} <= span.keys()


def _of_prodigy(item: Any) -> Fields:
    """An example that was rejected or ignored is a text without gold."""
    fields = _object(item)
    spans = fields.get("spans") or []
    if not isinstance(spans, list) or not all(map(_is_labelled, spans)):
        raise Refused("dialect.spans", "spans")
    kept: Fields = {"text": fields.get("text")}
    meta = fields.get("meta")
    if isinstance(meta, dict):
        kept["metadata"] = meta
    if "id" in fields:
        kept["id"] = fields["id"]
    tokens = fields.get("tokens")
    if isinstance(tokens, list) and all(isinstance(one, dict) and "start" in one for one in tokens):
        kept["tokens"] = [[one["start"], one.get("end")] for one in tokens]
    if fields.get("answer", "accept") == "accept":
        kept["gold"] = _mentions([[one["start"], one["end"], one["label"]] for one in spans])
    return kept


# --- Label Studio ---------------------------------------------------------------------------------


def _of_label_studio(item: Any) -> Fields:
    """The first annotation that was not cancelled; offsets are JavaScript's."""
    fields = _object(item)
    data = fields.get("data")
    if not isinstance(data, dict):
        raise Refused("value.no_object", "data")
    texts = [name for name in ("text", *data) if isinstance(data.get(name), str)]
    if not texts:
        raise Refused("text.none", "data.text")
    text = data[texts[0]]
    rest = {name: value for name, value in data.items() if name not in (texts[0], "id", "title")}
    kept: Fields = {
        "id": data.get("id", fields.get("id")), "text": text, "title": data.get("title"),
        "metadata": rest,
    }  # fmt: skip
    for member, name in (("annotations", "gold"), ("completions", "gold"), ("predictions",) * 2):
        given = fields.get(member)
        chosen = (
            [one for one in given if isinstance(one, dict) and not one.get("was_cancelled")]
            if isinstance(given, list)
            else []
        )
        if chosen and name not in kept:
            kept[name] = _mentions(_results(chosen[0].get("result"), CodeUnits(text)))
    return kept


def _results(results: Any, units: CodeUnits) -> list[list[Any]]:
    spans = []
    for one in results if isinstance(results, list) else ():
        value = one.get("value") if isinstance(one, dict) else None
        if not isinstance(value, dict) or not (labels := value.get("labels")):
            continue
        start, end = value.get("start"), value.get("end")
        if type(start) is not int or type(end) is not int:
            raise Refused("dialect.spans", "annotations")
        spans.append([units.code_point(start), units.code_point(end), labels[0]])
    return spans


# --- spaCy ----------------------------------------------------------------------------------------


def _is_pair(item: Any) -> bool:
    return (
        isinstance(item, list) and len(item) == 2
        and isinstance(item[0], str) and isinstance(item[1], dict)
    )  # fmt: skip


def _of_spacy(item: Any) -> Fields:
    if not _is_pair(item):
        raise Refused("dialect.pair")
    spans = item[1].get("entities") or []
    if spans and not _are_triples(spans):
        raise Refused("dialect.spans", "entities")
    return {"text": item[0], "gold": _mentions(spans)}


def _of_paragraphs(item: Fields) -> Iterator[Fields]:
    paragraphs = [one for one in item["paragraphs"] if isinstance(one, dict)]
    for number, paragraph in enumerate(paragraphs, start=1):
        tokens, tags, starts = list[str](), list[str](), list[int]()
        for sentence in paragraph.get("sentences") or ():
            starts.append(len(tokens))
            for token in sentence.get("tokens", ()):
                if not isinstance(token.get("orth"), str):
                    raise Refused("value.no_text", "tokens.orth")
                tokens.append(token["orth"])
                tags.append(_of_biluo(token.get("ner")))
        name = item.get("id")
        if name is not None and len(paragraphs) > 1:
            name = f"{name}-{number}"
        found: Fields = {"id": name, "tokens": tokens, "sent_starts": starts, "gold": tags}
        if isinstance(paragraph.get("raw"), str):
            found["text"] = paragraph["raw"]
        yield found


def _of_biluo(tag: Any) -> str:
    """ "-" is what nobody knows."""
    if not isinstance(tag, str) or tag in ("-", ""):
        return "?"
    return f"{BILUO[tag[0]]}{tag[1:]}" if tag[:1] in BILUO and tag[1:2] == "-" else tag


# --- What they share ------------------------------------------------------------------------------


def _object(item: Any) -> Fields:
    if not isinstance(item, dict):
        raise Refused("json.no_object")
    return item


def _mentions(spans: list[Any]) -> Fields:
    return {
        "mentions": [
            {"start": start, "end": end, "type": label} for start, end, label in sorted(spans)
        ]
    }


_CONVERT: dict[str, Callable[[Any], Fields]] = {
    "doccano": _of_doccano,
    "prodigy": _of_prodigy,
    "labelstudio": _of_label_studio,
    "spacy": _of_spacy,
}
