"""CoNLL-U: a token a line in ten columns, `# newdoc`, `# sent_id` and `# text` above.

Names stand in the last column, MISC, as `NER=B-PER` or `Entity=B-PER`; without any, there is no
gold. `SpaceAfter=No` joins a word to the next. Lines of multi-word tokens (`3-4`) give the text's
words, and the words that they are analysed into are left out; so are empty nodes (`5.1`).
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

COLUMNS = 10
FORM, MISC = 1, 9
ESCAPED = re.compile(r"\\[\\p]")
PLAIN = {"\\\\": "\\", "\\p": "|"}
KEYS = ("NER", "Entity", "NE")


@dataclass(slots=True)
class _Draft:
    line: int
    name: str = ""
    title: str = ""
    pieces: list[str] = field(default_factory=list)  # words, and blanks where some stand between
    tokens: list[list[int]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    size: int = 0  # characters so far
    in_sentence: bool = False
    has_names: bool = False
    last: int = 0  # the last word of a multi-word token that is passed over
    problem: Rejected | None = None

    def add(self, word: str, misc: dict[str, str]) -> None:
        if not self.in_sentence:
            self.starts.append(len(self.tokens))
            self.in_sentence = True
        self.pieces.append(word)
        self.tokens.append([self.size, self.size + len(word)])
        self.size += len(word)
        if misc.get("SpaceAfter") != "No":
            self.pieces.append(" ")
            self.size += 1
        tag = next((misc[key] for key in KEYS if key in misc), "")
        tag = ESCAPED.sub(lambda found: PLAIN[found[0]], tag)
        self.has_names |= bool(tag)
        self.tags.append(tag or "O")


def read(
    lines: Iterable[tuple[int, bytes | None]], name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    for number, draft in enumerate(_drafts(lines, rules), start=1):
        yield _document(draft, draft.name or f"{rules.stem}-{number}", rules)


def write(name: str, title: str, text: str, tokens: list[list[int]], tags: list[str],
          sentences: list[list[int]]) -> str:  # fmt: skip
    """The lines of a document. White space that is more than a blank becomes one."""
    parts = [f"# newdoc id = {name}\n"]
    if title:
        parts.append(f"# title = {' '.join(title.split())}\n")
    for first, last in sentences:
        words = []
        for i in range(first, last):
            start, end = tokens[i]
            joined = i + 1 < len(tokens) and tokens[i + 1][0] == end
            misc = [f"NER={_escaped(tags[i])}"]  # also of what is no name: that is known too
            misc += ["SpaceAfter=No"] if joined else []
            cells = [str(i - first + 1), text[start:end], *"_______", "|".join(misc) or "_"]
            words.append("\t".join(cells) + "\n")
        inside = " ".join(text[tokens[first][0] : tokens[last - 1][1]].split())
        parts += [f"# text = {inside}\n", *words, "\n"]
    return "".join(parts)


def _escaped(tag: str) -> str:
    """As the treebanks escape what MISC has a meaning for."""
    return tag.replace("\\", "\\\\").replace("|", "\\p")


def _drafts(lines: Iterable[tuple[int, bytes | None]], rules: Rules) -> Iterator[_Draft]:
    draft = _Draft(line=1)
    for number, line in lines:
        if line is not None and not line.strip():
            draft.in_sentence, draft.last = False, 0
            continue
        try:
            if line is None:
                raise Refused("line.long", most=rules.max_line_bytes)
            text = decoded(line).rstrip("\r\n")
            if text.startswith("#"):
                key, _, value = text[1:].partition("=")
                key = key.strip()
                if key.startswith("newdoc"):
                    if draft.tokens or draft.problem:
                        yield draft
                    draft = _Draft(line=number, name=value.strip())
                elif key == "title" and not draft.tokens:
                    draft.title = value.strip()
                continue
            if draft.problem is None:
                _add(draft, text)
            if len(draft.tokens) > MOST_TOKENS:
                raise Refused("conll.many_words", most=MOST_TOKENS)
        except Refused as refused:
            draft.problem = draft.problem or Rejected(number, refused.problem)
    if draft.tokens or draft.problem:
        yield draft


def _add(draft: _Draft, text: str) -> None:
    cells = text.split("\t")
    if len(cells) != COLUMNS:
        raise Refused("conllu.columns", number=len(cells))
    misc = dict(one.partition("=")[::2] for one in cells[MISC].split("|"))
    first, dash, last = cells[0].partition("-")
    if dash and first.isdigit() and last.isdigit():
        draft.last = int(last)
    elif "." in cells[0]:
        return
    elif not cells[0].isdigit():
        raise Refused("conllu.number", number=shown(cells[0]))
    elif int(cells[0]) <= draft.last:
        return
    if not cells[FORM]:
        raise Refused("conll.no_word")
    draft.add(cells[FORM], misc)


def _document(draft: _Draft, name: str, rules: Rules) -> DocumentRecord | Rejected:
    if draft.problem is not None:
        return replace(draft.problem, external_id=name)
    fields: dict[str, Any] = {
        "id": name, "title": draft.title, "text": "".join(draft.pieces).rstrip(),
        "tokens": draft.tokens, "sent_starts": draft.starts,
    }  # fmt: skip
    if draft.has_names:
        fields["gold"] = draft.tags
    if not draft.tokens:
        return Rejected(draft.line, Problem("words.none"), name)
    return read_document(fields, draft.line, rules)
