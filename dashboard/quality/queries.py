"""Quality of a campaign's labels: from stored runs, counters and gold alone; nothing is computed
that a run has not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aggregation.interfaces import Words, words_of
from aggregation.models import DifferingFacts, GoldFacts, Share, SpanFacts
from aggregation.queries.runs import RunSummary, last_runs, latest_run
from annotation.models import Campaign
from dashboard.campaigns.queries import GoldMean, gold_score_of_all
from dashboard.charts import Chart
from dashboard.gold.queries import GoldPage, gold_page
from dashboard.quality.calibration import calibration_of

RUNS = 12  # among which the newest that was compared with gold is looked for
QUESTIONS = 5  # that are shown
SCALE = 0.5  # where the scale of the types begins, unless one of them lies below
PARTS = {"P": "precision", "R": "recall"}
SUCH_WORKERS = "alpha about such workers"  # as runs call it (aggregation.actions.agreement)
MUCH = 0.05  # of a type's spans in gold that become one other thing
FEW = 30  # spans of a type in gold, of fewer of which little can be said


@dataclass(frozen=True, slots=True)
class TypeRow:
    name: str
    tone: str  # the class of its colour
    precision: Share
    recall: Share
    f1: Share
    gold: int  # spans


@dataclass(frozen=True, slots=True)
class FoundCell:
    share: float
    is_own: bool  # of the type that it is
    is_much: bool  # of what it is not


@dataclass(frozen=True, slots=True)
class FoundRow:
    """What became of the true spans of a type."""

    name: str
    tone: str
    cells: list[FoundCell]  # a type each, the last: none
    worst: tuple[str, float]  # as what most of them were mistaken ("" for nothing), and how many


@dataclass(frozen=True, slots=True)
class QualityPage:
    run: RunSummary | None  # the served one, or else the newest that was compared with gold
    latest: RunSummary | None  # the one that is served
    runs: Sequence[RunSummary]  # complete ones, the newest first
    names: Words
    answers: GoldMean | None  # single answers to hidden gold
    questions: GoldPage
    colours: Mapping[str, int]  # of the project's types

    @property
    def gold(self) -> GoldFacts | None:
        return self.run.facts.gold if self.run else None

    @property
    def score(self) -> Share | None:
        return self.gold.quality if self.gold else None

    @property
    def parts(self) -> list[tuple[str, Share]]:
        """What is told beside the score."""
        return [
            (PARTS.get(share.name, share.name), share)
            for share in (self.gold.shares if self.gold else ())
            if share is not self.score
        ]

    @property
    def types(self) -> list[TypeRow]:
        """The commonest in gold first; none in runs that have not kept them."""
        rows = []
        for one in self.gold.types if self.gold else ():
            precision, recall, f1 = one.shares
            number = self.colours.get(one.name)
            tone = f"type-{number}" if number else ""
            rows.append(TypeRow(one.name, tone, precision, recall, f1, one.gold))
        return rows

    @property
    def scale(self) -> float:
        """Where the scale of all types begins: at .5, or at 0 where an interval goes below."""
        lows = [
            one.f1.interval[0] if one.f1.interval else one.f1.value or 0.0 for one in self.types
        ]
        return SCALE if min(lows, default=1.0) >= SCALE else 0.0

    @property
    def found_as(self) -> list[FoundRow]:
        """A row for each type in gold; none where there is but one, or where the run has not kept
        it."""
        rows = [one for one in self.types if one.gold]
        made = self.gold.found_as if self.gold else {}
        names = [one.name for one in rows]
        if len(rows) < 2 or not made:
            return []
        return [_found_row(row, made.get(row.name, {}), names) for row in rows]

    @property
    def worst(self) -> FoundRow | None:
        """Of the types that are common enough the one of which most is lost to one other."""
        firm = {one.name for one in self.types if one.gold >= FEW}
        rows = [row for row in self.found_as if row.name in firm and row.worst[1] >= MUCH]
        return max(rows, key=lambda row: row.worst[1], default=None)

    @property
    def rare(self) -> list[TypeRow]:
        return [one for one in self.types if one.gold < FEW]

    @property
    def agreement(self) -> list[Share]:
        """Between workers, what there is of it."""
        if self.latest is None:
            return []
        facts = self.latest.facts
        groups = facts.coreference.agreement if facts.coreference else ()
        return [share for share in (*facts.agreement, *groups) if share.value is not None]

    @property
    def such_workers(self) -> Share | None:
        """The first measure with an interval that holds for other workers like these."""
        return next((share for share in self.agreement if share.name == SUCH_WORKERS), None)

    @property
    def calibration(self) -> Chart | None:
        gold = self.gold
        if gold is None or not gold.bins:
            return None
        return calibration_of(gold, self.names)

    @property
    def span_facts(self) -> SpanFacts | None:
        """How honest confidences of spans and words are, where gold could tell."""
        spans = self.run.facts.spans if self.gold and self.run else None
        return spans if spans and spans.span_error is not None else None

    @property
    def is_checked(self) -> bool:
        return self.gold is not None and self.gold.is_checked

    @property
    def known(self) -> str:
        """What known answers there are, as a base of the figures."""
        gold = self.gold
        if gold is None:
            return ""
        number, source = (
            (gold.units, self.names.unit)
            if gold.unit == "task"
            else (gold.documents, self.names.source)
        )
        return f"{number:,} gold {source}{'' if number == 1 else 's'}"

    @property
    def differing(self) -> DifferingFacts | None:
        """What known answers say of tasks where the method and a vote differ."""
        told = (run.facts.differing for run in self.runs)
        return next((found for found in told if found is not None), None)


def _found_row(row: TypeRow, made: Mapping[str, int], names: Sequence[str]) -> FoundRow:
    """Types that gold has not are left out of the columns, and not of the whole."""
    whole = sum(made.values()) or 1
    shares = {name: made.get(name, 0) / whole for name in (*names, "")}
    cells = [
        FoundCell(share, name == row.name, name != row.name and share >= MUCH)
        for name, share in shares.items()
    ]
    wrong = {name: share for name, share in shares.items() if name != row.name}
    worst = max(wrong, key=lambda name: wrong[name])
    return FoundRow(row.name, row.tone, cells, (worst, wrong[worst]))


def quality_page(campaign: Campaign) -> QualityPage:
    """Six queries."""
    served = latest_run(campaign)
    complete = [
        run for run in last_runs(campaign, RUNS) if run.state == "complete" and run.as_of is None
    ]
    return QualityPage(
        run=next((run for run in (served, *complete) if run and run.facts.gold), None),
        latest=served,
        runs=complete,
        names=words_of(campaign.interface),
        answers=gold_score_of_all(campaign),
        questions=gold_page(campaign),
        colours={
            one["name"]: one["colour"] for one in campaign.project.schema.get("entity_types", ())
        },
    )
