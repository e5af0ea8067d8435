"""Rows ↔ arrays of the crowd's answers: the only place."""

from aggregation.arrays.answers import (
    Advance,
    Crowd,
    Numbering,
    UnknownClass,
    Vectors,
    read_vectors,
)
from aggregation.arrays.gold import gold_counts
from aggregation.arrays.inputs import digest_of, inputs_of
from aggregation.arrays.labels import load_labels
from aggregation.arrays.relations import load_relations
from aggregation.arrays.sequences import load_sequences
from aggregation.arrays.writing import (
    DECIMALS,
    TENTHS,
    WRITTEN,
    Saved,
    consensus_of,
    save_refreshed,
    save_run,
    stored,
    tenth,
)

__all__ = [
    "DECIMALS",
    "TENTHS",
    "WRITTEN",
    "Advance",
    "Crowd",
    "Numbering",
    "Saved",
    "UnknownClass",
    "Vectors",
    "consensus_of",
    "digest_of",
    "gold_counts",
    "inputs_of",
    "load_labels",
    "load_relations",
    "load_sequences",
    "read_vectors",
    "save_refreshed",
    "save_run",
    "stored",
    "tenth",
]
