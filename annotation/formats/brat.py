"""brat's standoff: a text and its annotations in two files of one name, packed together in a zip.

    ada.txt   Ada was here.
    ada.ann   T1	PER 0 3	Ada

A zip of WebAnno's files (.tsv) is read as `webanno` says. Text-bound annotations (T)
are read; one that is discontinuous (`0 3;8 12`) rejects its document.
Relations, events, attributes and notes are left out. A text without annotations is one without
gold. Offsets count characters, as ours do.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from annotation.formats import webanno
from annotation.formats.documents import read_document
from annotation.formats.jsonl import decoded
from annotation.formats.records import DocumentRecord, FormatError, Refused, Rejected, Rules
from annotation.sentences import shown

MOST_FILES = 100_000
TEXT_BOUND = re.compile(r"(T\d+)\t(\S+) (\d+) (\d+)\t(.*)")
RATIO = 200  # of unpacked to packed bytes, above which a file is taken for a bomb


def read(
    path: str | os.PathLike[str], name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    """Raises FormatError for an archive that can't be read, or holds no text."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _documents(archive, name, rules)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
        raise FormatError("file.bad_zip", file=name, why=str(error)) from error


def _documents(
    archive: zipfile.ZipFile, name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    files = {one.filename: one for one in archive.infolist() if not one.is_dir()}
    texts = [one for one in files if one.endswith(".txt") and not one.startswith("__MACOSX/")]
    tables = [one for one in files if one.endswith(".tsv") and not one.startswith("__MACOSX/")]
    if not texts and tables and len(files) <= MOST_FILES:
        yield from _of_webanno(archive, [files[one] for one in sorted(tables)], rules)
        return
    if not texts or len(files) > MOST_FILES:
        raise FormatError("file.no_texts", file=name, most=MOST_FILES)
    for number, file in enumerate(sorted(texts), start=1):
        stem = file.removesuffix(".txt")
        try:
            fields: dict[str, Any] = {
                "id": stem, "text": _content(archive, files[file], rules).rstrip(),
            }  # fmt: skip
            if notes := files.get(f"{stem}.ann"):
                fields["gold"] = {"mentions": _mentions(_content(archive, notes, rules))}
            yield read_document(fields, number, rules)
        except Refused as refused:
            yield Rejected(number, refused.problem, stem)


def _of_webanno(
    archive: zipfile.ZipFile, files: list[zipfile.ZipInfo], rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    """A zip of WebAnno's files, as it exports a project."""
    for number, file in enumerate(files, start=1):
        stem = file.filename.removesuffix(".tsv")
        try:
            lines = _content(archive, file, rules).encode().split(b"\n")
        except Refused as refused:
            yield Rejected(number, refused.problem, stem)
        else:
            named = replace(rules, stem=stem)
            yield from webanno.read(enumerate(lines, start=1), file.filename, named)


def _content(archive: zipfile.ZipFile, file: zipfile.ZipInfo, rules: Rules) -> str:
    most = rules.max_line_bytes
    if file.file_size > most or file.file_size > RATIO * max(file.compress_size, 1_000):
        raise Refused("line.long_document", most=most)
    with archive.open(file) as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise Refused("line.long_document", most=most)
    return decoded(content.removeprefix(b"\xef\xbb\xbf"))


def _mentions(text: str) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("T"):
            continue
        at = TEXT_BOUND.fullmatch(line.rstrip("\r"))
        if at is None:
            raise Refused("brat.line", "ann", line=number, text=shown(line))
        found.append({"id": at[1], "start": int(at[3]), "end": int(at[4]), "type": at[2]})
    return sorted(found, key=lambda one: (one["start"], one["end"]))


def write(text: str, mentions: list[tuple[int, int, str]]) -> str:
    """The annotations beside a text: (start, end, type) in characters."""
    return "".join(
        f"T{number}\t{name} {start} {end}\t{' '.join(text[start:end].split())}\n"
        for number, (start, end, name) in enumerate(sorted(mentions), start=1)
    )
