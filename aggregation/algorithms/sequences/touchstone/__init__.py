"""Touchstone's own method for tags of a crowd."""

from aggregation.algorithms.sequences.touchstone.model import Touchstone

__all__ = ["Touchstone"]
