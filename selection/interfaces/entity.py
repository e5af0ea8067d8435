"""Entities: a model tags the tokens of a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from annotation.interfaces import Material
from annotation.interfaces.answers import Answer, EntityAnswer
from annotation.interfaces.entity import tags_of
from annotation.interfaces.schema import NOT_LABELLED
from selection.interfaces.entries import Item

MEASURES = ("F1", "precision", "recall")  # of strict spans


def classes(of_runs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    from aggregation.algorithms import ordered_tags

    return tuple(ordered_tags({tag for names in of_runs for tag in names}))


def learners(classes: tuple[str, ...]) -> dict[str, Any]:
    from selection.algorithms import EntityTagger

    return {"crf": EntityTagger(tags=classes)}


def load(path: Any) -> Any:
    from selection.algorithms import EntityTagger

    return EntityTagger.load(path)


def examples(items: Sequence[Item]) -> Any:
    from aggregation.arrays.texts import text_of
    from selection.algorithms import Documents

    return Documents(text_of((item.text, item.tokens, item.sentences) for item in items))


def targets(examples: Any, posteriors: Sequence[Any]) -> Any:
    import numpy as np

    from selection.algorithms import DocumentTags

    return DocumentTags(np.concatenate(posteriors), examples.token_starts())


def likely(targets: Any) -> Any:
    import numpy as np

    known = targets.known()
    return np.where(known, np.where(known[:, None], targets.posterior, 0).argmax(axis=1), -1)


def names(answer: Answer, item: Item) -> Sequence[str | None]:
    material = Material(tokens=item.tokens, sentences=item.sentences)  # type: ignore[arg-type]
    tags = tags_of(cast(EntityAnswer, answer), material)
    return [None if tag == NOT_LABELLED else tag for tag in tags]


def counts(learner: Any, examples: Any, truth: Any, names: Sequence[str]) -> Any:
    from selection.algorithms.learners.scoring import span_counts

    return span_counts(learner, examples, truth, names)


def shares(sums: Any) -> Any:
    from aggregation.algorithms.measures.spans import strict_shares

    return strict_shares(sums)[:, [2, 0, 1]]
