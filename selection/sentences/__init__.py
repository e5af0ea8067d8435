"""What selection says to managers, commands and logs; see annotation.sentences."""

from __future__ import annotations

from collections import ChainMap

from annotation.sentences import Problem, managers
from annotation.sentences.rendering import Sentence, Writer
from selection.sentences import campaigns, files, loops, models

CATALOGUE = __name__  # as errors name it
OWN: dict[str, Sentence] = {
    **campaigns.SENTENCES,
    **files.SENTENCES,
    **loops.SENTENCES,
    **models.SENTENCES,
}
SENTENCES = ChainMap(OWN, managers.SENTENCES)


def sentence(problem: Problem) -> str:
    return Writer(SENTENCES).write(problem)
