"""A made pool in documents, whose every figure is known: what intervals are tried on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.algorithms.documents import Documents
from evaluation.algorithms.metrics import instance_metric
from evaluation.algorithms.predictions import Floats, Predictions, Whole


@dataclass
class Pool:
    """`correct` of each claim; `true_document` and `true_claim` of each true instance of the
    corpus, the latter -1 where no system makes the claim."""

    predictions: Predictions
    correct: Floats
    document: Whole  # of each claim
    true_document: Whole
    true_claim: Whole
    n_documents: int

    @property
    def metric(self) -> Floats:
        return instance_metric(self.predictions)

    @property
    def precision(self) -> Floats:
        claims = self.predictions.claim
        return self.predictions.sums(self.metric * self.correct[claims])

    @property
    def nu(self) -> Floats:
        found = self.predictions.sums(self.correct[self.predictions.claim])
        return found / self.correct.sum()

    @property
    def theta(self):
        return float((self.true_claim >= 0).mean())

    def documents(self, chosen: Whole) -> tuple[Documents, Whole]:
        """The chosen documents annotated in full, and which of their instances the pool has."""
        row = np.full(self.n_documents, -1)
        row[chosen] = np.arange(len(chosen))
        inside = row[self.true_document] >= 0
        documents = Documents.of(row[self.true_document[inside]], len(chosen))
        return documents, self.true_claim[inside]


def made_pool(
    seed: int = 0, n_documents: int = 400, n_systems: int = 6, *, clustering: float = 0.8,
    uneven: float = 3.0,
) -> Pool:  # fmt: skip
    """Systems of three teams. The claims of a document share their difficulty by `clustering`, and
    documents differ in length, the more the smaller `uneven` is (a gamma's shape)."""
    rng = np.random.default_rng(seed)
    per_document = rng.poisson(rng.gamma(uneven, 7.0 / uneven, n_documents))
    true_document = np.repeat(np.arange(n_documents), per_document)
    wrong_document = np.repeat(np.arange(n_documents), rng.geometric(0.1, n_documents))
    n_true, n_wrong = len(true_document), len(wrong_document)
    ease = rng.normal(size=n_documents)
    team_true, team_wrong = rng.normal(size=(3, n_true)), rng.normal(size=(3, n_wrong))
    systems = []
    for i in range(n_systems):
        skill, noise = -0.6 + 0.25 * i, rng.normal
        right = (
            clustering * ease[true_document] + team_true[i % 3] + 0.5 * noise(size=n_true) + skill
            > 0
        )
        wrong = team_wrong[i % 3] + 0.7 * noise(size=n_wrong) > 0.9
        systems.append(np.concatenate([np.flatnonzero(right), n_true + np.flatnonzero(wrong)]))
    used = np.unique(np.concatenate(systems))
    number = np.full(n_true + n_wrong, -1)
    number[used] = np.arange(len(used))
    return Pool(
        Predictions.of([number[claims] for claims in systems], len(used)),
        (used < n_true).astype(float),
        np.concatenate([true_document, wrong_document])[used],
        true_document,
        number[:n_true],
        n_documents,
    )
