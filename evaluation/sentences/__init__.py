"""What evaluation says to organisers and teams; see annotation.sentences."""

from __future__ import annotations

from collections import ChainMap

from annotation.sentences import Problem, managers
from annotation.sentences.rendering import Sentence, Writer
from evaluation.sentences import files, organisers

CATALOGUE = __name__  # as errors name it
OWN: dict[str, Sentence] = {**files.SENTENCES, **organisers.SENTENCES}
SENTENCES = ChainMap(OWN, managers.SENTENCES)


def sentence(problem: Problem) -> str:
    return Writer(SENTENCES).write(problem)
