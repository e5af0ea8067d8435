"""Of labelling loops (actions.loops)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    "loop.other_project": "Campaign '{campaign}' belongs to another project.",
    "loop.interface": (
        "No model learns from whole documents of {interface} campaigns. A loop needs a campaign of "
        "one of these: {interfaces}."
    ),
    "loop.scale": (
        "Campaign '{campaign}' asks for values on a scale, which no model learns from. A loop "
        "needs choices."
    ),
    "loop.campaign_begun": (
        "Campaign '{campaign}' is {state}, or has tasks already. A loop chooses the documents "
        "itself: give it a draft without tasks."
    ),
    "loop.assigned": (
        "In '{campaign}' a list says who does what. A loop needs a campaign in which the engine "
        "picks."
    ),
    "loop.no_pay": (
        "Campaign '{campaign}' pays nothing, so no budget can be counted. Set what an answer pays, "
        "above 0."
    ),
    "loop.suggests": (
        "A model of {interface} campaigns can't suggest: suggestions are mentions in a text."
    ),
    "loop.component": "There is no {field} '{value}'. Use one of {known}.",
    "loop.size": "{field} is {value}. Give 1 document at least.",
    "loop.share": "{field} is {value}. Give a share from 0 to 1, such as .85.",
    "loop.seed": "The seed is {value}. Give 0 or more.",
    "loop.parameter": "The picker's settings are wrong. {why}",
    "loop.parameter_name": "The picker '{picker}' has no setting '{name}'. It takes {known}.",
    "loop.parameter_value": "The picker's setting '{name}' can't be '{value}'.",
    "loop.no_documents": (
        "The project has no document to label. Import documents first (import_documents)."
    ),
    "loop.few_documents": (
        "The project has {number:,} documents without a known answer, and {sample:,} of them are "
        "drawn at random to measure the model by: none is left to learn from. Import more "
        "documents, or evaluate by gold."
    ),
    "loop.few_gold": Plural(
        "The project has {number} document with a known answer, which tells too little of a model. "
        "Import {least} at least, or evaluate by a random sample.",
        "The project has {number} documents with known answers, which tell too little of a model. "
        "Import {least} at least, or evaluate by a random sample.",
        "number",
    ),
    "loop.budget_item": (
        "The budget is {money:.2f} {currency}, but one document costs {least:.2f}. Give that at "
        "least."
    ),
    "loop.budget_sample": (
        "The budget is {money:.2f} {currency}. The {sample:,} documents that the model is measured "
        "by, and one to learn from, cost {least:.2f}. Give that at least, or evaluate by gold."
    ),
    "loop.budget_refused": "The budget can't be changed to that. {why}",
    "loop.campaign_taken": "Campaign '{campaign}' labels for another loop.",
    "loop.campaign_refused": "The loop can't spend by this campaign. {why}",
    "loop.other_interface": (
        "The loop learns from {interface} campaigns; give it another one of these."
    ),
    "loop.fixed": "These can't be changed once a loop runs: {fields}.",
    "loop.over": "Loop '{loop}' is {state}: nothing of it changes any more.",
    "loop.state": "Loop '{loop}' is {state}, so this can't be done now.",
    "loop.campaign_paused": (
        "Campaign '{campaign}' is paused. Open it, and the loop goes on where it was."
    ),
    "loop.campaign_closed": (
        "Campaign '{campaign}' is closed, so nobody labels. Give the loop another campaign, a "
        "draft, or stop the loop."
    ),
    "loop.not_ready": "Campaign '{campaign}' can't be opened. {why}",
    "loop.no_answers": (
        "Campaign '{campaign}' gives out none of the round's tasks, and nobody has answered one."
    ),
    "loop.not_aggregated": "The round's answers could not be aggregated. {why}",
    "loop.nothing_measured": (
        "No document of the random sample has a label yet, so the model can't be measured."
    ),
    "loop.documents_gone": "None of the documents that were labelled is there any more.",
    "loop.nothing_learnt": "The round's labels teach nothing. {why}",
}
