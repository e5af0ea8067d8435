"""A conditional random field of the text: tags from what is seen of tokens, and from each other."""

from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf.text import Text

__all__ = ["Features", "LinearChainCRF", "Tagger", "Targets", "Text"]
