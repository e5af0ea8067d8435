"""Which labels came from taking what a model of ours had suggested."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.models import Task
from annotation.queries.suggestions import tasks_with_taken
from selection.models.trained import SOURCE


def tasks_taken_from_models(campaigns: Iterable[int]) -> set[int]:
    """Row ids of the tasks of which some answer holds a suggestion of a trained model that the
    worker took as it was. A model that is held against such labels agrees with itself. One query.
    """
    return tasks_with_taken(Task.objects.filter(campaign__in=[*campaigns]), SOURCE)
