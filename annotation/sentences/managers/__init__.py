"""What managers, commands and logs say: English.

A manager who imports answers reads of them what their worker reads, so those sentences stand with
the workers' and are used here untranslated.
"""

from __future__ import annotations

from collections import ChainMap

from annotation.sentences import workers
from annotation.sentences.managers import (
    campaigns,
    entries,
    files,
    imports,
    opening,
    people,
    schema,
)
from annotation.sentences.problems import Problem
from annotation.sentences.rendering import Sentence, Writer

OWN: dict[str, Sentence] = {
    **schema.SENTENCES,
    **files.SENTENCES,
    **entries.SENTENCES,
    **imports.SENTENCES,
    **campaigns.SENTENCES,
    **people.SENTENCES,
    **opening.SENTENCES,
}
SENTENCES = ChainMap(OWN, workers.SENTENCES)


def sentence(problem: Problem) -> str:
    return Writer(SENTENCES).write(problem)
