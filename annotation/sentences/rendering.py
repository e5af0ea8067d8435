"""From a problem to its sentence: the forms that a sentence can have, and their choice.

A sentence is whole. Where a number or a word would change it, it has a form for each; nothing is
put together from parts of sentences. Parameters stand in it as `{name}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from string import Formatter
from typing import Any

from annotation.sentences.problems import CodedError, Problem, shown

MOST_LISTED = 20  # names


@dataclass(frozen=True, slots=True)
class Plural:
    """A sentence for one and a sentence for other numbers; the parameter `number` decides."""

    one: str
    other: str
    number: str


@dataclass(frozen=True, slots=True)
class Select:
    """A sentence for each value of the parameter `by`."""

    by: str
    forms: Mapping[str, str | Plural]


Sentence = str | Plural | Select
Sentences = Mapping[str, Sentence]


def gettext_noop(sentence: str) -> str:
    """Marks a sentence for makemessages, as Django's function does, without Django."""
    return sentence


def ngettext_noop(one: str, other: str, number: str = "number") -> Plural:
    """The same for one with plural forms."""
    return Plural(one, other, number)


def select(by: str, **forms: str | Plural) -> Select:
    return Select(by, forms)


def forms_of(sentence: Sentence) -> Iterator[str]:
    """Every text that a sentence can be."""
    if isinstance(sentence, str):
        yield sentence
    elif isinstance(sentence, Plural):
        yield from (sentence.one, sentence.other)
    else:
        for form in sentence.forms.values():
            yield from forms_of(form)


def _same(sentence: str) -> str:
    return sentence


def _english(one: str, other: str, number: int) -> str:
    return one if number == 1 else other


class Figures(Formatter):
    """Writes numbers with the signs of a language: 1.234,5 and 80 %."""

    def __init__(self, decimal: str = ".", thousands: str = ",", percent: str = "%"):
        self.signs = str.maketrans({".": decimal, ",": thousands, "%": percent})

    def format_field(self, value: Any, format_spec: str) -> str:
        text: str = super().format_field(value, format_spec)
        return text.translate(self.signs) if isinstance(value, int | float) else text


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the sentences of one audience, in the language of its functions."""

    sentences: Sentences
    gettext: Callable[[str], str] = _same
    ngettext: Callable[[str, str, int], str] = _english
    figures: Figures = field(default_factory=Figures)

    def write(self, problem: Problem) -> str:
        """In English where a translation can't be filled in; where the sentence or a parameter is
        missing, what there is: an error that is shown must not raise another."""
        try:
            return self._written(self.sentences[problem.code], problem.params)
        except (LookupError, ValueError, TypeError):
            if self.gettext is not _same:
                return Writer(self.sentences).write(problem)
            params = ", ".join(f"{name}={value!r}" for name, value in problem.params.items())
            return f"{problem.code} ({params})" if params else problem.code

    def _written(self, sentence: Sentence, params: Mapping[str, Any]) -> str:
        if isinstance(sentence, Select):
            sentence = sentence.forms[params[sentence.by]]
        if isinstance(sentence, Plural):
            text = self.ngettext(sentence.one, sentence.other, params[sentence.number])
        else:
            text = self.gettext(sentence)
        shown = {name: self._shown(value) for name, value in params.items()}
        return self.figures.vformat(text, (), shown)

    def _shown(self, value: Any) -> Any:
        if isinstance(value, CodedError):
            value = value.problem
        if isinstance(value, Problem):
            # A problem that another app has put into a sentence of this one says it itself.
            return self.write(value) if value.code in self.sentences else str(value)
        return self._listed(value) if isinstance(value, list | tuple) else value

    def _listed(self, names: Sequence[Any]) -> str:
        few = ""
        for name in islice(names, MOST_LISTED):
            next_ = self._shown(name) if isinstance(name, Problem) else shown(str(name))
            few = self.write(Problem("names.comma", names=few, next=next_)) if few else next_
        if len(names) <= MOST_LISTED:
            return few
        more = Problem("names.more", names=few, number=len(names) - MOST_LISTED)
        return self.write(more)
