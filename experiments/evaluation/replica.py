"""A pool with the margins of an evaluation campaign: of 69 runs it is published how many fills each
submitted and how many were correct, and no more. The rest is a model.

A run's score of a true fill is difficulty + team x fill + .35 noise, of a wrong one .6 difficulty +
1.3 team x fill + .5 noise; the run submits as many of the best as the campaign's did. A fill has
instances (mentions of it in documents), geometric with .27. A correct fill's instances share its
weight: a metric of fills, as the campaign's was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotation.formats.tables import BrokenTable, csv_rows
from evaluation.algorithms.predictions import Floats, Predictions

Whole = NDArray[np.int64]

TRUE_FILLS = 1_296
WRONG_FILLS = 9_000
INSTANCES = 0.27  # of the geometric distribution: 3.7 a fill
DOCUMENTS = 1_000
SHARED = 8  # runs: of fills that so many have, one may lose a fill that nobody has
COLUMNS = ("run", "submitted", "correct")


class BadMargins(ValueError):
    """A sentence with the file, the line and the field."""


@dataclass(frozen=True, slots=True)
class Margins:
    runs: tuple[str, ...]
    submitted: Whole
    correct: Whole

    @property
    def team(self) -> Whole:
        """Of each run, from its name: SF_UCD2 is the second run of UCD."""
        names = [re.sub(r"\d$", "", run.partition("_")[2] or run) for run in self.runs]
        return np.array([sorted(set(names)).index(name) for name in names])


def read_margins(path: Path) -> Margins:
    """Raises BadMargins."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise BadMargins(f"{path} is not UTF-8 from byte {error.start} on.") from error
    try:
        rows = list(csv_rows(lines))
    except BrokenTable as error:
        raise BadMargins(f"{path}, line {error.line}: {error}.") from error
    if not rows or tuple(rows[0][1]) != COLUMNS:
        raise BadMargins(f"{path}, line 1: expected the columns {','.join(COLUMNS)}.")
    runs, counts = [], []
    for line, cells in rows[1:]:
        if len(cells) != 3 or not all(cell.isdecimal() for cell in cells[1:]):
            raise BadMargins(f"{path}, line {line}: expected a run and two whole numbers.")
        submitted, correct = int(cells[1]), int(cells[2])
        if not correct <= submitted or correct > TRUE_FILLS or submitted - correct > WRONG_FILLS:
            raise BadMargins(
                f"{path}, line {line}, correct: expected at most {submitted} submitted fills, of "
                f"which {TRUE_FILLS:,} can be correct; found {correct}."
            )
        runs.append(cells[0])
        counts.append((submitted, correct))
    if not runs:
        raise BadMargins(f"{path} has no run.")
    table = np.array(counts, dtype=np.int64)
    return Margins(tuple(runs), table[:, 0], table[:, 1])


@dataclass(frozen=True, slots=True, eq=False)
class Replica:
    """A claim is an instance. Arrays without a note have the shape (n_claims,).

    Attributes
    ----------
    metric : array of shape (n_predictions,)
    correct : 1 or 0
    truth : array of shape (n_claims,)
        p_0: of each correct instance 1 / L of its fill, of wrong ones 0.
    fill : number of the fill
    document : number of the document in which the instance stands
    team : array of shape (n_systems,)
    """

    runs: tuple[str, ...]
    team: Whole
    predictions: Predictions
    metric: Floats
    correct: Floats
    truth: Floats
    fill: Whole
    document: Whole

    @property
    def precision(self) -> Floats:
        claims = self.predictions.claim
        return self.predictions.sums(self.metric * self.correct[claims])

    @property
    def recall(self) -> Floats:
        """Every true fill is in some run, so that of the pool is 1."""
        return self.predictions.sums(self.truth[self.predictions.claim]) / self.truth.sum()

    def without(self, kept: Whole) -> Replica:
        """Some of the systems alone; the claims keep their numbers."""
        claims = [self.predictions.claims_of(i) for i in kept]
        starts = self.predictions.starts
        metric = np.concatenate([self.metric[starts[i] : starts[i + 1]] for i in kept])
        return Replica(
            tuple(self.runs[i] for i in kept), self.team[kept],
            Predictions.of(claims, self.predictions.n_claims), metric,
            self.correct, self.truth, self.fill, self.document,
        )  # fmt: skip


def make_replica(margins: Margins, rng: np.random.Generator) -> Replica:
    team = margins.team
    right = _submitted(margins.correct, team, TRUE_FILLS, (1.0, 1.0, 0.35), rng)
    _give_everything_to_somebody(right)
    wrong = _submitted(margins.submitted - margins.correct, team, WRONG_FILLS, (0.6, 1.3, 0.5), rng)
    used = np.flatnonzero(wrong.any(axis=0))
    wrong = wrong[:, used]
    size = rng.geometric(INSTANCES, TRUE_FILLS)
    of_true = int(size.sum())
    fill = np.concatenate(
        [np.repeat(np.arange(TRUE_FILLS), size), TRUE_FILLS + np.arange(len(used))]
    )
    held = np.concatenate([right[:, fill[:of_true]], wrong], axis=1)
    weight = np.concatenate([1 / size[fill[:of_true]], np.ones(len(used))])
    claims = [np.flatnonzero(row) for row in held]
    predictions = Predictions.of(claims, len(fill))
    metric = weight[predictions.claim] / np.repeat(margins.submitted, predictions.sizes)
    correct = (np.arange(len(fill)) < of_true).astype(np.float64)
    # Documents are of very different lengths, so that their instances are clustered.
    length = rng.gamma(0.7, size=DOCUMENTS)
    document = rng.choice(DOCUMENTS, len(fill), p=length / length.sum())
    return Replica(
        margins.runs, team, predictions, metric, correct, weight * correct, fill, document
    )


def _submitted(
    counts: Whole, team: Whole, items: int, scales: tuple[float, float, float],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:  # fmt: skip
    """Which items each run has: the best by its own score; shape (n_runs, items)."""
    ease = rng.normal(size=items)
    of_team = rng.normal(size=(int(team.max()) + 1, items))
    noise = rng.normal(size=(len(counts), items))
    score = scales[0] * ease + scales[1] * of_team[team] + scales[2] * noise
    best = np.argsort(-score, axis=1)
    held = np.zeros(score.shape, dtype=bool)
    for i, n in enumerate(counts):
        held[i, best[i, :n]] = True
    return held


def _give_everything_to_somebody(held: NDArray[np.bool_]) -> None:
    """A fill that nobody has takes the place of one that SHARED runs or more have, in the run that
    has most of those."""
    for fill in np.flatnonzero(~held.any(axis=0)):
        often = held.sum(axis=0) >= SHARED
        run = int((held & often).sum(axis=1).argmax())
        mine = np.flatnonzero(held[run] & often)
        if not len(mine):
            raise BadMargins("The runs share too little for every true fill to be in one of them.")
        held[run, mine[held[:, mine].sum(axis=0).argmax()]] = False
        held[run, fill] = True
