"""What aggregation says to managers, commands and logs; see annotation.sentences."""

from __future__ import annotations

from collections import ChainMap

from aggregation.sentences import files, knowledge
from annotation.sentences import Problem, managers
from annotation.sentences.rendering import Sentence, Writer

OWN: dict[str, Sentence] = {**files.SENTENCES, **knowledge.SENTENCES}
SENTENCES = ChainMap(OWN, managers.SENTENCES)


def sentence(problem: Problem) -> str:
    return Writer(SENTENCES).write(problem)
