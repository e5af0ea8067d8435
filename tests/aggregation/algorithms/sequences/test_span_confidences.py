"""Probabilities of whole spans: by brute force, and calibrated."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from aggregation.algorithms import DawidSkene, ordered_tags
from aggregation.algorithms.measures.spans import find_spans
from aggregation.algorithms.sequences import span_confidences
from aggregation.algorithms.sequences.bsc import BSCcm, BSCseq
from aggregation.algorithms.sequences.hmm_crowd import HMMCrowd
from aggregation.algorithms.sequences.potentials import Moves, Potentials
from aggregation.algorithms.sequences.sequence_votes import MVtoken
from aggregation.algorithms.sequences.span_confidences import (
    TEMPERATURES,
    SpanConfidences,
    potentials_of,
)
from aggregation.algorithms.sequences.states import States
from tests.aggregation.algorithms.tagging import behaving, careful, drawn, early, misses

TAGS = ordered_tags(["B-p", "B-q"])


def heads(n):
    return np.arange(n) == 0


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_a_span_is_as_probable_as_all_paths_that_have_it(temperature):
    """Two sequences with moves of their own, ends of spans, subtypes: every path is added up."""
    rng = np.random.default_rng(5)
    states = States(TAGS, end=True, subtypes=True)
    n = len(states)
    barred = states.forbidden[np.ix_(states.base, states.base)]
    groups = []
    for sequence in (0, 1):
        between = np.where(barred, -np.inf, rng.normal(size=(n, n)))
        firsts = rng.normal(size=n)
        firsts[states.end] = -np.inf
        groups.append(Moves(np.array([sequence]), between, firsts))
    starts = np.array([0, 3, 5])
    potentials = Potentials(starts, states.tag, TAGS, rng.normal(size=(5, n)), tuple(groups))

    chance = {}  # (sequence, start, end, type) -> probability
    posterior = np.zeros((5, 5))
    for s, group in enumerate(groups):
        a, b = starts[s], starts[s + 1]
        total, seen = 0.0, []
        for path in product(range(n), repeat=b - a):
            weight = group.firsts[path[0]] + potentials.emission[a, path[0]]
            for i in range(1, b - a):
                weight += group.between[path[i - 1], path[i]] + potentials.emission[a + i, path[i]]
            weight = np.exp(weight / temperature)
            total += weight
            seen.append((states.tag[list(path)], weight))
        for tags, weight in seen:
            posterior[np.arange(a, b), tags] += weight / total
            for span in zip(*find_spans(tags, TAGS, heads(b - a)), strict=True):
                place = (a + span[0], a + span[1], span[2])
                chance[place] = chance.get(place, 0.0) + weight / total
    start, end, kind = np.array(sorted(chance)).T
    assert len(start) == 2 * (6 + 3)  # of both types, from everywhere to everywhere after
    sure, found = potentials.tempered(temperature).spans(start, end, kind)
    assert sure == pytest.approx([chance[place] for place in sorted(chance)])
    assert found == pytest.approx(posterior)
    assert potentials.tempered(temperature).posterior() == pytest.approx(posterior)
    some = potentials.of(np.array([1]))
    assert some.posterior() == pytest.approx(potentials.posterior()[3:])


def test_of_tokens_apart_it_is_the_product():
    p = np.array([[0.7, 0.1, 0.2], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])
    sure, posterior = Potentials.apart(p, np.array([0, 3]), ("B-x", "I-x", "O")).spans(
        np.array([0]), np.array([2]), np.array([0])
    )
    assert sure == pytest.approx([0.7 * 0.5 * 0.7])
    assert posterior == pytest.approx(p)


CROWD = behaving(careful, misses, early, n_sequences=40)


@pytest.mark.parametrize("method", [BSCseq, BSCcm, HMMCrowd])
def test_untempered_potentials_are_those_of_the_posterior(method):
    fitted = method().fit(CROWD.sequences)
    found = potentials_of(fitted, CROWD.sequences).posterior()
    assert found == pytest.approx(fitted.posterior_, abs=1e-6 if method is HMMCrowd else 1e-9)


def test_stated_temperatures():
    of = {BSCseq: 2.5, BSCcm: 3.3, HMMCrowd: 3.8, MVtoken: 1.0}
    for method, temperature in of.items():
        found = SpanConfidences.of(method().fit(CROWD.sequences), CROWD.sequences)
        assert (found.temperature, found.documents, found.checked) == (temperature, 0, None)
    found = SpanConfidences.of(DawidSkene().fit(CROWD.sequences.token_labels()), CROWD.sequences)
    assert found.temperature == 1.9
    said = "Confidences are not checked against gold: how sure a span is was set on news articles"
    assert found.sentence() == f"{said} alone (T = 1.9)."
    assert replace(found, documents=2).sentence() == f"{said} and 2 with gold (T = 1.9)."
    untempered = replace(found, temperature=1.0, stated=1.0)  # nothing was measured
    assert untempered.sentence() == "Confidences are not checked against gold."


@pytest.mark.parametrize("method", [BSCseq, HMMCrowd, MVtoken])
def test_in_pieces_it_is_the_same(method, monkeypatch):
    sequences, gold = CROWD.sequences, np.full(CROWD.sequences.n_tokens, -1)
    gold[:120] = CROWD.truth[:120]
    given = {} if method is MVtoken else {"gold": gold}
    fitted = method().fit(sequences, **given)
    whole = SpanConfidences.of(fitted, sequences, told=given.get("gold"))
    monkeypatch.setattr(span_confidences, "PIECE", sequences.n_labels // 4)
    pieces = SpanConfidences.of(fitted, sequences, told=given.get("gold"))
    assert pieces.posterior == pytest.approx(whole.posterior)
    for name in ("start", "end", "kind", "sure", "begun"):
        assert getattr(pieces.spans, name) == pytest.approx(getattr(whole.spans, name))


def test_what_is_clamped_is_sure_and_teaches_nothing():
    sequences, gold = CROWD.sequences, np.full(CROWD.sequences.n_tokens, -1)
    gold[:120] = CROWD.truth[:120]
    clamped = BSCseq().fit(sequences, gold=gold)
    found = SpanConfidences.of(clamped, sequences, gold=gold, told=gold)
    assert (found.temperature, found.documents) == (2.5, 0)
    assert found.spans.sure[found.spans.start < 120] == pytest.approx(np.ones(20))
    taught = SpanConfidences.of(
        clamped, sequences, gold=gold, told=gold, unclamped=BSCseq().fit(sequences)
    )
    assert taught.documents == 10
    assert taught.spans.sure[taught.spans.start < 120] == pytest.approx(np.ones(20))


def test_nobody_judged_is_no_span():
    sequences = CROWD.sequences
    kept = sequences.token >= 12
    part = type(sequences)(
        sequences.token[kept], sequences.worker[kept], sequences.label[kept],
        starts=sequences.starts, n_workers=3, tags=sequences.tags, words=sequences.words,
        vocabulary=sequences.vocabulary,
    )  # fmt: skip
    found = SpanConfidences.of(BSCseq().fit(part), part)
    assert found.spans.begun[:12].sum() == 0
    assert (found.spans.start >= 12).all()


def test_gold_finds_the_temperature_of_workers_who_err_together():
    """Three of four say what one says: as good as two, taken for four."""
    rng = np.random.default_rng(6)
    tables = np.stack([[rng.dirichlet(1 + 4 * np.eye(3)[j]) for j in range(3)] for _ in range(4)])
    said = np.repeat(tables[:, :, None], 3, axis=2)
    crowd = drawn(seed=6, said=said, n_sequences=300, redundancy=4)
    given = crowd.sequences
    label = given.label.copy()
    by_token = np.full((given.n_tokens, 4), -1)
    by_token[given.token, given.worker] = given.label
    copied = given.worker < 3
    label[copied] = by_token[given.token[copied], 0]
    together = type(given)(
        given.token, given.worker, label, starts=given.starts, n_workers=4, tags=given.tags,
        words=given.words, vocabulary=given.vocabulary, documents=np.arange(0, 301, 5),
    )  # fmt: skip
    fitted = BSCseq().fit(together)
    gold = np.full(given.n_tokens, -1)
    gold[: 20 * 60] = crowd.truth[: 20 * 60]  # twenty documents of five sentences
    plain = SpanConfidences.of(fitted, together)
    taught = SpanConfidences.of(fitted, together, gold=gold)
    assert taught.documents == 20
    assert taught.is_checked
    assert taught.sentence() == "Confidences are calibrated on 20 documents with gold."
    assert taught.temperature in TEMPERATURES

    rest = slice(20 * 60, None)

    def gap(found):
        spans = found.spans
        start, end, kind = find_spans(crowd.truth, given.tags, np.arange(given.n_tokens) % 12 == 0)
        true = set(zip(start.tolist(), end.tolist(), kind.tolist(), strict=True))
        right = [p in true for p in zip(spans.start.tolist(), spans.end.tolist(),
                                        spans.kind.tolist(), strict=True)]  # fmt: skip
        kept = spans.start >= rest.start
        return abs(spans.sure[kept].mean() - np.array(right)[kept].mean())

    assert gap(taught) < max(gap(plain), 0.05)
    assert gap(taught) < 0.1
    check = taught.checked
    assert check.f1 == pytest.approx(check.expected_f1, abs=0.12)
    assert check.spans.count.sum() > 100
    assert check.before.count.sum() == check.spans.count.sum()
    assert check.before.error > check.spans.error  # without gold the stated T is too sure
    assert check.entities.count.sum() + check.others.count.sum() == 20 * 60
    few = SpanConfidences.of(fitted, together, gold=np.where(np.arange(len(gold)) < 60, gold, -1))
    assert (few.documents, few.is_checked) == (1, False)
    assert abs(np.log(few.temperature / 2.5)) <= abs(np.log(taught.temperature / 2.5)) + 0.2


def test_expected_counts_of_tasks():
    found = SpanConfidences.of(BSCseq().fit(CROWD.sequences), CROWD.sequences).spans
    task = np.repeat(np.arange(40), 12)
    expected = found.expected(task, 40)
    assert expected.predicted.tolist() == np.bincount(task[found.start], minlength=40).tolist()
    assert expected.right.sum() == pytest.approx(found.sure.sum())
    assert expected.true.sum() == pytest.approx(found.begun.sum())
    both = expected.predicted.sum() + expected.true.sum()
    assert found.expected_f1() == pytest.approx(2 * found.sure.sum() / both)
