"""Rows ↔ arrays of selection: workers' gold scores, tasks' confidences, votes, answers. The only
place."""

from selection.arrays.gold import (
    Gold,
    WorkerGoldScores,
    chance_of_spans,
    gold_scores,
    load_gold,
    number_of_classes,
)
from selection.arrays.tasks import Tasks, load_tasks, votes
from selection.arrays.work import Work, load_work, named_contents

__all__ = [
    "Gold",
    "Tasks",
    "Work",
    "WorkerGoldScores",
    "chance_of_spans",
    "gold_scores",
    "load_gold",
    "load_tasks",
    "load_work",
    "named_contents",
    "number_of_classes",
    "votes",
]
