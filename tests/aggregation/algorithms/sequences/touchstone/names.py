"""A crowd that marks names in a text whose words tell what they are by how they end."""

from __future__ import annotations

import numpy as np

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.data import numbered_words
from tests.aggregation.algorithms.tagging import Tagged

TAGS = ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")
ENDINGS = {"PER": ("son", "ette", "ov"), "LOC": ("ville", "burg", "shire")}
SYLLABLES = ("ka", "lo", "mi", "ter", "ban", "ru", "sel", "do")
SENTENCE, DOCUMENT = 10, 4  # tokens, sentences


def names(
    *,
    seed: int = 0,
    n_documents: int = 60,
    n_workers: int = 8,
    redundancy: int = 2,
    miss: float = 0.3,
    confuse: float = 0.2,
    with_words: bool = True,
) -> Tagged:
    """Two names in a sentence, each new, of one or two words. `redundancy` of the workers tag a
    document; they miss some names and take some for the other type."""
    rng = np.random.default_rng(seed)
    words, truth = [], []
    for _ in range(n_documents * DOCUMENT):
        sentence = [f"w{i}" for i in rng.integers(30, size=SENTENCE)]
        tags = [4] * SENTENCE
        for place in (rng.integers(0, 3), rng.integers(5, 8)):
            kind = int(rng.integers(2))  # LOC, PER
            for i in range(int(rng.integers(1, 3))):
                stem = "".join(rng.choice(SYLLABLES, size=2)).capitalize()
                sentence[place + i] = stem + str(rng.choice(ENDINGS[("LOC", "PER")[kind]]))
                tags[place + i] = kind + 2 * (i > 0)
        words += sentence
        truth += tags
    token, worker, label = [], [], []
    size = SENTENCE * DOCUMENT
    for d in range(n_documents):
        for w in rng.choice(n_workers, size=redundancy, replace=False):
            said = np.array(truth[d * size : (d + 1) * size])
            for begin in np.flatnonzero(said < 2):
                span = [begin] if said[begin + 1] not in (2, 3) else [begin, begin + 1]
                chance = rng.random()
                if chance < miss:
                    said[span] = 4
                elif chance < miss + confuse:
                    said[span] = said[span] ^ 1  # LOC and PER are neighbours
            token.append(np.arange(d * size, (d + 1) * size))
            worker.append(np.full(size, w))
            label.append(said)
    numbers, vocabulary = numbered_words(words)
    n_sequences = n_documents * DOCUMENT
    return Tagged(
        CrowdSequences(
            np.concatenate(token),
            np.concatenate(worker),
            np.concatenate(label),
            starts=np.arange(n_sequences + 1) * SENTENCE,
            n_workers=n_workers,
            tags=TAGS,
            words=numbers if with_words else None,
            vocabulary=vocabulary if with_words else (),
            documents=np.arange(n_documents + 1) * DOCUMENT,
        ),
        np.array(truth),
    )
