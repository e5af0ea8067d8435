"""Of a project's schema, and of a campaign's options (interfaces.schema, choice, scales)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence

SENTENCES: dict[str, Sentence] = {
    "name.form": ("'{name}' can't be a name. Start with a letter or a digit, and use no blanks."),
    "name.taken": "'{name}' is the name of {where} too. Choose another name.",
    "name.reserved": (
        "'{name}' is the name of an answer to every relation question too. Choose another name."
    ),
    "name.twice": "'{name}' stands here twice. Name it once.",
    "key.no_letter": (
        "'{key}' is no letter. Choose a letter: digits choose entities, and the other keys are the "
        "page's own."
    ),
    "key.taken": "'{key}' is the key of {where} too. Choose another letter.",
    "colour.unknown": "There is no colour {colour}. Choose one from 1 to {most}.",
    "types.empty": "The list is empty. Name at least one entity type.",
    "symmetric.sides": (
        "A symmetric relation takes the same types on both sides. Make subject and object equal, "
        "or symmetric false."
    ),
    "symmetric.inverse": "A symmetric relation is its own inverse. Leave this out.",
    "sentence.sides": (
        "The wording has to name both sides. Write it with {{subject}} and {{object}}, such as "
        "'{{subject}} was born in {{object}}'."
    ),
    "icon.form": "'{icon}' can't be an icon's name. Use small letters, digits and hyphens.",
    # The options of a campaign.
    "options.nothing_to_choose": "There is nothing to choose. Give choices, or a scale.",
    "options.few_choices": "The list holds {number}. Give at least 2 choices.",
    "options.unsure": "'{name}' is always offered. Leave it out.",
    "scale.ends": "The scale ends at {most}, but begins at {least}. Raise its end.",
    "scale.step": "The step is {step}. Make it greater than 0.",
    "scale.long": ("Steps of {step} make a scale of more than {most}. Choose a larger step."),
    "scale.uneven": (
        "Steps of {step} do not lead from {least} to {most}. Choose a step that does."
    ),
}
