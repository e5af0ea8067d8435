"""Rows → arrays of texts: those with a consensus, to learn from, and those to be tagged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.sequences.crf.text import Text
from aggregation.models import AggregationRun, Consensus

READ = 500  # rows fetched at a time

Read = tuple[str, Sequence[Sequence[int]], Sequence[Sequence[int]]]  # text, tokens, sentences


def text_of(documents: Iterable[Read]) -> Text:
    sentences: list[list[str]] = []
    ends = [0]
    for document in documents:
        sentences.extend(_sentences(*document))
        ends.append(len(sentences))
    return Text.of(sentences, ends)


def _sentences(
    text: str, tokens: Sequence[Sequence[int]], sentences: Sequence[Sequence[int]]
) -> Iterator[list[str]]:
    """Every token is in one, also where the document says that it is in none."""
    edges = sorted({0, len(tokens), *(edge for sentence in sentences for edge in sentence)})
    for first, last in pairwise(edges):
        yield [text[start:end] for start, end in tokens[first:last]]


def consensus_texts(run: AggregationRun) -> tuple[Text, NDArray[np.float64]]:
    """The documents of an entity run, each with its consensus: shape (n_tokens, n_tags), NaN where
    nobody judged the token. One query."""
    rows = (
        Consensus.objects.filter(run=run)
        .exclude(task__document=None)
        .order_by("task")
        .values_list(
            "probabilities", "task__document__text", "task__document__tokens",
            "task__document__sentences",
        )
    )  # fmt: skip
    parts = [np.empty((0, len(run.classes)))]
    documents: list[Read] = []
    for probabilities, *document in rows.iterator(chunk_size=READ):
        values: NDArray[Any] = np.frombuffer(bytes(probabilities), dtype="<f2")
        parts.append(values.astype(np.float64).reshape(-1, len(run.classes)))
        documents.append((document[0], document[1], document[2]))
    return text_of(documents), np.concatenate(parts)
