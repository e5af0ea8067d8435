from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import CrowdLabels, CrowdSequences, blocks, data, ordered_tags
from tests.aggregation.algorithms.simulated import crowds, tagged

TAGS = ordered_tags(["B-PER"])  # B-PER, I-PER, O


def labels(unit=(0, 0, 1), worker=(0, 1, 1), label=(0, 1, 1), units=2, workers=2, classes=2):
    return CrowdLabels(unit, worker, label, units, workers, classes)


def sequences(token=(0, 1), worker=(0, 0), label=(0, 1), starts=(0, 2), workers=1, tags=TAGS):
    return CrowdSequences(token, worker, label, starts=starts, n_workers=workers, tags=tags)


# --- CrowdLabels --------------------------------------------------------------------------------


def test_votes_count_each_class_of_each_unit():
    assert labels().votes().tolist() == [[1, 1], [0, 1]]


def test_judged_counts_labels_of_each_worker(monkeypatch):
    assert labels(workers=3).judged().tolist() == [1, 2, 0]
    monkeypatch.setattr(blocks, "AT_ONCE", 2)  # so that there are pieces
    assert labels(workers=3).judged().tolist() == [1, 2, 0]


@pytest.mark.parametrize("size", [1, 3, 100])
@given(crowd=crowds())
def test_blocks_count_what_each_worker_said_of_each_unit(size, crowd):
    expected = np.zeros((crowd.n_units, crowd.n_workers * crowd.n_classes))
    for unit, worker, label in zip(crowd.unit, crowd.worker, crowd.label, strict=True):
        expected[unit, worker * crowd.n_classes + label] += 1
    with mock.patch.object(data, "BLOCK_LABELS", size):
        blocks = crowd.blocks()

    units = [np.arange(crowd.n_units)[block.units] for block in blocks]
    assert np.concatenate([*units, []]).tolist() == list(range(crowd.n_units))
    for block in blocks:
        assert (block.counts.toarray() == expected[block.units]).all()


def test_many_labels_make_several_blocks():
    n = 3 * data.BLOCK_LABELS
    crowd = CrowdLabels(np.arange(n) // 2, np.arange(n) % 2, np.zeros(n, dtype=int), n // 2, 2, 1)
    assert [block.counts.nnz for block in crowd.blocks()] == [data.BLOCK_LABELS] * 3


@given(crowd=crowds(), n=st.integers(1, 8))
def test_shards_together_are_the_whole(crowd, n):
    shards = crowd.split(n)
    first = np.cumsum([0, *(shard.n_units for shard in shards)])
    found = [
        (int(start + unit), worker, label)
        for start, shard in zip(first[:-1], shards, strict=True)
        for unit, worker, label in zip(shard.unit, shard.worker, shard.label, strict=True)
    ]

    assert 1 <= len(shards) <= n
    assert first[-1] == crowd.n_units
    assert {(shard.n_workers, shard.n_classes) for shard in shards} == {
        (crowd.n_workers, crowd.n_classes)
    }
    assert sorted(found) == sorted(zip(crowd.unit, crowd.worker, crowd.label, strict=True))


@pytest.mark.parametrize("shuffled", [False, True])
def test_shards_have_about_as_many_labels(shuffled):
    unit = np.repeat(np.arange(300), np.arange(300) % 7)
    if shuffled:
        unit = np.random.default_rng(0).permutation(unit)
    crowd = labels(unit, np.zeros(len(unit), int), np.zeros(len(unit), int), units=400)
    load = [shard.n_labels + (np.bincount(shard.unit, minlength=shard.n_units) == 0).sum()
            for shard in crowd.split(4)]  # fmt: skip
    assert len(load) == 4
    assert max(load) - min(load) <= 2 * 6


def test_more_shards_than_two_bytes_can_number(monkeypatch):
    monkeypatch.setattr(CrowdSequences, "_shard", lambda _, labels, sequences: (labels, sequences))
    n = 2**16 + 10
    crowd = CrowdSequences(
        np.arange(n), np.zeros(n, int), np.zeros(n, int), starts=np.arange(n + 1), n_workers=1,
        tags=["O"],
    )  # fmt: skip
    found = crowd.split(n)
    assert len(found) == n
    assert [labels for labels, _ in found] == [slice(i, i + 1) for i in range(n)]


@given(tagged(), st.integers(1, 5), st.booleans())
def test_pieces_hold_whole_sequences_and_each_label_once(crowd, size, shuffled):
    if shuffled:
        order = np.random.default_rng(0).permutation(crowd.n_labels)
        crowd = CrowdSequences(
            crowd.token[order], crowd.worker[order], crowd.label[order],
            starts=crowd.starts, n_workers=crowd.n_workers, tags=crowd.tags,
        )  # fmt: skip
    with mock.patch.object(data, "BLOCK_LABELS", size):
        pieces = [(np.arange(crowd.n_labels)[labels], of) for labels, of in crowd.pieces()]
    assert sorted(label for labels, _ in pieces for label in labels) == list(range(crowd.n_labels))
    for labels, of in pieces:
        assert crowd.sequence_of_token()[crowd.token[labels]].tolist() == of.tolist()
    several = [set(of.tolist()) for _, of in pieces]
    assert sum(map(len, several)) == len(set().union(*several))
    longest = np.bincount(crowd.sequence_of_token()[crowd.token], minlength=1).max()
    assert all(len(labels) <= size + longest for labels, _ in pieces)


@given(tagged(), st.integers(2, 5), st.integers(1, 6), st.booleans())
def test_shards_of_sequences_hold_their_labels_in_the_order_of_the_whole(crowd, n, size, shuffled):
    order = np.arange(crowd.n_labels)
    if shuffled:
        order = np.random.default_rng(0).permutation(order)
    crowd = CrowdSequences(
        crowd.token[order], crowd.worker[order], crowd.label[order],
        starts=crowd.starts, n_workers=crowd.n_workers, tags=crowd.tags,
    )  # fmt: skip
    with mock.patch.object(data, "SOUGHT", size):
        shards = crowd.split(n)
    first = 0
    for shard in shards:
        own = (crowd.token >= first) & (crowd.token < first + shard.n_tokens)
        assert (shard.token + first).tolist() == crowd.token[own].tolist()
        assert shard.worker.tolist() == crowd.worker[own].tolist()
        assert shard.label.tolist() == crowd.label[own].tolist()
        first += shard.n_tokens
    assert first == crowd.n_tokens


def test_less_than_one_shard_is_refused():
    with pytest.raises(ValueError, match="at least 1 shard, but n is 0"):
        labels().split(0)


def test_more_columns_than_a_matrix_can_have_are_refused():
    with pytest.raises(ValueError, match="2000000 workers x 2000 classes are 4000000000 columns"):
        CrowdLabels([], [], [], 0, 2_000_000, 2_000).blocks()


def test_input_is_neither_changed_nor_locked():
    unit = np.array([1, 0], dtype=np.int32)
    crowd = labels(unit=unit, worker=[0, 1], label=[0, 1])
    crowd.blocks()

    assert unit.tolist() == [1, 0]
    assert unit.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        crowd.unit[0] = 5


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"unit": [0, 0, 2]}, r"unit holds 2, but there are 2, numbered from 0"),
        ({"worker": [0, 1, 9]}, r"worker holds 9, but there are 2"),
        ({"label": [0, 1, -1]}, r"label holds -1, .* what was not judged is left out"),
        ({"unit": [0, 0]}, r"2 in unit, 3 in worker, 3 in label"),
        ({"label": [0.0, 1.0, 1.0]}, r"label holds float64, but must hold integers"),
        ({"unit": [[0, 0, 1]]}, r"unit has the shape \(1, 3\), but must have 1 dimension"),
        ({"unit": [], "worker": [], "label": [], "classes": 0}, r"n_classes is 0"),
    ],
)
def test_wrong_labels_are_refused_with_both_values(wrong, message):
    with pytest.raises(ValueError, match=message):
        labels(**wrong)


def test_labels_say_their_size():
    assert repr(labels()) == "CrowdLabels(3 labels, 2 units, 2 workers, 2 classes)"


# --- CrowdSequences -----------------------------------------------------------------------------


def test_token_labels_are_units_of_their_own():
    crowd = sequences().token_labels()
    assert (crowd.n_units, crowd.n_workers, crowd.n_classes) == (2, 1, 3)
    assert crowd.unit.tolist() == [0, 1]
    assert crowd.label.tolist() == [0, 1]


def test_tokens_know_their_sequence_across_empty_ones():
    crowd = sequences(token=[0], worker=[0], label=[2], starts=[0, 2, 2, 3])
    assert (crowd.n_sequences, crowd.n_tokens) == (3, 3)
    assert crowd.sequence_of_token().tolist() == [0, 0, 2]


def test_tags_come_by_name_with_o_last_and_both_of_each_type():
    assert ordered_tags(["O", "I-PER", "B-LOC"]) == ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")
    assert ordered_tags([]) == ("O",)


@pytest.mark.parametrize("name", ["PER", "B-", "b-PER", "?", ""])
def test_what_is_no_tag_is_refused(name):
    with pytest.raises(ValueError, match="is no tag"):
        ordered_tags([name])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"token": [0, 2]}, r"token holds 2, but there are 2"),
        ({"label": [0, 3]}, r"label holds 3, but there are 3"),
        ({"token": [1, 1]}, r"worker 0 gave token 1 more than one tag"),
        ({"worker": [0]}, r"2 in token, 1 in worker, 2 in label"),
        ({"starts": [1, 2]}, r"starts must begin with 0, but begins with 1"),
        ({"starts": [0, 3, 2]}, r"starts\[1\] is 3 and starts\[2\] is 2"),
        ({"starts": []}, r"starts has the shape \(0,\)"),
        ({"tags": ("O", "B-PER", "I-PER")}, r"the last tag must be 'O'"),
        ({"tags": ("B-PER", "O")}, r"must be B-PER, I-PER, O, each once, but they are B-PER, O"),
        ({"tags": ()}, r"the tags are none"),
    ],
)
def test_wrong_sequences_are_refused_with_both_values(wrong, message):
    with pytest.raises(ValueError, match=message):
        sequences(**wrong)


def test_sequences_say_their_size():
    assert repr(sequences()) == (
        "CrowdSequences(2 labels, 2 tokens in 1 sequences, 1 workers, 3 tags)"
    )
