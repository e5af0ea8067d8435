"""Documents to annotate in full: how many, which, and which more name the same again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aggregation.models import Consensus
from aggregation.queries import latest_run
from annotation.models import Document
from annotation.text.folding import fold
from evaluation.algorithms.sampling import permanent_numbers
from evaluation.algorithms.sizes import documents_needed
from evaluation.arrays.pool import StandingPool, corpus_of
from evaluation.formats.columns import hashes
from evaluation.models import EvaluationPeriod, RecallDocument, RecallSample

LEAST = 20
MOST_MORE = 4  # documents for one name
WIDTHS = (0.15, 0.10, 0.08, 0.06, 0.05, 0.04, 0.03)


def size_for(standing: StandingPool, width: float, level: float) -> int:
    """How many documents the interval wanted takes, by how many claims a document has."""
    pool = standing.pool
    sizes = pool.predictions.sizes
    per_document = float(np.median(sizes)) / max(len(pool.documents), 1) if len(sizes) else 1.0
    return max(LEAST, documents_needed(width, max(per_document, 1.0), level=level))


def recall_sizes(standing: StandingPool, period: EvaluationPeriod) -> list[dict[str, Any]]:
    """Documents to draw evenly for each half-width, as many as there are at most."""
    there = len(corpus_of(period))
    return [
        {"width": width, "documents": min(size_for(standing, width, period.level), there)}
        for width in WIDTHS
    ]


def pairs_claimed(standing: StandingPool) -> float:
    """Pairs of names, in a document of the pool, of which some system claims something: as many are
    asked about at least."""
    pool = standing.pool
    if not len(pool.document):
        return 0.0
    rows = np.column_stack([pool.document, pool.spans])
    return round(len(np.unique(rows, axis=0)) / len(np.unique(pool.document)), 2)


def uniform_order(corpus: dict[str, int], seed: int) -> list[int]:
    """Rows of documents in an order by chance that stays: a larger sample holds a smaller one."""
    names = sorted(corpus)
    if not names:
        return []
    numbers = permanent_numbers(hashes(names), seed)
    return [corpus[names[i]] for i in np.argsort(numbers, kind="stable").tolist()]


# --- The expansion --------------------------------------------------------------------------------


def expansion_of(sample: RecallSample, there: Sequence[int], room: int) -> list[tuple[int, str]]:
    """(document, the name that it mentions): of the names in the uniform sample one after another
    by chance, for each up to four documents more that mention it, until there is no room."""
    run = latest_run(sample.names)
    if run is None or room <= 0:
        return []
    names: dict[str, str] = {}  # folded → as it stands
    uniform = [one.document_id for one in sample.documents.all()
               if one.kind == RecallDocument.Kind.UNIFORM]  # fmt: skip
    rows = Consensus.objects.filter(run__key=run.key, task__document__in=uniform)
    for row in rows.select_related("task__document").order_by("task__document__external_id"):
        document = row.task.document
        assert document is not None  # by the filter
        for mention in row.answer.get("mentions", ()):
            text = document.text[mention["start"] : mention["end"]]
            names.setdefault(fold(text), text)
    rng = np.random.default_rng(sample.period.seed)
    waiting = [names[key] for key in sorted(names)]
    order = rng.permutation(len(waiting)).tolist()
    corpus = uniform_order(corpus_of(sample.period), sample.period.seed + 1)
    taken = set(there)
    found: list[tuple[int, str]] = []
    texts = {
        pk: fold(text)
        for pk, text in Document.objects.filter(pk__in=corpus).values_list("pk", "text")
    }
    for i in order:
        name = fold(waiting[i])
        more = [pk for pk in corpus if pk not in taken and name in texts.get(pk, "")]
        for pk in more[: min(MOST_MORE, room - len(found))]:
            taken.add(pk)
            found.append((pk, waiting[i][:200]))
        if len(found) >= room:
            break
    return found
