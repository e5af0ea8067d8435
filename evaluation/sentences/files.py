"""Of submissions, plans and labels in files (evaluation.files, evaluation.formats)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence

SENTENCES: dict[str, Sentence] = {
    "evaluation.refused": "{where}: {why}",
    "evaluation.broken_table": "{where}: This is no CSV: {reason}. Is a double quote not closed?",
    "evaluation.line_long": "{where}: The line is longer than {most:,} bytes. Cut it.",
    "evaluation.not_utf8": "{where}: Byte {byte} is no UTF-8. Save the file as UTF-8.",
    "evaluation.metric": "--metric {name} is not known. Known are {known}.",
    "evaluation.match": "--match {name} is not known. Known are {known}.",
    "evaluation.same_name": (
        "Two submissions are called '{name}'. Give each file its system's name."
    ),
    "evaluation.no_claims": "No submission has a valid claim, so there is nothing to judge.",
    "evaluation.team": "--team {name}: there is no submission '{name}'.",
    "evaluation.seed": (
        "{file}: The claims were not drawn with --seed {seed}. Name the seed with which they "
        "were planned: only then earlier judgments can be used again."
    ),
    "corpus.double": "'{name}' stands in an earlier line. Give each document once.",
    "corpus.text": "Expected a text, or tokens that are words. Give one of the two.",
    "corpus.empty": "{file} holds no documents. Write one a line, with id and text.",
    "corpus.line_long": "The line is longer than {most:,} bytes. Cut the document.",
    "labels.column": (
        "{file}, line 1: expected a column '{column}', found {names}. plan_evaluation writes "
        "such a file."
    ),
    "labels.cells": (
        "{file}, line {line}: expected {wanted} cells, found {found}. Put quotes around a cell "
        "that has a comma."
    ),
    "labels.cell": (
        "{file}, line {line}, {column}: expected {expected}, found '{found}'. Mend the cell."
    ),
    "labels.empty": "{file} has no claims below its first line.",
    "labels.double": (
        "{file}, line {line}: the claim stands in line {first} already. Keep one of the two."
    ),
    "labels.none_judged": (
        "{file}: no claim of the submissions has been judged. Fill the column 'correct' with 1, "
        "0, or what lies between."
    ),
    "exhaustive.claim": "{where}: {what} {mend} Found: '{found}'.",
    "exhaustive.none": (
        "{file} names no document that was annotated in full. Write a line {example} for each of "
        "them, also for those without a claim."
    ),
    "exhaustive.not_listed": (
        "{file}, line {line}, document: '{name}' is not among the documents that were annotated "
        "in full. Add a line {example} for it."
    ),
    "exhaustive.document": (
        "{file}, line {line}, document: expected a document's id, found {found}. Write a text."
    ),
    "exhaustive.outside": "{file}, line {line}, document: '{name}' is not in the corpus.",
    "exhaustive.double": (
        "{file}, line {line}, document: '{name}' stands in line {first} already. Keep one of the "
        "two."
    ),
    "exhaustive.weight": (
        "{file}, line {line}, weight: expected a number above 0, found {found}. It is one over "
        "the probability with which the document was drawn."
    ),
    "exhaustive.sample": (
        "{file}, line {line}, sample: expected uniform or expansion, found {found}. Leave it out "
        "for documents that were drawn by chance."
    ),
}
