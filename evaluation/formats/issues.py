"""What can be wrong with a submission: stable codes, and a report that counts them.

A code never changes its name or its meaning; new ones may come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from annotation.sentences import shown

ERROR, WARNING = "error", "warning"
KEPT = 5  # issues of a code that a report keeps; all are counted, and written where a file is named


@dataclass(frozen=True, slots=True)
class Code:
    severity: str  # an error leaves the line out, a warning keeps it
    what: str
    done: str
    mend: str


def _error(what: str, mend: str, done: str = "The line was left out.") -> Code:
    return Code(ERROR, what, done, mend)


def _warning(what: str, done: str, mend: str) -> Code:
    return Code(WARNING, what, done, mend)


CODES = {
    "line-too-long": _error(
        "The line is longer than 64 KiB.", "Write one mention or one relation a line."
    ),
    "not-utf8": _error("The line is not UTF-8.", "Save the file as UTF-8."),
    "bad-json": _error("The line is no JSON object.", "Write one object a line, as {…}."),
    "wrong-columns": _error(
        "The line does not have the columns of the format.",
        "Compare it with the example in the documentation; columns are told apart by tabs.",
    ),
    "wrong-value": _error(
        "A value is missing or of another kind than its field takes.",
        "Write offsets as whole numbers from 0, an end behind its start, confidences as numbers.",
    ),
    "mention-without-provenance": _error(
        "A mention does not say where it stands.",
        "Write it as Document:begin-end.",
    ),
    "self-relation": _error(
        "Subject and object are the same mention.", "Relate two different mentions."
    ),
    "types-not-allowed": _error(
        "The relation does not take these types, or the type is not one that is evaluated.",
        "Compare types and relation with the table of relations.",
    ),
    "unsupported-relation": _error(
        "The relation is not one that is evaluated.",
        "Leave it out, or name it as the table of relations does.",
    ),
    "undefined-mention": _error(
        "A relation is of a mention or an entity that no line defines.",
        "Give each mention a line with its type, and each entity a mention in that document.",
    ),
    "other-document": _error(
        "What has to stand in one document stands in two.",
        "Relate mentions of one document, with canonical mention and provenance in it.",
        "What stands in the other document was left out.",
    ),
    "reserved-id": _warning(
        "The id is reserved: NIL with or without a number, and what begins with touchstone:.",
        "The link was left out.",
        "Leave the link out where the entity has no entry; coreference says what is one entity.",
    ),
    "outside-corpus": _error(
        "The document is not in the corpus.", "Submit documents of the corpus alone."
    ),
    "outside-text": _error(
        "The span does not lie in the document's text.",
        "Count characters (code points) from 0; ends are exclusive, in TAC's format inclusive.",
    ),
    "span-differs": _warning(
        "The text of the span is not the string that stands beside it.",
        "The span was kept; it is what is judged.",
        "Count characters (code points) as the corpus has them.",
    ),
    "inconsistent-type": _warning(
        "The mention or entity has another type in an earlier line.",
        "The first type was kept.",
        "Give each mention one type.",
    ),
    "inconsistent-canonical-mention": _warning(
        "The mention has another canonical mention in an earlier line.",
        "The first one was kept.",
        "Give each mention one canonical mention, which is its own.",
    ),
    "inconsistent-link": _warning(
        "The mention or entity has another link in an earlier line.",
        "The first link was kept.",
        "Give each entity one link.",
    ),
    "inconsistent-relation": _warning(
        "The same claim stands in an earlier line with another provenance or confidence, perhaps "
        "as its inverse.",
        "The first one was kept.",
        "Write each claim once, with all of its provenance.",
    ),
    "duplicate": _warning(
        "The same stands in an earlier line, perhaps as its inverse.",
        "It was counted once.",
        "Write it once.",
    ),
    "missing-provenance": _warning(
        "The claim has no provenance.",
        "It will be judged by the sentence between its mentions.",
        "Name the spans that justify the claim.",
    ),
    "empty-submission": _warning(
        "There is no valid claim in the file.",
        "The system is told to have none; its precision is not estimable.",
        "Check that the file is the right one, and the issues above.",
    ),
}


@dataclass(frozen=True, slots=True)
class Issue:
    line: int  # 0: the file as a whole
    code: str
    field: str
    found: str

    @property
    def severity(self) -> str:
        return CODES[self.code].severity


@dataclass(slots=True)
class Report:
    """`write` is told of each issue as it is found; a few of each code are kept."""

    name: str
    write: Callable[[Issue], None] = lambda issue: None
    counts: Counter[str] = field(default_factory=Counter)
    kept: dict[str, list[Issue]] = field(default_factory=dict)

    def add(self, code: str, line: int, field: str = "", found: object = "") -> None:
        issue = Issue(line, code, field, shown(str(found)))
        self.counts[code] += 1
        few = self.kept.setdefault(code, [])
        if len(few) < KEPT:
            few.append(issue)
        self.write(issue)

    def total(self, severity: str) -> int:
        return sum(n for code, n in self.counts.items() if CODES[code].severity == severity)
