"""The records of `actions.knowledge_export` as lines of a file: JSON, or a table for all kinds."""

from __future__ import annotations

from typing import Any

from annotation.formats import jsonl
from annotation.formats.knowledge import ALIAS_SEPARATOR

# Of a relation document, task and the two mentions are those of its surest evidence; `target` is
# the entry that a link leads to; `count` is the number of mentions of an entity and of pieces of
# evidence of a relation.
COLUMNS = (
    "kind", "key", "name", "aliases", "type", "description", "url", "value",
    "entity", "document", "start", "end", "mention", "target",
    "subject", "relation", "object", "confidence", "membership", "count",
    "campaign", "run", "method", "task", "answers",
)  # fmt: skip
HEADER = "\t".join(COLUMNS) + "\n"


def as_json(record: dict[str, Any]) -> str:
    return jsonl.write(record)


def as_row(record: dict[str, Any]) -> str:
    cells = {name: record[name] for name in COLUMNS if name in record}
    provenance = record.get("provenance", {})
    kind = record["kind"]
    if kind == "entity":
        cells["count"] = record["mentions"]
        # A name with the separator in it would come back as two.
        names = [name for name in record["aliases"] if ALIAS_SEPARATOR not in name]
        cells["aliases"] = ALIAS_SEPARATOR.join(names)
    elif kind == "mention":
        cells |= {"key": record["id"], "name": record["text"]}
    elif kind == "relation":
        best = record["evidence"][0]
        provenance = best["provenance"]
        cells["count"] = len(record["evidence"])
        cells["document"] = best["document"]
    cells |= {name: value for name, value in provenance.items() if name in COLUMNS}
    return "\t".join(_cell(cells.get(name)) for name in COLUMNS) + "\n"


def _cell(value: Any) -> str:
    """On one line; what can't stand in a cell becomes a blank."""
    return "" if value is None else " ".join(str(value).split())
