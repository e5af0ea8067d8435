"""What `tune` works on: a campaign's answers, or a file's."""

from __future__ import annotations

import numpy as np

from aggregation.actions.calibrate import as_usual
from aggregation.actions.runs import check_has_answers
from aggregation.files.data import Repeated
from aggregation.files.readers import read_file
from aggregation.interfaces.entries import unit_entry
from aggregation.methods.registry import method_for
from aggregation.methods.tuning import TuningData
from annotation.models import Campaign


def campaign_data(campaign: Campaign, method: str) -> TuningData:
    """Raises ValueError where the method is not for the campaign, or there are no answers."""
    method_for(campaign.interface, method)
    check_has_answers(campaign)
    crowd = unit_entry(campaign.interface).load(campaign, gold=True)
    crowd = as_usual(campaign, crowd) or crowd
    _, document = np.unique(crowd.documents, return_inverse=True)
    return TuningData(
        labels=crowd.labels,
        sequences=crowd.sequences,
        known_classes=crowd.known_classes,
        gold=crowd.gold,
        group=np.repeat(document, np.diff(crowd.starts)),
    )


def file_data(path: str, method: str, *, repeated: Repeated = "last") -> TuningData:
    """`repeated` says what of several judgments of one item by one worker counts. Raises ValueError
    and OSError as `read_file` does, and where the method is not for the file."""
    data = read_file(path, gold=True, repeated=repeated)
    method_for("choice" if data.sequences is None else "entity", method)
    return TuningData(
        labels=data.labels,
        sequences=data.sequences,
        known_classes=data.known_classes,
        gold=data.gold,
        group=data.group,
        repeated=data.repeated,
    )
