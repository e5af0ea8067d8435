import numpy as np
import pytest

from aggregation.algorithms.array_files import ArrayFiles
from selection.algorithms import (
    FeatureClassifier,
    FeatureRows,
    Labelled,
    PairMention,
    Pool,
    SparsePairs,
    Uncertainty,
    choose_learner,
    cross_validate,
    pair_features,
    text_features,
)

KINDS = ["logistic", "multinomial", "bernoulli"]
TOPICS = {"sport": ["ball", "goal", "team", "win"], "money": ["bank", "price", "loan", "win"]}
PLAIN = ["the", "a", "of", "it", "was"]


def texts(n=60, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=n)
    words = [[*rng.choice(TOPICS[("money", "sport")[k]], 3), *rng.choice(PLAIN, 4)] for k in truth]
    return FeatureRows.of(map(text_features, words)), np.eye(2)[truth]


def pairs(n=60, seed=0):
    """ "Ada founded Acme" and "Acme hired Ada": what tells them is the words between, and who comes
    first; "Acme was founded by Ada" is the first, turned round."""
    rng = np.random.default_rng(seed)
    rows, truth = [], []
    for _ in range(n):
        person, company = PairMention(1, 2, "PER"), PairMention(4, 5, "ORG")
        forms = [
            ("once Ada founded big Acme", person, company, 0),
            ("once Ada left old Acme", person, company, 1),
            ("once Acme founded_by one Ada", PairMention(4, 5, "PER"), PairMention(1, 2, "ORG"), 0),
            ("once Ada saw old Acme", person, company, 2),
        ]
        sentence, subject, object, relation = forms[rng.integers(len(forms))]
        rows.append(pair_features(sentence.split(), subject, object))
        truth.append(relation)
    return FeatureRows.of(rows), np.eye(3)[truth]


@pytest.mark.parametrize("kind", KINDS)
def test_it_tells_texts_by_their_words(kind):
    examples, targets = texts()
    learner = FeatureClassifier(classes=("money", "sport"), kind=kind)
    assert cross_validate(learner, examples, targets, folds=5).macro_f1 > 0.9


def test_it_tells_relations_by_words_and_types_around_the_pair():
    examples, targets = pairs()
    learner = FeatureClassifier(classes=("founder", "left", "none"))
    assert cross_validate(learner, examples, targets, folds=5).macro_f1 == 1


def test_which_mention_comes_first_tells():
    words = ["Ada", "hired", "Bob", "yesterday"]
    ada, bob = PairMention(0, 1, "PER"), PairMention(2, 3, "PER")
    there, back = pair_features(words, ada, bob), pair_features(words, bob, ada)
    assert "between>hired" in there
    assert "between<hired" in back
    assert {"types=PER>PER", "last of subject=ada", "apart=1", "after>yesterday"} <= {*there}
    # Mentions of which one holds the other have nothing between them.
    assert "apart=0" in pair_features(words, PairMention(0, 3, "ORG"), ada)


@pytest.mark.parametrize("kind", KINDS)
def test_half_certain_labels_count_half(kind):
    examples, targets = texts()
    n = len(targets)
    both = np.arange(2 * n) % n
    learner = FeatureClassifier(classes=("money", "sport"), kind=kind)
    said = learner.fit(examples[both], targets[both] / 2).predict_proba(examples)
    once = FeatureClassifier(classes=("money", "sport"), kind=kind).fit(examples, targets)
    # Twice as many texts have each word, of twice as many: the scale moves by the 1 that is added.
    assert said == pytest.approx(once.predict_proba(examples), abs=0.01)
    doubtful = np.vstack([targets[:-1], [[0.5, 0.5]]])
    moved = FeatureClassifier(classes=("money", "sport"), kind=kind).fit(examples, doubtful)
    assert np.abs(moved.predict_proba(examples) - once.predict_proba(examples)).max() > 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_what_nobody_judged_teaches_nothing(kind):
    examples, targets = texts()
    partly = targets.copy()
    partly[30:] = 0
    found = FeatureClassifier(classes=("money", "sport"), kind=kind).fit(examples, partly)
    part = np.arange(30)
    fewer = FeatureClassifier(classes=("money", "sport"), kind=kind).fit(
        examples[part], targets[part]
    )
    assert (found.predict_proba(examples) == fewer.predict_proba(examples)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_it_comes_back_from_its_file(kind, tmp_path):
    examples, targets = texts()
    targets = np.insert(targets, 1, 0.0, axis=1)  # a class that nobody has labelled yet
    fitted = FeatureClassifier(classes=("money", "ünlabelled", "sport"), kind=kind)
    fitted.fit(examples, targets).save(tmp_path / "model.npz")
    again = FeatureClassifier.load(tmp_path / "model.npz")
    assert again.classes == fitted.classes
    others, _ = texts(seed=1)  # words in other columns
    for rows in (examples, others):
        assert (again.predict_proba(rows) == fitted.predict_proba(rows)).all()
    assert (again.predict_proba(others)[:, 1] == 0).all()
    first = (tmp_path / "model.npz").read_bytes()
    fitted.save(tmp_path / "model.npz")
    assert (tmp_path / "model.npz").read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


def test_words_that_were_not_learnt_say_nothing():
    examples, targets = texts()
    fitted = FeatureClassifier(classes=("money", "sport")).fit(examples, targets)
    strange = FeatureRows.of([text_features(["quark"]), []])
    said = fitted.predict_proba(strange)
    assert (said[0] == said[1]).all()


def test_pickers_and_the_choice_of_a_learner_take_it():
    examples, targets = texts()
    pool = Pool(SparsePairs(np.eye(60)), np.eye(60), np.eye(60), documents=examples)
    items = np.arange(10)
    learners = {kind: FeatureClassifier(classes=("money", "sport"), kind=kind) for kind in KINDS}
    picker = Uncertainty(pool, learner=learners["logistic"], start=None)
    found = picker.pick(Labelled(items, targets[items]), items[:0], np.arange(10, 60), 5)
    assert len(found.items) == 5
    choice = choose_learner(learners, {"documents": examples}, targets, folds=3)
    assert choice.name in KINDS
    assert not choice.refused


def test_what_is_no_classifier_is_refused(tmp_path):
    examples, targets = texts()
    fitted = FeatureClassifier(classes=("money", "sport"))
    with pytest.raises(ValueError, match="not fitted yet"):
        fitted.predict(examples)
    with pytest.raises(ValueError, match="not fitted yet"):
        fitted.save(tmp_path / "model.npz")
    with pytest.raises(ValueError, match="2 columns, but there are 3 classes"):
        FeatureClassifier(classes=("a", "b", "c")).fit(examples, targets)
    path = tmp_path / "model.npz"
    fitted.fit(examples, targets).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"model\.npz is no classifier, or was cut short"):
        FeatureClassifier.load(path)
    path.write_bytes(whole)
    with np.load(path) as file:
        state = dict(file)
    wrong = {
        "of version 9, but this program reads up to 1": {"version": np.array(9)},
        "'forest' is no kind": {"kind": np.array("forest")},
        "is a damaged classifier": {"weights": state["weights"][:-1]},
        "it has 2 classes, but knows 1": {
            "weights": state["weights"][:, :1], "intercept": state["intercept"][:1]
        },
        "holds what is no number": {"scale": state["scale"] * np.nan},
        "model.npz is no classifier: give": {"format": np.array("touchstone-tagger")},
    }  # fmt: skip
    for words, change in wrong.items():
        np.savez(path, **(state | change))
        with pytest.raises(ValueError, match=words):
            FeatureClassifier.load(path)
    del state["kind"]
    np.savez(path, **state)
    with pytest.raises(ValueError, match="damaged classifier"):
        FeatureClassifier.load(path)


def test_a_file_is_there_whole_or_not_at_all(tmp_path):
    class Bad:
        def __array__(self, *_, **__):
            raise RuntimeError("no arrays")

    kept = ArrayFiles("x", 1, "thing", "give another")
    kept.save(tmp_path / "a.npz", {"n": np.arange(3)})
    before = (tmp_path / "a.npz").read_bytes()
    with pytest.raises(RuntimeError):
        kept.save(tmp_path / "a.npz", {"n": Bad()})
    assert (tmp_path / "a.npz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
