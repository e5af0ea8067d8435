"""CrowdSequences: words, documents, and the dealing out to shards."""

import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.data import numbered_words
from tests.aggregation.algorithms.tagging import TAGS, worded


def sequences(**changes):
    given = {
        "token": [0, 1], "worker": [0, 0], "label": [0, 1], "starts": [0, 2], "n_workers": 1,
        "tags": TAGS, "words": [0, 1], "vocabulary": ["May", "may"],
    }  # fmt: skip
    return CrowdSequences(**given | changes)


def test_words_are_numbered_as_they_appear_and_told_apart_by_case():
    words, vocabulary = numbered_words(iter(["may", "May", "may", "é", ""]))
    assert words.tolist() == [0, 1, 0, 2, 3]
    assert vocabulary == ("may", "May", "é", "")
    words, vocabulary = numbered_words([])
    assert words.shape == (0,)
    assert vocabulary == ()


def test_sequences_keep_words_read_only_and_leave_the_input_alone():
    words = np.array([1, -1], dtype=np.int32)
    crowd = sequences(words=words)
    assert crowd.words.tolist() == [1, -1]
    assert crowd.vocabulary == ("May", "may")
    assert words.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        crowd.words[0] = 0


def test_sequences_without_words_have_none():
    crowd = sequences(words=None, vocabulary=())
    assert crowd.words is None
    assert crowd.vocabulary == ()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"words": [0]}, r"words has the shape \(1,\), but there are 2 tokens"),
        ({"words": [0.0, 1.0]}, "words holds float64, but must hold integers"),
        ({"words": [0, 2]}, "words run from 0 to 2, but there are 2, numbered from 0; -1 is none"),
        ({"words": [-2, 0]}, "words run from -2 to 0, but there are 2"),
        ({"words": None}, "vocabulary without words: pass both or neither"),
        ({"vocabulary": ["a", "a"]}, "vocabulary has 2 words, but only 1 different"),
        ({"starts": [0, 3]}, r"words has the shape \(2,\), but there are 3 tokens"),
    ],
)
def test_wrong_words_are_refused_with_both_values(wrong, message):
    with pytest.raises(ValueError, match=message):
        sequences(**wrong)


def test_documents_hold_sequences():
    documents = np.array([0, 0, 2, 3])
    crowd = sequences(starts=[0, 1, 1, 2], documents=documents)
    assert crowd.documents.tolist() == [0, 0, 2, 3]
    assert crowd.n_documents == 3
    assert crowd.document_of_sequence().tolist() == [1, 1, 2]
    assert documents.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        crowd.documents[0] = 1


def test_without_documents_each_sequence_is_one():
    assert sequences(starts=[0, 1, 1, 2]).documents.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([0, 2], "documents must end with the number of sequences, 1, but end with 2"),
        ([1], "documents must begin with 0, but begins with 1"),
        ([0, 1, 0, 1], r"documents must not fall, but documents\[1\] is 1"),
        ([], r"documents has the shape \(0,\), but must be \(n_documents \+ 1,\)"),
    ],
)
def test_wrong_documents_are_refused_with_both_values(documents, message):
    with pytest.raises(ValueError, match=message):
        sequences(documents=documents)


@given(st.lists(st.lists(st.integers(1, 3), max_size=4), max_size=5), st.integers(1, 6))
def test_a_shard_keeps_documents_and_may_cut_one(documents, n):
    lengths = [length for document in documents for length in document]
    crowd = CrowdSequences(
        [], [], [], starts=np.cumsum([0, *lengths]), n_workers=0, tags=TAGS,
        documents=np.cumsum([0, *map(len, documents)]),
    )  # fmt: skip
    first = 0
    for shard in crowd.split(n):
        last = first + shard.n_sequences
        whole = crowd.document_of_sequence()[first:last]
        assert np.diff(shard.document_of_sequence()).astype(bool).tolist() == (
            np.diff(whole).astype(bool).tolist()
        )
        first = last


@given(worded(), st.integers(1, 6))
def test_shards_put_together_are_the_whole(crowd, n):
    shards = crowd.split(n)
    assert 1 <= len(shards) <= n
    first = np.cumsum([0, *(shard.n_tokens for shard in shards)])
    assert first[-1] == crowd.n_tokens
    assert sum(shard.n_sequences for shard in shards) == crowd.n_sequences
    starts = np.concatenate(
        [[0], *(shard.starts[1:] + at for shard, at in zip(shards, first, strict=False))]
    )
    assert starts.tolist() == crowd.starts.tolist()
    found = Counter(
        (int(token + at), int(worker), int(label))
        for shard, at in zip(shards, first, strict=False)
        for token, worker, label in zip(shard.token, shard.worker, shard.label, strict=True)
    )
    assert found == Counter(
        zip(crowd.token.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True)
    )
    assert np.concatenate([shard.words for shard in shards]).tolist() == crowd.words.tolist()
    for shard in shards:
        assert (shard.tags, shard.n_workers) == (crowd.tags, crowd.n_workers)
        assert shard.vocabulary is crowd.vocabulary


def test_shards_have_about_as_many_labels_each_whatever_their_order():
    rng = np.random.default_rng(0)
    starts = np.concatenate(([0], np.cumsum(rng.integers(1, 20, size=300))))
    token = np.repeat(np.arange(starts[-1]), rng.integers(0, 4, size=starts[-1]))
    worker = np.concatenate([np.arange(n) for n in np.bincount(token, minlength=starts[-1])])
    order = rng.permutation(len(token))
    crowd = CrowdSequences(
        token[order], worker[order], np.zeros(len(token), int), starts=starts, n_workers=4,
        tags=TAGS,
    )  # fmt: skip
    shards = crowd.split(5)
    assert len(shards) == 5
    assert shards[0].words is None
    loads = [
        np.maximum(np.bincount(shard.token, minlength=shard.n_tokens), 1).sum() for shard in shards
    ]
    assert max(loads) - min(loads) < 120  # no sequence has more than 57 labels


def test_one_shard_is_the_whole_and_none_are_refused():
    crowd = sequences()
    assert crowd.split(1) == [crowd]
    assert crowd.split(9) == [crowd]  # a sequence is never cut
    with pytest.raises(ValueError, match="at least 1 shard, but n is 0"):
        crowd.split(0)


def test_shards_travel_between_processes():
    (shard,) = pickle.loads(pickle.dumps(sequences().split(1)))
    assert shard.words.tolist() == [0, 1]
    assert repr(shard) == repr(sequences())
