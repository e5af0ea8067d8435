"""From a file of labels to a file of what is probably true."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import Aggregator, Diagnostics, LocalPool, MajorityVote, Pool
from aggregation.algorithms.categorical.confidences import Confidences
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.sequences.span_confidences import SpanConfidences
from aggregation.algorithms.shards import OpenShards
from aggregation.files.data import BadArgument, CrowdFile, Repeated, Stage
from aggregation.files.differing import read_known, verdict_of, write_differing
from aggregation.files.readers import LabelFile, format_of_name
from aggregation.files.targets import check_format, check_target, same_file
from aggregation.files.writers import write_labels, write_reliability, write_tags
from aggregation.methods.pools import check_jobs, pool_for
from aggregation.methods.registry import METHODS, Method, Parameters, checked_parameters, either
from aggregation.methods.words import Default, default_for_classes, default_for_spans
from annotation.formats.output import replaced, replaced_bytes

MOST_CELLS = 2**30  # of a table of units or of workers: 8 GiB


@dataclass(frozen=True, slots=True)
class Done:
    """`units` are tokens, or None for a file of items. `why` says why the method was taken, where
    none was named, `repeated` is how many judgments came after another of the same worker and
    item."""

    method: str
    why: str
    repeated: int
    names: int
    units: int | None
    labels: int
    workers: int
    diagnostics: Diagnostics
    note: str
    verdict: str


def aggregate_file(
    path: str,
    method: str | None,
    out: Path,
    *,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    jobs: int = 1,
    clamp_gold: bool = False,
    classes: Sequence[str] | None = None,
    repeated: Repeated = "last",
    reliability: Path | None = None,
    model: Path | None = None,
    differ: Path | None = None,
    known: Path | None = None,
    stage: Stage = lambda name, total: nullcontext(lambda number: None),
) -> Done:
    """Read, fit, and write `out` and, where they are asked for, the workers' `reliability` and the
    tagger that the method trained, as `model`. Without a `method` the file gets the one that a
    campaign with its answers would.

    `differ` gets at most thirty items where method and vote differ, to be answered by somebody who
    knows; `known` is such a file with its column gold filled in, by which the better of the two is
    taken.

    `path` "-" is the standard input. Raises ValueError (BadFile among them) or OSError with a
    sentence for people; the files to be written are then as they were.
    """
    chosen = None
    if method is not None:
        chosen = _Chosen.checked(method, parameters, jobs, clamp_gold, model)
    _check_targets(path, out, reliability, model, differ)
    with LabelFile(path) as file:
        if chosen is not None:
            _check_suits(file, chosen.method, chosen.name)
        if file.format != "csv" and (differ is not None or known is not None):
            raise BadArgument("differ.items", file=file.name)
        check_format(out, file.format)
        total = os.path.getsize(path) if path != "-" else None
        with stage("reading, in bytes", total) as advance:
            data = file.read(clamp=clamp_gold, classes=classes, repeated=repeated, advance=advance)
        _check_size(data, file.name)
    why = ""
    if chosen is None:
        default = _default(data)
        given = {**default.parameters, **(parameters or {})}
        chosen = _Chosen.checked(default.method, given, jobs, clamp_gold, model)
        why = default.why
    with stage(f"fitting {chosen.name}, passes over the labels", None) as advance:
        fitted = _fitted(chosen, data, seed, jobs, clamp_gold, advance)
    verdict, of_method = None, fitted
    if known is not None:
        verdict = verdict_of(data, fitted.predict(), read_known(known), seed=seed)
        if verdict.vote_taken:
            fitted = MajorityVote().fit(data.labels)
    found = _confidences(data, fitted, clamp_gold, seed)
    of_spans = None
    if data.sequences is not None:
        unclamped = None
        if clamp_gold and (data.gold >= 0).any():
            # One that was told the truth of a text can't teach how sure it may be of others.
            with stage(f"fitting {chosen.name} without gold", None) as advance:
                unclamped = _fitted(chosen, data, seed, jobs, False, advance)
        of_spans = SpanConfidences.of(
            fitted,
            data.sequences,
            gold=data.gold if clamp_gold else None,
            told=data.gold if clamp_gold else None,
            unclamped=unclamped,
            seed=seed,
        )
    with ExitStack() as targets:
        text = targets.enter_context(replaced(out))
        if reliability is not None:
            workers = targets.enter_context(replaced(reliability))
            form = format_of_name(reliability) or ""
            write_reliability(workers, form, data, fitted.reliability_)
        if differ is not None:
            to_ask = targets.enter_context(replaced(differ))
            write_differing(to_ask, data, of_method.predict(), seed)
        if model is not None:
            trained: Any = fitted
            trained.tagger_.save(targets.enter_context(replaced_bytes(model)))
        predicted = fitted.predict()
        with stage("writing", len(data.names)) as advance:
            if of_spans is not None:
                sure = _confidence(of_spans.posterior, predicted, data)
                checked = of_spans.is_checked
                write_tags(text, data, predicted, sure, of_spans.spans, advance, is_checked=checked)
            else:
                posterior = fitted.posterior_ if found is None else found.posterior
                sure = _confidence(posterior, predicted, data)
                if found is not None and not found.is_known:
                    sure = np.where(data.gold >= 0, sure, np.nan)
                checked = found is not None and found.is_checked
                write_labels(text, data, predicted, sure, advance, is_checked=checked)
    return Done(
        method=chosen.name,
        why=why,
        repeated=data.repeated,
        names=len(data.names),
        units=None if data.sequences is None else data.labels.n_units,
        labels=data.labels.n_labels,
        workers=len(data.workers),
        diagnostics=of_method.diagnostics_,
        note=_note(fitted, found or of_spans),
        verdict="" if verdict is None else verdict.sentence(chosen.name),
    )


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A method with all of its parameters."""

    name: str
    method: Method
    parameters: Parameters

    @classmethod
    def checked(
        cls,
        name: str,
        parameters: Mapping[str, Any] | None,
        jobs: int,
        clamp_gold: bool,
        model: Path | None,
    ) -> Self:
        """Raises ValueError for a method that can't do what is asked for."""
        method = _method(name)
        found = checked_parameters(name, parameters or {})
        _check_usable(method, jobs, clamp_gold)
        if model is not None:
            _check_trains(method, name)
        return cls(name, method, found)


def _default(data: CrowdFile) -> Default:
    if data.sequences is None:
        return default_for_classes()
    words = data.labels.n_labels
    answered = int(np.count_nonzero(data.labels.labelled()))
    return default_for_spans(
        words / max(len(data.workers), 1), words=words, single=words == answered
    )


def _fitted(
    chosen: _Chosen,
    data: CrowdFile,
    seed: int,
    jobs: int,
    clamp: bool,
    advance: Callable[[int], None],
) -> Aggregator:
    method = chosen.method
    with pool_for(jobs, data.labels.n_labels) as pool:
        return method.fit(
            chosen.parameters,
            data.labels,
            data.sequences,
            seed=seed,
            gold=data.gold if clamp else None,
            pool=_ProgressPool(pool or LocalPool(), advance) if "pool" in method.can_use else None,
        )


def _note(fitted: Aggregator, found: Confidences | SpanConfidences | None) -> str:
    """What the fit notes, and of confidences how far they can be trusted."""
    if not isinstance(found, SpanConfidences):
        return fitted.diagnostics_.note if found is None else found.sentence()
    return " ".join(filter(None, [fitted.diagnostics_.note, found.sentence()]))


def _confidences(
    data: CrowdFile, fitted: Aggregator, clamped: bool, seed: int
) -> Confidences | None:
    if data.sequences is not None:
        return None
    gold = data.gold if clamped else None
    method = cast(CategoricalEstimator, fitted)
    return Confidences.of(method, data.labels, gold=gold, told=gold, seed=seed)


class _ProgressPool:
    """A pool that tells each pass over its parts."""

    def __init__(self, pool: Pool, advance: Callable[[int], None]):
        self._pool, self._advance = pool, advance
        self.size = pool.size

    def open(self, make: Callable[..., Any], shards: Iterable[tuple[Any, ...]]) -> OpenShards:
        return _ProgressShards(self._pool.open(make, shards), self._advance)


class _ProgressShards:
    def __init__(self, parts: OpenShards, advance: Callable[[int], None]):
        self._parts, self._advance = parts, advance

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        return self._with_progress(
            self._parts.each(verb, *arguments)
        )  # which may be at work already

    def _with_progress(self, results: Iterator[Any]) -> Iterator[Any]:
        yield from results
        self._advance(1)


def _confidence(
    posterior: NDArray[np.float64], predicted: NDArray[np.int64], data: CrowdFile
) -> NDArray[np.float64]:
    """Of what was predicted, shape (n_units,); NaN where nobody said anything, nor gold does."""
    confidence = posterior[np.arange(len(predicted)), predicted]
    return np.where(data.labels.labelled() | (data.gold >= 0), confidence, np.nan)


# --- Checks, before anything is read ------------------------------------------------------------


def _method(name: str) -> Method:
    possible = [known for known, method in METHODS.items() if method.takes != "clusters"]
    if name not in possible:
        if name in METHODS:
            raise BadArgument("method.for_piles", method=name, possible=either(possible))
        raise BadArgument("method.unknown", method=name, possible=either(possible))
    return METHODS[name]


def _check_usable(method: Method, jobs: int, clamp_gold: bool) -> None:
    check_jobs(jobs)
    method.check_can_use(*(["gold"] if clamp_gold else []), *(["pool"] if jobs > 1 else []))


def _check_trains(method: Method, name: str) -> None:
    if not method.trains:
        possible = [name for name, known in METHODS.items() if known.trains]
        raise BadArgument("method.trains_nothing", method=name, possible=either(possible))


def _check_targets(
    path: str, out: Path, reliability: Path | None, model: Path | None, differ: Path | None
) -> None:
    given = {"--out": out, "--reliability": reliability, "--model": model, "--differ": differ}
    targets = {option: target for option, target in given.items() if target is not None}
    for option, target in targets.items():
        check_target(option, target, path)
    for (one, first), (other, second) in combinations(targets.items(), 2):
        if same_file(first, second):
            raise BadArgument("targets.same", one=one, other=other, file=first)
    if reliability is not None and format_of_name(reliability) is None:
        raise BadArgument("targets.reliability", file=reliability)
    if model is not None and model.suffix != ".npz":
        raise BadArgument("targets.model", file=model)


def _check_suits(file: LabelFile, method: Method, name: str) -> None:
    if file.format == "csv" and method.takes == "sequences":
        possible = [name for name, known in METHODS.items() if known.takes == "labels"]
        raise BadArgument("method.for_tags", method=name, file=file.name, possible=either(possible))


def _check_size(data: CrowdFile, name: str) -> None:
    """A column of remarks in the place of labels would take all memory there is."""
    n_classes = len(data.classes)
    cells = n_classes * max(data.labels.n_units, len(data.workers) * n_classes)
    if cells > MOST_CELLS:
        raise BadArgument(
            "labels.many",
            file=name,
            classes=n_classes,
            units=data.labels.n_units,
            workers=len(data.workers),
            size=8 * cells / 2**30,
        )
