"""Of files that are imported: lines, documents, tasks, known answers (formats)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence

SENTENCES: dict[str, Sentence] = {
    # Tasks of a choice campaign.
    "choices.nothing": "There is nothing to look at. Give a text, a pair or an image.",
    "choices.few_sides": "The list holds {number}. Give two texts.",
    "choices.no_gold": "Practice, exam and explanations need a known answer. Give gold too.",
    "choices.practice_and_exam": (
        "Practice tells the right answer, so the task can't be for the exam too. Leave one out."
    ),
    # Known answers.
    "gold.no_answer": "The known answer is missing. Write it as an object.",
    "gold.tolerance": "{tolerance} is no tolerance. Give 0 to {most}.",
    # A knowledge base that consensus is compared with.
    "evidence.no_object": "This is no object. Name the document and the two mentions.",
}
