"""Bayesian sequence combination: tags of a crowd, put together with a model of each annotator.

Simpson and Gurevych, *A Bayesian approach for sequence tagging with crowds*, EMNLP 2019. Five
models of an annotator (`annotators`) share one model of sequences and text (`model`).
"""

from aggregation.algorithms.sequences.bsc.model import BSCacc, BSCcm, BSCcv, BSCmace, BSCseq

__all__ = ["BSCacc", "BSCcm", "BSCcv", "BSCmace", "BSCseq"]
