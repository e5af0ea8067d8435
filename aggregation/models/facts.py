"""What a run says of itself: the typed contents of `AggregationRun.diagnostics`.

The column is JSON under the names of the fields, so that exports and older databases stay readable.
A row of another version may lack a field, which then has its default, or hold one that is not known
here, which is passed over. What says nothing in a run (None, or "") is left out of its JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Self

OPTIONAL = (None, "")
# Gold that says something of confidences: documents with spans or piles, tasks with one answer.
LEAST_DOCUMENTS, LEAST_TASKS = 5, 10
AGREEMENT_TASKS = 200  # of fewer the interval of alpha is rough (docs/numbers.md)
TENTHS = 10  # of `RunFacts.confidence`


def tenth(confidence: float) -> int:
    return min(int(confidence * TENTHS), TENTHS - 1)


@dataclass(frozen=True, slots=True)
class Share:
    """A share from 0 to 1 (Krippendorff's alpha: at most 1); None where it is a share of nothing.

    `interval` is the 95 % one; None where a single document says nothing of others.
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None = None

    def to_json(self) -> list[Any]:
        return [self.name, self.value, *(self.interval or (None, None))]

    @classmethod
    def from_json(cls, stored: Sequence[Any]) -> Self:
        name, value, low, high = (*stored, None, None)[:4]
        return cls(name, value, None if low is None or high is None else (low, high))


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """Strict spans of one type against gold."""

    name: str
    gold: int  # spans of it in gold
    predicted: int  # in the consensus
    shares: tuple[Share, ...]  # P, R and F1

    def to_json(self) -> list[Any]:
        return [self.name, self.gold, self.predicted, [share.to_json() for share in self.shares]]

    @classmethod
    def from_json(cls, stored: Sequence[Any]) -> Self:
        name, gold, predicted, shares = stored
        return cls(name, gold, predicted, _shares(shares))


@dataclass(frozen=True, slots=True)
class GoldFacts:
    """A consensus against gold.

    Entity: `shares` are P, R and F1 of strict spans, `relaxed` those of parts of spans, units are
    sentences; calibration is of spans where folds could tell it, else of words, and cross entropy
    of words. Choice and relation: `shares` is the accuracy, units are tasks, `relaxed` is empty.
    Linking: `shares` are F1 of pairs, B³, CEAF-e, CEAF-m, MUC, BLANC, CoNLL and LEA, units are
    mentions, documents are tasks with gold; a mention is right where most of its pile are the same
    as it, and that is what cross entropy and calibration are about.
    """

    shares: tuple[Share, ...] = ()
    relaxed: tuple[Share, ...] = ()
    units: int = 0
    unit: str = ""  # "sentence", "task" or "mention"
    documents: int = 0  # in which there is a unit that counts
    cross_entropy: float = 0.0  # nats per judgment
    calibration_error: float | None = None  # expected; a share from 0 to 1
    by_chance: float | None = None  # it, on average, were confidences right; None in older runs
    bins: tuple[tuple[int, float, float], ...] = ()  # judgments, mean confidence, share right
    judgments: int = 0  # tokens, tasks or mentions that the last three are over
    judgment: str = ""  # "span" where these are over spans; else see the interface's words
    unknown_units: int = 0  # sentences left out because gold does not know all of their tags
    types: tuple[TypeFacts, ...] = ()  # of spans; none in runs made before it was kept
    # As error and bins, of the confidences that would have been stored without this gold; none
    # where gold teaches nothing, and in runs made before it was kept.
    before_error: float | None = None
    before: tuple[tuple[int, float, float], ...] = ()
    # Type of spans in gold → type that the consensus has there, "" for none → how many
    # (`algorithms.measures.found_as`); none in runs made before it was kept.
    found_as: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def quality(self) -> Share | None:
        """F1 of spans, or the share of choices that are right; of piles F1 of pairs."""
        shares = {share.name: share for share in self.shares}
        return shares.get("F1") or next(iter(shares.values()), None)

    @property
    def is_checked(self) -> bool:
        """Whether there is gold enough to call the labels checked."""
        return (self.units if self.unit == "task" else self.documents) >= self.least

    @property
    def least(self) -> int:
        """How many documents or tasks make it checked."""
        return LEAST_TASKS if self.unit == "task" else LEAST_DOCUMENTS

    def to_json(self) -> dict[str, Any]:
        """Of what is stored alone, whatever a subclass adds."""
        found = {one.name: _json(getattr(self, one.name)) for one in fields(GoldFacts)}
        late = ("judgment", "by_chance", "before_error", "before", "found_as")  # not in older runs
        unsaid = {name for name in late if found[name] in ("", None, [], {})}
        return {name: value for name, value in found.items() if name not in unsaid}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> GoldFacts:
        known = _known(GoldFacts, stored)
        known |= {name: _shares(known.get(name, ())) for name in ("shares", "relaxed")}
        known["types"] = tuple(map(TypeFacts.from_json, known.get("types", ())))
        known |= {name: tuple(map(tuple, known.get(name, ()))) for name in ("bins", "before")}
        return GoldFacts(**known)


@dataclass(frozen=True, slots=True)
class LiveFacts:
    """How a run follows the answers that come after it (`actions.refresh`)."""

    until: datetime  # answers received before it have been looked at
    how: str = ""  # "fit", "vote", or "" where it can't follow; as `Method.follows`
    why: str = ""  # the reason where it can't
    counted: int = 0  # answers that the run saw, those to gold questions left out
    answers: int = 0  # that have been added since
    tasks: int = 0  # that they were added to

    def to_json(self) -> dict[str, Any]:
        return {one.name: _json(getattr(self, one.name)) for one in fields(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        known = _known(cls, stored)
        return cls(**known | {"until": datetime.fromisoformat(known["until"])})


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """Of a linking campaign's partition, in numbers of mentions, clusters and pairs of mentions."""

    mentions: int = 0  # that somebody judged
    clusters: int = 0
    alone: int = 0  # clusters of one mention
    largest: int = 0  # mentions of the largest cluster
    pairs: int = 0  # that some worker saw together
    same: float = 0.0  # share of pairs that are the same entity, as the method takes it to be

    def to_json(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**_known(cls, stored))


@dataclass(frozen=True, slots=True)
class CoreferenceFacts:
    """Of the entities that an entity campaign's mentions were grouped into."""

    mentions: int = 0  # that a worker gave an entity to
    entities: int = 0
    same: float = 0.5  # share of pairs that are the same entity, as the method takes it to be
    agreement: tuple[Share, ...] = ()  # between workers, on pairs
    gold: tuple[Share, ...] | None = None  # None where no gold has entities

    def to_json(self) -> dict[str, Any]:
        found = {one.name: _json(getattr(self, one.name)) for one in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        known = _known(cls, stored)
        for name in {"agreement", "gold"} & known.keys():
            known[name] = _shares(known[name])
        return cls(**known)


@dataclass(frozen=True, slots=True)
class CalibrationFacts:
    """How the confidences of choices were tempered (`algorithms.categorical.confidences`)."""

    rho: float = 0.0  # n answers count as n / (1 + (n - 1) rho) votes
    without_gold: float = 0.0  # rho, had there been no gold
    answers_each: float = 0.0  # workers of a task, on average
    correlation: float | None = None  # with which answers foretell each other; None: not known
    gold: int = 0  # tasks that rho was found by
    error: float | None = None  # the calibration error on these, by folds that had no part in it
    is_checked: bool = False  # whether that is gold enough
    is_known: bool = True  # False: no task has two answers, so consensus has no confidence

    def to_json(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**_known(cls, stored))


@dataclass(frozen=True, slots=True)
class SpanFacts:
    """How the confidences of spans were tempered (`algorithms.sequences.span_confidences`), and
    what folds of gold that had no part in it say of them."""

    temperature: float = 1.0  # all weights were divided by it
    stated: float = 1.0  # it, had there been no gold
    documents: int = 0  # with gold that it was learnt from
    span_error: float | None = None  # the calibration error of spans
    word_error: float | None = None  # of words in spans
    outside_error: float | None = None  # of words outside
    expected_f1: float | None = None
    f1: float | None = None

    @property
    def is_of_news(self) -> bool:
        """Whether confidences rest on the number that was right for news articles alone."""
        return not self.documents and self.stated != 1.0

    def to_json(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**_known(cls, stored))


@dataclass(frozen=True, slots=True)
class DifferingFacts:
    """Tasks where the method and a plain vote differ, and what known answers to them say
    (`algorithms.categorical.disputed`)."""

    tasks: int = 0  # where they differ
    share: float = 0.0  # of the tasks that somebody answered
    asked: int = 0  # gold rows of the campaign that were drawn from such tasks
    known: int = 0  # tasks where they differ whose answer is known
    method_right: int = 0
    vote_right: int = 0
    right: float | None = None  # share of these that the outcome has right, by folds
    vote_taken: bool = False
    accuracy: Share | None = None  # of all tasks, both strata weighed; None without random gold
    difference: Share | None = None  # by how much the method is better than the vote, of all tasks

    def to_json(self) -> dict[str, Any]:
        found = {one.name: _json(getattr(self, one.name)) for one in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        known = _known(cls, stored)
        for name in {"accuracy", "difference"} & known.keys():
            known[name] = Share.from_json(known[name])
        return cls(**known)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """All that a complete run says of itself beside its consensus and reliabilities."""

    tasks: int = 0  # with a consensus
    answers: int = 0  # counted responses that it saw; with clamped gold those to gold questions too
    workers: int = 0
    labels: int = 0  # judgments of units (tokens, tasks); linking: votes on pairs
    iterations: int = 0  # 0: a vote
    converged: bool = True
    objective: tuple[float, ...] = ()  # one an iteration; the method says which
    seconds: float = 0.0  # of the fit, without reading and writing
    clamped: bool = False  # whether it was told gold
    live: LiveFacts | None = None  # None: made before runs could follow new answers
    agreement: tuple[Share, ...] = ()  # between workers
    note: str = ""  # what the method has to say of this fit, one sentence
    shown: int | None = None  # answers to hidden gold that it began with; None: it did not
    gold: GoldFacts | None = None  # None: no gold, or the run was told it
    chosen: Mapping[str, int] | None = None  # tasks by chosen class; None where units are tokens
    confidence: tuple[int, ...] | None = None  # tasks in each tenth from 0 to 1
    # The sum of those of its consensus; None where they are not known (`CalibrationFacts.is_known`)
    # and in runs made before these were kept.
    expected_errors: float | None = None
    calibration: CalibrationFacts | None = None  # of choices and relations
    spans: SpanFacts | None = None  # of entities
    # How workers err on spans in the middle, as shares (`algorithms.sequences.span_errors`).
    usual: Mapping[str, float] = field(default_factory=dict)
    clusters: ClusterFacts | None = None  # linking alone
    coreference: CoreferenceFacts | None = None  # None where nobody has made entities
    inputs: Mapping[str, str] | None = None  # digests of what it read (`arrays.inputs`), by part
    differing: DifferingFacts | None = None  # of choices and relations, where gold was asked for
    expected_f1: float | None = None  # of the spans of all tasks, by their confidences
    # By how many refits the intervals of its workers were made; None: by its one fit.
    refits: int | None = None

    @property
    def agreement_is_rough(self) -> bool:
        return self.tasks < AGREEMENT_TASKS

    @property
    def expected_quality(self) -> float | None:
        """What the confidences of all tasks come to: of spans the F1 that is expected, of choices
        and relations the share right; None where neither is known."""
        if self.expected_f1 is not None:
            return self.expected_f1
        number = sum(self.confidence or ())
        if self.chosen is None or self.expected_errors is None or not number:
            return None
        return 1.0 - self.expected_errors / number

    @property
    def has_confidences(self) -> bool:
        """Whether it is known how sure its consensus is (`CalibrationFacts.is_known`)."""
        return self.calibration is None or self.calibration.is_known

    @property
    def is_checked(self) -> bool:
        return self.gold is not None and self.gold.is_checked

    @property
    def checked(self) -> str:
        """Of its confidences, for pages and files."""
        return "checked against gold" if self.is_checked else "not checked against gold"

    def to_json(self) -> dict[str, Any]:
        found = {one.name: _json(getattr(self, one.name)) for one in fields(self)}
        return {name: value for name, value in found.items() if value not in OPTIONAL}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        known = _known(cls, stored)
        for name, part in PARTS.items():
            known[name] = part.from_json(known[name]) if known.get(name) else None
        known |= {"agreement": _shares(known.get("agreement", ()))}
        return cls(**known | {"objective": tuple(known.get("objective", ()))})


PARTS: dict[str, Any] = {
    "live": LiveFacts,
    "gold": GoldFacts,
    "calibration": CalibrationFacts,
    "spans": SpanFacts,
    "clusters": ClusterFacts,
    "coreference": CoreferenceFacts,
    "differing": DifferingFacts,
}


def _known(cls: Any, stored: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored of the fields; null, as a missing one, is the default."""
    names = [one.name for one in fields(cls)]
    return {name: stored[name] for name in names if stored.get(name) is not None}


def _shares(stored: Sequence[Sequence[Any]]) -> tuple[Share, ...]:
    return tuple(map(Share.from_json, stored))


def _json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_json(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    return value.to_json() if hasattr(value, "to_json") else value
