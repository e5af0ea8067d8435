"""Items where a method and a plain vote differ: named, answered, and what follows from it."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import MajorityVote
from aggregation.algorithms.categorical.disputed import Verdict, disputed, to_ask
from aggregation.files.answers import ItemFile, read_answers
from aggregation.files.data import BadArgument, CrowdFile
from annotation.formats.tables import csv_row

COLUMNS = ("item", "method", "vote", "gold")


def write_differing(file: TextIO, data: CrowdFile, chosen: NDArray[np.int64], seed: int) -> None:
    """One item a line, with the column gold blank."""
    file.write(csv_row(COLUMNS))
    vote = MajorityVote().fit(data.labels).predict()
    for unit in to_ask(disputed(data.labels, chosen), seed=seed).tolist():
        both = data.classes[chosen[unit]], data.classes[vote[unit]]
        file.write(csv_row([data.names[unit], *both, ""]))


def read_known(path: Path) -> ItemFile:
    """Raises BadFile, OSError."""
    found = read_answers(str(path), gold=True)
    if not isinstance(found, ItemFile):
        raise BadArgument("differ.items", file=path)
    return found


def verdict_of(
    data: CrowdFile, chosen: NDArray[np.int64], known: ItemFile, *, seed: int
) -> Verdict:
    """Only items where the two differ count, whatever else the file knows. Raises BadArgument for
    an item that is not in the data."""
    place = {name: i for i, name in enumerate(data.names)}
    number = {name: i for i, name in enumerate(data.classes)}
    truth = np.full(len(place), -1)
    for name, one in known.items.items():
        if name not in place:
            raise BadArgument("differ.item", file=known.name, line=one.line, item=name)
        if one.label is not None:
            truth[place[name]] = number.get(one.label, len(number))  # which nobody has said
    units = disputed(data.labels, chosen)
    units = units[truth[units] >= 0]
    vote = MajorityVote().fit(data.labels).predict()
    return Verdict.of(chosen[units], vote[units], truth[units], seed=seed)
