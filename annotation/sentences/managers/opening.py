"""What is missing before a campaign can open, and what only deserves a look (campaigns.life)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence, select

SENTENCES: dict[str, Sentence] = {
    "lacks.documents": ("There is nothing to annotate: import documents first (import_documents)."),
    "lacks.chosen_documents": (
        "There is nothing to annotate: its documents are chosen, and none are yet. Its labelling "
        "loop chooses the first ones and opens it (advance_loops)."
    ),
    "lacks.documents_or_tasks": (
        "There is nothing to annotate: import documents first (import_documents), or tasks of its "
        "own (import_choices)."
    ),
    "lacks.tasks": "A {interface} campaign needs tasks made from an earlier campaign.",
    "lacks.allotments": "An assigned campaign needs a list that says who does what.",
    "lacks.choices": "A choice campaign needs at least two options ('choices') or a 'scale'.",
    "lacks.entity_types": "The project's schema has no entity types: add at least one.",
    "lacks.practice": Plural(
        "Each worker is to do {tasks}, but only {number} is set aside: {more}.",
        "Each worker is to do {tasks}, but only {number} are set aside: {more}.",
        "number",
    ),
    "lacks.exam": Plural(
        "Each worker is to do {tasks}, but only {number} is set aside: {more}.",
        "Each worker is to do {tasks}, but only {number} are set aside: {more}.",
        "number",
    ),
    "lacks.hidden_gold": (
        "One task in {every} is to be hidden gold, but none is set aside: {more}, or set "
        "gold_every to 0."
    ),
    # What to do about it, at the end of the three above.
    "word.raise_option": "raise options.{option}, and import gold answers",
    "word.import_tasks": select(
        "use",
        practice="import more tasks with a known answer for practice",
        exam="import more tasks with a known answer for the exam",
        hidden="import more tasks with a known answer",
    ),
    "word.import_gold": select(
        "use",
        practice="give some of its tasks a known answer for practice (import_gold)",
        exam="give some of its tasks a known answer for the exam (import_gold)",
        hidden="give some of its tasks a known answer (import_gold)",
    ),
    # Two numbers in one sentence: this one has its forms by itself.
    "word.practice_tasks": Plural("{number} practice task", "{number} practice tasks", "number"),
    "word.exam_tasks": Plural("{number} exam task", "{number} exam tasks", "number"),
    "word.practice_and_exam_tasks": Plural(
        "{number} practice and exam task", "{number} practice and exam tasks", "number"
    ),
    "warning.few_gold": Plural(
        "{documents} documents are to be set aside as gold, but only {number} has a gold answer.",
        "{documents} documents are to be set aside as gold, but only {number} have a gold answer.",
        "number",
    ),
    "warning.paid_before": (
        "Each worker is also paid for {tasks}: {money:.2f} {currency}, which is not in the cost."
    ),
    "warning.tries": select(
        "use",
        practice=Plural(
            "{tries} tries take {tasks} practice tasks, but {there} are set aside: after one try "
            "there are none left that a worker has not seen.",
            "{tries} tries take {tasks} practice tasks, but {there} are set aside: after {number} "
            "tries there are none left that a worker has not seen.",
            "number",
        ),
        exam=Plural(
            "{tries} tries take {tasks} exam tasks, but {there} are set aside: after one try there "
            "are none left that a worker has not seen.",
            "{tries} tries take {tasks} exam tasks, but {there} are set aside: after {number} "
            "tries there are none left that a worker has not seen.",
            "number",
        ),
    ),
    "warning.exam_is_hidden": (
        "The exam is drawn from the hidden gold, as it was when this campaign opened: whoever "
        "compares notes with somebody who sat it knows these questions. In a new campaign exam "
        "questions are a kind of their own."
    ),
    "warning.exam_unused": Plural(
        "{number} question set aside for an exam, but nobody is to do one: set exam_size, or "
        "nobody is given it.",
        "{number} questions set aside for an exam, but nobody is to do one: set exam_size, or "
        "nobody is given them.",
        "number",
    ),
    "warning.hidden_unused": Plural(
        "{number} hidden gold question, but no task in so many is to be one: set gold_every, to "
        "10 for instance, or nobody is given it.",
        "{number} hidden gold questions, but no task in so many is to be one: set gold_every, to "
        "10 for instance, or nobody is given them.",
        "number",
    ),
    "warning.no_entries": (
        "Names are to be linked, but the knowledge base is empty: workers have nothing to search. "
        "Import it first, or switch linking off."
    ),
    "warning.ids_show": (
        "Tasks are dealt out by name here, so workers see the ids of tasks and documents: no id "
        "may tell what is gold. In an open campaign they would see none."
    ),
    "warning.no_consent": (
        "Workers are not asked to agree to anything: there is no text of consent."
    ),
    "warning.no_instructions": "There are no instructions: workers will see the task alone.",
    "warning.no_pay": "The pay is 0: workers will not be paid.",
    "warning.no_budget": "There is no budget: nothing limits what may be spent.",
    "warning.short_budget": (
        "All answers would cost {cost:.2f} {currency}, the budget is {budget:.2f}: {share:.0%} of "
        "the answers will not be collected."
    ),
}
