"""Of a campaign: its state, its settings, its tasks and its budget (actions.campaigns)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    "demand.priority": "A priority is {priority}. Priorities go from 0 to {most}.",
    "campaign.closed_for_good": (
        "Campaign '{campaign}' is closed: nothing of it changes any more."
    ),
    "campaign.two_targets": (
        "A quality is named already. Leave the confidence empty, or the quality."
    ),
    "archive.open": (
        "Campaign '{campaign}' is {state}: workers may be at it. Close it first, then archive."
    ),
    "delete.open": ("Campaign '{campaign}' is {state}: workers may be at it. Close it first."),
    "delete.answered": (
        "Workers were given tasks of it, and what they did is kept with what they earned. Archive "
        "it in the place of deleting it."
    ),
    "delete.used": (
        "A labelling loop or an evaluation was made with it. Archive it in the place of deleting "
        "it."
    ),
    "campaign.has_tasks": (
        "Campaign '{campaign}' is {state} and has its tasks: what they were made from can't be "
        "changed any more. Load the page again to see what can."
    ),
    "redundancy.maximum": Plural(
        "Each task gets {number} answer. Write that or more.",
        "Each task gets {number} answers. Write that or more.",
        "number",
    ),
    "campaign.cannot_open": (
        "Campaign '{campaign}' is {state}; only a draft or a paused one opens."
    ),
    "instructions.long": (
        "The instructions have {number:,} characters; at most {most:,} can be taken. Shorten "
        "them, or link to a page of your own."
    ),
    "budget.closed": (
        "Campaign '{campaign}' is closed: it gives out no task, so its budget stays."
    ),
    "budget.spent": (
        "{money:.2f} {currency} are spent or promised already; the budget can't be less."
    ),
    "budget.shared": (
        "'{campaign}' spends of a budget that it shares with others. Change that of the labelling "
        "loop."
    ),
    "budget.no_draft": (
        "Campaign '{campaign}' is {state}; only a draft can spend of a shared budget."
    ),
    "budget.of_another": "Campaign '{campaign}' spends of another shared budget already.",
    "budget.currency": (
        "Campaign '{campaign}' pays in {currency}, and the budget is in {wanted}. Both must be "
        "the same."
    ),
    "tasks.engine_picks": ("Campaign '{campaign}' is open: its engine picks who does what."),
    "tasks.assigned": (
        "A list says who does what in campaign '{campaign}': nothing can be asked of single tasks."
    ),
    "tasks.not_open": (
        "Campaign '{campaign}' is {state}: tasks are given out, or not, while it is open or paused."
    ),
    "tasks.missing": "Campaign '{campaign}' has no task '{task}'.",
    "consent.long": (
        "The text has {number:,} characters; at most {most:,} can be taken. Shorten it, or link "
        "to a page of your own."
    ),
    "campaign.cannot_become": (
        "Campaign '{campaign}' is {state}; only one that is {states} can become {to}."
    ),
}
