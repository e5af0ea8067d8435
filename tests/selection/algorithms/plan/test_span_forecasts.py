import numpy as np
import pytest

from aggregation.algorithms import BSCseq, CrowdSequences, MVtoken
from aggregation.algorithms.sequences.span_confidences import SpanConfidences
from selection.algorithms.plan import span_forecasts as forecasts
from selection.algorithms.plan.campaigns import StoppingRule
from selection.algorithms.plan.span_forecasts import Pilot, forecast_spans, stopped_documents

TAGS = ("B-PER", "I-PER", "O")


def pilot(seed, *, documents=30, answers=4, known=20, error=0.15):
    """Sentences of ten tokens with one span of two; workers miss it or begin it late."""
    rng = np.random.default_rng(seed)
    gold = np.full((documents, 10), 2)
    rows = []
    for d in range(documents):
        at = rng.integers(8)
        gold[d, at], gold[d, at + 1] = 0, 1
        for worker in rng.choice(12, answers, replace=False):
            said = gold[d].copy()
            if rng.random() < error:
                said[at : at + 2] = 2
            if rng.random() < error:
                said[at : at + 2] = 2, 0
            rows += [(10 * d + i, worker, tag) for i, tag in enumerate(said)]
    token, worker, label = np.array(rows).T
    crowd = CrowdSequences(
        token, worker, label, starts=np.arange(documents + 1) * 10, n_workers=12, tags=TAGS
    )
    gold[known:] = -1
    return Pilot(crowd, np.repeat(np.arange(documents), 10), gold.ravel(), TAGS)


def vote(part):
    return MVtoken().fit(part)


def test_f1_at_the_pilots_answers_is_that_of_its_gold():
    found = forecast_spans(pilot(1), vote, total=30, answers=[1, 4, 6])
    assert (found.measure, found.pilot, found.gold, found.answers_each) == ("F1", 30, 20, 4.0)
    one, four, six = found.points
    assert one.mean < four.mean <= six.mean
    assert one.low < one.mean < one.high
    assert six.high - six.low < 0.5


def test_without_errors_nothing_is_missed_and_the_interval_knows_how_little_was_seen():
    found = forecast_spans(pilot(2, error=0.0), vote, total=150, answers=[4])
    (point,) = found.points
    assert point.mean > 0.98
    assert 0.7 < point.low < 0.97


def test_documents_that_stop_where_they_are_sure_are_as_good_with_fewer_answers():
    """The majority of four that agree is as sure after two; who differ are asked again."""
    rule = StoppingRule(2, 0.9)
    found = forecast_spans(
        pilot(5, documents=120, known=120), vote, total=150, answers=[1, 2, 4, 6], stopping=rule
    )
    assert (found.least, found.wanted) == (2, 0.9)
    (point,) = found.adaptive  # a number up to the least is as fixed, and of six nothing is known
    fixed = {one.answers: one for one in found.points}[4]
    assert point.most == 4
    assert 2 < point.fewest < point.answers < point.highest < 4
    assert point.mean == pytest.approx(fixed.mean, abs=0.03)
    assert 0.5 < point.low < fixed.low < point.mean < point.high  # where they stop is a doubt


def test_documents_that_are_never_sure_get_all_answers_and_are_as_fixed():
    made = pilot(6, documents=40, known=40)
    found = forecast_spans(
        made, vote, total=150, answers=[3, 4], stopping=StoppingRule(2, 1.1), draws=1
    )
    assert [point.answers for point in found.adaptive] == [3, 4]
    fixed = {one.answers: one.mean for one in found.points}
    assert found.adaptive[-1].mean == pytest.approx(fixed[4])


def test_documents_are_judged_as_those_of_a_campaign():
    """By a temperature that the pilot's gold teaches: workers who err together are less sure."""
    made = pilot(7, documents=60, known=30, error=0.3)
    rule, told = StoppingRule(2, 0.8), made.gold
    fitted = BSCseq(text=0).fit(made.answers)
    found = SpanConfidences.of(fitted, made.answers, gold=told)
    wanted = found.spans.expected(made.document, 60).f1()
    found = stopped_documents(
        np.random.default_rng(3), made, lambda part: BSCseq(text=0).fit(part), rule, 4, 1
    )[4]
    fixed = forecasts._sure(made, made.answers, fitted, fitted.predict())
    assert fixed == pytest.approx(wanted)
    assert 2 < found.given.mean() < 4


def test_documents_of_several_sentences_stay_together():
    whole = pilot(8, documents=6, known=6)
    labels = whole.answers
    together = CrowdSequences(
        labels.token, labels.worker, labels.label, starts=labels.starts, n_workers=12, tags=TAGS,
        documents=[0, 2, 4, 6],
    )  # fmt: skip
    made = Pilot(together, whole.document // 2, whole.gold, TAGS)
    part = made.some(np.array([True, False, True]))
    assert part.answers.documents.tolist() == [0, 2, 4]
    assert part.n_documents == 2


def test_documents_without_gold_tell_nothing():
    with pytest.raises(ValueError, match="1 documents of the pilot have gold"):
        forecast_spans(pilot(3, known=1), vote, total=150, answers=[4])


def test_some_documents_of_a_pilot_are_numbered_anew():
    whole = pilot(4, documents=5, known=5)
    part = whole.some(np.array([False, True, False, True, True]))
    assert (part.n_documents, part.answers.n_tokens) == (3, 30)
    assert part.answers.starts.tolist() == [0, 10, 20, 30]
    assert (part.gold[:10] == whole.gold[10:20]).all()
    mine = part.answers.token < 10
    theirs = (whole.answers.token >= 10) & (whole.answers.token < 20)
    assert (part.answers.label[mine] == whole.answers.label[theirs]).all()
    assert part.checked().all()
