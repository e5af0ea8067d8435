"""Of files of items, from which those are chosen that are to be labelled (selection.files)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    "items.none": "The file holds no items.",
    "items.no_id": "Each item must have an id, which is a text.",
    "items.id_double": "'{id}' stands in line {line} too. Keep one of the two lines.",
    "items.cost": "A cost must be a number above 0, but it is '{found}'.",
    "items.no_cost": "A cost must be a number above 0, but it is missing.",
    "items.no_attribute": "An attribute must be a number, a text or null.",
    "items.column_double": (
        "The column '{name}' is there twice. Give each column a name of its own."
    ),
    "items.column_unnamed": "A column has no name. Give each column a name of its own.",
    "items.column_id": "The column 'id' is missing; the columns are {names}.",
    "items.column_cost": "There is no column '{name}' of costs; the columns are {names}.",
    "items.no_attributes": (
        "{file} has no attributes: beside id, label and cost there is no column. Add what is "
        "known of the items, or draw some of them with --method random."
    ),
    "labels.format": "{file}: labels come as CSV with the columns id and label.",
    "labels.columns": "The columns must be id and label, each once, but are {names}.",
    "labels.blank": "The cell is blank. Fill it, or leave the line out.",
    "labels.of_others": Plural(
        "{file}: its {number:,} id, '{id}', is not among the items. Is it a file of their labels?",
        "{file}: none of its {number:,} ids, such as '{id}', is among the items. Is it a file of "
        "their labels?",
        "number",
    ),
    "labels.all": "All items are labelled: there is nothing left to choose from.",
    "select.out_is_labels": "--out {file} is the file of labels. Name another file.",
    "select.labels_from_nowhere": "--labelled - is no file. Name one.",
    "budget.none": "--budget must be above 0, but is {budget:g}.",
    "budget.not_whole": "--budget {budget:g} must be a whole number of items, or name --cost.",
    "budget.small": (
        "--budget {budget:g} pays for no item: by '{cost}' the cheapest costs {cheapest:g}."
    ),
    "cost.no_column": "--cost {name}: that column holds no costs. Name another one.",
    "forecast.empty": "Nobody has labelled anything. A forecast is made from a pilot's answers.",
    "forecast.each": (
        "--repeated each: a forecast takes each answer as one, and can't weigh repeated judgments. "
        "Use last, first or refuse."
    ),
    "forecast.one_class": (
        "All labels are the same, so there is nothing to be wrong about. Name the file of a pilot "
        "with two classes at least."
    ),
    "forecast.no_gold": (
        "No document has gold of all its words. What all workers miss, answers don't tell: twenty "
        "documents with gold, drawn at random from the pilot, make a forecast."
    ),
    "forecast.tasks": (
        "--tasks {tasks} is less than the {pilot} tasks of the pilot. Name the number of all tasks "
        "of the campaign."
    ),
    "forecast.answers": "--answers {number}: name numbers from 1 to {most}.",
    "forecast.wanted": "--wanted {wanted}: expected a confidence above 0 and below 1, such as .9.",
    "forecast.least": "--least {number}: name a number from 1 to {most}.",
    "forecast.names": "--names {number}: name how many a document has, from 1 to {most}.",
    "forecast.mix": (
        "--mix {share:g}:{accuracy:g}: expected a share of the workers above 0 and at most 1, and "
        "their accuracy from 0 to 1, such as .8:.9."
    ),
    "select.seed": "--seed must be 0 or more, but is {seed}.",
}
