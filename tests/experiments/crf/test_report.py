import numpy as np
import pytest

from experiments.crf.corpus import synthetic_corpus
from experiments.crf.report import lines_of
from experiments.crf.trials import TEST, TRAIN, TrialPlan, Trials


@pytest.mark.parametrize(
    ("true_f1", "told"),
    [
        ([50.0, np.nan, 60.0], "Annotators: true F1 from 50.00 to 60.00, mean 55.00."),
        ([np.nan, np.nan], "Annotators: none has an F1 here. Neither they nor the truth have a"),
    ],
)
def test_a_crowd_of_whom_no_f1_is_known_is_told(true_f1, told):
    counts = np.ones((1, 1, 2, 5))
    trials = Trials(
        ("crf-ma",),
        {TRAIN: counts, TEST: counts},
        np.array([true_f1]),
        np.array([[true_f1]]),
        np.ones((1, 1)),
        by_document=True,
    )
    lines = list(lines_of(TrialPlan("crowd", methods=("crf-ma",)), synthetic_corpus(4, 0), trials))
    assert told in " ".join(lines)
    assert max(map(len, lines)) <= 100
