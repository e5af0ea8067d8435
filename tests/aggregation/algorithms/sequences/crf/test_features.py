import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms.sequences.crf import Features, Text

ALL = {"window": 2, "outer": 1, "bigrams": 1, "document": 1}
TEXT = Text.of(
    [["Mr", "Ann", "Lee", "met", "U.S.", "envoys", "."], ["ANN", "WINS"], ["Then", "Ann", "left"]],
    [0, 3],
)


def found(features, text):
    """The names of the features of each token."""
    matrix, names = features.transform(text), features.names
    return [
        {names[j] for j in matrix.indices[a:b]}
        for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    ]


def of_kind(features, text, kind):
    """The values that each token has of a kind."""
    return [
        {name.removeprefix(f"{kind}=") for name in names if name.startswith(f"{kind}=")}
        for names in found(features, text)
    ]


# --- What a token has ---------------------------------------------------------------------------


def test_it_works():
    text = Text.of([["In", "Oslo", "1996"]])
    features = Features().fit(text)

    assert found(features, text) == [
        {
            "bias=yes", "first=yes", "word=In", "word[+1]=Oslo", "lower=in", "shape=Xx",
            "long_shape=Xx", "case=initial", "prefix2=In", "suffix2=In",
        },
        {
            "bias=yes", "word[-1]=In", "word=Oslo", "word[+1]=1996", "lower=oslo", "shape=Xx",
            "long_shape=Xxxx", "case=initial", "prefix2=Os", "prefix3=Osl", "prefix4=Oslo",
            "suffix2=lo", "suffix3=slo", "suffix4=Oslo",
        },
        {
            "bias=yes", "last=yes", "word[-1]=Oslo", "word=1996", "lower=1996", "shape=9",
            "long_shape=9999", "digits=4", "prefix2=19", "prefix3=199", "prefix4=1996",
            "suffix2=96", "suffix3=996", "suffix4=1996",
        },
    ]  # fmt: skip


def test_the_matrix_is_sparse_sorted_and_of_ones():
    matrix = Features(**ALL).fit_transform(TEXT)

    assert matrix.format == "csr"
    assert matrix.dtype == np.float64
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
    assert (matrix.data == 1).all()
    for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        assert (np.diff(matrix.indices[a:b]) > 0).all()


def test_a_window_of_words():
    text = Text.of([["a", "b", "c", "d"]])
    names = found(Features(window=3).fit(text), text)[1]
    assert {name for name in names if name.startswith("word")} == {
        "word[-1]=a", "word=b", "word[+1]=c", "word[+2]=d",
    }  # fmt: skip
    assert not any("word[" in name for name in Features(window=0).fit(text).names)


def test_what_neighbours_are():
    text = Text.of([["Sir", "Ann", "Lee", "ran", "4", "miles"]])
    more = found(Features(outer=1).fit(text), text)[2] - found(Features().fit(text), text)[2]
    assert more == {
        "lower[-1]=ann", "shape[-1]=Xx", "long_shape[-1]=Xxx", "case[-1]=initial",
        "prefix2[-1]=An", "prefix3[-1]=Ann", "suffix2[-1]=nn", "suffix3[-1]=Ann",
        "lower[+1]=ran", "shape[+1]=x", "long_shape[+1]=xxx", "case[+1]=lower",
        "prefix2[+1]=ra", "prefix3[+1]=ran", "suffix2[+1]=an", "suffix3[+1]=ran",
        "word[-2]=Sir", "shape[-2]=Xx", "word[+2]=4", "shape[+2]=9",
    }  # fmt: skip


def test_bigrams():
    text = Text.of([["Sir", "Ann-Lee", "ran"]])
    more = found(Features(bigrams=1).fit(text), text)[1] - found(Features().fit(text), text)[1]
    assert more == {
        "shape[-1]|shape=Xx|Xx-Xx",
        "flags[-1]|flags=initial,,|inner,,-",
        "flags|flags[+1]=inner,,-|lower,,",
    }


def test_a_wide_window_with_neighbours_has_no_feature_twice():
    names = Features(window=3, outer=1).fit(TEXT).names
    assert len(set(names)) == len(names)


def test_a_word_that_is_not_known_has_its_place_and_its_neighbours():
    text = Text([0, -1, 1], ["Ann", "left"], [0, 3])
    unknown = found(Features().fit(text), text)[1]
    assert unknown == {"bias=yes", "word[-1]=Ann", "word[+1]=left"}
    assert Features(**ALL).fit_transform(text).shape[0] == 3


def test_an_empty_word_is_a_word():
    text = Text.of([["", "a"]])
    names = found(Features(**ALL).fit(text), text)
    assert {"word=", "lower=", "shape=", "long_shape="} <= names[0]
    assert "word[-1]=" in names[1]


@pytest.mark.parametrize("settings", [{}, ALL])
def test_no_tokens_and_empty_sentences(settings):
    assert Features(**settings).fit_transform(Text.of([])).shape == (0, 0)
    assert Features(**settings).fit_transform(Text.of([[], []], [0, 1, 1, 2])).shape == (0, 0)
    features = Features(**settings).fit(TEXT)
    assert features.transform(Text.of([[]])).shape == (0, features.n_features)
    gaps = Text.of([[], ["Ann"], [], ["left"], []])
    assert found(features, gaps) == found(features, Text.of([["Ann"], ["left"]]))


def test_no_word_is_known():
    text = Text([-1, -1, -1], [], [0, 2, 3])
    assert found(Features().fit(text), text) == [
        {"bias=yes", "first=yes"}, {"bias=yes", "last=yes"}, {"bias=yes", "first=yes", "last=yes"},
    ]  # fmt: skip
    assert len(found(Features(**ALL).fit(text), text)) == 3


# --- What the document says ---------------------------------------------------------------------


def test_other_occurrences_in_the_same_document():
    features = Features(document=1).fit(TEXT)

    def said(kind):  # of Ann in the first sentence, in the second, and in the third
        values = of_kind(features, TEXT, kind)
        return [values[1], values[7], values[10]]

    assert said("other_count") == [{"2"}] * 3
    assert said("other_before") == [{"then"}, {"mr", "then"}, {"mr"}]
    assert said("other_after") == [{"wins", "left"}, {"lee", "left"}, {"lee", "wins"}]
    assert said("other_before_capitalised") == [{"yes"}] * 3
    assert said("other_after_capitalised") == [{"yes"}] * 3
    assert said("other_inside") == [{"yes"}] * 3


def test_an_occurrence_is_no_other_of_itself():
    text = Text.of([["old", "Ann", "Lee"], ["ANN", "SOLD"]], [0, 2])
    features = Features(document=1).fit(text)
    assert of_kind(features, text, "other_inside")[1] == set()  # the other is in capitals
    assert of_kind(features, text, "other_inside")[3] == {"yes"}
    assert of_kind(features, text, "other_before")[1] == set()
    assert of_kind(features, text, "other_before_capitalised")[3] == set()
    assert of_kind(features, text, "other_after_capitalised")[1] == {"yes"}


def test_only_capitalised_words_have_others_and_are_others():
    text = Text.of([["May", "may", "go"], ["in", "May"]], [0, 2])
    features = Features(document=1).fit(text)
    assert of_kind(features, text, "other_count") == [{"1"}, set(), set(), set(), {"1"}]
    assert of_kind(features, text, "other_before") == [{"in"}, set(), set(), set(), set()]


def test_words_of_other_documents_are_no_others():
    text = Text.of([["Ann", "ran"], ["Ann", "sat"]])
    features = Features(document=1).fit(text)
    assert of_kind(features, text, "other_count") == [{"0"}, set(), {"0"}, set()]
    assert not any(name.startswith("other_after") for name in features.names)


def test_a_word_before_two_others_is_there_for_one_of_them_too():
    text = Text.of([["mr", "Lee"], ["mr", "Lee"]], [0, 2])
    features = Features(document=1).fit(text)
    assert of_kind(features, text, "other_before") == [set(), {"mr"}, set(), {"mr"}]


def test_of_many_words_around_others_the_most_frequent_count():
    rare = [[f"w{i}", "Lee"] for i in range(40)]
    text = Text.of([*rare, ["mr", "Lee"], ["mr", "Lee"]], [0, 42])
    before = of_kind(Features(document=1).fit(text), text, "other_before")
    assert before[-1] == {"mr", *(f"w{i}" for i in range(15))}  # of equals the first
    assert before[1] == before[-1] - {"w0"}


def test_the_usual_case_is_that_inside_sentences():
    text = Text.of(
        [["The", "May", "fair", "in", "may"], ["MAY", "BE"], ["Fair", "Rome", "BE", "4"]], [0, 3]
    )
    features = Features(document=1).fit(text)
    assert of_kind(features, text, "usual_case") == [
        set(), {"mixed"}, {"lower"}, {"lower"}, {"mixed"}, {"mixed"}, {"upper"}, {"lower"},
        {"upper"}, {"upper"}, set(),
    ]  # fmt: skip


def test_the_usual_case_is_that_of_the_fit():
    features = Features(document=1).fit(Text.of([["by", "Lee", "may"]]))
    assert of_kind(features, Text.of([["a", "lee", "May", "Kim"]]), "usual_case") == [
        set(), {"upper"}, {"lower"}, set(),
    ]  # fmt: skip


def test_sentences_and_places():
    text = Text.of([["OSLO", "4"], ["4"], ["a"] * 7, *[["B"]] * 4, ["c"]], [0, 7, 8])
    features = Features(document=1).fit(text)

    def said(kind):
        return ["".join(values) for values in of_kind(features, text, kind)]

    assert said("sentence") == ["1", "1", "2", *["3"] * 7, "4-6", "4-6", "4-6", "7-", "1"]
    assert said("length") == ["2", "2", "1", *["6-10"] * 7, *["1"] * 5]
    assert said("place") == ["1", "2", "1", *"123", *["4-6"] * 3, "7-", *["1"] * 5]
    assert said("all_caps") == ["yes", "yes", "", *[""] * 7, *["yes"] * 4, ""]


# --- Fit and transform --------------------------------------------------------------------------


def test_unseen_features_are_left_out():
    features = Features().fit(Text.of([["Ann", "ran"]]))
    assert found(features, Text.of([["Bob", "ran"]])) == [
        {"bias=yes", "first=yes", "word[+1]=ran", "shape=Xx", "long_shape=Xxx", "case=initial"},
        {
            "bias=yes", "last=yes", "word=ran", "lower=ran", "shape=x", "long_shape=xxx",
            "case=lower", "prefix2=ra", "prefix3=ran", "suffix2=an", "suffix3=ran",
        },
    ]  # fmt: skip


def test_values_of_a_pair_that_were_seen_apart_are_left_out():
    features = Features(bigrams=1).fit(Text.of([["a", "B"], ["4", "c"]]))
    pairs = {name for name in features.names if "|" in name}
    assert "shape[-1]|shape=x|X" in pairs
    assert of_kind(features, Text.of([["4", "B"]]), "shape[-1]|shape") == [set(), set()]


@pytest.mark.parametrize("minimum", [1, 2, 3, 100])
def test_features_of_fewer_tokens_than_the_minimum_are_left_out(minimum):
    all_of_them = Features(**ALL).fit(TEXT)
    count = np.asarray(all_of_them.transform(TEXT).sum(axis=0))
    often = [name for name, n in zip(all_of_them.names, count, strict=True) if n >= minimum]
    features = Features(**ALL, minimum=minimum)
    matrix = features.fit_transform(TEXT)
    assert list(features.names) == often
    assert matrix.shape == (TEXT.n_tokens, len(often))


def test_words_of_the_vocabulary_that_do_not_occur_are_no_features():
    features = Features(**ALL).fit(Text([0], ["Ann", "Bob"], [0, 1]))
    assert not any("ob" in name for name in features.names)


def test_the_number_of_names_is_that_of_columns():
    features = Features(**ALL)
    matrix = features.fit_transform(TEXT)
    assert len(features.names) == features.n_features == matrix.shape[1]
    assert matrix.sum(axis=0).min() >= 1


def test_fit_transform_is_fit_and_transform():
    features = Features(**ALL, minimum=2)
    at_once = features.fit_transform(TEXT)
    apart = Features(**ALL, minimum=2).fit(TEXT)
    assert apart.names == features.names
    assert (apart.transform(TEXT) != at_once).nnz == 0


def test_a_new_fit_forgets_the_old_one():
    features = Features(**ALL).fit(TEXT)
    again = features.fit(Text.of([["4"]]))
    assert again is features
    assert features.names == Features(**ALL).fit(Text.of([["4"]])).names


def test_numbers_of_words_do_not_matter():
    order = np.arange(len(TEXT.vocabulary))[::-1]
    turned = Text(
        order[TEXT.words], [TEXT.vocabulary[i] for i in order], TEXT.starts, TEXT.documents
    )
    assert found(Features(**ALL).fit(turned), turned) == found(Features(**ALL).fit(TEXT), TEXT)
    features = Features(**ALL).fit(TEXT)
    assert (features.transform(turned) != features.transform(TEXT)).nnz == 0


words = st.sampled_from(["Ann", "ANN", "ann", "Lee", "lee", "U.S.", "1996", "", "東京", "."])
documents = st.lists(st.lists(st.lists(words, max_size=5), max_size=4), max_size=4)


def as_text(documents):
    edges = np.cumsum([0, *map(len, documents)])
    return Text.of([sentence for document in documents for sentence in document], edges)


@given(documents, documents)
def test_a_token_has_what_its_document_says_whatever_else_is_in_the_text(seen, told):
    features = Features(**ALL).fit(as_text(seen))
    together = found(features, as_text(told))
    apart = [names for one in told for names in found(features, as_text([one]))]
    assert together == apart


@given(documents, st.integers(0, 1))
def test_states_come_back(seen, document):
    features = Features(outer=1, bigrams=1, document=document, minimum=2).fit(as_text(seen))
    again = Features.restore(features.state())
    assert repr(again) == repr(features)
    assert again.names == features.names
    assert (again.transform(TEXT) != features.transform(TEXT)).nnz == 0


# --- States -------------------------------------------------------------------------------------


def test_a_state_is_flat_arrays_without_objects():
    state = Features(**ALL).fit(TEXT).state()
    assert all(array.ndim == 1 and array.dtype.kind in "iu" for array in state.values())


STATE = Features(**ALL).fit(TEXT).state()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"settings": np.array([1, 0])}, "has 2 settings, not 5"),
        ({"settings": np.array([1, 0, 0, 7, 1])}, "document must be 0 or 1, but is 7"),
        ({"settings": np.array([1.0] * 5)}, "'settings' of the state must be whole numbers"),
        ({"settings": np.array([0, 0, 0, 0, 1])}, "'values_each' of the state must be 16 lengths"),
        ({"codes": STATE["codes"][:-1]}, "'codes_each' of the state must be"),
        ({"codes": STATE["codes"] * 0}, "codes of the state do not rise, or have no values"),
        ({"codes": STATE["codes"] + 10**6}, "codes of the state do not rise, or have no values"),
        ({"codes_each": -STATE["codes_each"]}, "'codes_each' of the state must be"),
        ({"values_ends": STATE["values_ends"][::-1]}, "names of the state can't be read"),
        ({"usual_case": STATE["usual_case"] + 9}, "usual cases of words in the state can't be"),
        ({"usual_case": STATE["usual_case"][1:]}, "usual cases of words in the state can't be"),
    ],
)
def test_wrong_states_are_told(wrong, message):
    with pytest.raises(ValueError, match=message):
        Features.restore(STATE | wrong)


@pytest.mark.parametrize("name", STATE)
def test_a_state_that_lacks_something_is_told(name):
    state = {key: array for key, array in STATE.items() if key != name}
    with pytest.raises(ValueError, match=f"the state has no '{name}'"):
        Features.restore(state)


def test_an_empty_state_is_told():
    with pytest.raises(ValueError, match="the state has no 'settings'; it has nothing"):
        Features.restore({})


# --- Settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"window": -1}, "window must be a whole number from 0 on, but is -1"),
        ({"window": 1.5}, "window must be a whole number from 0 on, but is 1.5"),
        ({"minimum": 0}, "minimum must be a whole number from 1 on, but is 0"),
        ({"outer": 2}, "outer must be 0 or 1, but is 2"),
        ({"bigrams": -1}, "bigrams must be 0 or 1, but is -1"),
        ({"document": 0.5}, "document must be 0 or 1, but is 0.5"),
    ],
)
def test_bad_settings_are_told(settings, message):
    with pytest.raises(ValueError, match=message):
        Features(**settings)


@pytest.mark.parametrize("use", [
    lambda features: features.transform(TEXT), lambda features: features.names,
    lambda features: features.n_features, lambda features: features.state(),
])  # fmt: skip
def test_without_a_fit_there_is_nothing_to_use(use):
    with pytest.raises(ValueError, match="not fitted yet: call fit with a text first"):
        use(Features())
