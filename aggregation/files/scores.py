"""How good a file of tags or labels is, against a file of the truth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import SpanScore, bootstrap_interval, calibration_of, ordered_tags
from aggregation.algorithms.measures.calibration import Calibration, cross_entropy
from aggregation.algorithms.measures.intervals import accuracy_interval, strict_intervals
from aggregation.algorithms.measures.spans import (
    find_spans,
    relaxed_shares,
    score_labels,
    sentence_heads,
    stray_tags,
    strict_shares,
)
from aggregation.algorithms.sequences.span_confidences import SpanCheck
from aggregation.files.answers import (
    ItemFile,
    Labelled,
    TagFile,
    Tagged,
    read_answers,
)
from aggregation.files.data import BadFile, Stage, renumbered
from annotation.sentences import shown

CLIP = 1e-6  # confidences in files are rounded to this
NAMES = ("P", "R", "F1")


@dataclass(frozen=True, slots=True)
class Share:
    """A share from 0 to 1; None where it is a share of nothing.

    `interval` is the 95 % one (`measures.intervals`; of relaxed shares by a bootstrap); None where
    one document says nothing of others.
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class FileScore:
    """Of documents: `strict` and `relaxed` are P, R and F1 of spans, `units` are sentences, drawn
    by documents. Of items: `strict` is the accuracy, `relaxed` is empty, `units` are items."""

    strict: tuple[Share, ...]
    relaxed: tuple[Share, ...]
    types: dict[str, SpanScore]
    spans: SpanScore | None
    units: int
    documents: int  # in which there is a unit that counts
    calibration_error: float | None
    by_chance: float | None  # the error on average, were confidences exactly right
    cross_entropy: float | None  # of being right or wrong, in nats
    judgments: int  # tokens or items that these two are over
    span_check: SpanCheck | None = None  # where the file says how sure its spans are
    stray: tuple[int, int] = (0, 0)  # I-x without an open x: predicted, and in gold
    unlabelled: int = 0  # sentences of which nobody labelled a token
    unknown: int = 0  # sentences of which gold does not know all tags
    without_gold: list[str] = field(default_factory=list)
    not_predicted: list[str] = field(default_factory=list)


def score_files(
    predicted: str,
    gold: str,
    *,
    seed: int = 0,
    conlleval: bool = False,
    stage: Stage = lambda name, total: nullcontext(lambda number: None),
) -> FileScore:
    """`seed` is the bootstrap's. With `conlleval` an I-x without an open x begins a span, as in the
    script of the CoNLL shared tasks. Raises BadFile."""
    files = []
    for path, is_gold in ((predicted, False), (gold, True)):
        total = os.path.getsize(path) if os.path.isfile(path) else None
        with stage(f"reading {os.path.basename(path)}, in bytes", total) as advance:
            files.append(read_answers(path, gold=is_gold, advance=advance))
    ours, theirs = files
    if isinstance(ours, TagFile) and isinstance(theirs, TagFile):
        return _score_tags(ours, theirs, seed, conlleval)
    if isinstance(ours, ItemFile) and isinstance(theirs, ItemFile):
        return _score_items(ours, theirs)
    if isinstance(ours, TagFile):
        raise BadFile("scores.tags_and_items", ours=ours.name, theirs=theirs.name)
    raise BadFile("scores.items_and_tags", ours=ours.name, theirs=theirs.name)


def _score_tags(ours: TagFile, theirs: TagFile, seed: int, conlleval: bool) -> FileScore:
    pairs, without_gold = _paired(ours, theirs)
    tags = ordered_tags({*ours.names, *theirs.names})
    predicted = _joined(pairs, 0, ours.names, tags)
    gold = _joined(pairs, 1, theirs.names, tags)
    sure = np.concatenate([
        np.full(len(one.tags), np.nan) if one.confidence is None else one.confidence
        for one, _ in pairs
    ])  # fmt: skip
    lengths, document = _sentences(pairs)

    sentence = np.repeat(np.arange(len(lengths)), lengths)
    labelled = np.bincount(sentence, predicted >= 0, minlength=len(lengths)) > 0
    unknown = np.bincount(sentence, gold < 0, minlength=len(lengths)) > 0
    counted = labelled & ~unknown
    check = _span_check(ours, pairs, predicted, gold, sure, tags, lengths, counted, document)
    if not counted.any():
        raise BadFile("scores.no_gold_of_sentences", ours=ours.name, theirs=theirs.name)
    kept = counted[sentence]
    predicted, gold, sure = predicted[kept], gold[kept], sure[kept]
    documents, group = np.unique(document[counted], return_inverse=True)
    chosen = np.where(predicted < 0, len(tags) - 1, predicted)  # what nobody labelled is taken as O
    starts = np.concatenate(([0], np.cumsum(lengths[counted])))
    found = score_labels(
        chosen,
        gold,
        tags,
        starts,
        groups=np.repeat(group, lengths[counted]),
        conlleval=conlleval,
    )
    first = sentence_heads(starts, len(gold))
    counts = found.counts.sum(axis=1)
    error, by_chance, entropy, judgments = _calibration(
        sure[predicted >= 0], (predicted == gold)[predicted >= 0]
    )
    return FileScore(
        strict=_strict(counts),
        relaxed=_relaxed(counts, seed),
        types=found.strict_by_type() if not ours.untyped else {},
        spans=found.strict(),
        units=int(counted.sum()),
        documents=len(documents),
        calibration_error=error,
        by_chance=by_chance,
        cross_entropy=entropy,
        judgments=judgments,
        span_check=check,
        stray=(len(stray_tags(chosen, tags, first)), len(stray_tags(gold, tags, first))),
        unlabelled=int((~labelled).sum()),
        unknown=int((labelled & unknown).sum()),
        without_gold=without_gold,
        not_predicted=[name for name in theirs.documents if name not in ours.documents],
    )


def _span_check(
    ours: TagFile,
    pairs: Sequence[tuple[Tagged, Tagged]],
    predicted: NDArray[np.int64],
    gold: NDArray[np.int64],
    sure: NDArray[np.float64],
    tags: tuple[str, ...],
    lengths: NDArray[np.int64],
    counted: NDArray[np.bool_],
    document: NDArray[np.int64],
) -> SpanCheck | None:
    """Of the sentences that count; None where the file has no confidences of spans. Expected and
    true F1 are of documents in which all sentences count that somebody labelled."""
    if any(one.span_confidence is None for one, _ in pairs):
        return None
    outside = len(tags) - 1
    first = sentence_heads(np.concatenate(([0], np.cumsum(lengths))), len(gold))
    start, end, kind = find_spans(np.where(predicted < 0, outside, predicted), tags, first)
    of_document = np.repeat(document, lengths)
    found = np.bincount(of_document[start], minlength=len(pairs))
    for (one, _), number in zip(pairs, found.tolist(), strict=True):
        assert one.span_confidence is not None
        if len(one.span_confidence) != number:
            raise BadFile(
                "scores.spans",
                file=ours.name,
                line=one.line,
                number=len(one.span_confidence),
                there=number,
            )
    p = np.concatenate([one.span_confidence for one, _ in pairs if one.span_confidence is not None])
    truth = np.where(gold < 0, outside, gold)
    true = find_spans(truth, tags, first)
    places = set(zip(*(part.tolist() for part in true), strict=True))
    right = np.array(
        [place in places for place in zip(start.tolist(), end.tolist(), kind.tolist(), strict=True)]
    )
    of_token = np.repeat(counted, lengths)
    kept = of_token[start]
    labelled = of_token & (predicted >= 0)
    entity = labelled & (predicted != outside)
    other = labelled & (predicted == outside)
    hit = predicted == gold
    silent = np.bincount(np.repeat(np.arange(len(lengths)), lengths), predicted >= 0, len(lengths))
    partly = np.bincount(document, ~counted & (silent > 0), len(pairs)) > 0
    whole = [
        i for i, (one, _) in enumerate(pairs) if not partly[i] and one.expected_spans is not None
    ]
    own = np.isin(of_document[start], whole)
    both = own.sum() + sum(pairs[i][0].expected_spans or 0.0 for i in whole)
    in_gold = int((np.isin(of_document[true[0]], whole) & of_token[true[0]]).sum())
    return SpanCheck(
        spans=calibration_of(p[kept], right[kept]),
        entities=_known_calibration(sure[entity], hit[entity]),
        others=_known_calibration(sure[other], hit[other]),
        expected_f1=2 * float(p[own].sum()) / float(both) if both > 0 else None,
        f1=2 * int(right[own].sum()) / (int(own.sum()) + in_gold) if own.sum() + in_gold else None,
    )


def _known_calibration(sure: NDArray[np.float64], hit: NDArray[np.bool_]) -> Calibration:
    rated = ~np.isnan(sure)
    return calibration_of(sure[rated], hit[rated])


def _paired(ours: TagFile, theirs: TagFile) -> tuple[list[tuple[Tagged, Tagged]], list[str]]:
    """The documents of both files, and the ids of those whose gold is null."""
    pairs, without_gold = [], []
    for name, one in ours.documents.items():
        assert one is not None  # which tags are never
        if name not in theirs.documents:
            raise BadFile(
                "scores.document_missing",
                file=ours.name,
                line=one.line,
                id=shown(name),
                theirs=theirs.name,
            )
        other = theirs.documents[name]
        if other is None:
            without_gold.append(name)
            continue
        if len(one.tags) != len(other.tags):
            raise BadFile(
                "scores.tags",
                file=ours.name,
                line=one.line,
                id=shown(name),
                number=len(one.tags),
                there=len(other.tags),
                theirs=theirs.name,
                their_line=other.line,
            )
        pairs.append((one, other))
    if not pairs:
        raise BadFile("scores.no_gold_of_documents", ours=ours.name, theirs=theirs.name)
    has_types = [any(name != "O" for name in file.names) for file in (ours, theirs)]
    if all(has_types) and ours.untyped != theirs.untyped:
        typed, bare = (theirs, ours) if ours.untyped else (ours, theirs)
        raise BadFile("scores.types", typed=typed.name, bare=bare.name)
    return pairs, without_gold


def _joined(
    pairs: Sequence[tuple[Tagged, Tagged]], side: int, names: list[str], tags: tuple[str, ...]
) -> NDArray[np.int64]:
    """Numbers of `tags` of all tokens, -1 where it is ?."""
    number = np.append(renumbered(names, tags), -1)  # whose last place -1 is
    return number[np.concatenate([pair[side].tags for pair in pairs])].astype(np.int64)


def _sentences(
    pairs: Sequence[tuple[Tagged, Tagged]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Length and number of the document of each sentence of gold."""
    lengths: list[int] = []
    document: list[int] = []
    for i, (_, gold) in enumerate(pairs):
        edges = [*gold.starts, len(gold.tags)]
        lengths += [end - start for start, end in pairwise(edges)]
        document += [i] * len(gold.starts)
    return np.array(lengths, dtype=np.int64), np.array(document, dtype=np.int64)


def _score_items(ours: ItemFile, theirs: ItemFile) -> FileScore:
    known: list[tuple[Labelled, Labelled]] = []
    without_gold = []
    for name, one in ours.items.items():
        if name not in theirs.items:
            raise BadFile(
                "scores.item_missing",
                file=ours.name,
                line=one.line,
                item=shown(name),
                theirs=theirs.name,
            )
        if theirs.items[name].label is None:
            without_gold.append(name)
        else:
            known.append((one, theirs.items[name]))
    if not known:
        raise BadFile("scores.no_gold_of_items", ours=ours.name, theirs=theirs.name)
    right = np.array([one.label == gold.label for one, gold in known])
    interval = accuracy_interval(right, np.ones(len(right)))
    sure = np.array([one.confidence for one, _ in known])
    error, by_chance, entropy, judgments = _calibration(sure, right)
    return FileScore(
        strict=(Share("accuracy", float(right.mean()), interval),),
        relaxed=(),
        types={},
        spans=None,
        units=len(known),
        documents=len(known),
        calibration_error=error,
        by_chance=by_chance,
        cross_entropy=entropy,
        judgments=judgments,
        without_gold=without_gold,
        not_predicted=[name for name in theirs.items if name not in ours.items],
    )


def _strict(counts: NDArray[np.float64]) -> tuple[Share, ...]:
    values = strict_shares(counts.sum(axis=0, keepdims=True))[0]
    return tuple(
        Share(name, None if np.isnan(value) else float(value), interval)
        for name, value, interval in zip(NAMES, values, strict_intervals(counts), strict=True)
    )


def _relaxed(counts: NDArray[np.float64], seed: int) -> tuple[Share, ...]:
    """With intervals that draw documents."""
    values = relaxed_shares(counts.sum(axis=0, keepdims=True))[0]
    low = high = np.full(len(NAMES), np.nan)
    if len(counts) > 1:
        low, high = bootstrap_interval(counts, relaxed_shares, seed=seed)
    return tuple(
        Share(
            name,
            None if np.isnan(value) else float(value),
            None if np.isnan(value) or np.isnan(a) else (float(a), float(b)),
        )
        for name, value, a, b in zip(NAMES, values, low, high, strict=True)
    )


def _calibration(
    sure: NDArray[np.float64], right: NDArray[np.bool_]
) -> tuple[float | None, float | None, float | None, int]:
    """Of judgments with a confidence: calibration error, what of it is chance, cross entropy, how
    many there are.

    A file holds the confidence in what was chosen alone, so the cross entropy is that of its
    being right or wrong, which is at most that of the classes.
    """
    rated = ~np.isnan(sure)
    sure, right = sure[rated], right[rated]
    entropy = cross_entropy(np.column_stack([1 - sure, sure]), right.astype(np.int64), clip=CLIP)
    found = calibration_of(sure, right)
    return found.error, found.by_chance, entropy, len(sure)
