"""The forms of a file that a campaign's answers can have: our own, and those of other tools.

What a form of another tool holds of names can be read again (annotation.formats), as the same spans
of the same words of the same text; what it has no place for is told by `loses`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, cast

from annotation.formats import brat, conllu, jsonl, tables, webanno
from annotation.formats.offsets import CodeUnits
from annotation.interfaces import Material, Product, categorical, traits
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.entity import tags_of
from annotation.interfaces.tags import spans_of
from annotation.models import Document
from annotation.queries.exports import (
    CSV_COLUMNS,
    Exported,
    as_conll,
    as_csv,
    as_jsonl,
    mention_rows,
)

Span = tuple[int, int, str]
File = tuple[str, str]  # name in the archive, content
BILUO = {(True, True): "U", (True, False): "B", (False, False): "I", (False, True): "L"}


@dataclass(frozen=True, slots=True)
class FileFormat:
    """How a campaign's answers are written: what comes first, each of them, what stands between
    two and what comes last. `loses` is what of an answer and its document is not in the file; the
    page and docs/managers-guide.md tell it.

    An archive has `files` for each answer in the place of `render`, and `suffix` "zip"; where the
    answers to a task stand together it has `of_task`. `headers` are those of a consensus and of
    gold, where these have other columns than responses.
    """

    name: str
    form: str  # what it looks like
    suffix: str
    render: Callable[[Exported], str] = lambda exported: ""
    header: str = ""
    between: str = ""
    footer: str = ""
    loses: str = ""
    of: str = ""  # "names" or "classes", where it holds these alone
    files: Callable[[Exported], list[File]] | None = None
    of_task: Callable[[list[Exported]], str] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def header_of(self, what: str) -> str:
        return self.headers.get("consensus" if what == "sure" else what, self.header)

    def texts(self, answers: Iterable[Exported]) -> Iterator[str]:
        """One for each answer, so that they can be counted: of a task the last alone has one."""
        if self.of_task is None:
            yield from map(self.render, answers)
            return
        for _, same in groupby(answers, key=lambda answer: answer.task):
            together = list(same)
            yield from [""] * (len(together) - 1)
            yield self.of_task(together)

    def holds(self, interface: str) -> bool:
        """Whether the answers of an interface have a place in it."""
        if self.of == "names":
            return traits(interface).product is Product.MENTIONS
        return not self.of or categorical(interface) is not None


# --- Names in the forms of other tools ------------------------------------------------------------


def _spans(exported: Exported) -> tuple[Document, list[Span]]:
    """Of nested names all, in characters, in the text's order."""
    document, names = _names(exported)
    return document, [(row["start"], row["end"], row["label"]) for row in names]


def _names(exported: Exported) -> tuple[Document, list[dict[str, Any]]]:
    """The same with how sure each is, where that is known."""
    document, sure = exported.document, exported.facts.get("span_confidence")
    assert document is not None
    rows = mention_rows(cast(EntityAnswer, exported.answer), document, sure)
    return document, sorted(rows, key=lambda row: (row["start"], row["end"], row["label"]))


def _outermost(exported: Exported) -> tuple[Document, list[Span]]:
    """In tokens, none within another."""
    document = exported.document
    assert document is not None
    material = Material(text=document.text, tokens=document.tokens, sentences=document.sentences)
    kept: list[Span] = []
    for first, last, name in spans_of(cast(EntityAnswer, exported.answer), material):
        if not kept or first >= kept[-1][1]:
            kept.append((first, last, name))
    return document, kept


def as_conllu(exported: Exported) -> str:
    document = exported.document
    if document is None:
        return ""
    material = Material(text=document.text, tokens=document.tokens, sentences=document.sentences)
    tags = tags_of(cast(EntityAnswer, exported.answer), material)
    return conllu.write(
        document.external_id, document.title, document.text, document.tokens, tags,
        document.sentences,
    )  # fmt: skip


def as_doccano(exported: Exported) -> str:
    if exported.document is None:
        return ""
    document, spans = _spans(exported)
    return jsonl.write(
        {
            "id": document.external_id, "text": document.text,
            "label": [list(span) for span in spans], "meta": document.metadata,
        }
    )  # fmt: skip


def as_label_studio(exported: Exported) -> str:
    """Known answers are annotations there, all others predictions, whose regions have a score."""
    if exported.document is None:
        return ""
    document, names = _names(exported)
    units = CodeUnits(document.text)
    results = [
        {
            "id": f"r{number}", "from_name": "label", "to_name": "text", "type": "labels",
            "value": {
                "start": units.unit(row["start"]), "end": units.unit(row["end"]),
                "text": row["text"], "labels": [row["label"]],
            },
            **({} if row["span_confidence"] is None else {"score": row["span_confidence"]}),
        }
        for number, row in enumerate(names, start=1)
    ]  # fmt: skip
    is_gold = exported.name == "gold"
    made: dict[str, Any] = {"result": results}
    if not is_gold:
        made |= {"model_version": exported.facts.get("method") or exported.facts.get("worker")}
        made |= {"score": exported.facts.get("confidence")}
    data = {"id": document.external_id, "title": document.title, "text": document.text}
    return json.dumps(
        {"data": data, "annotations" if is_gold else "predictions": [made]}, ensure_ascii=False
    )


def as_spacy(exported: Exported) -> str:
    """Its training JSON: documents of one paragraph, names in BILUO."""
    if exported.document is None:
        return ""
    document, spans = _outermost(exported)
    tags = ["O"] * len(document.tokens)
    for first, last, name in spans:
        for i in range(first, last):
            tags[i] = f"{BILUO[i == first, i == last - 1]}-{name}"
    sentences = [
        {
            "tokens": [
                {"id": i, "orth": document.text[slice(*document.tokens[i])], "ner": tags[i]}
                for i in range(first, last)
            ]
        }
        for first, last in document.sentences
    ]
    paragraph = {"raw": document.text, "sentences": sentences}
    return json.dumps({"id": document.external_id, "paragraphs": [paragraph]}, ensure_ascii=False)


def _file_name(exported: Exported, document: Document) -> str:
    """In an archive: a folder a worker, where there are several answers to one document."""
    worker = exported.facts.get("worker")
    name = document.external_id.strip("/").replace("\\", "_")
    return f"{worker}/{name}" if worker else name


def brat_files(exported: Exported) -> list[File]:
    if exported.document is None:
        return []
    document, spans = _spans(exported)
    name = _file_name(exported, document)
    return [(f"{name}.txt", document.text), (f"{name}.ann", brat.write(document.text, spans))]


def webanno_files(exported: Exported) -> list[File]:
    if exported.document is None:
        return []
    document, spans = _outermost(exported)
    content = webanno.write(document.text, document.tokens, document.sentences, spans)
    return [(f"{_file_name(exported, document)}.tsv", content)]


def as_tags(answers: list[Exported]) -> str:
    """A document with the tags of all its workers, as `aggregate_file` and `replay` read it, or
    with those of the consensus or of gold, as `score_file` does."""
    document = answers[0].document
    if document is None:
        return ""
    material = Material(text=document.text, tokens=document.tokens, sentences=document.sentences)
    tags = [tags_of(cast(EntityAnswer, one.answer), material) for one in answers]
    fields: dict[str, Any] = {
        "id": document.external_id,
        "tokens": [document.text[start:end] for start, end in document.tokens],
        "sent_starts": [first for first, _ in document.sentences],
    }
    match answers[0].name:
        case "answer":
            fields["workers"] = {
                one.facts["worker"]: each for one, each in zip(answers, tags, strict=True)
            }
        case "gold":
            fields["gold"] = tags[0]
        case _:
            fields |= {"tags": tags[0], "confidence": answers[0].facts.get("token_confidence")}
            fields["span_confidence"] = answers[0].facts.get("span_confidence")
            fields["gold_check"] = answers[0].facts.get("gold_check")
    return jsonl.write(fields)


# --- Classes --------------------------------------------------------------------------------------


def as_crowd_kit(exported: Exported) -> str:
    """Its columns: task, worker, label; a consensus and gold have no worker."""
    module: Any = categorical(exported.interface)
    label = module.class_of(exported.answer)
    worker = [exported.facts["worker"]] if exported.name == "answer" else []
    return tables.csv_row([exported.task, *worker, label])


def as_items(exported: Exported) -> str:
    """What `aggregate_file` reads (worker, item, label), and `score_file` of a consensus (item,
    label, confidence; and whether gold checked it) and of gold (item, gold)."""
    module: Any = categorical(exported.interface)
    label = module.class_of(exported.answer)
    if exported.name == "answer":
        return tables.csv_row([exported.facts["worker"], exported.task, label])
    if exported.name == "gold":
        return tables.csv_row([exported.task, label])
    facts = exported.facts
    return tables.csv_row([exported.task, label, facts["confidence"], facts.get("gold_check")])


OF_NAMES = "attributes, links, groups of names and their values, notes of doubts"
WORDS_SURE = "confidence of single words"
SURE = f"{WORDS_SURE} and names"
ALONE = "all confidence, who answered, times"  # the names alone are left of an answer
ARRAY = ("[\n", ",\n", "\n]\n")  # what comes first, between two and last
FORMATS: dict[str, FileFormat] = {
    "jsonl": FileFormat("JSON lines", "an object for each task", "jsonl", as_jsonl),
    "csv": FileFormat(
        "CSV", "a row for each name, card or choice", "csv", as_csv, tables.csv_row(CSV_COLUMNS),
        loses="texts, titles, attributes and metadata, groups of names and their values, "
        f"{WORDS_SURE}, notes",
    ),
    "conll": FileFormat(
        "CoNLL", "a word a line with its tag; names alone", "conll", as_conll,
        loses=f"{OF_NAMES}, metadata, {SURE}, nested names, white space", of="names",
    ),
    "conllu": FileFormat(
        "CoNLL-U", "ten columns, names in MISC", "conllu", as_conllu,
        loses=f"{OF_NAMES}, metadata, {ALONE}, nested names, white space of more than a blank",
        of="names",
    ),
    "doccano": FileFormat(
        "doccano", "JSON lines with spans", "jsonl", as_doccano,
        loses=f"{OF_NAMES}, titles, {ALONE}, words and sentences", of="names",
    ),
    "labelstudio": replace(
        FileFormat("Label Studio", "a JSON list of tasks", "json", as_label_studio, *ARRAY),
        loses=f"{OF_NAMES}, metadata, {WORDS_SURE}, how much is expected to be wrong, times, "
        "words and sentences", of="names",
    ),
    "spacy": replace(
        FileFormat("spaCy", "its training JSON, names in BILUO", "json", as_spacy, *ARRAY),
        loses=f"{OF_NAMES}, titles, metadata, {ALONE}, nested names", of="names",
    ),
    "brat": FileFormat(
        "brat", "a zip of .txt and .ann", "zip", files=brat_files,
        loses=f"{OF_NAMES}, titles, metadata, all confidence, times, words and sentences",
        of="names",
    ),
    "webanno": FileFormat(
        "WebAnno TSV 3", "a zip of .tsv", "zip", files=webanno_files,
        loses=f"{OF_NAMES}, titles, metadata, all confidence, times, nested names", of="names",
    ),
    "tags": FileFormat(
        "Tags", "a line for each document with each worker's tags: for aggregate_file", "jsonl",
        loses=f"{OF_NAMES}, texts, titles, metadata, confidence of the whole, nested names, times",
        of="names", of_task=as_tags,
    ),
    "labels": FileFormat(
        "CSV of labels", "worker, item, label: for aggregate_file", "csv", as_items,
        "worker,item,label\n", loses="texts, notes, times", of="classes",
        headers={"consensus": "item,label,confidence,gold_check\n", "gold": "item,gold\n"},
    ),
    "crowdkit": FileFormat(
        "crowd-kit", "CSV: task, worker, label", "csv", as_crowd_kit, "task,worker,label\n",
        loses="texts, notes, confidence, times", of="classes",
        headers={"consensus": "task,label\n", "gold": "task,label\n"},
    ),
}  # fmt: skip
