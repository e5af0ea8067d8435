"""CRF-CONC, MultiCRF, MultiCRF-MAX, CRF-GOLD: on crowds of which all is known."""

import numpy as np
import pytest
from hypothesis import given, settings

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.crf_baselines import CRFConc, MultiCRF, MultiCRFMax, crf_gold
from tests.aggregation.algorithms.tagging import TAGS, B, I, O, worded
from tests.aggregation.algorithms.texts import small, telling

METHODS = [CRFConc, MultiCRF, MultiCRFMax]
FEW = {"first_steps": 20, "steps": 5, "max_iter": 4}


@pytest.fixture(scope="module")
def crowd():
    """Three workers alike, right three times of four."""
    said = np.full((3, 3, 3, 3), 0.125)
    for tag in range(3):
        said[:, tag, :, tag] = 0.75
    return telling(seed=0, said=said, redundancy=3)


@pytest.mark.parametrize("method", METHODS)
def test_it_works(crowd, method):
    fitted = method(**FEW).fit(crowd.sequences)
    assert crowd.f1(fitted) > 0.4
    np.testing.assert_allclose(fitted.posterior_.sum(axis=1), 1)
    text = Text.of_sequences(crowd.sequences)
    assert np.array_equal(fitted.tagger_.tag(text), fitted.predict())
    assert fitted.reliability_.judged.tolist() == [1200] * 3
    again = method(**FEW).fit(crowd.sequences)
    assert np.array_equal(again.posterior_, fitted.posterior_)


@given(crowd=worded())
@settings(max_examples=15)
@pytest.mark.parametrize("method", METHODS)
def test_any_crowd_is_taken(method, crowd):
    fitted = method(first_steps=3, steps=2, max_iter=2).fit(crowd)
    np.testing.assert_allclose(fitted.posterior_.sum(axis=1), 1)
    assert fitted.predict().shape == (crowd.n_tokens,)


@pytest.mark.parametrize("method", METHODS)
def test_words_and_settings_are_checked(method):
    bare = CrowdSequences([0], [0], [O], starts=[0, 1], n_workers=1, tags=TAGS)
    with pytest.raises(ValueError, match=f"{method.name} needs the words of the tokens"):
        method().fit(bare)
    with pytest.raises(ValueError, match="sigma2 must be more than 0, but is 0"):
        method(sigma2=0)


def test_conc_counts_each_answer_as_often_as_it_was_given():
    """Of one token alone, the field can be read off: two say B, one O."""
    sure = CRFConc(sigma2=1e6, first_steps=100)
    fitted = sure.fit(small([[B], [B], [O]], [0, 1], [0], ["a"]))
    np.testing.assert_allclose(fitted.posterior_, [[2 / 3, 0, 1 / 3]], atol=1e-3)
    assert fitted.diagnostics_.objective == pytest.approx([np.log(4 / 27)], abs=1e-3)


def test_conc_sums_over_what_an_answer_leaves_out():
    """`a` is B, `b` after it I, as two workers say; the third says that of `b` alone."""
    rows = [[B, I, O], [B, I, O], [-1, I, -1]]
    fitted = CRFConc(**FEW).fit(small(rows, [0, 3], [0, 1, 2], ["a", "b", "c"]))
    assert fitted.predict().tolist() == [B, I, O]
    assert fitted.diagnostics_.iterations > 1


@pytest.mark.parametrize("method", [MultiCRF, MultiCRFMax])
def test_multi_asks_the_text_which_of_the_tags_is_right(method):
    """Two workers, each once wrong; the word is the same as where they agree."""
    rows = [[B, O] * 6 + [B, O] * 2, [B, O] * 6 + [O, O, B, B]]
    sequences = small(rows, np.arange(9) * 2, [0, 1] * 8, ["a", "b"])
    fitted = method(**FEW).fit(sequences)
    assert fitted.predict().tolist() == [B, O] * 8


def test_gold_is_learnt(crowd):
    text = Text.of_sequences(crowd.sequences)
    half = crowd.truth.copy()
    half[::16] = -1  # in every other sequence
    tagger = crf_gold(text, half, TAGS, steps=20)
    assert (tagger.tag(text) == crowd.truth)[half >= 0].mean() > 0.7


def test_gold_is_of_all_tokens(crowd):
    text = Text.of_sequences(crowd.sequences)
    with pytest.raises(ValueError, match=r"gold has the shape \(2,\), but there are 1200 tokens"):
        crf_gold(text, [0, 0], TAGS)
    with pytest.raises(ValueError, match="steps must be at least 1"):
        crf_gold(text, crowd.truth, TAGS, steps=0)
