"""Human annotators scored as if each were a system: what the task's ceiling is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evaluation.algorithms.documents import DocumentRatio, Documents, document_ratio
from evaluation.algorithms.predictions import as_floats


def annotator_scores(
    claim: ArrayLike,
    annotator: ArrayLike,
    claim_document: ArrayLike,
    annotated: ArrayLike,
) -> list[tuple[DocumentRatio, DocumentRatio]]:
    """Precision and recall of each annotator against the majority of the *others*.

    `claim` and `annotator`, shape (n_answers,), say who marked what; `claim_document`, shape
    (n_claims,), where it stands; `annotated`, (n_annotators, n_documents), who annotated which
    document in full. A claim is true if more than half of the others who annotated its document
    marked it; half is half true. Only documents that somebody else annotated count.
    """
    x, who = np.asarray(claim, dtype=np.int64), np.asarray(annotator, dtype=np.int64)
    place, did = np.asarray(claim_document, dtype=np.int64), as_floats(annotated)
    n_annotators, n_documents = did.shape
    marked = np.zeros((n_annotators, len(place)))
    marked[who, x] = 1
    if (marked > did[:, place]).any():
        raise ValueError("somebody marked a claim in a document that they did not annotate")
    votes, voters = marked.sum(axis=0), did.sum(axis=0)
    scores = []
    for w in range(n_annotators):
        others = (voters - did[w])[place]
        share = np.divide(votes - marked[w], others, out=np.zeros(len(place)), where=others > 0)
        truth = np.where(share > 0.5, 1.0, np.where(share == 0.5, 0.5, 0.0))
        used = np.flatnonzero((did[w] > 0) & (voters > 1))
        row = np.full(n_documents, -1)
        row[used] = np.arange(len(used))
        inside = row[place] >= 0
        documents = Documents.of(row[place[inside]], len(used))
        mine, true = marked[w, inside], truth[inside]
        hits, said = documents.counts(mine * true), documents.counts(mine)
        scores.append((
            document_ratio(hits, said, documents),
            document_ratio(hits, documents.counts(true), documents),
        ))  # fmt: skip
    return scores
