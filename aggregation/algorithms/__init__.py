"""Aggregation on arrays: NumPy and SciPy only, no Django, no files, no global random state.

from aggregation.algorithms import CrowdLabels, DawidSkene

labels = CrowdLabels(unit, worker, label, n_units=800, n_workers=164, n_classes=2)
fitted = DawidSkene().fit(labels)
fitted.predict()        # (n_units,) class numbers
fitted.posterior_       # (n_units, n_classes), rows sum to 1
fitted.reliability_     # per worker: accuracy with a 95 % interval, confusion
fitted.diagnostics_     # objective per iteration, converged, seconds
"""

from aggregation.algorithms.categorical.dawid_skene import DawidSkene
from aggregation.algorithms.categorical.glad import GLAD
from aggregation.algorithms.categorical.gold_start import GoldCounts
from aggregation.algorithms.categorical.hierarchical import HierarchicalDawidSkene
from aggregation.algorithms.categorical.ibcc import IBCC
from aggregation.algorithms.categorical.mace import MACE
from aggregation.algorithms.categorical.one_coin import OneCoin
from aggregation.algorithms.categorical.open_vote import OpenVote
from aggregation.algorithms.categorical.skill_votes import Wawa, ZeroBasedSkill
from aggregation.algorithms.categorical.votes import MajorityVote
from aggregation.algorithms.categorical.weighted_majority import WeightedMajority
from aggregation.algorithms.clusters.crowd_clusters import CorrelationClustering, CrowdClusters
from aggregation.algorithms.data import CrowdLabels, CrowdSequences, numbered_words, ordered_tags
from aggregation.algorithms.fitted_state import Restorable
from aggregation.algorithms.measures.agreement import Agreement, fleiss_kappa, krippendorff_alpha
from aggregation.algorithms.measures.calibration import (
    Calibration,
    brier_score,
    calibration_of,
    calibration_of_posterior,
    cross_entropy,
)
from aggregation.algorithms.measures.certainty import (
    Expected,
    expected_choices,
    expected_pairs,
    expected_spans,
    least_of_parts,
)
from aggregation.algorithms.measures.cluster_scores import (
    ClusterScores,
    pair_alpha,
    pairwise_cluster_f1,
    score_clusters,
)
from aggregation.algorithms.measures.cohen import cohen_kappa
from aggregation.algorithms.measures.resampling import bootstrap_interval
from aggregation.algorithms.measures.spans import (
    SpanScore,
    score_labels,
    score_spans,
    spans_of_labels,
    spans_of_tags,
)
from aggregation.algorithms.measures.unitizing import pairwise_span_f1, unitizing_alpha
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Aggregator, Diagnostics
from aggregation.algorithms.sequences.bsc import BSCacc, BSCcm, BSCcv, BSCmace, BSCseq
from aggregation.algorithms.sequences.crf import Features, LinearChainCRF, Tagger, Targets, Text
from aggregation.algorithms.sequences.crf_baselines import CRFConc, MultiCRF, MultiCRFMax
from aggregation.algorithms.sequences.crf_ma import CRFMA
from aggregation.algorithms.sequences.hmm_crowd import HMMCrowd
from aggregation.algorithms.sequences.sequence_votes import MVseg, MVseq, MVtoken
from aggregation.algorithms.sequences.touchstone import Touchstone
from aggregation.algorithms.shards import LocalPool, Pool, ShardedLabels

__all__ = [
    "CRFMA",
    "GLAD",
    "IBCC",
    "MACE",
    "Aggregator",
    "Agreement",
    "BSCacc",
    "BSCcm",
    "BSCcv",
    "BSCmace",
    "BSCseq",
    "CRFConc",
    "Calibration",
    "ClusterScores",
    "CorrelationClustering",
    "CrowdClusters",
    "CrowdLabels",
    "CrowdSequences",
    "DawidSkene",
    "Diagnostics",
    "Expected",
    "Features",
    "GoldCounts",
    "HMMCrowd",
    "HierarchicalDawidSkene",
    "LinearChainCRF",
    "LocalPool",
    "MVseg",
    "MVseq",
    "MVtoken",
    "MajorityVote",
    "MultiCRF",
    "MultiCRFMax",
    "OneCoin",
    "OpenVote",
    "Pool",
    "Reliability",
    "Restorable",
    "ShardedLabels",
    "SpanScore",
    "Tagger",
    "Targets",
    "Text",
    "Touchstone",
    "Wawa",
    "WeightedMajority",
    "ZeroBasedSkill",
    "bootstrap_interval",
    "brier_score",
    "calibration_of",
    "calibration_of_posterior",
    "cohen_kappa",
    "cross_entropy",
    "expected_choices",
    "expected_pairs",
    "expected_spans",
    "fleiss_kappa",
    "krippendorff_alpha",
    "least_of_parts",
    "numbered_words",
    "ordered_tags",
    "pair_alpha",
    "pairwise_cluster_f1",
    "pairwise_span_f1",
    "score_clusters",
    "score_labels",
    "score_spans",
    "spans_of_labels",
    "spans_of_tags",
    "unitizing_alpha",
]
