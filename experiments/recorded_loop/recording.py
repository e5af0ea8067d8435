"""Articles with recorded answers, of which some are only scored and the others may be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.tokens import tokens_of
from aggregation.files.data import BadFile
from aggregation.files.readers import read_file
from selection.algorithms import Documents, Pool

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """
    Attributes
    ----------
    name : of the file
    crowd : what workers said of all articles
    gold : array of shape (n_tokens,), numbers of `tags`; -1 where it is not known
    tags : those of the crowd, then what gold alone knows
    scored : articles on which taggers are scored, and which are never chosen
    free : those that can be chosen; both ascending. Of the others no gold is known: their texts
        alone are looked at.
    answers, words : array of shape (n_articles,)
        How many answers each article has, and how many words they have labelled.
    """

    name: str
    crowd: CrowdSequences
    gold: Integers
    tags: tuple[str, ...]
    scored: Integers
    free: Integers
    answers: Integers
    words: Integers

    @property
    def examples(self) -> Documents:
        return Documents(Text.of_sequences(self.crowd))

    def gold_of(self, articles: Integers) -> Integers:
        return np.asarray(self.gold[tokens_of(self.examples.token_starts(), articles)[0]])

    def pool(self) -> Pool:
        """All articles; the cost of one is how many words its answers label, 1 on average of those
        that can be chosen."""
        text = Text.of_sequences(self.crowd)
        article = np.repeat(text.document_of_sequence(), np.diff(text.starts))
        counts = sparse.csr_array(
            (np.ones(text.n_tokens), (article, text.words)),
            shape=(text.n_documents, len(text.vocabulary)),
        )
        cost = np.maximum(self.words, 1) / self.words[self.free].mean()
        pool = Pool.of_counts(counts, cost=cost)
        return Pool(pool.pairs, pool.values, pool.vectors, cost, self.examples)


def read_recording(path: Path, held_out: int, seed: int = 0) -> Recording:
    """JSON lines of documents, some of them with gold, of which `held_out` are drawn to be scored.
    Raises BadFile."""
    file = read_file(path, gold=True)
    if file.sequences is None:
        raise BadFile(f"{path} holds items. The experiment is on documents: JSON lines.")
    return recording_of(path.name, file.sequences, file.gold, file.known_classes, held_out, seed)


def recording_of(
    name: str,
    crowd: CrowdSequences,
    gold: Integers,
    tags: tuple[str, ...],
    held_out: int,
    seed: int = 0,
) -> Recording:
    text = Text.of_sequences(crowd)
    article = np.repeat(text.document_of_sequence(), np.diff(text.starts)).astype(np.int64)
    n = text.n_documents
    unknown = np.bincount(article, gold == UNKNOWN, minlength=n)
    told = np.unique(article[crowd.token] * crowd.n_workers + crowd.worker)
    answers = np.bincount(told // crowd.n_workers, minlength=n)
    words = np.bincount(article[crowd.token], minlength=n)
    usable = np.flatnonzero((unknown == 0) & (answers > 0))
    if len(usable) < held_out + 2:
        raise BadFile(
            f"{name} has {len(usable)} articles with gold and answers. The experiment scores "
            f"{held_out} of them and chooses among the others."
        )
    order = np.random.default_rng(seed).permutation(usable)
    return Recording(
        name, crowd, gold, tags, np.sort(order[:held_out]), np.sort(order[held_out:]), answers,
        words,
    )  # fmt: skip
