import numpy as np
import pytest

from aggregation.algorithms import BSCseq, CrowdSequences
from aggregation.algorithms.measures.calibration import cross_entropy
from aggregation.algorithms.sequences.crf import Text
from aggregation.algorithms.sequences.touchstone import Touchstone, model
from aggregation.algorithms.sequences.touchstone.predictability import floor_of_kappa
from tests.aggregation.algorithms.sequences.touchstone.names import TAGS, names

QUICK = {"rounds": 3}


@pytest.fixture(scope="module")
def crowd():
    return names()


@pytest.fixture(scope="module")
def fitted(crowd):
    return Touchstone(**QUICK).fit(crowd.sequences)


def test_text_tells_what_two_workers_leave_open(crowd, fitted):
    plain = BSCseq().fit(crowd.sequences)
    assert fitted.method_ == "touchstone"
    assert crowd.f1(fitted) > 0.75
    assert crowd.f1(fitted) > crowd.f1(plain) + 0.1
    assert cross_entropy(fitted.posterior_, crowd.truth) < 0.5 * cross_entropy(
        plain.posterior_, crowd.truth
    )


def test_rows_are_distributions_and_tags_are_legal(crowd, fitted):
    np.testing.assert_allclose(fitted.posterior_.sum(axis=1), 1.0)
    assert fitted.posterior_.min() >= 0
    chosen = fitted.predict().reshape(-1, 10)
    inside = (chosen == 2) | (chosen == 3)
    assert not inside[:, 0].any()
    before = chosen[:, :-1][inside[:, 1:]]
    assert (before % 2 == chosen[:, 1:][inside[:, 1:]] % 2).all()
    assert (before < 4).all()


def test_the_seed_decides_and_nothing_else(crowd, fitted):
    label = crowd.sequences.label.copy()
    again = Touchstone(**QUICK).fit(crowd.sequences)
    np.testing.assert_array_equal(again.posterior_, fitted.posterior_)
    np.testing.assert_array_equal(crowd.sequences.label, label)
    other = Touchstone(**QUICK, seed=1).fit(crowd.sequences)
    assert np.abs(other.posterior_ - fitted.posterior_).max() > 1e-6


def test_reliability_orders_workers():
    """Six careful workers, two who miss most names."""
    careful, careless = names(seed=1, miss=0.1, confuse=0.05), names(seed=1, miss=0.8)
    given = careful.sequences
    poor = given.worker >= 6
    assert (careless.sequences.worker == given.worker).all()
    label = np.where(poor, careless.sequences.label, given.label)
    mixed = CrowdSequences(
        given.token, given.worker, label, starts=given.starts, n_workers=given.n_workers,
        tags=given.tags, words=given.words, vocabulary=given.vocabulary,
        documents=given.documents,
    )  # fmt: skip
    found = Touchstone(**QUICK).fit(mixed).reliability_
    assert found.accuracy[:6].min() > found.accuracy[6:].max()
    np.testing.assert_allclose(found.confusion.sum(axis=2), 1.0)
    assert (found.low <= found.accuracy).all()
    assert (found.accuracy <= found.high).all()


def test_known_tokens_keep_their_tag(crowd):
    gold = np.full(crowd.sequences.n_tokens, -1)
    gold[:40] = (crowd.truth[:40] + 1) % 5
    fitted = Touchstone(rounds=1).fit(crowd.sequences, gold=gold)
    np.testing.assert_array_equal(fitted.posterior_[:40].argmax(axis=1), gold[:40])
    np.testing.assert_allclose(fitted.posterior_[:40].max(axis=1), 1.0)
    np.testing.assert_array_equal(fitted.predict()[:40], gold[:40])


def test_sentences_without_labels_are_judged_by_their_text():
    whole = names(seed=3)
    given = whole.sequences
    some = given.token >= 400  # nobody labelled ten documents
    cut = CrowdSequences(
        given.token[some], given.worker[some], given.label[some], starts=given.starts,
        n_workers=given.n_workers, tags=given.tags, words=given.words,
        vocabulary=given.vocabulary, documents=given.documents,
    )  # fmt: skip
    fitted = Touchstone(**QUICK).fit(cut)
    inside = whole.truth[:400] < 4
    assert (fitted.predict()[:400] == whole.truth[:400])[inside].mean() > 0.7


def test_tagger_tags_other_texts(crowd, fitted):
    other = names(seed=9, n_documents=10)
    tagger = fitted.tagger_
    tags = tagger.tag(Text.of_sequences(other.sequences))
    inside = other.truth < 4
    assert (tags == other.truth)[inside].mean() > 0.7
    assert fitted.tagger_ is tagger  # fitted once


def test_a_label_is_foreseen_with_a_probability(crowd, fitted):
    """For one token and worker the chances of all tags, after one tag before, sum to 1."""
    given = crowd.sequences
    token = int(given.token[given.worker == 3][0])
    total = 0.0
    for tag in range(len(TAGS)):
        one = CrowdSequences(
            [token], [3], [tag], starts=given.starts, n_workers=given.n_workers, tags=given.tags,
            words=given.words, vocabulary=given.vocabulary, documents=given.documents,
        )  # fmt: skip
        total += np.exp(fitted.label_likelihood(one)[0])
    assert total == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("settings", "method", "why"),
    [
        ({"with_words": False, "n_workers": 4}, "bsc-seq", "words"),
        ({"n_documents": 40, "n_workers": 3}, "bsc-seq", "tokens with labels are 1,600"),
        ({"n_documents": 10}, "dawid-skene", "tokens with labels are 400"),
        ({"n_workers": 12}, "dawid-skene", "labels of a worker are 400"),
        ({"redundancy": 1}, "crf-ma", "most tokens have one label"),
    ],
)
def test_too_little_to_learn_from_falls_back_and_says_so(settings, method, why):
    crowd = names(**settings)
    fitted = Touchstone().fit(crowd.sequences)
    assert fitted.method_ == method
    assert fitted.diagnostics_.note.startswith(f"{method} stood in for touchstone: ")
    assert why in fitted.diagnostics_.note
    np.testing.assert_allclose(fitted.posterior_.sum(axis=1), 1.0)
    if method == "crf-ma":
        with pytest.raises(ValueError, match="no table of a worker"):
            fitted.label_likelihood(crowd.sequences)
    else:
        assert np.isfinite(fitted.label_likelihood(crowd.sequences)).all()


def test_two_documents_are_too_few_for_three_folds():
    given = names().sequences
    two = CrowdSequences(
        given.token, given.worker, given.label, starts=given.starts, n_workers=given.n_workers,
        tags=given.tags, words=given.words, vocabulary=given.vocabulary,
        documents=[0, 80, given.n_sequences],
    )  # fmt: skip
    assert "documents with labels are 2," in Touchstone().fit(two).diagnostics_.note


def test_annotators_who_err_together_count_less(monkeypatch):
    """Everybody copies one of two: each answer says less than an independent one would."""
    monkeypatch.setattr(model, "KAPPA_EACH", 0)
    apart = names(seed=5, n_workers=8, redundancy=4, miss=0.2, confuse=0.1)
    given = apart.sequences
    rng = np.random.default_rng(0)
    lost = rng.random(given.n_tokens) < 0.5  # names that nobody who comes late notices
    together = given.label.copy()
    head = (apart.truth < 2) & lost
    gone = head | np.concatenate(([False], head[:-1] & (apart.truth[1:] >= 2)))
    gone &= apart.truth < 4
    together[gone[given.token] & (given.worker > 1)] = 4
    copied = CrowdSequences(
        given.token, given.worker, together, starts=given.starts, n_workers=given.n_workers,
        tags=given.tags, words=given.words, vocabulary=given.vocabulary,
        documents=given.documents,
    )  # fmt: skip
    independent = Touchstone(**QUICK).fit(given)
    dependent = Touchstone(**QUICK).fit(copied)
    assert independent.tempered_ > dependent.tempered_
    assert dependent.kappa_ == 0.7  # the floor of four answers each is .69
    fixed = Touchstone(**QUICK, kappa=1.0).fit(copied)
    assert fixed.kappa_ == 1.0
    assert fixed.tempered_ < 1.0  # it is as sure as what it says is foretold
    assert apart.f1(dependent) > apart.f1(fixed)


def test_kappa_has_a_floor_and_is_one_where_answers_are_few():
    def answered(n):
        token, worker = np.repeat(np.arange(4), n), np.tile(np.arange(n), 4)
        return CrowdSequences(token, worker, worker % 3, starts=[0, 5], n_workers=n, tags=TAGS)

    assert floor_of_kappa(answered(2)) == 1.0
    assert floor_of_kappa(answered(5)) == pytest.approx(1 / 1.6)  # the token without any is none


def test_large_crowds_have_subtypes(crowd, monkeypatch):
    """In place of the search for kappa; with "off" it goes on, and so it does for a handful of
    workers, however much each has labelled."""
    monkeypatch.setattr(model, "SUBTYPES_EACH", 500)
    monkeypatch.setattr(model, "KAPPA_EACH", 500)
    monkeypatch.setattr(model, "SUBTYPES_WORKERS", crowd.sequences.n_workers)
    fitted = Touchstone(**QUICK).fit(crowd.sequences)
    assert (fitted.kappa_, fitted.diagnostics_.note) == (0.7, "")
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.sequences.n_tokens))
    assert crowd.f1(fitted) > 0.85
    off = Touchstone(**QUICK, subtypes="off").fit(crowd.sequences)
    assert off.diagnostics_.note.startswith("kappa was found to be ")
    assert np.abs(off.posterior_ - fitted.posterior_).max() > 0.01
    monkeypatch.setattr(model, "SUBTYPES_WORKERS", crowd.sequences.n_workers + 1)
    few = Touchstone(**QUICK).fit(crowd.sequences)
    assert few.kappa_ == off.kappa_
    np.testing.assert_array_equal(few.posterior_, off.posterior_)


def test_few_labels_of_a_worker_do_not_find_kappa(crowd, fitted):
    assert (fitted.kappa_, fitted.diagnostics_.note) == (1.0, "")
    assert model.labels_each(crowd.sequences) < model.KAPPA_EACH


def test_confidences_are_tempered_and_tags_are_not(crowd, monkeypatch):
    """With the tags of one kappa, confidences may be those of a lower one."""
    plain = Touchstone(**QUICK, kappa=1.0).fit(crowd.sequences)
    monkeypatch.setattr(Touchstone, "_tempered", lambda self, kappa: 0.3)
    tempered = Touchstone(**QUICK, kappa=1.0).fit(crowd.sequences)
    np.testing.assert_array_equal(tempered.predict(), plain.predict())
    assert (plain.kappa_, tempered.kappa_, tempered.tempered_) == (1.0, 1.0, 0.3)
    doubtful = 1 - plain.posterior_.max(axis=1) > 0.01
    assert (
        tempered.posterior_.max(axis=1)[doubtful].mean()
        < plain.posterior_.max(axis=1)[doubtful].mean()
    )


def test_a_second_fit_forgets_the_first(crowd):
    method = Touchstone(rounds=1).fit(crowd.sequences)
    before = method.tagger_
    method.fit(names(seed=8).sequences)
    assert method.tagger_ is not before
    method.fit(names(n_documents=10).sequences)
    assert not hasattr(method, "kappa_")


def test_no_labels_at_all():
    empty = CrowdSequences([], [], [], starts=[0, 0, 3], n_workers=2, tags=TAGS)
    fitted = Touchstone().fit(empty)
    assert fitted.posterior_.shape == (3, 5)
    assert np.isfinite(fitted.posterior_).all()


def test_odd_sentences_and_workers():
    """Empty sentences, single tokens, a worker without a name, a tag that one worker alone uses."""
    given = names(seed=4).sequences
    starts = np.sort(np.concatenate((given.starts, [0, 1, 2, 2, 2_399])))
    documents = np.concatenate((np.arange(0, len(starts) - 1, 5), [len(starts) - 1]))
    label = given.label.copy()
    label[given.worker == 0] = 4
    only = given.worker != 1
    label[only & (label == 0)] = 1
    label[only & (label == 2)] = 3
    odd = CrowdSequences(
        given.token, given.worker, label, starts=starts, n_workers=given.n_workers + 1,
        tags=given.tags, words=given.words, vocabulary=given.vocabulary, documents=documents,
    )  # fmt: skip
    fitted = Touchstone(rounds=1).fit(odd)
    assert fitted.method_ == "touchstone"
    assert np.isfinite(fitted.posterior_).all()
    assert np.isfinite(fitted.reliability_.accuracy).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kappa": -1.0}, "kappa must be 0 or more"),
        ({"scale": np.inf}, "scale must be more than 0"),
        ({"diagonal": -1.0}, "diagonal must be 0 or more"),
        ({"folds": 1}, "folds must be at least 2"),
        ({"rounds": 0}, "rounds must be at least 1"),
    ],
)
def test_settings_out_of_range(settings, message):
    with pytest.raises(ValueError, match=message):
        Touchstone(**settings)


def test_nothing_before_a_fit(crowd):
    with pytest.raises(ValueError, match="before a fit"):
        Touchstone().label_likelihood(crowd.sequences)
    with pytest.raises(ValueError, match="before a fit"):
        _ = Touchstone().tagger_
