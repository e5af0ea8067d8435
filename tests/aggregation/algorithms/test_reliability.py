from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from aggregation.algorithms import (
    BSCcm,
    BSCseq,
    CrowdLabels,
    HMMCrowd,
    MajorityVote,
    MVseg,
    MVseq,
    MVtoken,
)
from aggregation.algorithms.reliability import Hits, design_effects, reliability_of
from tests.aggregation.algorithms.tagging import erring


def reliability(right, *, worker=None, judged=None):
    right = np.array(right, dtype=float)
    worker = np.zeros(len(right), dtype=np.int32) if worker is None else worker
    judged = np.array(judged or [len(right)])
    return reliability_of(Hits.of(worker, right, len(judged)), judged)


def test_known_truth_gives_jeffreys_interval():
    found = reliability([1] * 8 + [0] * 2)
    exact = beta(8.5, 2.5)
    assert found.accuracy == pytest.approx([8.5 / 11])
    assert (found.low[0], found.high[0]) == pytest.approx(exact.interval(0.95))


def test_uncertain_truth_widens_the_interval():
    sure, unsure = reliability([1] * 8 + [0] * 2), reliability([0.8] * 10)
    assert unsure.accuracy == pytest.approx(sure.accuracy)
    assert unsure.low < sure.low
    assert unsure.high > sure.high


def test_mean_and_interval_are_those_of_a_simulated_truth():
    right = np.linspace(0.3, 1.0, 25)
    rng = np.random.default_rng(0)
    hits = (rng.random((200_000, 25)) < right).sum(axis=1)
    accuracy = rng.beta(hits + 0.5, 25 - hits + 0.5)
    found = reliability(right)
    assert found.accuracy[0] == pytest.approx(accuracy.mean(), abs=0.001)
    assert found.low[0] == pytest.approx(np.quantile(accuracy, 0.025), abs=0.01)
    assert found.high[0] == pytest.approx(np.quantile(accuracy, 0.975), abs=0.01)


def test_worker_of_whom_nothing_is_known_has_the_prior():
    found = reliability([1], worker=np.array([1], dtype=np.int32), judged=[3, 1])
    assert found.accuracy.tolist() == [0.5, 0.75]
    assert found.low[0] < 0.01
    assert found.high[0] > 0.99
    assert found.judged.tolist() == [3, 1]


def test_interval_of_who_was_never_wrong_reaches_one():
    right = np.concatenate((np.full(30, 0.99), np.full(29, 0.99), [0.0]))
    hits = Hits.of(np.repeat([0, 1], 30).astype(np.int32), right, 2)
    found = reliability_of(hits, np.array([30, 30]))
    assert found.high[0] == 1.0
    assert 0.95 < found.high[1] < 1.0


def test_rounding_above_one_does_no_harm():
    assert reliability([1 + 1e-12] * 5).accuracy == pytest.approx([5.5 / 6])


def test_without_workers_there_is_nothing_to_say():
    found = reliability_of(Hits.none(0), np.empty(0, dtype=np.int64))
    assert found.accuracy.tolist() == []


# --- Clusters -----------------------------------------------------------------------------------


@st.composite
def clustered(draw):
    """Who judged, how probably they are right, and in which cluster; three workers."""
    triple = st.tuples(st.integers(0, 2), st.floats(0, 1), st.integers(0, 3))
    rows = draw(st.lists(triple, max_size=20))
    worker, right, cluster = zip(*rows, strict=True) if rows else ([], [], [])
    return np.array(worker, dtype=np.int32), np.array(right, float), np.array(cluster, int)


@given(clustered())
def test_sums_over_pairs_are_those_of_loops(rows):
    worker, right, cluster = rows
    found = Hits.of(worker, right, 3, cluster=cluster)
    sums = np.zeros((4, 3))
    for i in range(len(worker)):
        for j in range(len(worker)):
            if i != j and worker[i] == worker[j] and cluster[i] == cluster[j]:
                p, q = right[i], right[j]
                sums[:, worker[i]] += 1, p, p * q, np.sqrt(p * (1 - p) * q * (1 - q))
    ours = [found.pairs, found.right_compared, found.right_right, found.spread_spread]
    assert np.array(ours) == pytest.approx(sums, abs=1e-9)


@given(clustered())
def test_hits_of_parts_add_up(rows):
    """Parts hold whole clusters."""
    worker, right, cluster = rows
    whole = Hits.of(worker, right, 3, cluster=cluster)
    first = cluster < 2
    parts = [Hits.of(worker[i], right[i], 3, cluster=cluster[i]) for i in (first, ~first)]
    both = Hits.none(3) + parts[0] + parts[1]
    for each in fields(Hits):
        assert getattr(both, each.name) == pytest.approx(getattr(whole, each.name), abs=1e-9)


@given(clustered())
def test_clusters_of_one_say_what_no_clusters_say(rows):
    worker, right, _ = rows
    judged = np.bincount(worker, minlength=3)
    plain = reliability_of(Hits.of(worker, right, 3), judged)
    alone = Hits.of(worker, right, 3, cluster=np.arange(len(worker)))
    found = reliability_of(alone, judged)
    assert design_effects(Hits.of(worker, right, 3)).tolist() == [1.0, 1.0, 1.0]
    for name in ("accuracy", "low", "high"):
        assert getattr(found, name) == pytest.approx(getattr(plain, name), abs=1e-12)


@given(clustered())
def test_clusters_change_no_accuracy_and_leave_it_in_the_interval(rows):
    worker, right, cluster = rows
    hits, judged = Hits.of(worker, right, 3, cluster=cluster), np.bincount(worker, minlength=3)
    plain = reliability_of(Hits.of(worker, right, 3), judged)
    found = reliability_of(hits, judged)
    effect = design_effects(hits)
    assert (effect >= 1).all()
    assert (effect <= np.maximum(np.bincount(worker, minlength=3), 1) + 1e-9).all()
    assert found.accuracy.tolist() == plain.accuracy.tolist()
    assert ((found.low >= 0) & (found.low <= found.accuracy)).all()
    assert ((found.accuracy <= found.high) & (found.high <= 1)).all()


def test_judgments_that_are_copies_count_once():
    """200 clusters, each wholly right or wholly wrong: as 200 judgments."""
    right = np.repeat(np.arange(200) % 4 > 0, 7).astype(float)
    worker, cluster = np.zeros(1400, dtype=np.int32), np.repeat(np.arange(200), 7)
    hits = Hits.of(worker, right, 1, cluster=cluster)
    assert design_effects(hits) == pytest.approx([7], rel=0.01)
    found = reliability_of(hits, np.array([1400]))
    assert (found.low[0], found.high[0]) == pytest.approx(
        beta(150.5, 50.5).interval(0.95), abs=1e-3
    )


def test_judgments_that_only_lie_together_count_one_each():
    right = (np.random.default_rng(0).random(20_000) < 0.8).astype(float)
    worker = np.zeros(20_000, dtype=np.int32)
    hits = Hits.of(worker, right, 1, cluster=np.arange(20_000) // 10)
    assert design_effects(hits) == pytest.approx([1], abs=0.1)


def test_one_cluster_lends_from_the_other_workers():
    """Worker 1 has a single cluster; that judgments are copies, only worker 0 shows."""
    worker = np.repeat([0, 1], [1400, 7]).astype(np.int32)
    right = np.concatenate([np.repeat(np.arange(200) % 4 > 0, 7), [1, 1, 1, 0, 1, 1, 1]])
    cluster = np.concatenate([np.repeat(np.arange(200), 7), [0] * 7])
    effect = design_effects(Hits.of(worker, right.astype(float), 2, cluster=cluster))
    assert effect[1] == pytest.approx(7, rel=0.02)
    alone = Hits.of(worker[1400:], right[1400:].astype(float), 2, cluster=cluster[1400:])
    assert design_effects(alone).tolist() == [1, 1]  # nobody shows anything


def test_who_judged_much_is_known_by_their_own_labels():
    """Worker 0 copies within their clusters, worker 1 does not."""
    rng = np.random.default_rng(0)
    right = np.concatenate([np.repeat(rng.random(2_000) < 0.75, 7), rng.random(14_000) < 0.75])
    worker = np.repeat([0, 1], 14_000).astype(np.int32)
    hits = Hits.of(worker, right.astype(float), 2, cluster=np.arange(28_000) // 7)
    assert design_effects(hits) == pytest.approx([7, 1], abs=0.4)


def test_one_doubt_in_a_cluster_is_one_doubt():
    """Nothing is known of 50 clusters but that each is wholly right in four of five cases."""
    worker, right = np.zeros(500, dtype=np.int32), np.full(500, 0.8)
    hits = Hits.of(worker, right, 1, cluster=np.arange(500) // 10)
    found = reliability_of(hits, np.array([500]))
    rng = np.random.default_rng(0)
    wholly = (rng.random((50_000, 50)) < 0.8).sum(axis=1)
    accuracy = rng.beta(wholly + 0.5, 50 - wholly + 0.5)
    assert found.low[0] == pytest.approx(np.quantile(accuracy, 0.025), abs=0.02)
    assert found.high[0] == pytest.approx(np.quantile(accuracy, 0.975), abs=0.02)


@pytest.mark.parametrize("method", [BSCcm, BSCseq, HMMCrowd])
@pytest.mark.parametrize(
    ("together", "long_run", "realised"),
    [("nothing", 0.92, 0.98), ("answers", 0.92, 0.98), ("sentences", 0.86, 0.97)],
)
def test_intervals_of_taggers_cover(method, together, long_run, realised):
    """Without clusters "answers" has some .71 and "sentences" some .62 in the long run."""
    inside, here = [], []
    for seed in range(12):
        crowd = erring(seed=seed, together=together)
        found = method().fit(crowd.sequences).reliability_
        inside.append((found.low <= crowd.accuracy) & (crowd.accuracy <= found.high))
        here.append((found.low <= crowd.realised()) & (crowd.realised() <= found.high))
    assert long_run <= np.mean(inside) <= 0.99
    assert np.mean(here) >= realised


@pytest.mark.parametrize("method", [MVtoken, MVseq, MVseg])
def test_votes_on_sequences_know_that_tokens_hang_together(method):
    """The accuracy is that of the tokens, the interval wider; shuffled labels change nothing."""
    crowd = erring(seed=1, together="answers").sequences
    plain = MajorityVote().fit(crowd.token_labels()).reliability_
    found = method().fit(crowd).reliability_
    assert found.accuracy.tolist() == plain.accuracy.tolist()
    assert ((found.high - found.low) > 1.3 * (plain.high - plain.low)).mean() > 0.9

    order = np.random.default_rng(0).permutation(crowd.n_labels)
    shuffled = type(crowd)(
        crowd.token[order], crowd.worker[order], crowd.label[order],
        starts=crowd.starts, n_workers=crowd.n_workers, tags=crowd.tags,
    )  # fmt: skip
    assert method().fit(shuffled).reliability_.low == pytest.approx(found.low)


def test_interval_of_a_vote_is_of_the_agreement_and_not_of_the_accuracy():
    """Two who guess hide how good the third is: they are always right, they agree with
    them in few answers."""
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=3_000)
    said = np.stack([truth, rng.integers(4, size=3_000), rng.integers(4, size=3_000)])
    labels = CrowdLabels(
        np.tile(np.arange(3_000), 3), np.repeat(np.arange(3), 3_000), said.ravel(), 3_000, 3, 4
    )
    assert MajorityVote().fit(labels).reliability_.high[0] < 0.35
