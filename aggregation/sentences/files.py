"""Of files that are aggregated, scored and tagged without a database (aggregation.files)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    "files.refused": "{where}: {why}",
    "method.trains_nothing": (
        "'{method}' trains nothing that could tag new texts: leave out --model, or use {possible}."
    ),
    "differ.items": (
        "{file} holds tags of documents: where method and vote differ is asked of items in CSV."
    ),
    "differ.item": (
        "{file}, line {line}: item '{item}' is not among those that were labelled. Is it the file "
        "that --differ wrote for these labels?"
    ),
    "targets.reliability": (
        "--reliability {file} is neither CSV nor JSON lines by its name. End it in .csv or "
        ".jsonl, .gz after it for a packed file."
    ),
    "targets.model": "--model {file} would be an .npz file. End its name so.",
    "method.for_tags": (
        "'{method}' is for tags of tokens, and {file} is CSV, with labels of items. Use {possible}."
    ),
    "labels.many": (
        "{file} has {classes:,} different labels, too many for {units:,} units and {workers:,} "
        "workers: a table of {size:,.0f} GiB. Are these the labels? --classes can name the ones "
        "to be found."
    ),
    "targets.same": "{one} and {other} are both {file}. Name two files.",
    "confidence.no_list": "It must be a list of numbers from 0 to 1, or null.",
    "confidence.length": ("It is of length {number:,}, but the tags are of length {tags:,}."),
    "confidence.share": "Number {position} is {value:g}, but it must be from 0 to 1.",
    "confidence.expected": "It must be a number, 0 or more, or null, but is {found}.",
    "gold.column_missing": (
        "The column 'gold' is missing; the columns are {names}. Name the one with the truth so."
    ),
    "cell.blank": "The cell is blank. Fill it, or leave the line out.",
    "confidence.cell": "'{cell}' is no number from 0 to 1. Leave it blank instead.",
    "files.no_labels": ("The file holds no labels: nothing follows the columns' names."),
    "files.no_documents": "The file holds no documents.",
    "answers.id": "Each document must have an id, which is a text.",
    "answers.line_double": ("'{name}' stands in line {line} too. Keep one of the two lines."),
    "tagged.field_missing": "The field is missing. Each document has {wanted}.",
    "answers.no_tags": "It must be a list of tags.",
    "gold.differs": (
        "The gold of item '{item}' is '{gold}' here, but '{there}' in line {line}. Give it one."
    ),
    "files.only_columns": "The file holds no labels, only the names of the columns.",
    "files.empty": "The file is empty.",
    "label.double": (
        "Worker '{worker}' has labelled item '{item}' in line {line} already ('{there}' there, "
        "'{here}' here). Keep one of the two lines."
    ),
    "csv.broken": (
        "What begins here is no CSV: {why}. Is there a double quote that is not closed?"
    ),
    "gold.blank": ("The column 'gold' is blank throughout. Leave out --clamp-gold, or fill it."),
    "row.cells": Plural(
        "There are {cells} cells, but {number} column. Put a cell that holds a comma between "
        "double quotes.",
        "There are {cells} cells, but {number} columns. Put a cell that holds a comma between "
        "double quotes.",
        "number",
    ),
    "line.cut": "The line is longer than {most:,} bytes. Cut it into parts.",
    "scores.no_gold_of_sentences": (
        "No sentence of {ours} that somebody labelled has gold in {theirs}. Is it the gold of "
        "these documents?"
    ),
    "scores.no_gold_of_documents": (
        "No document of {ours} has gold in {theirs}: it is null for all."
    ),
    "scores.types": (
        "The tags of {typed} have types, as in B-x, and those of {bare} have none. Give both "
        "types, or neither."
    ),
    "scores.no_gold_of_items": "No item of {ours} has gold in {theirs}.",
    "scores.document_missing": (
        "{file}, line {line}, id: '{id}' is not in {theirs}. Add it there, with \"gold\": null "
        "where the truth is not known."
    ),
    "scores.tags": (
        "{file}, line {line}, tags: '{id}' has {number:,} tags, but {there:,} in {theirs}, line "
        "{their_line}."
    ),
    "scores.spans": (
        "{file}, line {line}, span_confidence: it has {number:,} numbers, but the tags have "
        "{there:,} spans."
    ),
    "scores.item_missing": (
        "{file}, line {line}, item: '{item}' is not in {theirs}. Add it there, with a blank "
        "cell where the truth is not known."
    ),
    "targets.same_model": "--out and --model are both {file}. Name two files.",
    "tag.csv": (
        "{file} is CSV. Give documents to be tagged as JSON lines, one a line, with {fields}."
    ),
    "tagged.no_id": "It is empty. Give each document an id.",
    "tagged.id_double": ("'{id}' stands in line {line} too. Give each document an id of its own."),
    "starts.no_list": "It must be a list of whole numbers, or left out.",
    "starts.outside": Plural(
        "A sentence starts at token {start:,}, but there is {number:,} token, numbered from 0.",
        "A sentence starts at token {start:,}, but there are {number:,} tokens, numbered from 0.",
        "number",
    ),
    "tagged.no_gold": "No document has gold. Leave out --clamp-gold, or add it.",
    "tagged.starts": "{following} follows {start}, but the starts must rise.",
    "tagged.no_worker": "A worker's name is empty. Give each worker one.",
    "targets.no_file": "{option} - is no file. Name one.",
    "targets.folder": "{option} {file} is a folder. Name a file.",
    "targets.no_folder": ("The folder {folder} of {option} is not there. Make it first."),
    "targets.locked_folder": "Nothing can be written to the folder {folder} of {option}.",
    "targets.input": "{option} {file} is the input. Name another file.",
    "targets.read_only": "{option} {file} is there and read-only. Name another file.",
    "targets.format": (
        "--out {file} would hold {format}, as the input does. End its name in .{ending}."
    ),
    "class.unknown": (
        "'{name}' is none of the classes, which are {names} as --classes names them. Mend the "
        "cell, or name it there too."
    ),
    "method.for_piles": "'{method}' is for the piles of linking campaigns. Use {possible}.",
    "method.unknown": "There is no method '{method}'. Use {possible}.",
    "column.double": (
        "The column '{name}' is there more than once; the columns are {names}. Name {name} once, "
        "with a comma between two columns."
    ),
    "column.missing": (
        "The column '{name}' is missing; the columns are {names}. Name {name} once, with a comma "
        "between two columns."
    ),
    "column.no_gold": (
        "The column '{name}' is missing; the columns are {names}. Name {name} once, with a comma "
        "between two columns or leave out --clamp-gold."
    ),
    "column.named_twice": (
        "The column '{name}' is there more than once; the columns are {names}. Name it once."
    ),
    "column.not_named": "The column '{name}' is missing; the columns are {names}. Name it once.",
    "scores.tags_and_items": (
        "{ours} is JSON lines of documents, but {theirs} is CSV of items. Give two files of one "
        "kind."
    ),
    "scores.items_and_tags": (
        "{ours} is CSV of items, but {theirs} is JSON lines of documents. Give two files of one "
        "kind."
    ),
    # Values of JSON: what there is, and what there should be.
    "word.object": "an object",
    "word.list": "a list",
    "word.text": "a text",
    "word.flag": "true or false",
    "word.number": "a number",
    "word.null": "null",
    "value.type": "It is {found}, but must be {wanted}.",
    "tags.no_list": "It is {found}, but must be a list of tags.",
    "token.no_text": "Token {position} is {found}, but must be a text.",
    "tag.form": (
        "Token {position} has '{tag}', which is no tag. A tag is O, B-x or I-x with a type x, B "
        "or I where no tag of the file has a type, or ? for not labelled."
    ),
    "tag.typed": (
        "Token {position} has '{tag}', but line {line} has '{first}'. Give all tags a type, or "
        "none."
    ),
    "tag.type": (
        "Token {position} has '{tag}', but the types are {types} as --classes names them. Mend "
        "the tag, or name its type there too."
    ),
    # Two numbers in one sentence: each has its forms.
    "tagged.tags": (
        "It has {has}, but the document has {wanted}. Give each token a tag, ? where it is not "
        "labelled."
    ),
    "word.tags": Plural("{number:,} tag", "{number:,} tags", "number"),
    "word.tokens": Plural("{number:,} token", "{number:,} tokens", "number"),
    "starts.empty": "It is empty, but the first sentence starts at 0.",
    "starts.begin": "It begins with {start}, but the first sentence starts at 0.",
}
