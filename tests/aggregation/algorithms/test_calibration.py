import numpy as np
import pytest

from aggregation.algorithms import calibration_of


def test_error_is_the_mean_gap_between_sure_and_right():
    """Two bins: 4 choices at .75 of which 2 are right, 2 at 1 of which both are."""
    found = calibration_of([0.75] * 4 + [1.0] * 2, [1, 1, 0, 0, 1, 1], bins=4)
    assert found.count.tolist() == [0, 0, 4, 2]
    assert found.confidence[2:].tolist() == [0.75, 1]
    assert found.accuracy[2:].tolist() == [0.5, 1]
    assert np.isnan(found.accuracy[:2]).all()
    assert found.error == pytest.approx(4 * 0.25 / 6)


def test_edges_belong_to_the_bin_below():
    assert calibration_of([0.0, 0.5, 0.51], [0, 1, 1], bins=2).count.tolist() == [2, 1]


def test_perfect_calibration_has_no_error():
    sure = np.repeat([0.55, 0.95], 100)
    right = np.concatenate([np.arange(100) < 55, np.arange(100) < 95])
    assert calibration_of(sure, right).error == pytest.approx(0)


def test_without_choices_there_is_no_error_to_tell():
    assert calibration_of([], []).error is None


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="there are 2 confidences, but 1 outcomes"):
        calibration_of([0.5, 0.6], [True])
