"""Nine sentences with their tags, and what a field may see of them.

What python-crfsuite finds on them is in test_objective.py; `./run bench crf --fixture` finds it
anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

TAGS = ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")
SENTENCES = (
    ("Mrs Ada Ortega flew to Port Selby .", "O B-PER I-PER O O B-LOC I-LOC O"),
    ("Port Selby lies north of Aldra .", "B-LOC I-LOC O O O B-LOC O"),
    ("Ada met Bo Lindqvist there .", "B-PER O B-PER I-PER O O"),
    ("It rained .", "O O O"),
    ("Aldra", "B-LOC"),
    ("Mr Lindqvist left for Aldra with Ada Ortega .", "O B-PER O O B-LOC O B-PER I-PER O"),
    ("the port of Selby was closed", "O O O B-LOC O O"),
    ("Ortega !", "B-PER O"),
    ("North Aldra is in the north .", "B-LOC I-LOC O O O O O"),
)
TIMES = (1, 1, 2, 1, 1, 1, 3, 1, 1)  # how often each sentence counts


def attributes() -> list[list[list[str]]]:
    """Of each token of each sentence."""
    return [
        [_seen(words, t) for t in range(len(words))]
        for words in (sentence.split() for sentence, _ in SENTENCES)
    ]


def tags() -> list[list[str]]:
    return [said.split() for _, said in SENTENCES]


def starts() -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum([len(row) for row in tags()])))


def tag_numbers() -> NDArray[np.int64]:
    return np.array([TAGS.index(tag) for row in tags() for tag in row])


def matrix() -> tuple[csr_array, list[str]]:
    """The attributes as columns, with their names."""
    tokens = [seen for sentence in attributes() for seen in sentence]
    names = sorted({name for seen in tokens for name in seen})
    place = {name: i for i, name in enumerate(names)}
    columns = [sorted(place[name] for name in seen) for seen in tokens]
    ends = np.concatenate(([0], np.cumsum([len(row) for row in columns])))
    flat = np.concatenate(columns)
    return csr_array((np.ones(len(flat)), flat, ends), shape=(len(tokens), len(names))), names


def _seen(words: list[str], t: int) -> list[str]:
    word = words[t]
    seen = ["bias", f"word={word}", f"lower={word.lower()}", f"suffix={word[-2:]}"]
    seen.append(f"upper={word[0].isupper()}")
    if t:
        seen.append(f"before={words[t - 1]}")
    if t + 1 < len(words):
        seen.append(f"after={words[t + 1]}")
    return seen
