"""CoNLL: a token a line, its tag in the last column, a blank line after each sentence.

    # id = d1
    # title = A title
    Ada     B-PER
    was     O

Columns stand apart by tabs, or by blanks where a line has no tab; only the first and the last are
read. One column alone is tokens without gold. `# id = …`, `# newdoc` and `-DOCSTART-` begin a
document; one without an id is named after the file and its place in it. The text is the tokens
joined by blanks: white space, attributes and metadata go by JSON lines only.

Tags are IOB2. An I- that goes on from nothing begins a mention, as it does in IOB1 (which the
files of CoNLL 2003 are in), and becomes a B-. "?" is a token that nobody looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.formats.documents import read_document
from annotation.formats.jsonl import decoded
from annotation.formats.records import MOST_TOKENS, DocumentRecord, Refused, Rejected, Rules
from annotation.sentences import Problem, shown

BOUNDARY = re.compile(r"-DOCSTART-(?:\s|$)|# *newdoc\b(?: +id)?(?: *= *(?P<id>.*))?")
MEMBER = re.compile(r"# *(?P<name>id|title) *= *(?P<value>.*)")
TAG = re.compile(r"O|\?|[BI]-.+")
MARKS = (b"#", b"-DOCSTART-")
GOLD_PATH = re.compile(r"gold\[(\d+)\]")


@dataclass(slots=True)
class _Draft:
    """What was read so far of one document."""

    line: int
    external_id: str = ""
    title: str = ""
    size: int = 0  # bytes
    columns: int = 0
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # of each word
    starts: list[int] = field(default_factory=list)  # first word of each sentence
    in_sentence: bool = False
    problem: Rejected | None = None  # the first; what comes after it is not kept

    def is_begun(self) -> bool:
        return bool(self.words or self.external_id or self.problem)

    def reject(self, line: int, problem: Problem) -> None:
        if self.problem is None:
            self.problem = Rejected(line, problem)
            for kept in (self.words, self.tags, self.lines, self.starts):
                kept.clear()

    def add(self, line: int, columns: list[str]) -> None:
        if self.columns not in (0, len(columns)):
            counts = {"number": len(columns), "before": self.columns}
            return self.reject(line, Problem("conll.columns", **counts))
        if not columns[0]:
            return self.reject(line, Problem("conll.no_word"))
        self.columns = len(columns)
        if len(columns) > 1:
            tag = columns[-1]
            if not TAG.fullmatch(tag):
                return self.reject(line, Problem("conll.tag", tag=shown(tag)))
            self.tags.append(self._as_iob2(tag))
        if not self.in_sentence:
            self.starts.append(len(self.words))
            self.in_sentence = True
        self.words.append(columns[0])
        self.lines.append(line)

    def _as_iob2(self, tag: str) -> str:
        goes_on = self.in_sentence and self.tags[-1][2:] == tag[2:]
        return tag if goes_on or not tag.startswith("I-") else f"B-{tag[2:]}"


def read(
    lines: Iterable[tuple[int, bytes | None]], name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    """`lines` are numbered; None stands for one that was too long. `name` is the file's."""
    stem = name.removesuffix(".gz").rpartition(".")[0] or name.removesuffix(".gz")
    for number, draft in enumerate(_drafts(lines, rules.max_line_bytes), start=1):
        draft.external_id = draft.external_id or f"{stem}-{number}"
        yield _document(draft, rules)


def write(
    comments: dict[str, Any], words: list[str], tags: list[str], sentences: list[list[int]]
) -> str:
    """The lines of a document. `comments` stand above it, the empty ones left out."""
    parts = [
        f"# {name} = {' '.join(str(value).split())}\n"
        for name, value in comments.items()
        if value not in (None, "")
    ]
    for first, last in sentences:
        parts += [f"{words[i]}\t{tags[i]}\n" for i in range(first, last)]
        parts.append("\n")
    return "".join(parts)


def _drafts(lines: Iterable[tuple[int, bytes | None]], longest: int) -> Iterator[_Draft]:
    draft = _Draft(line=1)
    columns_before = 0  # of the line of words read last, in whatever document
    before = 0
    for number, line in lines:
        draft.size += len(line or b"") + number - before  # with the ends of lines
        before = number
        if line is not None and (not line or line.isspace()):
            draft.in_sentence = False
            continue
        if draft.problem is not None and line is not None and not line.startswith(MARKS):
            continue  # of a document that is rejected, millions of lines may follow
        try:
            text = _text(line, longest)
        except Refused as refused:
            draft.reject(number, refused.problem)
            continue
        boundary, member = BOUNDARY.match(text), MEMBER.match(text)
        named = member is not None and member["name"] == "id"
        if boundary or (named and draft.is_begun()):
            if draft.is_begun():
                yield draft
            draft = _Draft(line=number)
        if boundary:
            draft.external_id = (boundary["id"] or "").strip()
        elif member is not None and not draft.words:
            setattr(draft, "external_id" if named else "title", member["value"].strip())
        elif not text.strip():
            draft.in_sentence = False
        elif not _is_comment(text, columns_before) and draft.problem is None:
            columns = _columns(text)
            columns_before = len(columns)
            draft.add(number, columns)
            if draft.size > longest:
                draft.reject(draft.line, Problem("conll.long", most=longest))
            elif len(draft.words) > MOST_TOKENS:
                draft.reject(draft.line, Problem("conll.many_words", most=MOST_TOKENS))
    if draft.is_begun():
        yield draft


def _text(line: bytes | None, longest: int) -> str:
    if line is None:
        raise Refused("line.long", most=longest)
    return decoded(line)


def _columns(text: str) -> list[str]:
    if "\t" in text:
        return [column.strip() for column in text.rstrip().split("\t")]
    return [column for column in text.split(" ") if column]  # a no-break space is part of a word


def _is_comment(text: str, columns_before: int) -> bool:
    """'# made by hand' is one; '# # B-NP O' is not, where the lines before have four columns."""
    if "\t" in text or not (text == "#" or text.startswith("# ")):
        return False
    columns = _columns(text)
    is_word = columns_before == 1 or TAG.fullmatch(columns[-1])
    return not (len(columns) == columns_before and is_word)


def _document(draft: _Draft, rules: Rules) -> DocumentRecord | Rejected:
    if draft.problem is not None:
        return replace(draft.problem, external_id=draft.external_id)
    fields: dict[str, Any] = {
        "id": draft.external_id,
        "title": draft.title,
        "tokens": draft.words,
        "sent_starts": draft.starts,
    }
    if not draft.words:
        return Rejected(draft.line, Problem("words.none"), draft.external_id)
    if draft.columns > 1:
        fields["gold"] = draft.tags
    document = read_document(fields, draft.line, rules)
    if isinstance(document, Rejected) and (at := GOLD_PATH.fullmatch(document.field)):
        return replace(document, line=draft.lines[int(at[1])])
    return document
