"""A conditional random field of the text: tags from what is seen of tokens, and from each other."""

from aggregation.algorithms.crf.features import Features
from aggregation.algorithms.crf.model import LinearChainCRF
from aggregation.algorithms.crf.objective import Targets
from aggregation.algorithms.crf.tagger import Tagger
from aggregation.algorithms.crf.text import Text

__all__ = ["Features", "LinearChainCRF", "Tagger", "Targets", "Text"]
