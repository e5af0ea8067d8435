"""A submission that was received is read, line by line: its claims become columns, what is wrong
becomes a report, a table of issues, and the file itself with a note at each line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from annotation.actions import locks
from annotation.actions.webhooks import tell
from annotation.formats.directions import Directions
from annotation.formats.output import replaced
from annotation.formats.records import FormatError
from annotation.formats.source import Source
from annotation.formats.tables import tab_row
from annotation.models import Document
from annotation.sentences import Problem
from annotation.text.storable import storable
from evaluation.actions.submissions import ask_for_scores
from evaluation.arrays.claims import known_claims, save_claims_made
from evaluation.arrays.columns import save_columns
from evaluation.files.issues import written
from evaluation.formats.columns import Submission as Claims
from evaluation.formats.issues import CODES, ERROR, Issue, Report
from evaluation.formats.submissions import LONGEST_LINE, read_submission
from evaluation.formats.wording import passage, question
from evaluation.models import EvaluationPeriod, Submission
from evaluation.sentences import CATALOGUE

PREVIEWED = 12  # claims
NOTED = 200_000  # issues that are laid beside their lines; all of them stand in the table
NOTE_COLUMNS = ("line", "result", "codes", "text")
Advance = Callable[[int], None]


def validate(submission: Submission, *, advance: Advance = lambda number: None) -> Submission:
    """Once: one that has been validated stays as it is. `advance` is told of bytes.

    Raises locks.Held where another is at it.
    """
    with locks.hold(f"submission:{submission.key}"):
        related = Submission.objects.select_related("period__project", "system")
        row = related.get(pk=submission.pk)
        if row.state == Submission.State.RECEIVED:
            _validate(row, advance)
        return row


def _validate(row: Submission, advance: Advance) -> None:
    if not row.content.is_file():
        _refuse(row, Problem("submission.gone", "", CATALOGUE))
        return
    schema = row.period.project.schema
    corpus = texts_of(row.period)
    by_line: defaultdict[int, list[str]] = defaultdict(list)
    noted = 0

    def note(issue: Issue) -> None:
        nonlocal noted
        told(row.system.name, issue)
        noted += 1
        if noted <= NOTED:
            by_line[issue.line].append(issue.code)

    try:
        with written(row.issues) as told:
            report = Report(row.system.name, note)
            directions = Directions(schema["relation_types"])
            claims = read_submission(row.content, directions, report, corpus=corpus,
                                     advance=advance)  # fmt: skip
            lines = _annotate(row, by_line)
    except FormatError as error:
        _refuse(row, error.problem.at("", file=row.file_name))
        return
    in_order = claims.kept(np.argsort(claims.key))  # pools are made faster so
    save_columns(row.columns, in_order, directions.names)
    kinds = schema["relation_types"]
    counts = np.bincount(claims.relation, minlength=len(kinds))
    found = {
        "counts": dict(report.counts.most_common()),
        "kept": {
            code: [[one.line, one.field, one.found] for one in issues]
            for code, issues in report.kept.items()
        },
        "relations": {
            kind["name"]: int(n) for kind, n in zip(kinds, counts, strict=True) if n
        },
        "preview": _preview(claims, corpus, kinds),
    }  # fmt: skip
    with transaction.atomic():
        save_claims_made(row, claims, known_claims(row.period))
        row.state, row.validated_at = Submission.State.VALID, timezone.now()
        row.claims, row.lines, row.report = len(claims.key), lines, storable(found)
        row.problem = ""
        row.save(update_fields=["state", "validated_at", "claims", "lines", "report", "problem"])
        ask_for_scores(row.period)
        _tell(row)


def _refuse(row: Submission, problem: Problem) -> None:
    row.state, row.problem = Submission.State.REFUSED, storable(str(problem))
    row.validated_at = timezone.now()
    with transaction.atomic():
        row.save(update_fields=["state", "problem", "validated_at"])
        _tell(row)


def _tell(row: Submission) -> None:
    period = row.period
    tell(
        period.project_id, "evaluation.submitted", period=str(period.key),
        submission=str(row.key), state=row.state,
    )  # fmt: skip


def texts_of(period: EvaluationPeriod) -> dict[str, str]:
    """Those that are there still."""
    documents = Document.objects.visible().filter(pk__in=period.documents.through.objects.filter(
        evaluationperiod=period).values("document"))  # fmt: skip
    return dict(documents.values_list("external_id", "text").iterator(chunk_size=500))


def _annotate(row: Submission, codes: dict[int, list[str]]) -> int:
    """The file with a note before each line; how many lines it has."""
    lines = 0
    path: Path = row.annotated
    with Source(row.content, row.file_name) as source, replaced(path) as file:
        file.write(tab_row(NOTE_COLUMNS))
        for number, line in source.lines(LONGEST_LINE):
            if line is not None and (not line or line.isspace()):
                continue
            lines += 1
            found = codes.get(number, [])
            left_out = any(CODES[code].severity == ERROR for code in found)
            result = "left out" if left_out else "warning" if found else "kept"
            text = "" if line is None else line.decode(errors="replace")
            file.write(tab_row([number, result, " ".join(dict.fromkeys(found)), text]))
    return lines


def _preview(claims: Claims, corpus: dict[str, str], kinds: list[dict[str, Any]]) -> list[Any]:
    found = []
    for i in islice(range(len(claims.key)), PREVIEWED):
        text = corpus[claims.documents[claims.document[i]]]
        a, b, c, d = claims.spans[i].tolist()
        kind = kinds[claims.relation[i]]
        found.append(
            [int(claims.lines[i]), claims.documents[claims.document[i]],
             question(kind, text[a:b], text[c:d]), passage(text, (a, b, c, d))]
        )  # fmt: skip
    return found
