import numpy as np
import pytest

from evaluation.algorithms.metrics import (
    effective_share,
    instance_metric,
    macro_metric,
    mixture,
    stratified_metric,
)
from evaluation.algorithms.predictions import Predictions

TWO = Predictions.of([[0, 1, 2, 3], [3, 4], []])
#                      a  a  a  b    b  b   entity of each prediction


def test_predictions_are_sets_that_rise():
    assert Predictions.of([[3, 1, 1]]).claim.tolist() == [1, 3]
    assert TWO.sizes.tolist() == [4, 2, 0]
    assert TWO.system.tolist() == [0, 0, 0, 0, 1, 1]
    assert TWO.members(np.array([1, 3])).toarray().tolist() == [[1, 1], [0, 1], [0, 0]]


@pytest.mark.parametrize(
    ("claim", "starts", "n", "message"),
    [
        ([1, 0], [0, 2], 2, "must rise"),
        ([0, 0], [0, 2], 2, "must rise"),
        ([0, 5], [0, 2], 2, "must be 0 to 1"),
        ([0, 1], [0, 1], 2, "end with the number"),
        ([0, 1], [0, 2, 1, 2], 2, "must not fall"),
    ],
)
def test_columns_that_are_no_predictions_are_refused(claim, starts, n, message):
    with pytest.raises(ValueError, match=message):
        Predictions(np.array(claim), np.array(starts), n)


def test_claims_of_neighbouring_systems_may_fall():
    assert Predictions.of([[], [5], [1, 2], [], [0]]).n_systems == 5


def test_each_metric_is_a_distribution_over_each_system():
    entity, fill = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 2, 2, 3])
    for p in (
        instance_metric(TWO),
        macro_metric(TWO, entity),
        stratified_metric(TWO, entity, fill),
    ):
        assert TWO.sums(p) == pytest.approx([1, 1, 0])


def test_relation_and_entity_count_groups_alike():
    p = macro_metric(TWO, np.array([7, 7, 7, 2, 0, 1]))
    assert p == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2, 1 / 2, 1 / 2])


def test_stratified_draws_an_entity_then_a_fill_then_a_mention():
    one = Predictions.of([[0, 1, 2, 3, 4]])
    entity, fill = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 0, 0])  # fill 0 of each its own
    p = stratified_metric(one, entity, fill)
    assert p == pytest.approx([1 / 8, 1 / 8, 1 / 4, 1 / 4, 1 / 4])


def test_many_groups_are_counted_as_few_are():
    p = macro_metric(TWO, np.array([7, 7, 7, 2, 0, 1]) * 10**9)
    assert p == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2, 1 / 2, 1 / 2])


def test_a_mixture_keeps_a_share_of_the_draws_for_each_metric():
    instance = instance_metric(TWO)
    relation = macro_metric(TWO, np.array([0, 0, 0, 1, 0, 1]))
    mixed = mixture([instance, relation], [1, 3])
    assert TWO.sums(mixed) == pytest.approx([1, 1, 0])
    for metric, share in ((instance, 0.25), (relation, 0.75)):
        assert (effective_share(TWO, metric, mixed)[:2] >= share).all()
    assert np.isnan(effective_share(TWO, instance, mixed)[2])
    with pytest.raises(ValueError, match="shares"):
        mixture([instance], [0])
