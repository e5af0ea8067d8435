"""Which of a file's documents are new to a project, which are there already, which contradict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from annotation.formats.records import DocumentRecord, Prepared, Rejected
from annotation.models import Document, Project
from annotation.sentences import Problem, shown

Record = TypeVar("Record", DocumentRecord, Prepared)

THIS_FILE = 0  # in the place of an import's number: no row has it


class Known(NamedTuple):
    """A document that is there already."""

    digest: str
    line: int
    run: int  # the import that brought it
    file_name: str


class Parted(NamedTuple, Generic[Record]):
    new: list[tuple[Record, str]]  # with their digests
    unchanged: int
    rejected: list[Rejected]


def known_documents(
    project: Project, records: Iterable[DocumentRecord | Prepared]
) -> dict[str, Known]:
    """By id, the documents of the project that have an id of `records`. One query."""
    rows = Document.objects.filter(
        project=project, external_id__in={record.external_id for record in records}
    ).values_list("external_id", "digest", "line", "import_run", "import_run__file_name")
    return {row[0]: Known(row[1], row[2], row[3], row[4]) for row in rows}


def parted(
    records: Iterable[tuple[Record, str]], known: dict[str, Known], run: int
) -> Parted[Record]:
    """Records with their digests; `run` is the import that reads them. What is new is added to
    `known`."""
    result: Parted[Record] = Parted([], 0, [])
    for record, digest in records:
        there = known.get(record.external_id)
        if there is None:
            known[record.external_id] = Known(digest, record.line, run, "")
            result.new.append((record, digest))
        elif there.digest == digest:
            result = result._replace(unchanged=result.unchanged + 1)
        else:
            result.rejected.append(_contradiction(record, there, run))
    return result


def _contradiction(record: DocumentRecord | Prepared, there: Known, run: int) -> Rejected:
    name = shown(record.external_id)
    if there.run == run:
        problem = Problem("document.id_double", "id", id=name, line=there.line)
    else:
        place = {"file": there.file_name, "line": there.line}
        problem = Problem("document.differs", "id", id=name, **place)
    return Rejected(record.line, problem, record.external_id)
