"""What was learnt, taken up again: `infer`, `state` and `restore` of every method that learns."""

import io

import numpy as np
import pytest
from hypothesis import given, settings

from aggregation.algorithms import (
    GLAD,
    IBCC,
    MACE,
    BSCacc,
    BSCcm,
    BSCcv,
    BSCmace,
    BSCseq,
    CrowdLabels,
    CrowdSequences,
    DawidSkene,
    HierarchicalDawidSkene,
    HMMCrowd,
    MajorityVote,
    MVtoken,
    OneCoin,
    Restorable,
    WeightedMajority,
)
from aggregation.algorithms.fitted_state import numbers, packed_names, unpacked_names
from tests.aggregation.algorithms.simulated import crowds, simulate
from tests.aggregation.algorithms.tagging import TAGS, B, I, O, worded

CATEGORICAL = [
    DawidSkene(max_iter=500, tol=0),
    OneCoin(max_iter=500, tol=0),
    IBCC(),
    MACE(restarts=2),
    GLAD(tol=1e-12, max_iter=500),
    HierarchicalDawidSkene(),
]
MODELS = [BSCacc, BSCmace, BSCcv, BSCcm, BSCseq]
LABELS = simulate(
    seed=3, n_units=300, n_workers=12, redundancy=4, prevalence=[0.5, 0.3, 0.2]
).labels


def name(method):
    return method.__name__ if isinstance(method, type) else type(method).__name__


def stored(fitted, dtype=None):
    """Through a file and back, into an object of its own."""
    file = io.BytesIO()
    arrays = fitted.state()
    if dtype is not None:
        arrays = {n: a.astype(dtype) if a.dtype == float else a for n, a in arrays.items()}
    np.savez(file, **arrays)
    file.seek(0)
    with np.load(file, allow_pickle=False) as found:
        constructor = {
            n: v for n, v in vars(fitted).items() if not n.startswith("_") and not n.endswith("_")
        }
        return type(fitted).restore(dict(found), **constructor)


def some_units(labels, units, **changes):
    """These units alone, in this order."""
    place = np.full(labels.n_units, -1)
    place[units] = np.arange(len(units))
    kept = place[labels.unit] >= 0
    sizes = {"n_units": len(units), "n_workers": labels.n_workers, "n_classes": labels.n_classes}
    return CrowdLabels(
        place[labels.unit][kept], labels.worker[kept], labels.label[kept], **sizes | changes
    )


# --- Categorical --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_it_works(method):
    fitted = method.fit(LABELS)
    assert isinstance(fitted, Restorable)
    # Units of GLAD find their own way; the hierarchy judges those of the fit without their own
    # part in the tables.
    tolerance = {GLAD: 1e-5, HierarchicalDawidSkene: 0.1}.get(type(fitted), 1e-12)
    np.testing.assert_allclose(fitted.infer(LABELS), fitted.posterior_, atol=tolerance)
    assert fitted.judge(LABELS)[1].tolist() == fitted.predict().tolist()

    again = stored(fitted)
    assert again.infer(LABELS).tobytes() == fitted.infer(LABELS).tobytes()
    in_single_precision = stored(fitted, np.float32)
    found = in_single_precision.infer(LABELS)
    np.testing.assert_allclose(found, fitted.infer(LABELS), atol=1e-4)


def test_glad_infers_nearly_what_it_fitted():
    """The fit stops before every ln b has settled; `infer` settles it."""
    fitted = GLAD().fit(LABELS)
    difference = np.abs(fitted.infer(LABELS) - fitted.posterior_).max()
    assert 1e-4 < difference < 5e-3
    longer = GLAD(tol=1e-9, max_iter=500).fit(LABELS)
    assert np.abs(longer.infer(LABELS) - longer.posterior_).max() < difference / 10


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_units_are_judged_alone_as_among_others(method):
    fitted = method.fit(LABELS)
    units = np.array([7, 250, 3])
    few = fitted.infer(some_units(LABELS, units))
    np.testing.assert_allclose(few, fitted.infer(LABELS)[units], atol=1e-9)


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_new_workers_say_what_the_prior_says(method):
    fitted = method.fit(LABELS)
    of_newcomer = CrowdLabels([0], [LABELS.n_workers], [1], 1, LABELS.n_workers + 1, 3)
    of_nobody = CrowdLabels([], [], [], 1, LABELS.n_workers, 3)
    told, untold = fitted.infer(of_newcomer)[0], fitted.infer(of_nobody)[0]
    np.testing.assert_allclose([told.sum(), untold.sum()], 1)
    assert told[1] > untold[1]


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_known_units_keep_their_class(method):
    fitted = method.fit(LABELS)
    gold = np.full(LABELS.n_units, -1)
    gold[5] = 2
    found = fitted.infer(LABELS, gold=gold)
    assert found[5].tolist() == [0, 0, 1]
    others = np.delete(fitted.infer(LABELS), 5, 0)
    np.testing.assert_allclose(np.delete(found, 5, 0), others, atol=1e-12)


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_restored_fit_is_a_start_as_good_as_the_fit(method):
    fitted = method.fit(LABELS)
    more = CrowdLabels(
        [*LABELS.unit, 0], [*LABELS.worker, LABELS.n_workers], [*LABELS.label, 0],
        LABELS.n_units, LABELS.n_workers + 1, 3,
    )  # fmt: skip
    again = stored(fitted)
    ours, theirs = (type(fitted)().fit(more, warm=warm) for warm in (again, fitted))
    np.testing.assert_allclose(ours.posterior_, theirs.posterior_, atol=1e-9)
    assert ours.diagnostics_.iterations == theirs.diagnostics_.iterations


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_nothing_is_learnt_and_nothing_changed(method):
    fitted = method.fit(LABELS)
    before = {n: a.copy() for n, a in fitted.state().items()}
    posterior = fitted.posterior_.copy()
    fitted.infer(some_units(LABELS, np.arange(10)))
    assert fitted.posterior_.tobytes() == posterior.tobytes()
    for n, array in fitted.state().items():
        np.testing.assert_array_equal(array, before[n])


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_other_classes_and_fewer_workers_are_refused(method):
    fitted = method.fit(LABELS)
    with pytest.raises(ValueError, match="the fit has 3 classes, but there are 4"):
        fitted.infer(some_units(LABELS, np.arange(3), n_classes=4))
    with pytest.raises(ValueError, match="the fit has 12 workers, but there are 1"):
        fitted.infer(CrowdLabels([0], [0], [0], 1, 1, 3))
    with pytest.raises(ValueError, match="before a fit"):
        type(fitted)().infer(LABELS)


@pytest.mark.parametrize("method", CATEGORICAL, ids=name)
def test_broken_states_are_refused(method):
    state = method.fit(LABELS).state()
    for n, array in state.items():
        kind = type(method)
        with pytest.raises(ValueError, match=f"no '{n}'"):
            kind.restore({k: v for k, v in state.items() if k != n})
        for wrong in (array[None], array.astype(str)):
            with pytest.raises(ValueError, match=f"'{n}' of the state"):
                kind.restore(state | {n: wrong})
        if array.dtype == float:
            with pytest.raises(ValueError, match="no number"):
                kind.restore(state | {n: np.full_like(array, np.nan)})
    shorter = {n: array[1:] if array.ndim > 1 else array for n, array in state.items()}
    if isinstance(method, MACE):
        with pytest.raises(ValueError, match="should be"):
            MACE.restore(shorter)
    with pytest.raises(TypeError, match="unexpected keyword"):
        type(method).restore(state, depth=3)


@given(crowds())
@settings(max_examples=25)
def test_degenerate_crowds(labels):
    """One class, idle workers, units without labels, nothing at all."""
    for method in (
        DawidSkene(),
        OneCoin(),
        IBCC(),
        MACE(restarts=1),
        GLAD(),
        HierarchicalDawidSkene(),
    ):
        fitted = method.fit(labels)
        again = stored(fitted)
        found = again.infer(labels)
        assert found.shape == (labels.n_units, labels.n_classes)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert found.tobytes() == fitted.infer(labels).tobytes()


# --- Sequences ----------------------------------------------------------------------------------


def sequences(*, n_workers=3, tags=TAGS, words=("Ada", "met", "Bob", "in", "May"), seed=1):
    """Twenty sequences of five tokens; all workers tag all of them, with slips."""
    rng = np.random.default_rng(seed)
    truth = np.tile([B, O, B, O, O], 20)
    token = np.repeat(np.arange(100), n_workers)
    worker = np.tile(np.arange(n_workers), 100)
    label = np.where(rng.random(300 // 3 * n_workers) < 0.85, truth[token], O)
    return CrowdSequences(
        token, worker, label, starts=np.arange(0, 101, 5), n_workers=n_workers, tags=tags,
        words=np.tile(np.arange(5), 20), vocabulary=words,
    )  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"text": 0}, {"transitions": 0}], ids=str)
@pytest.mark.parametrize("model", MODELS, ids=name)
def test_sequences_too(model, options):
    crowd = sequences()
    fitted = model(**options).fit(crowd)
    assert isinstance(fitted, Restorable)
    np.testing.assert_allclose(fitted.infer(crowd), fitted.posterior_, atol=1e-12)
    assert fitted.judge(crowd)[1].tolist() == fitted.predict().tolist()

    again = stored(fitted)
    assert again.infer(crowd).tobytes() == fitted.infer(crowd).tobytes()
    assert again.judge(crowd)[1].tolist() == fitted.predict().tolist()
    np.testing.assert_array_equal(again.transition_, fitted.transition_)
    found = stored(fitted, np.float32).infer(crowd)
    np.testing.assert_allclose(found, fitted.posterior_, atol=1e-4)

    ours, theirs = (model(**options).fit(crowd, warm=warm) for warm in (again, fitted))
    assert ours.posterior_.tobytes() == theirs.posterior_.tobytes()


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_new_words_say_nothing_and_new_workers_what_the_prior_says(model):
    fitted = stored(model().fit(sequences()))

    def new(words, said, worker=3):
        """One sequence of two tokens; what `worker` says of the first."""
        return CrowdSequences(
            [0] * len(said), [worker] * len(said), said, starts=[0, 2], n_workers=4, tags=TAGS,
            words=list(range(len(words))), vocabulary=words,
        )  # fmt: skip

    names, others = fitted.infer(new(["Ada", "met"], [])), fitted.infer(new(["Xi", "Yu"], []))
    assert names[0, B] > others[0, B]
    told = fitted.infer(new(["Xi", "Yu"], [B]))
    assert told[0, B] > others[0, B]
    np.testing.assert_allclose(told.sum(axis=1), 1)
    known = fitted.infer(new(["Xi", "Yu"], [B]), gold=np.array([I, -1]))
    assert known[0].tolist() == [0, 1, 0]


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_what_does_not_fit_the_sequences_is_refused(model):
    fitted = model().fit(sequences())
    with pytest.raises(ValueError, match="the fit knows the tags B-x, I-x, O, but"):
        fitted.infer(sequences(tags=("B-y", "I-y", "O")))
    with pytest.raises(ValueError, match="the fit has 3 workers, but there are 2"):
        fitted.infer(sequences(n_workers=2))
    with pytest.raises(ValueError, match="needs the words"):
        fitted.infer(CrowdSequences([0], [0], [0], starts=[0, 1], n_workers=3, tags=TAGS))
    with pytest.raises(ValueError, match="before a fit"):
        model().infer(sequences())


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_broken_states_of_sequences_are_refused(model):
    state = model().fit(sequences()).state()
    for n, array in state.items():
        with pytest.raises(ValueError, match="no '"):
            model.restore({k: v for k, v in state.items() if k != n})
        if array.dtype == float:
            with pytest.raises(ValueError, match="of the state"):
                model.restore(state | {n: array - 1e6})
    with pytest.raises(ValueError, match="do not fit"):
        model.restore(state | {"words": state["words"][1:]})
    other = {f"tags_{part}": array for part, array in packed_names(["B-x", "O"]).items()}
    with pytest.raises(ValueError, match="state"):
        model.restore(state | other)
    with pytest.raises(ValueError, match="state"):
        next(kind for kind in MODELS if kind is not model).restore(state)


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_counts_are_restored_to_the_prior_that_they_were_added_to(model):
    """With another prior the same counts would be another posterior, which nobody fitted."""
    fitted = model(beta=0.1, diagonal=2.0, factor=3.0, nu=0.7, forbidden=0.3).fit(sequences())
    prior = {n: getattr(fitted, n) for n in ("beta", "diagonal", "factor", "nu", "forbidden")}
    state = fitted.state()
    again = model.restore(state, **prior, max_iter=3, tol=0.5)
    assert again.infer(sequences()).tobytes() == fitted.infer(sequences()).tobytes()
    single = {n: a.astype(np.float32) if a.dtype == float else a for n, a in state.items()}
    model.restore(single, **prior)
    for changed in (*prior, "text", "transitions"):
        other = prior | ({changed: 5.0} if changed in prior else {changed: 0})
        with pytest.raises(ValueError, match=f"the state was fitted with {changed}="):
            model.restore(state, **other)
    with pytest.raises(ValueError, match=r"fitted with beta=0\.1, but this one has 1"):
        model.restore(state)


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_degenerate_sequences(model):
    """No type at all, and nothing at all."""
    for crowd in (
        CrowdSequences([0], [0], [0], starts=[0, 2], n_workers=2, tags=["O"], words=[0, 0],
                       vocabulary=["a"]),
        CrowdSequences([], [], [], starts=[0], n_workers=0, tags=TAGS, words=[]),
    ):  # fmt: skip
        fitted = stored(model().fit(crowd))
        found = fitted.infer(crowd)
        assert found.shape == (crowd.n_tokens, crowd.n_classes)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert len(fitted.judge(crowd)[1]) == crowd.n_tokens


@given(worded())
@settings(max_examples=15)
def test_small_sequences(crowd):
    for model in MODELS:
        fitted = model(max_iter=3).fit(crowd)
        found = stored(fitted).infer(crowd)
        np.testing.assert_allclose(found, fitted.posterior_, atol=1e-12)


# --- What can't, and the store ------------------------------------------------------------------


@pytest.mark.parametrize("method", [MajorityVote, MVtoken, WeightedMajority, HMMCrowd], ids=name)
def test_votes_and_two_more_keep_nothing(method):
    assert not isinstance(method(), Restorable)


@pytest.mark.parametrize(
    "names", [(), ("",), ("a", "", "Zoë", "two words", "line\nbreak", "\x00", "\ud800")]
)
def test_strings_come_back_as_they_were(names):
    packed = packed_names(names)
    assert unpacked_names(packed["bytes"], packed["ends"]) == names


@pytest.mark.parametrize("ends", [[1, 5], [2, 1], [0.5, 3.0], [[3]], []])
def test_strings_that_do_not_fit_are_refused(ends):
    with pytest.raises(ValueError, match="can't be read"):
        unpacked_names(np.frombuffer(b"abc", dtype=np.uint8), np.array(ends))


def test_numbers_want_the_lengths_that_the_letters_name():
    state = {"a": np.zeros((2, 3)), "b": np.zeros(3)}
    assert numbers(state, a="wk", b="k")["a"].shape == (2, 3)
    for axes in ({"a": "kk"}, {"a": "w2"}, {"a": "kw", "b": "k"}, {"a": "w"}):
        with pytest.raises(ValueError, match="of the state has the shape"):
            numbers(state, **axes)
    with pytest.raises(ValueError, match="no classes"):
        numbers({"a": np.zeros(0)}, a="k")
