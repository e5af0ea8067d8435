"""The leaderboard of a period: the scores of its last snapshot, from stored rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Min

from evaluation.models import EvaluationPeriod, ScoreComparison, ScoreSnapshot, SystemScore
from evaluation.queries.changes import ADDED, DOCUMENTS, LABELS, REPLACED, WITHDRAWN

F1, PRECISION = "F1", "precision"
MOVED = 0.005  # what is less is not seen in two places


@dataclass(frozen=True, slots=True)
class Difference:
    """A system less another, on the same judged claims."""

    value: float
    low: float
    high: float
    better: float | None  # the probability that it is


@dataclass(frozen=True, slots=True)
class BoardLine:
    """`first` and `last` are the places that it may have: from those between it can't be told."""

    score: SystemScore
    first: int | None
    last: int | None
    chances: tuple[float, ...]  # of each place; empty where it is not estimable
    difference: Difference | None  # to the system that was chosen

    @property
    def key(self) -> str:
        return str(self.score.submission.key)

    @property
    def name(self) -> str:
        return self.score.submission.system.name


@dataclass(frozen=True, slots=True)
class Move:
    """A score that is another than in the snapshot before, of the same submission."""

    name: str
    measure: str
    before: float
    now: float


@dataclass(frozen=True, slots=True)
class Tie:
    """Two neighbours that can't be told apart. Judging so many claims more would do it, if their
    difference stays as it is; None: no number of judgments would."""

    first: str
    second: str
    labels: int | None
    mills: int | None


@dataclass(frozen=True, slots=True)
class Board:
    period: EvaluationPeriod
    snapshot: ScoreSnapshot | None  # None: nothing is scored yet
    metric: str
    measure: str  # what systems are ordered by: F1, or precision where that is not estimable
    lines: tuple[BoardLine, ...] = ()
    chosen: str = ""  # key of the submission that all are compared with
    moves: tuple[Move, ...] = ()
    reasons: tuple[str, ...] = ()  # sentences: why scores are others than before
    ties: tuple[Tie, ...] = ()

    @property
    def level(self) -> str:
        level = self.snapshot.level if self.snapshot else self.period.level
        return f"{100 * level:g} %"


def board_of(period: EvaluationPeriod, metric: str = "", chosen: str = "") -> Board:
    """Four queries, however many systems there are: the last two snapshots, their scores, and the
    comparisons of the last. `chosen` is the key of a submission."""
    metrics = period.metrics or ["instance"]
    if metric not in metrics:
        metric = metrics[0]
    snapshots = list(ScoreSnapshot.objects.filter(period=period).order_by("-number")[:2])
    if not snapshots:
        return Board(period, None, metric, F1)
    related = SystemScore.objects.select_related("submission__system__team")
    scores = list(related.filter(snapshot__in=snapshots, metric=metric).order_by("pk"))
    last = snapshots[0]
    now = [one for one in scores if one.snapshot_id == last.pk]
    before = [one for one in scores if one.snapshot_id != last.pk]
    measure = F1 if any(one.f1 is not None for one in now) else PRECISION
    compared = {one.measure: one for one in ScoreComparison.objects.filter(snapshot=last)}
    among = compared.get(f"{measure} ({metric})")
    lines = tuple(_lines(now, measure, among, chosen))
    known = {line.key for line in lines}
    return Board(
        period, last, metric, measure, lines, chosen if chosen in known else "",
        tuple(_moves(before, now, measure)), tuple(reasons_of(last.changes)),
        tuple(_ties(lines, among)),
    )  # fmt: skip


def pool_number(snapshot: ScoreSnapshot) -> int:
    """The pools of a period are counted from 1, each when it was scored first. One query."""
    rows = ScoreSnapshot.objects.filter(period=snapshot.period_id, number__lte=snapshot.number)
    firsts = rows.values("pool_version").annotate(first=Min("number")).order_by("first")
    versions = [row["pool_version"] for row in firsts]
    return versions.index(snapshot.pool_version) + 1


def _lines(
    scores: Sequence[SystemScore], measure: str, among: ScoreComparison | None, chosen: str
) -> list[BoardLine]:
    place = {key: i for i, key in enumerate(among.systems)} if among else {}
    lines = []
    for score in scores:
        i = place.get(str(score.submission.key))
        first = last = None
        chances: tuple[float, ...] = ()
        if among is not None and i is not None and value_of(score, measure) is not None:
            others = [j for j in range(len(among.systems)) if j != i]
            above = sum(_surely(among.high[i][j], below=True) for j in others)
            below = sum(_surely(among.low[i][j], below=False) for j in others)
            estimable = sum(among.value[i][j] is not None for j in others) + 1
            first, last = above + 1, estimable - below
            chances = tuple(one or 0.0 for one in among.ranks[i][:estimable])
        lines.append(
            BoardLine(score, first, last, chances, _difference(among, i, place.get(chosen)))
        )
    return sorted(lines, key=lambda line: _order(value_of(line.score, measure), line.name))


def _ties(lines: Sequence[BoardLine], among: ScoreComparison | None) -> list[Tie]:
    name = {line.key: line.name for line in lines}
    return [
        Tie(name[one["first"]], name[one["second"]], one["labels"], one["mills"])
        for one in (among.settling if among else ())
        if one["first"] in name and one["second"] in name
    ]


def _order(value: float | None, name: str) -> tuple[bool, float, str]:
    return value is None, -(value or 0.0), name


def _surely(end: float | None, *, below: bool) -> bool:
    return end is not None and (end < 0 if below else end > 0)


def _difference(among: ScoreComparison | None, i: int | None, j: int | None) -> Difference | None:
    if among is None or i is None or j is None or i == j:
        return None
    value, low, high = (table[i][j] for table in (among.value, among.low, among.high))
    if value is None or low is None or high is None:
        return None
    return Difference(value, low, high, among.better[i][j])


def value_of(score: SystemScore, measure: str) -> float | None:
    return score.f1 if measure == F1 else score.precision


def _moves(before: Sequence[SystemScore], now: Sequence[SystemScore], measure: str) -> list[Move]:
    old = {one.submission_id: value_of(one, measure) for one in before}
    found = []
    for one in now:
        was, value = old.get(one.submission_id), value_of(one, measure)
        if was is not None and value is not None and abs(value - was) >= MOVED:
            found.append(Move(one.submission.system.name, measure, was, value))
    return sorted(found, key=lambda move: -abs(move.now - move.before))


def reasons_of(changes: Sequence[dict[str, Any]]) -> list[str]:
    """Sentences from the codes of a snapshot's changes."""
    return [REASONS[one["code"]](one) for one in changes if one.get("code") in REASONS]


def _labels(change: dict[str, Any]) -> str:
    number = change["number"]
    claims = f"{abs(number):,} claim{'' if abs(number) == 1 else 's'}"
    return f"{claims} more are judged." if number > 0 else f"{claims} fewer are judged."


REASONS = {
    ADDED: lambda one: (
        f"{one['system']} was added, and the pool is larger: what it found, and what "
        "was judged for it, counts for all."
    ),
    REPLACED: lambda one: f"{one['system']} has a new version, {one['version']}.",
    WITHDRAWN: lambda one: f"{one['system']} was withdrawn, and the pool is smaller.",
    LABELS: _labels,
    DOCUMENTS: lambda one: f"Documents annotated in full: {one['number']:+,}.",
}
