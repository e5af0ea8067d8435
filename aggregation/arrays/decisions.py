"""What people have decided, as known classes of units: a fit learns from it what workers are
worth."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import UNKNOWN
from aggregation.arrays.answers import READ, Crowd
from aggregation.models import Adjudication
from annotation.interfaces import Material, categorical
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.entity import tags_of
from annotation.models import Campaign


def decided_classes(campaign: Campaign, crowd: Crowd) -> NDArray[np.int64]:
    """The class of each unit, shape (n_units,), in the crowd's; UNKNOWN where nobody decided, and
    where the decision is a class that no worker gave. One query."""
    decided = np.full(int(crowd.starts[-1]), UNKNOWN, dtype=np.int64)
    place = {task: i for i, task in enumerate(crowd.tasks.tolist())}
    number = {name: i for i, name in enumerate(crowd.classes)}
    says = categorical(campaign.interface)
    rows = Adjudication.objects.filter(task__campaign=campaign)
    if crowd.until is not None:
        rows = rows.filter(decided_at__lte=crowd.until)
    columns = ("task", "answer", "task__document__tokens", "task__document__sentences")
    for task, answer, tokens, sentences in rows.values_list(*columns).iterator(chunk_size=READ):
        if (i := place.get(task)) is None:
            continue
        if says is not None:
            names = [says.class_of(answer)]
        else:
            material = Material(tokens=tokens or [], sentences=sentences or [])
            names = tags_of(cast(EntityAnswer, answer), material)
        if len(names) == crowd.starts[i + 1] - crowd.starts[i]:
            part = slice(crowd.starts[i], crowd.starts[i + 1])
            decided[part] = [number.get(name, UNKNOWN) for name in names]
    return decided
