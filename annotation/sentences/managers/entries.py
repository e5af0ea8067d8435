"""Of a knowledge base and of relation types, as files have them (formats.knowledge, relations)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    "entry.no_key": "There is no key. Give each entry its own.",
    "entry.key_none": "'{key}' stands for no entry at all. Choose another key.",
    "entry.no_name": "There is no name. Give each entry one.",
    "entry.no_list": "This is no list. Give a list of names.",
    "entry.many_aliases": "There are {number} names. Give at most {most} of them.",
    "entry.control": "'{text}' holds a control character. Leave it out.",
    "entry.url": "'{url}' is no address of a web page. Begin with https://.",
    "entry.long": "The {member} has {number} characters. Use at most {most}.",
    "table.columns": (
        "{file}: its first line has to name the columns, each once, and among them key and name; "
        "known are {names}."
    ),
    "table.cells": Plural(
        "The row has {cells} cells, but there is {number} column.",
        "The row has {cells} cells, but there are {number} columns.",
        "number",
    ),
    "table.row": (
        "This is no row of CSV ({why}). Write each entry on one line, and double the quotes inside "
        "quotes."
    ),
    "table.broken": "{file}, line {line}: {why}.",
    "relations.large": "{file} is larger than {most:,} bytes: it is no list of relations.",
    "relations.column_missing": (
        "{file} has no column '{column}'. Its first line has to name the columns: {columns}."
    ),
    "relations.column_unknown": (
        "{file} has a column '{column}', which is not known. Known are {names}."
    ),
    "relations.cells": (
        "{file}, line {line} has more cells than there are columns. Put quotes around a wording "
        "that has a comma."
    ),
    "relations.symmetric": "{file}, line {line}: symmetric is '{value}'. Write yes or no.",
}
