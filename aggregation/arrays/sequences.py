"""Entity answers as tags of tokens: a sentence is a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import UNKNOWN, CrowdSequences, ordered_tags
from aggregation.algorithms.sequences.tokens import sequences_of
from aggregation.arrays.answers import (
    GATHERED,
    READ,
    Advance,
    CountedAnswers,
    Crowd,
    Numbering,
    answers_each,
    documents_of_tasks,
    label_names,
    named_task,
    numbered_as,
    plain_tasks,
    read_answers,
    renumbered,
)
from aggregation.arrays.gold import drawn_as, gold_sample, known_answers
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.entity import tags_of
from annotation.interfaces.schema import NOT_LABELLED
from annotation.models import (
    Campaign,
    Document,
    GoldQuestion,
    Task,
)


def load_sequences(
    campaign: Campaign,
    *,
    gold: bool = False,
    clamp: bool = False,
    tasks: Sequence[int] | None = None,
    numbering: Numbering | None = None,
    advance: Advance | None = None,
    until: datetime | None = None,
) -> Crowd:
    """The tags that workers gave to tokens: a sentence is a sequence, and a task a document: it
    shows the whole of one. Five queries, nine with gold; see `load_labels`.

    Classes are the tags that were used, completed to B and I of each type, by name with "O"
    last, whatever their numbers in the project's label table are.
    """
    sample = gold_sample(campaign) if gold else None
    answers = read_answers(campaign, "tags", clamp, tasks, numbering, advance, until, sample)
    n_tokens = _tokens_of_tasks(answers)
    starts = np.concatenate(([0], np.cumsum(n_tokens)))
    documents = documents_of_tasks(campaign, answers)
    sentences, words, vocabulary = _read_texts(campaign, documents, answers, starts, until)
    names = label_names(campaign, "tag", answers.values)
    known = known_answers(campaign, answers) if gold or clamp else {}
    truth = {i: tags_of(cast(EntityAnswer, row.answer), row.material) for i, row in known.items()}
    true = {name for row in truth.values() for name in row} - {NOT_LABELLED}
    tags = ordered_tags({*names.values(), *(true if clamp else ())})
    if numbering is not None:
        tags = tuple(numbered_as(tags, numbering))
    known_tags = (*tags, *sorted(true - {*tags}))

    sequences = CrowdSequences(
        *_labels_of(answers, starts, names, tags),
        starts=sentences,
        n_workers=len(answers.workers),
        tags=tags,
        words=words,
        vocabulary=vocabulary,
        documents=np.searchsorted(sentences, starts),
    )
    return Crowd(
        tasks=answers.tasks,
        workers=answers.workers,
        starts=starts,
        classes=tags,
        answers=len(answers.task),
        answers_each=answers_each(answers),
        labels=sequences.token_labels(),
        sequences=sequences,
        known_classes=known_tags,
        gold=_gold_tags(answers, truth, starts, known_tags),
        plain=plain_tasks(campaign, answers),
        sampled=drawn_as(known, len(answers.tasks), GoldQuestion.Drawn.RANDOM),
        differing=drawn_as(known, len(answers.tasks), GoldQuestion.Drawn.DIFFERING),
        place=_places_of_labels(answers) if sample is not None and campaign.is_adaptive else None,
        documents=documents,
        interface="entity",
        until=until,
    )


def _labels_of(
    answers: CountedAnswers,
    starts: NDArray[np.int64],
    names: dict[int, str],
    tags: Sequence[str],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Token, worker and tag of each label, shape (n_labels,) each. Some answers at a time, for
    memory."""
    number = int(np.count_nonzero(answers.values >= 0))
    token, worker, label = (np.empty(number, dtype=np.int32) for _ in range(3))
    done = 0
    for begin in range(0, len(answers.task), GATHERED):
        some = slice(begin, begin + GATHERED)
        edges = answers.edges[begin : begin + GATHERED + 1]
        values, length = answers.values[edges[0] : edges[-1]], np.diff(edges)
        given = np.flatnonzero(values >= 0)
        first = starts[answers.task[some]] - (edges[:-1] - edges[0])  # from a place to a token
        part = slice(done, done + len(given))
        token[part] = given + np.repeat(first, length)[given]
        worker[part] = np.repeat(answers.worker[some], length)[given]
        label[part] = renumbered(values[given], names, tags)
        done += len(given)
    return token, worker, label


def _places_of_labels(answers: CountedAnswers) -> NDArray[np.int16]:
    """See `Crowd.place`."""
    place = np.repeat(answers.place.astype(np.int16), np.diff(answers.edges))
    return np.asarray(place[answers.values >= 0])


def documents_alone(
    sequences: CrowdSequences, starts: NDArray[np.int64], some: NDArray[np.bool_]
) -> tuple[CrowdSequences, NDArray[np.int64]]:
    """The sequences of some documents, and which labels these are. Document i holds the tokens
    starts[i] to starts[i + 1] - 1."""
    return sequences_of(sequences, np.repeat(some, np.diff(starts)))


def _tokens_of_tasks(answers: CountedAnswers) -> NDArray[np.int64]:
    """How many tokens each task has, shape (n_tasks,): what all of its answers have."""
    length = np.diff(answers.edges)
    _, first = np.unique(answers.task, return_index=True)
    n_tokens = length[first]
    wrong = np.flatnonzero(length != n_tokens[answers.task])
    if wrong.size:
        i = int(wrong[0])
        raise ValueError(
            f"The answers to {named_task(answers, i)} judge {n_tokens[answers.task[i]]} and "
            f"{length[i]} tokens. They must judge the same; check_integrity tells more."
        )
    return n_tokens


def _read_texts(
    campaign: Campaign,
    owners: NDArray[np.int64],
    answers: CountedAnswers,
    starts: NDArray[np.int64],
    until: datetime | None,
) -> tuple[NDArray[np.int64], NDArray[np.int32], tuple[str, ...]]:
    """Of all tasks: where sentences start and at last their end, in numbers of tokens; the number
    of each token's word, shape (n_tokens,); and the words.

    `owners`, shape (n_tasks,), are the tasks' documents. Each is parsed once, however many
    answers it has.
    """
    edges: dict[int, list[int]] = {}
    numbered: dict[int, NDArray[np.int32]] = {}
    number: dict[str, int] = {}
    answered = Task.objects.submitted(until).order_by()
    answered = answered.filter(answers.in_question("pk"), campaign=campaign)
    documents = Document.objects.filter(pk__in=answered.values("document")).order_by("pk")
    for pk, text, tokens, sentences in documents.values_list(
        "pk", "text", "tokens", "sentences"
    ).iterator(chunk_size=READ):
        edges[pk] = sorted({edge for sentence in sentences for edge in sentence})
        numbered[pk] = np.array(
            [number.setdefault(text[a:b], len(number)) for a, b in tokens], dtype=np.int32
        )
    parts, words = [], [np.empty(0, dtype=np.int32)]
    for i, owner in enumerate(owners.tolist()):
        inside = edges.get(owner, [])
        said = numbered.get(owner, words[0])
        size = int(starts[i + 1] - starts[i])
        if len(said) != size or (inside and inside[-1] > size):
            task = named_task(answers, int(np.searchsorted(answers.task, i)))
            raise ValueError(
                f"The answers to {task} judge {size} tokens, but its document has "
                f"{len(said)}. check_integrity tells more."
            )
        parts.append(starts[i] + np.array([0, *inside], dtype=np.int64))
        words.append(said)
    parts.append(starts[-1:])
    return np.unique(np.concatenate(parts)), np.concatenate(words), tuple(number)


def _gold_tags(
    answers: CountedAnswers,
    truth: dict[int, list[str]],
    starts: NDArray[np.int64],
    tags: Sequence[str],
) -> NDArray[np.int64]:
    """Shape (n_tokens,)."""
    number = {tag: i for i, tag in enumerate(tags)} | {NOT_LABELLED: UNKNOWN}
    gold = np.full(int(starts[-1]), UNKNOWN, dtype=np.int64)
    for i, names in truth.items():
        if len(names) != starts[i + 1] - starts[i]:
            raise ValueError(
                f"Gold of {named_task(answers, int(np.searchsorted(answers.task, i)))} has "
                f"{len(names)} tags, but {starts[i + 1] - starts[i]} tokens were judged. "
                "check_integrity tells more."
            )
        gold[starts[i] : starts[i + 1]] = [number[name] for name in names]
    return gold
