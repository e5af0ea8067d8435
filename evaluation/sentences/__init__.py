"""What evaluation says to organisers, by commands; see annotation.sentences."""

from __future__ import annotations

from collections import ChainMap

from annotation.sentences import Problem, managers
from annotation.sentences.rendering import Sentence, Writer
from evaluation.sentences import files

OWN: dict[str, Sentence] = {**files.SENTENCES}
SENTENCES = ChainMap(OWN, managers.SENTENCES)


def sentence(problem: Problem) -> str:
    return Writer(SENTENCES).write(problem)
