"""How many spammers of each kind the guards find, and how many honest workers they accuse.

Crowds are simulated: how often an honest worker is right is drawn from a beta distribution, and two
fifths of the errors fall on one tempting class of the task, as those of people do. Tasks are dealt
out at random.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aggregation.management.words import table
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from selection.algorithms.workers.guards import chance_agreement, same_answer
from selection.algorithms.workers.peers import WorkerAnswers, find_peers

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Random = np.random.Generator
TEMPTING = 0.4  # of the errors
WORST = 0.65  # nobody honest is right less often
NOISE = 0.1  # of the answers of who says mostly the same
SPAMMERS = {3: 1, 10: 2, 50: 10}  # among so many workers
CROWDS = tuple(SPAMMERS)
ANSWERS = (10, 20, 50, 100)
REDUNDANCIES = (2, 3, 5)
HONEST = "nobody spams"
TWICE = "two accounts with the same guesses"


@dataclass(frozen=True, slots=True)
class Classes:
    """The shares of the classes, the commonest first, and the beta distribution of how often an
    honest worker is right."""

    shares: tuple[float, ...]
    a: float
    b: float


SETTINGS = {
    "four classes evenly": Classes((0.25,) * 4, 8, 2),
    "two classes, 90:10": Classes((0.9, 0.1), 8, 2),
    "two classes, 90:10, easy": Classes((0.9, 0.1), 60, 2),
    "four classes evenly, easy": Classes((0.25,) * 4, 60, 2),
}
# What the spammers say: from the random source, the tasks of all their answers, which of them each
# is by, and the shares of the classes.
Rule = Callable[[Random, Integers, Integers, Floats], Integers]


def _constant(rng: Random, task: Integers, worker: Integers, shares: Floats) -> Integers:
    return np.full(len(task), len(shares) - 1)


def _nothing(rng: Random, task: Integers, worker: Integers, shares: Floats) -> Integers:
    return np.zeros(len(task), dtype=np.int64)


def _mostly(rng: Random, task: Integers, worker: Integers, shares: Floats) -> Integers:
    other = rng.integers(len(shares), size=len(task))
    return np.where(rng.random(len(task)) < NOISE, other, len(shares) - 1)


def _evenly(rng: Random, task: Integers, worker: Integers, shares: Floats) -> Integers:
    return rng.integers(len(shares), size=len(task))


def _weighted(rng: Random, task: Integers, worker: Integers, shares: Floats) -> Integers:
    return rng.choice(len(shares), size=len(task), p=shares)


def _copied(rng: Random, task: Integers, worker: Integers, shares: Floats) -> Integers:
    """Two accounts of one person each, who guesses once."""
    size = int(task.max(initial=0)) + 1
    guessed = rng.choice(len(shares), size=(int(worker.max(initial=0)) // 2 + 1, size), p=shares)
    return guessed[worker // 2, task]


KINDS: dict[str, Rule] = {
    "always the rarest class": _constant,
    "always the commonest (nothing, none)": _nothing,
    "mostly one class, 10% at random": _mostly,
    "at random, evenly": _evenly,
    "at random, by the classes' shares": _weighted,
    TWICE: _copied,
}


@dataclass(frozen=True, slots=True)
class SpamCell:
    """One kind of crowd."""

    setting: str
    redundancy: int
    kind: str
    workers: int
    answers: int  # of each worker, on average


@dataclass(frozen=True, slots=True)
class Count:
    """Over all trials of a cell: workers, and how many of them were flagged for either."""

    spammers: int = 0
    flagged: int = 0
    honest: int = 0
    accused: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.spammers + other.spammers, self.flagged + other.flagged,
            self.honest + other.honest, self.accused + other.accused,
        )  # fmt: skip


def cells(
    settings: Sequence[str] = tuple(SETTINGS),
    redundancies: Sequence[int] = REDUNDANCIES,
    crowds: Sequence[int] = CROWDS,
    answers: Sequence[int] = ANSWERS,
) -> list[SpamCell]:
    """A redundancy above the number of workers is left out, and so are two accounts of one person
    among three workers: nothing but gold tells two who agree and are right from those."""
    kinds = (*KINDS, HONEST)
    found = [SpamCell(*parts) for parts in product(settings, redundancies, kinds, crowds, answers)]
    return [c for c in found if c.redundancy <= c.workers and (c.kind != TWICE or c.workers > 3)]


def simulate(
    chosen: Sequence[SpamCell], trials: int, seed: int, advance: Callable[[int], None]
) -> dict[SpamCell, Count]:
    """`trials` crowds of three in each cell, and of larger ones as many as hold about so many
    workers. Each trial has a seed of its own."""
    found = {}
    for number, cell in enumerate(chosen):
        total = Count()
        for trial in range(math.ceil(trials * min(CROWDS) / cell.workers)):
            total += look(cell, np.random.default_rng([seed, number, trial]))
        found[cell] = total
        advance(1)
    return found


def look(cell: SpamCell, rng: np.random.Generator) -> Count:
    """What the guards say of one crowd."""
    answers, spams = drawn(cell, rng)
    peers = find_peers(answers, rng)
    flagged = same_answer(peers).flagged | chance_agreement(peers).flagged
    return Count(
        int(spams.sum()), int(flagged[spams].sum()),
        int((~spams).sum()), int(flagged[~spams].sum()),
    )  # fmt: skip


def drawn(cell: SpamCell, rng: np.random.Generator) -> tuple[WorkerAnswers, NDArray[np.bool_]]:
    """The answers, and who spams."""
    setting = SETTINGS[cell.setting]
    shares, size = np.array(setting.shares), len(setting.shares)
    tasks = max(cell.workers * cell.answers // cell.redundancy, 1)
    dealt = np.argsort(rng.random((tasks, cell.workers)), axis=1)[:, : cell.redundancy]
    worker, task = dealt.ravel(), np.repeat(np.arange(tasks), cell.redundancy)
    truth = rng.choice(size, tasks, p=shares)
    skill = np.maximum(rng.beta(setting.a, setting.b, cell.workers), WORST)
    tempting = (truth + rng.integers(1, size, tasks)) % size
    other = (truth[task] + rng.integers(1, size, len(task))) % size
    wrong = np.where(rng.random(len(task)) < TEMPTING, tempting[task], other)
    said = np.where(rng.random(len(task)) < skill[worker], truth[task], wrong)
    spams = np.zeros(cell.workers, dtype=bool)
    if cell.kind != HONEST:
        spams[: SPAMMERS[cell.workers]] = True
        theirs = spams[worker]
        said[theirs] = KINDS[cell.kind](rng, task[theirs], worker[theirs], shares)
    return WorkerAnswers.of_classes(worker, task, said, cell.workers, size), spams


# --- Tables -------------------------------------------------------------------------------------


def lines_of(found: dict[SpamCell, Count]) -> Iterator[str]:
    """For each setting and redundancy the spammers that were found in per cent; then all who were
    accused and are honest."""
    for setting, redundancy in dict.fromkeys((c.setting, c.redundancy) for c in found):
        mine = {
            c: n for c, n in found.items() if (c.setting, c.redundancy) == (setting, redundancy)
        }
        yield f"{setting}, {redundancy} answers a task: spammers found, %"
        columns = list(dict.fromkeys((c.workers, c.answers) for c in mine))
        rows = [["workers: answers of each", *(f"{w}: {n}" for w, n in columns)]]
        for kind in dict.fromkeys(c.kind for c in mine if c.kind != HONEST):
            counts = [
                mine.get(SpamCell(setting, redundancy, kind, w, n), Count()) for w, n in columns
            ]
            rows.append([kind, *(_share(count.flagged, count.spammers) for count in counts)])
        counts = [
            _sum(n for c, n in mine.items() if (c.workers, c.answers) == at) for at in columns
        ]
        rows.append(["honest accused", *(_share(n.accused, n.honest, 2) for n in counts)])
        yield from table(rows)
        yield ""
    total = _sum(found.values())
    worst = max(found, key=lambda cell: found[cell].accused / max(found[cell].honest, 1))
    yield (
        f"Honest workers accused: {total.accused:,} of {total.honest:,} "
        f"({_share(total.accused, total.honest, 2)} %); most in one cell "
        f"{found[worst].accused:,} of {found[worst].honest:,}: {worst.setting}, "
        f"{worst.redundancy} answers a task, {worst.kind}, {worst.workers} workers with "
        f"{worst.answers} answers each."
    )


def write_file(found: dict[SpamCell, Count], folder: Path) -> Path:
    """All cells as CSV."""
    path = folder / "guards.csv"
    heads = ["setting", "redundancy", "kind", "workers", "answers"]
    with replaced(path) as file:
        file.write(csv_row([*heads, "spammers", "found", "honest", "accused"]))
        for cell, n in found.items():
            mine = [cell.setting, cell.redundancy, cell.kind, cell.workers, cell.answers]
            file.write(csv_row([*mine, n.spammers, n.flagged, n.honest, n.accused]))
    return path


def _sum(counts: Iterable[Count]) -> Count:
    return sum(counts, Count())


def _share(number: int, of: int, decimals: int = 0) -> str:
    return f"{100 * number / of:.{decimals}f}" if of else "–"
