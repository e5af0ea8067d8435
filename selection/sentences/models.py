"""Of models that are trained, stored and used (actions.models)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence

SENTENCES: dict[str, Sentence] = {
    "model.kind": (
        "Nothing learns from the labels of {interface} campaigns yet. Models learn from those of "
        "{interfaces}."
    ),
    "model.no_run": "There is no consensus to learn from. Run the aggregation first.",
    "model.not_complete": (
        "Run {run} is {state}: a model can learn from it only once it is complete."
    ),
    "model.clamped": (
        "Run {run} was told the gold, so a model that learns from it can't be scored by gold. Run "
        "the aggregation without gold."
    ),
    "model.several": "Runs of one interface in one project make a model, but these are of several.",
    "model.nothing": (
        "No task is left to learn from: the answer of each is known, and gold is never learnt "
        "from. Label documents without gold, or hold a part of the gold out (--hold-out .2)."
    ),
    "model.hold_out": (
        "What is held out must be a share from 0 to 1 of what is known, but is {found:g}."
    ),
    "model.learner": "There is no learner '{learner}' for {interface} campaigns. Use {known}.",
    "model.parameter": ("'{learner}' has no parameter '{name}'. It takes {known}."),
    "model.parameter_value": "Parameter '{name}' of '{learner}': {why}.",
    "model.taught_nothing": "No model could be made: {why}.",
    "model.no_file": (
        "The file of model {model} is gone from {folder}. Train it again, or restore the folder."
    ),
    "model.unreadable": "The file of model {model} can't be used: {why}. Train it again.",
    "model.damaged": (
        "The file of model {model} isn't what was stored: it was changed or damaged. Train it "
        "again."
    ),
    "model.no_suggestions": (
        "A model of {interface} campaigns can't suggest: suggestions are mentions in a text."
    ),
    "model.other_project": ("Model {model} belongs to another project than campaign '{campaign}'."),
}
