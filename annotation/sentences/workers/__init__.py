"""What a worker reads, in the language that Django has active.

Each sentence is marked for makemessages; a language is a file of their translations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.sentences.problems import MANAGERS, Problem
from annotation.sentences.rendering import Figures, Sentence, Writer
from annotation.sentences.workers import answers, feedback, fields, states, work

SENTENCES: dict[str, Sentence] = {
    **fields.SENTENCES,
    **answers.SENTENCES,
    **work.SENTENCES,
    **states.SENTENCES,
    **feedback.SENTENCES,
}


def sentence(problem: Problem | str) -> str:
    """What no worker is meant to read, such as a manager's mistake, comes as managers read it; a
    text that somebody has written, as it is."""
    if isinstance(problem, str) or problem.catalogue != MANAGERS or problem.code not in SENTENCES:
        return str(problem)
    # Here: whoever reads files in a shell gets the English sentences without Django.
    from django.utils.translation import gettext, ngettext

    # How a language writes figures, its catalogue says by an example.
    sample = gettext("1,234.5")
    thousands, decimal = sample[1], sample[5]
    figures = Figures(decimal, thousands, percent=gettext("80%").removeprefix("80"))
    return Writer(SENTENCES, gettext, ngettext, figures).write(problem)


def written(findings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Findings of a practice answer, each with its sentence as `words`."""
    return [
        {"kind": each["kind"], "words": sentence(each["problem"])}
        | {name: value for name, value in each.items() if name not in ("kind", "problem")}
        for each in findings
    ]
