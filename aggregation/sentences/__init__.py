"""What aggregation says to managers, commands and logs; see annotation.sentences."""

from __future__ import annotations

from collections import ChainMap

from aggregation.sentences import files, knowledge, runs
from annotation.sentences import Problem, managers
from annotation.sentences.rendering import Sentence, Writer

CATALOGUE = __name__  # as errors name it
OWN: dict[str, Sentence] = {**files.SENTENCES, **knowledge.SENTENCES, **runs.SENTENCES}
SENTENCES = ChainMap(OWN, managers.SENTENCES)


def sentence(problem: Problem) -> str:
    return Writer(SENTENCES).write(problem)
