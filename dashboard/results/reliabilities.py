"""What a run says of each worker, as rows for a page."""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from aggregation.interfaces import words_of
from aggregation.methods.words import REFITTED
from aggregation.models import WorkerReliability
from aggregation.queries.runs import RunSummary
from annotation.models import Campaign, Enrollment
from annotation.queries.worker_names import worker_name
from dashboard.charts import HeatMap, heat_map

MOST_CLASSES = 15  # of a table that is drawn; nobody makes out the cells of a larger one
LEAST = 0.05  # share of spans, or of a class, from which on a way to err may be told
INVENTED = 0.01  # share of tokens outside
STANDS_OUT = 1.5  # times what is usual in the campaign; a prior alone makes everybody err a little
MUCH = 0.25  # share that is told even if everybody errs so
FEWEST_SPANS = 20  # spans: of fewer, a worker's table holds little but the prior
GUESSED = 0.5  # share of judgments
DRAWN = 0.012  # width of a mark, of the whole
MOST_HABITS = 3  # ways to err of one worker
WAYS = {
    "misses": "misses spans",
    "starts_early": "starts spans one token early",
    "starts_late": "starts spans one token late",
    "ends_early": "ends spans one token early",
    "ends_late": "ends spans one token late",
    "splits": "splits spans in two",
    "wrong_type": "gives spans another type",
}


@dataclass(frozen=True, slots=True)
class ReliabilityRow:
    """`accuracy` is None where nothing is known; `ways` are sentences on how they err."""

    name: str
    judged: int
    accuracy: float | None
    low: float | None
    high: float | None
    ways: list[str]
    table: HeatMap | None

    @property
    def width(self) -> float:
        """Of the drawn interval; a narrow one is still seen."""
        return max((self.high or 0) - (self.low or 0), DRAWN)

    @property
    def at(self) -> float:
        """Where the mark of the accuracy begins, inside the drawing."""
        return min(max((self.accuracy or 0) - DRAWN / 2, 0), 1 - DRAWN)


@dataclass(frozen=True, slots=True)
class Reliabilities:
    rows: list[ReliabilityRow]
    number: int  # of workers in the run
    judged: str  # what they are right or wrong about, a noun in the singular
    refits: int | None  # by which the intervals were made; None: by the run's one fit
    can_refit: bool  # whether the run's method and answers allow it

    @property
    def name(self) -> str:
        """What the figure is called: without refits it is what it is compared with."""
        return "Accuracy" if self.refits else "Agrees with the consensus"

    @property
    def some_tables(self) -> bool:
        return any(row.table for row in self.rows)

    @property
    def some_ways(self) -> bool:
        return any(row.ways for row in self.rows)


def reliabilities(
    campaign: Campaign, run: RunSummary, most: int, *, with_ids: bool, first: int = 0
) -> Reliabilities:
    """Those who judged most come first. Three queries. `with_ids`: see `names.worker_name`."""
    found = WorkerReliability.objects.filter(run__key=run.key)
    rows = list(found.order_by(F("judged").desc(), "pk")[first : first + most])
    enrollments = Enrollment.objects.filter(
        campaign=campaign, worker__in=[row.worker_id for row in rows]
    ).select_related("worker")
    of_worker = {row.worker_id: row for row in enrollments}
    return Reliabilities(
        [_row(row, run, _name(of_worker.get(row.worker_id), with_ids)) for row in rows],
        found.count(),
        words_of(campaign.interface).judged,
        run.facts.refits,
        run.method in REFITTED and run.facts.chosen is not None,
    )


def _name(enrollment: Enrollment | None, with_ids: bool) -> str:
    return worker_name(enrollment, with_ids=with_ids) if enrollment else "one who left"


def _row(row: WorkerReliability, run: RunSummary, name: str) -> ReliabilityRow:
    confusion = numbers(row.parameters.get("confusion"))
    table = None
    if confusion and len(run.classes) <= MOST_CLASSES:
        table = heat_map(
            f"What {name} says", "is", "says", run.classes, _cut(confusion, len(run.classes))
        )
    return ReliabilityRow(
        name=name,
        judged=row.judged,
        accuracy=row.accuracy,
        low=row.low,
        high=row.high,
        ways=ways_to_err(row.parameters, run.classes, run.facts.usual),
        table=table,
    )


def ways_to_err(
    parameters: Mapping[str, Any], classes: Sequence[str], usual: Mapping[str, float]
) -> list[str]:
    """The ways that are common and stand out, the commonest first, with their shares. `usual` are
    the medians of all workers."""
    tendencies = parameters.get("tendencies")
    if tendencies and tendencies.get("spans", FEWEST_SPANS) < FEWEST_SPANS:
        return []
    if tendencies:
        found = [
            (tendencies[name], words)
            for name, words in WAYS.items()
            if _stands_out(tendencies[name], usual.get(name, 0.0), LEAST)
        ]
    else:
        found = [
            way
            for way in _mistaken(numbers(parameters.get("confusion")), classes)
            if way[0] >= LEAST
        ]
    told = [(share, f"{words} ({share:.0%})") for share, words in found]
    told.sort(key=lambda way: -way[0])
    said = [words for _, words in told[:MOST_HABITS]]
    if tendencies and _stands_out(tendencies["invents"], usual.get("invents", 0.0), INVENTED):
        said.append(f"marks what is none ({tendencies['invents']:.0%} of words outside)")
    # Of tags it says little: nine in ten are O, and saying O looks like a guess
    # (docs/methods/equations.md).
    honesty = parameters.get("honesty")
    if isinstance(honesty, float) and honesty < GUESSED and not tendencies:
        said.insert(0, f"guesses ({1 - honesty:.0%})")
    return said


def _stands_out(share: float, usual: float, least: float) -> bool:
    return share >= least and (share >= STANDS_OUT * usual or share >= MUCH)


def _mistaken(values: list[float], classes: Sequence[str]) -> list[tuple[float, str]]:
    """Of each class what else is said most, where truth and answer are choices."""
    if not values or any(name.startswith(("B-", "I-")) for name in classes):
        return []
    found = []
    for i, row in enumerate(_cut(values, len(classes))):
        others = [(share, said) for said, share in enumerate(row) if said != i]
        if others:
            share, said = max(others)
            found.append((share, f"says {classes[said]} where it is {classes[i]}"))
    return found


def numbers(stored: Any) -> list[float]:
    """All numbers that `arrays.stored` put away, in one row; none where there is nothing."""
    if stored is None:
        return []
    if isinstance(stored, dict):
        data = base64.b64decode(stored["float16"])
        return list(struct.unpack(f"<{math.prod(stored['shape'])}e", data))
    return list(_flat(stored))


def _flat(values: Any) -> list[float]:
    if not isinstance(values, list):
        return [values]
    return [number for row in values for number in _flat(row)]


def _cut(values: Sequence[float], size: int) -> list[Sequence[float]]:
    return [values[i : i + size] for i in range(0, len(values), size)]
