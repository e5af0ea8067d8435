"""Aggregation on arrays: NumPy and SciPy only, no Django, no files, no global random state.

from aggregation.algorithms import CrowdLabels, DawidSkene

labels = CrowdLabels(unit, worker, label, n_units=800, n_workers=164, n_classes=2)
fitted = DawidSkene().fit(labels)
fitted.predict()        # (n_units,) class numbers
fitted.posterior_       # (n_units, n_classes), rows sum to 1
fitted.reliability_     # per worker: accuracy with a 95 % interval, confusion
fitted.diagnostics_     # objective per iteration, converged, seconds
"""

from aggregation.algorithms.calibration import Calibration, calibration_of
from aggregation.algorithms.data import CrowdLabels, CrowdSequences, ordered_tags
from aggregation.algorithms.dawid_skene import DawidSkene
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.resampling import bootstrap_interval
from aggregation.algorithms.results import Aggregator, Diagnostics
from aggregation.algorithms.sequence_votes import MVseg, MVseq, MVtoken
from aggregation.algorithms.spans import SpanScore, score_spans, spans_of_labels, spans_of_tags
from aggregation.algorithms.votes import MajorityVote

__all__ = [
    "Aggregator",
    "Calibration",
    "CrowdLabels",
    "CrowdSequences",
    "DawidSkene",
    "Diagnostics",
    "MVseg",
    "MVseq",
    "MVtoken",
    "MajorityVote",
    "Reliability",
    "SpanScore",
    "bootstrap_interval",
    "calibration_of",
    "ordered_tags",
    "score_spans",
    "spans_of_labels",
    "spans_of_tags",
]
