"""Texts with spans of two types, for which nothing real is needed."""

import json

import numpy as np

from aggregation.algorithms import ordered_tags
from aggregation.algorithms.sequences.crf.text import Text
from experiments.crf.corpus import Half

NAMES = {"PER": ["Ada", "Bea", "Cid", "Dora", "Emil"], "LOC": ["Genoa", "Halle", "Jena"]}
REST = ["went", "came", "saw", "left", "the", "a", "to", "from", "with", ",", "old", "often"]
END = "."


def typed_documents(n_documents=12, *, seed=0):
    """Tokens and tags of the sentences of each document."""
    rng = np.random.default_rng(seed)
    return [[_sentence(rng) for _ in range(rng.integers(2, 6))] for _ in range(n_documents)]


def typed_half(n_documents=12):
    """A Half, and its tags."""
    documents = typed_documents(n_documents)
    sentences = [sentence for document in documents for sentence in document]
    tags = ordered_tags({"B-PER", "B-LOC"})
    number = {tag: i for i, tag in enumerate(tags)}
    text = Text.of([tokens for tokens, _ in sentences], np.cumsum([0, *map(len, documents)]))
    return Half(text, np.array([number[tag] for _, row in sentences for tag in row])), tags


def typed_file(path, n_documents=12, *, workers=3, gold=True):
    """JSON lines of documents that some of five workers tagged, each missing some spans."""
    rng = np.random.default_rng(1)
    with path.open("w") as file:
        for i, sentences in enumerate(typed_documents(n_documents)):
            truth = [tag for _, tags in sentences for tag in tags]
            starts = np.cumsum([0, *(len(tokens) for tokens, _ in sentences)])[:-1].tolist()
            document = {
                "id": f"d{i}",
                "tokens": [token for tokens, _ in sentences for token in tokens],
                "sent_starts": starts,
                "workers": {
                    f"w{w}": ["O" if rng.random() < 0.1 + 0.1 * w else tag for tag in truth]
                    for w in rng.choice(5, workers, replace=False).tolist()
                },
                "gold": truth if gold else None,
            }
            file.write(json.dumps(document) + "\n")
    return path


def _sentence(rng):
    tokens, tags = [], []
    for _ in range(rng.integers(2, 5)):
        kind = ("PER", "LOC", "")[int(rng.integers(3))]
        words = rng.choice(NAMES[kind] if kind else REST, int(rng.integers(1, 3))).tolist()
        tokens += words
        tags += [f"{'I' if i else 'B'}-{kind}" if kind else "O" for i in range(len(words))]
    return [*tokens, END], [*tags, "O"]
