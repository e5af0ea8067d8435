import pytest

from aggregation.actions.defaults import default_for
from aggregation.algorithms import CrowdLabels, LocalPool, MajorityVote
from aggregation.methods.registry import METHODS, checked_parameters, method_for
from aggregation.methods.words import (
    METHOD_WORDS,
    MOST_WORDS,
    WORDS_IN_ALL,
    WORDS_SINGLE,
    default_for_classes,
    default_for_clusters,
    default_for_spans,
)
from annotation.interfaces import REGISTRY
from annotation.models import Campaign


@pytest.fixture
def pictures(monkeypatch):
    """An interface whose answers are not one class."""
    monkeypatch.setitem(REGISTRY, "pictures", "annotation.interfaces.linking")


def test_choice_and_entity_campaigns_have_their_methods():
    assert method_for("choice", "majority") is METHODS["majority"]
    assert method_for("entity", "mv-seg") is METHODS["mv-seg"]
    assert method_for("entity", "dawid-skene") is method_for("choice", "dawid-skene")


@pytest.mark.parametrize(
    ("interface", "name", "message"),
    [
        ("choice", "mv-token", "'mv-token' is not for choice campaigns. "
                               "Use majority, weighted-majority, wawa, zbs, one-coin, dawid-skene, "
                               "hierarchical-dawid-skene, "
                               "ibcc, mace or glad."),
        ("entity", "best", "There is no method 'best'. Use majority, .*bsc-seq, .* or touchstone."),
        ("linking", "majority", "'majority' is not for linking campaigns. "
                                "Use correlation-clustering."),
        ("pictures", "majority", "There is no method for pictures campaigns yet."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_what_does(interface, name, message, pictures):
    with pytest.raises(ValueError, match=rf"^{message}$"):
        method_for(interface, name)


def test_parameters_are_filled_up_with_defaults():
    assert checked_parameters("dawid-skene", {"diagonal": 2, "start": "mode"}) == {
        "diagonal": 2.0, "off_diagonal": 0.5, "class_prior": 1.0, "start": "mode",
        "max_iter": 100, "tol": 1e-5,
    }  # fmt: skip
    assert checked_parameters("mv-seq", {}) == {}


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("dawid-skene", {"smooth": 1}, r"'dawid-skene' has no parameter 'smooth'\. "
                                       r"It takes diagonal, off_diagonal, class_prior, start, "),
        ("majority", {"tol": 1}, r"'majority' has no parameter 'tol'\. It takes none\."),
        ("dawid-skene", {"tol": "low"}, r"'tol' must be a number such as 1e-05, but is 'low'"),
        ("dawid-skene", {"tol": True}, r"'tol' must be a number"),
        ("dawid-skene", {"tol": None}, r"'tol' must be a number"),
        ("dawid-skene", {"max_iter": 2.5}, r"'max_iter' must be a whole number, but is 2\.5"),
        ("dawid-skene", {"max_iter": float("inf")}, r"'max_iter' must be a number such as 100"),
        ("dawid-skene", {"tol": 10**400}, r"'tol' must be a number"),
        ("dawid-skene", {"tol": float("nan")}, r"'tol' must be a number"),
        ("dawid-skene", {"max_iter": 0}, r"max_iter must be at least 1, but is 0"),
        ("dawid-skene", {"start": 7}, r"start must be 'shares', 'mode' or 'gold', but is '7'"),
    ],
)  # fmt: skip
def test_wrong_parameters_are_refused(name, given, message):
    with pytest.raises(ValueError, match=message):
        checked_parameters(name, given)


def test_whole_numbers_may_be_written_as_floats():
    assert checked_parameters("dawid-skene", {"max_iter": 20.0})["max_iter"] == 20


def test_every_method_has_words():
    assert list(METHOD_WORDS) == list(METHODS)


@pytest.mark.parametrize(
    ("interface", "found", "name"),
    [
        ("entity", default_for_spans(2_500), "bsc-seq"),
        ("entity", default_for_spans(2_499), "hmm-crowd"),
        ("choice", default_for_classes(), "hierarchical-dawid-skene"),
    ],
)
def test_the_default_is_one_that_there_are_answers_enough_for(interface, found, name):
    assert found.method == name
    assert method_for(interface, name)
    assert found.why
    assert found.parameters == {}
    assert checked_parameters(name, found.parameters)


@pytest.mark.parametrize(
    ("found", "parameters"),
    [
        (default_for_classes(gold=True), {"start": "gold"}),
        (default_for_spans(10), {}),
        (default_for_clusters(), {}),
    ],
)
def test_classes_begin_with_gold_where_there_is_some(found, parameters):
    assert found.parameters == parameters
    assert ("hidden gold" in found.why) == ("start" in parameters)
    assert checked_parameters(found.method, found.parameters)


def test_campaigns_with_many_words_get_the_method_that_learns_from_texts():
    found = default_for_spans(750, words=WORDS_IN_ALL)
    assert found.method == "touchstone"
    assert f"{WORDS_IN_ALL:,} words" in found.why
    assert default_for_spans(750, words=WORDS_IN_ALL - 1).method == "hmm-crowd"
    assert default_for_spans(749, words=WORDS_IN_ALL).method == "hmm-crowd"
    # Between runs it says nothing of new answers, by which adaptive campaigns ask for more.
    adaptive = default_for_spans(3_000, words=WORDS_IN_ALL, adaptive=True)
    assert adaptive.method == "bsc-seq"


def test_more_text_than_memory_holds_is_left_to_the_method_with_shards():
    assert default_for_spans(750, words=MOST_WORDS).method == "touchstone"
    for single in (False, True):
        found = default_for_spans(10, words=MOST_WORDS + 1, single=single)
        assert found.method == "bsc-seq"
        assert "pool" in METHODS[found.method].can_use
        assert "2,000,001 words, too many to learn from the texts" in found.why
        settings = checked_parameters(found.method, found.parameters)
        assert (settings["subtypes"], settings["kappa"], settings["epsilon"]) == (1, 0.8, 0.02)


@pytest.mark.parametrize(
    ("words", "each", "adaptive", "name"),
    [
        (WORDS_SINGLE, 10, False, "crf-ma"),
        (MOST_WORDS, 3_000, False, "crf-ma"),
        (WORDS_SINGLE - 1, 10, False, "hmm-crowd"),
        (WORDS_IN_ALL, 10, True, "hmm-crowd"),  # it says nothing of new answers
    ],
)
def test_texts_with_one_answer_have_their_own_default(words, each, adaptive, name):
    found = default_for_spans(each, words=words, adaptive=adaptive, single=True)
    assert found.method == name
    assert ("each text has one answer" in found.why) == (name == "crf-ma")


def test_interfaces_without_a_method_have_no_default(pictures):
    with pytest.raises(ValueError, match="There is no method for pictures campaigns yet"):
        default_for(Campaign(interface="pictures"))


LABELS = CrowdLabels([0, 0, 1, 1, 2], [0, 1, 0, 1, 1], [0, 0, 1, 1, 1], 3, 2, 2)


def test_the_seed_goes_to_those_who_draw():
    assert METHODS["mace"].is_seeded
    assert "seed" not in METHODS["mace"].defaults()
    assert not METHODS["dawid-skene"].is_seeded
    first, second = (METHODS["mace"].fit({"restarts": 1}, LABELS, None, seed=4) for _ in range(2))
    assert (first.posterior_ == second.posterior_).all()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("majority", {"gold": [0, -1, -1]}, "'majority' takes no gold"),
        ("mv-token", {"pool": LocalPool()}, "'mv-token' works in one process"),
        ("majority", {"warm": MajorityVote()}, "'majority' can't begin from an earlier fit"),
    ],
)
def test_what_a_method_cant_use_is_refused(name, options, message):
    with pytest.raises(ValueError, match=message):
        METHODS[name].fit({}, LABELS, None, **options)


def test_the_methods_that_learn_take_gold_and_an_earlier_fit():
    for name in ("one-coin", "dawid-skene", "ibcc", "mace", "glad", "bsc-acc", "bsc-seq"):
        assert METHODS[name].can_use == {"gold", "warm", "pool"}, name
