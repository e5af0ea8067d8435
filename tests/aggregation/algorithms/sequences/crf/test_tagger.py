import io
import os
import zipfile

import numpy as np
import pytest

from aggregation.algorithms.sequences.crf import Features, LinearChainCRF, Tagger, Targets, Text
from tests.aggregation.algorithms.sequences.crf.sentences import SENTENCES, TAGS, tag_numbers

WORDS = [sentence.split() for sentence, _ in SENTENCES]
NEW = Text.of([["Mrs", "Selby", "met", "Bo", "Ortega", "."], [], ["Zürich"]])


def fitted(*, tags=TAGS, text=None, warm=None, **settings):
    text = Text.of(WORDS) if text is None else text
    targets = Targets.of_tags(tag_numbers()[: text.n_tokens], text.starts, len(TAGS))
    tagger = Tagger(Features(window=1), LinearChainCRF(**({"sigma2": 2.0} | settings)))
    return tagger.fit(text, targets, tags, warm=warm)


def stored(tagger):
    file = io.BytesIO()
    tagger.save(file)
    return file.getvalue()


def arrays_of(tagger):
    with np.load(io.BytesIO(stored(tagger))) as file:
        return dict(file)


def loaded(arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    return Tagger.load(file)


def test_it_tags_what_it_learnt_and_what_is_new():
    tagger = fitted()
    assert tagger.tags == TAGS
    assert tagger.tag(Text.of(WORDS)).tolist() == tag_numbers().tolist()
    named = [TAGS[i] for i in tagger.tag(NEW)]
    assert named[3:6] == ["B-PER", "I-PER", "O"]
    marginals = tagger.marginals(NEW)
    assert marginals.shape == (7, len(TAGS))
    np.testing.assert_allclose(marginals.sum(axis=1), 1)
    tags, same = tagger.judge(NEW)
    assert tags.tolist() == tagger.tag(NEW).tolist()
    np.testing.assert_array_equal(same, marginals)


def test_what_was_trained_on_nothing_neither_tags_nor_is_stored():
    text = Text.of(WORDS)
    nothing = Targets.of_tags(tag_numbers(), text.starts, len(TAGS), np.zeros(len(WORDS)))
    for legal in (0, 1):
        tagger = Tagger(crf=LinearChainCRF(legal=legal)).fit(text, nothing, TAGS)
        for use in (tagger.tag, tagger.marginals, tagger.judge):
            with pytest.raises(ValueError, match="has learnt nothing: nobody has labelled its"):
                use(NEW)
        with pytest.raises(ValueError, match="has learnt nothing"):
            stored(tagger)


def test_weights_of_the_text_are_not_needed():
    tagger = Tagger(Features(minimum=10_000))
    text = Text.of(WORDS)
    tagger.fit(text, Targets.of_tags(tag_numbers(), text.starts, len(TAGS)), TAGS)
    assert tagger.features.n_features == 0
    assert tagger.marginals(NEW)[0].argmax() == TAGS.index("O")


def test_with_one_tag_there_is_nothing_to_learn():
    text = Text.of(WORDS)
    tagger = Tagger().fit(text, Targets.of_tags(np.zeros(text.n_tokens), text.starts, 1), ["O"])
    assert tagger.tag(NEW).tolist() == [0] * 7


def test_it_comes_back_from_a_file(tmp_path):
    tagger = fitted(legal=1, max_iter=77, tol=1e-4, scaled=1)
    tagger.save(tmp_path / "model.npz")
    again = Tagger.load(str(tmp_path / "model.npz"))
    assert again.tags == TAGS
    assert again.features.names == tagger.features.names
    settings = ("sigma2", "legal", "max_iter", "tol", "scaled")
    for name in settings:
        assert getattr(again.crf, name) == getattr(tagger.crf, name)
    for text in (Text.of(WORDS), NEW, Text.of([])):
        assert again.tag(text).tolist() == tagger.tag(text).tolist()
        np.testing.assert_allclose(again.marginals(text), tagger.marginals(text), atol=1e-5)
    assert stored(again) == stored(tagger)


def test_the_same_fit_makes_the_same_bytes():
    assert stored(fitted()) == stored(fitted())


def test_open_files_are_read_and_written():
    file = io.BytesIO(stored(fitted()))
    assert Tagger.load(file).tags == TAGS


def test_nothing_is_pickled():
    with zipfile.ZipFile(io.BytesIO(stored(fitted()))) as file:
        for name in file.namelist():
            assert np.load(io.BytesIO(file.read(name)), allow_pickle=False).dtype != object


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    fitted(max_iter=2).save(path)
    before = path.read_bytes()
    tagger = fitted()

    def full(file, **arrays):
        file.write(b"half of it")
        raise OSError("No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(np, "savez_compressed", full)
        with pytest.raises(OSError, match="No space"):
            tagger.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["model.npz"]
    tagger.save(path)
    assert path.read_bytes() == stored(tagger)
    assert os.listdir(tmp_path) == ["model.npz"]


def test_new_files_can_be_read_by_whom_the_umask_lets(tmp_path):
    before = os.umask(0o022)
    try:
        fitted(max_iter=2).save(tmp_path / "model.npz")
    finally:
        os.umask(before)
    assert (tmp_path / "model.npz").stat().st_mode & 0o777 == 0o644


# --- Warm starts --------------------------------------------------------------------------------


def test_warm_start_by_the_names_of_features():
    """The features of fewer sentences have other columns."""
    first = fitted(text=Text.of(WORDS[:6]), max_iter=300, tol=1e-7)
    whole = {"max_iter": 1000, "tol": 1e-9}
    ours, theirs = fitted(warm=first, **whole), fitted(**whole)
    np.testing.assert_allclose(ours.crf.weights_, theirs.crf.weights_, atol=1e-3)
    near, far = fitted(warm=first, max_iter=1), fitted(max_iter=1)
    assert near.crf.objective_ > far.crf.objective_


def test_warm_start_of_other_tags_is_refused():
    other = ("B-ORG", "B-PER", "I-ORG", "I-PER", "O")
    with pytest.raises(ValueError, match="warm knows the tags B-ORG, B-PER, I-ORG, I-PER, O, but"):
        fitted(warm=fitted(tags=other))
    with pytest.raises(ValueError, match="not fitted yet"):
        fitted(warm=Tagger())


def test_of_parts_that_were_fitted_elsewhere():
    tagger = fitted()
    again = Tagger.of(tagger.features, tagger.crf, TAGS)
    assert again.tag(NEW).tolist() == tagger.tag(NEW).tolist()
    with pytest.raises(ValueError, match=r"5 tags, but there are .* and 4 tags"):
        Tagger.of(tagger.features, tagger.crf, TAGS[1:])


# --- What is no tagger --------------------------------------------------------------------------


def test_before_a_fit():
    for use in (lambda t: t.tag(NEW), lambda t: t.judge(NEW), lambda t: t.save(io.BytesIO())):
        with pytest.raises(ValueError, match="not fitted yet: call fit or load first"):
            use(Tagger())


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        Tagger.load(tmp_path / "none.npz")


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 and then nothing"], ids=repr)
def test_files_that_are_none_are_refused(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"notes\.txt is no tagger, or was cut short"):
        Tagger.load(path)


def test_other_arrays_are_refused(tmp_path):
    np.save(tmp_path / "one.npy", np.zeros(3))
    with pytest.raises(ValueError, match=r"one\.npy is no tagger"):
        Tagger.load(tmp_path / "one.npy")
    np.savez(tmp_path / "other.npz", weights=np.zeros(3))
    with pytest.raises(ValueError, match=r"other\.npz is no tagger"):
        Tagger.load(tmp_path / "other.npz")
    np.savez(tmp_path / "pickled.npz", format=np.array(["x", {}], dtype=object))
    with pytest.raises(ValueError, match=r"pickled\.npz is no tagger"):
        Tagger.load(tmp_path / "pickled.npz")


def test_cut_short_or_damaged(tmp_path):
    whole = stored(fitted())
    path = tmp_path / "model.npz"
    for size in range(0, len(whole), len(whole) // 12):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"model\.npz is no tagger, or was cut short"):
            Tagger.load(path)
    for place in range(100, len(whole), len(whole) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:  # a byte that nobody reads may change
            assert Tagger.load(path).tags == TAGS
        except ValueError as e:
            assert "model.npz is" in str(e)  # noqa: PT017 - not all have to fail


@pytest.mark.parametrize("header", ["{'descr': (", "{'descr': )", "{", "0x", "{b'a': 1, 'b': 2}"])
def test_damaged_headers_of_arrays(tmp_path, header):
    """They are read as Python literals, and fail as such."""
    path = tmp_path / "model.npz"
    text = header.ljust(117).encode() + b"\n"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("format.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text)
    with pytest.raises(ValueError, match=r"model\.npz is no tagger, .* give a file that"):
        Tagger.load(path)


def test_newer_version_is_named():
    with pytest.raises(ValueError, match="a tagger of version 2, but this program reads up to 1"):
        loaded(arrays_of(fitted()) | {"version": np.array(2)})
    for version in (0, -1, [1], 1.0, "1"):
        with pytest.raises(ValueError, match="it has no version"):
            loaded(arrays_of(fitted()) | {"version": np.array(version)})


def test_every_array_is_needed():
    arrays = arrays_of(fitted(max_iter=2))
    for name in arrays:
        with pytest.raises(ValueError, match="the file is"):
            loaded({n: array for n, array in arrays.items() if n != name})


def test_impossible_arrays_are_refused():
    arrays = arrays_of(fitted(max_iter=2))
    weights = arrays["weights"]
    for wrong in (
        {"weights": weights[1:]},
        {"weights": weights[:, 1:]},
        {"weights": weights.astype("U")},
        {"weights": np.full(weights.shape, np.nan)},
        {"firsts": np.zeros(4)},
        {"moves": np.zeros((5, 4))},
        {"moves": np.full((5, 5), np.inf)},
        {"settings": np.zeros(5)},
        {"settings": arrays["settings"][1:]},
        {"tags_bytes": arrays["tags_bytes"][1:]},
        {
            "tags_bytes": np.tile(np.frombuffer(b"B-LOC", np.uint8), 5),
            "tags_ends": np.arange(5, 26, 5),
        },
        {"features_settings": np.zeros(1)},
        {"features_settings": np.array([300_000_000, 0, 0, 0, 1])},  # once took 13 GB
    ):
        with pytest.raises(ValueError, match="the file is a damaged tagger: "):
            loaded(arrays | wrong)
