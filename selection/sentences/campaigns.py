"""Of a campaign whose workers are chosen, or whose tasks ask for more answers (actions)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    "redundancy.not_open": "Campaign '{campaign}' is {state}: nobody works on it.",
    "redundancy.assigned": "In '{campaign}' a list says who answers what.",
    "redundancy.no_target": (
        "Campaign '{campaign}' has no target. Set target_quality, such as .9."
    ),
    "redundancy.no_consensus": (
        "'{campaign}' has no consensus yet. Run: aggregate --campaign {campaign}"
    ),
    "forecast.no_pilot": (
        "No task of '{campaign}' has all {number} of its answers yet. A forecast is made from "
        "tasks that do: wait for the first."
    ),
    "select.untested": (
        "Nobody has answered two hidden gold questions yet. Wait for more answers, or give the "
        "campaign more gold (gold_every)."
    ),
    "select.barred": (
        "Those who were tested are paused or blocked by a person, or not above chance."
    ),
    "select.worthless": (
        "No worker can be told from guessing. Look at the gold questions and the instructions "
        "before you look for other workers."
    ),
    "select.budget": "The budget is {budget}. Keep at least 1 worker.",
    "select.no_gold": (
        "Campaign '{campaign}' has no hidden gold and no exam, so nothing is known of its "
        "workers. Import gold answers with the documents, and set hidden gold before it opens."
    ),
    "select.few_left": (
        "Each task wants {redundancy} answers of different workers, but {left} would be left: "
        "the campaign can't be finished by them. Keep more, or ask for fewer answers."
    ),
    "select.few_workers": Plural(
        "{budget} may be kept, but only {number} worker is here.",
        "{budget} may be kept, but only {number} workers are here.",
        "number",
    ),
}
