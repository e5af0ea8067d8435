"""What a worker reads, in the language that Django has active.

Each sentence is marked for makemessages; a language is a file of their translations.
"""

from __future__ import annotations

from annotation.sentences.problems import MANAGERS, Problem
from annotation.sentences.rendering import Sentence, Writer
from annotation.sentences.workers import answers, fields, states, work

SENTENCES: dict[str, Sentence] = {
    **fields.SENTENCES,
    **answers.SENTENCES,
    **work.SENTENCES,
    **states.SENTENCES,
}


def sentence(problem: Problem) -> str:
    """What no worker is meant to read, such as a manager's mistake, comes as managers read it."""
    if problem.catalogue != MANAGERS or problem.code not in SENTENCES:
        return str(problem)
    # Here: whoever reads files in a shell gets the English sentences without Django.
    from django.utils.translation import gettext, ngettext

    return Writer(SENTENCES, gettext, ngettext).write(problem)
