"""Of imports as a whole: documents, tasks, known answers, suggestions, pictures (actions)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence, select

SENTENCES: dict[str, Sentence] = {
    "choices.kind": (
        "Campaign '{campaign}' is of the kind '{interface}'. Texts, pairs and pictures to "
        "choose for are tasks of a choice campaign."
    ),
    "choices.no_task": "{file} holds no task.",
    "choices.id_double": "The id stands in line {line} too. Give each task its own.",
    "choices.assigned_gold": "An assigned campaign has no gold. Leave it out.",
    "picture.elsewhere": (
        "Pages load pictures from this host alone. Download it, and name the file."
    ),
    "picture.outside": ("It is not in {folder}. Put it there, and name it from there."),
    "picture.missing": "There is no picture of this name among those that were given.",
    "choices.closed": "Campaign '{campaign}' is closed: it takes no more tasks.",
    "gold.not_offered": (
        "The known answer of task '{task}' is '{answer}', which could not be given any more. "
        "Leave it in, or import the tasks into a new draft."
    ),
    "import.report_is_file": ("The report would overwrite {file} itself. Choose another name."),
    "import.taken_over": "Another import took over while this one stood still.",
    "upload.empty": "{file} is empty: there is no document in it.",
    "upload.not_kept": "The server can't keep the file: {why}.",
    "upload.same_name": "Two of the files are called “{file}”. Rename one, and send all again.",
    "gold.no_reason": "Say why the question is retired: it stands in the record.",
    "gold.retired": "This question is retired already.",
    "gold.not_retired": "This question is not retired.",
    "gold.assigned": "In '{campaign}' a list says who does what: it has no gold.",
    "gold.is_known": "Somebody has answered this task as gold already. Take the next one.",
    "gold.nothing_left": (
        "No further task can become gold: each has a known answer, or was given to a worker."
    ),
    "gold.answering_ended": (
        "This page was open for too long, or you may not do this any more. Open it again."
    ),
    "gold.no_answers": "{file} holds no known answer.",
    "gold.just_given_out": ("Some of these tasks were given out just now. Import the file again."),
    "gold.no_task": "The campaign has no such task. Name one by its id.",
    "imported.no_answer": (
        "Expected an object with the label of the task, as export_annotations writes it."
    ),
    "imported.share": "Found {value:g}; expected a confidence from 0 to 1.",
    "imported.names": "{found} confidences for {wanted} names. Give one for each, or leave it out.",
    "imported.no_task": (
        "The campaign has no such task, or it is a gold question. Name a task by its id."
    ),
    "imported.empty": "{file} holds no label.",
    "gold.closed": ("Campaign '{campaign}' is closed: nobody would be given a question any more."),
    "gold.many_lines": "There are more than {most:,} lines.",
    "gold.task_double": "The task stands in line {line} too.",
    "picture.large": (
        "It is larger than {most} MB, which no phone loads in time. Make it smaller."
    ),
    "picture.unreadable": "It can't be read: {why}.",
    "suggestions.kind": (
        "Campaign '{campaign}' is of the kind '{interface}'. Suggestions are for campaigns in "
        "which entities are marked."
    ),
    "suggestions.closed": "Campaign '{campaign}' is closed: it shows no task.",
    "suggestions.no_name": "{file} holds no name.",
    "suggestions.no_entry": (
        "The knowledge base has no entry of a type of the schema, and so no name to look for. "
        "Import it first, or choose a file."
    ),
    "import.mistakes": Plural(
        "{number:,} mistake in {file}; nothing was imported.",
        "{number:,} mistakes in {file}; nothing was imported.",
        "number",
    ),
    "import.nothing": "{why} Nothing was imported.",
    "import.slow": Plural(
        "A page can't wait for more than {number:,} line of it.",
        "A page can't wait for more than {number:,} lines of it.",
        "number",
    ),
    "import.strict": (
        "{number:,} rejected, the first one in line {line}: {why} All are listed in {report}."
    ),
    "import.stopped": "It was stopped by hand.",
    "import.in_use": (
        "The documents of {file} are used by {users}. An import can be undone only before a "
        "campaign has tasks with its documents."
    ),
    "word.campaign": Plural(
        "'{campaign}' ({number:,} task)", "'{campaign}' ({number:,} tasks)", "number"
    ),
    "file.system": "{file}: {why}.",
    "told.reason": "{why}",
    "document.id_double": (
        "The id '{id}' stands in line {line} too, with other content. Give each document its own."
    ),
    "document.differs": (
        "'{id}' is already there with other content (from {file}, line {line}). Undo that import, "
        "or use another id."
    ),
    "choices.picture": "'{picture}': {why}",
    "gold.given_out": (
        "The task was given out as work already, so it can't become a question any more. Make a "
        "task of its own for it."
    ),
    "gold.kind": select(
        "kind",
        hidden="The task is hidden gold already, and its kind can't change.",
        practice="The task is practice already, and its kind can't change.",
        exam="The task is a question of the exam already, and its kind can't change.",
        check="The task is a check, which workers label as any other: its kind can't change.",
    ),
    "entry.double": "The key stands in line {line} too. Give each entry once.",
    "suggestions.no_document": "Campaign '{campaign}' has no document of this name.",
    "suggestions.mistakes": Plural(
        "{number:,} mistake in {file}; nothing was changed.",
        "{number:,} mistakes in {file}; nothing was changed.",
        "number",
    ),
    "knowledge.stored": Plural(
        "{why} {number:,} entry was stored before; import the file again for the rest.",
        "{why} {number:,} entries were stored before; import the file again for the rest.",
        "number",
    ),
    "knowledge.unchanged": "{why} Nothing was changed.",
}
