from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from aggregation.algorithms import (
    CrowdSequences,
    MajorityVote,
    MVseg,
    MVseq,
    MVtoken,
    ordered_tags,
)
from tests.aggregation.algorithms.simulated import tagged

ALL = pytest.mark.parametrize("method", [MVtoken, MVseq, MVseg])


def crowd(*answers, starts=None):
    """Each answer is a worker's tags, blank-separated; "?" where they did not look."""
    rows = [answer.split() for answer in answers]
    tags = ordered_tags(tag for row in rows for tag in row if tag != "?")
    given = [
        (token, worker, tags.index(tag))
        for worker, row in enumerate(rows)
        for token, tag in enumerate(row)
        if tag != "?"
    ]
    token, worker, label = zip(*given, strict=True) if given else ([], [], [])
    return CrowdSequences(
        token, worker, label, starts=starts or [0, len(rows[0])], n_workers=len(rows), tags=tags
    )


def predicted(method, *answers, starts=None):
    sequences = crowd(*answers, starts=starts)
    return " ".join(sequences.tags[i] for i in method().fit(sequences).predict())


# --- MVtoken ------------------------------------------------------------------------------------


def test_mvtoken_votes_on_each_token_apart():
    assert predicted(MVtoken, "B-PER I-PER", "O I-PER", "O O") == "O I-PER"


def test_mvtoken_settles_ties_by_name_with_o_last():
    assert predicted(MVtoken, "B-PER B-PER", "B-LOC O") == "B-LOC B-PER"


def test_mvtoken_is_majority_vote_on_tokens():
    sequences = crowd("B-PER I-PER O ?", "O I-PER O B-LOC", "B-LOC O ? O")
    fitted, plain = MVtoken().fit(sequences), MajorityVote().fit(sequences.token_labels())
    assert (fitted.posterior_ == plain.posterior_).all()
    assert (fitted.predict() == plain.predict()).all()
    assert (fitted.reliability_.accuracy == plain.reliability_.accuracy).all()


# --- MVseq --------------------------------------------------------------------------------------


def test_mvseq_chooses_one_whole_answer():
    assert predicted(MVseq, "B-PER O", "B-PER O", "O B-LOC", "O O", "O O", "O O") == "O O"


def test_mvseq_settles_ties_by_the_order_of_tags_token_by_token():
    assert predicted(MVseq, "O O", "O B-PER", "O I-PER") == "O B-PER"


def test_mvseq_votes_in_each_sentence_apart():
    answers = "B-PER O O", "O O B-PER", "B-PER O B-PER"
    assert predicted(MVseq, *answers, starts=[0, 1, 3]) == "B-PER O B-PER"


def test_mvseq_counts_the_fullest_answers_alone():
    assert predicted(MVseq, "B-PER ?", "B-PER ?", "O O") == "O O"


def test_mvseq_leaves_tokens_out_of_the_chosen_answer_to_their_own_vote():
    sequences = crowd("B-PER O ?", "? O B-PER", "? O B-PER")
    fitted = MVseq().fit(sequences)
    assert [sequences.tags[i] for i in fitted.predict()] == ["B-PER", "O", "B-PER"]


def test_mvseq_posterior_is_of_the_answers_that_compete():
    fitted = MVseq().fit(crowd("B-PER ?", "O O", "O O", "O I-PER"))
    assert fitted.posterior_ == pytest.approx(np.array([[0, 0, 1], [0, 1 / 3, 2 / 3]]))


@given(tagged())
def test_mvseq_chooses_as_a_count_of_answers_does(sequences):
    chosen = MVseq().fit(sequences).predict()
    said = {}
    for token, worker, label in zip(
        sequences.token, sequences.worker, sequences.label, strict=True
    ):
        said[token, worker] = label
    votes = sequences.token_labels().votes()
    overall = votes.sum(axis=0).argmax() if votes.any() else 0
    for s in range(sequences.n_sequences):
        tokens = range(sequences.starts[s], sequences.starts[s + 1])
        answers = [
            [(said[t, w], t) for t in tokens if (t, w) in said] for w in range(sequences.n_workers)
        ]
        longest = max(map(len, answers), default=0)
        ballots = Counter(
            tuple(zip(*answer, strict=True)) for answer in answers if len(answer) == longest > 0
        )
        best = min(ballots, key=lambda b: (-ballots[b], b), default=((), ()))
        expected = dict(zip(best[1], best[0], strict=True))
        for t in tokens:
            alone = votes[t].argmax() if votes[t].any() else overall
            assert chosen[t] == expected.get(t, alone)


# --- MVseg --------------------------------------------------------------------------------------


def test_mvseg_finds_the_segment_first_and_its_type_then():
    answers = "B-PER I-PER I-PER", "B-LOC I-LOC I-LOC", "B-PER I-PER O"
    assert predicted(MVseg, *answers) == "B-PER I-PER I-PER"


def test_mvseg_pools_the_types_of_a_segment():
    """LOC has more votes on the second token, PER on the segment."""
    answers = "B-PER I-PER I-PER", "B-PER B-LOC I-LOC", "B-PER I-LOC I-PER"
    assert predicted(MVseg, *answers) == "B-PER I-PER I-PER"


def test_mvseg_takes_a_token_that_half_call_an_entity():
    assert predicted(MVseg, "B-PER I-PER", "O O") == "B-PER I-PER"
    assert predicted(MVseg, "B-PER I-PER", "O O", "O O") == "O O"


def test_mvseg_cuts_a_segment_where_most_say_b():
    assert predicted(MVseg, "B-PER B-PER", "B-PER B-PER", "B-PER I-PER") == "B-PER B-PER"
    assert predicted(MVseg, "B-PER B-PER", "B-PER I-PER") == "B-PER I-PER"


def test_mvseg_begins_anew_with_a_sentence():
    assert predicted(MVseg, "B-PER I-PER", starts=[0, 1, 2]) == "B-PER B-PER"


def test_mvseg_settles_types_by_name():
    assert predicted(MVseg, "B-PER", "B-LOC") == "B-LOC"


def test_mvseg_ends_a_segment_where_nobody_looked():
    assert predicted(MVseg, "B-PER ? I-PER") == "B-PER O B-PER"


def test_mvseg_of_outside_alone():
    assert predicted(MVseg, "O O", "O O") == "O O"


@given(tagged())
def test_mvseg_is_always_legal_and_marks_what_half_call_an_entity(sequences):
    chosen = MVseg().fit(sequences).predict()
    votes = sequences.token_labels().votes()
    outside = sequences.n_classes - 1
    for t, tag in enumerate(sequences.tags[i] for i in chosen):
        inside = votes[t].any() and 2 * votes[t, outside] <= votes[t].sum()
        assert (tag != "O") == inside
        if tag.startswith("I-"):
            assert t not in sequences.starts
            assert sequences.tags[chosen[t - 1]][2:] == tag[2:]


# --- All three ----------------------------------------------------------------------------------


@ALL
@given(sequences=tagged())
def test_posterior_is_a_distribution(method, sequences):
    fitted = method().fit(sequences)
    assert fitted.posterior_.shape == (sequences.n_tokens, sequences.n_classes)
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(sequences.n_tokens))
    assert np.isfinite(fitted.reliability_.accuracy).all()


@ALL
@given(sequences=tagged())
def test_neither_the_workers_nor_the_order_of_labels_matters(method, sequences):
    rng = np.random.default_rng(sequences.n_labels)
    order, renamed = rng.permutation(sequences.n_labels), rng.permutation(sequences.n_workers)
    moved = CrowdSequences(
        sequences.token[order],
        renamed[sequences.worker[order]].astype(np.int64),
        sequences.label[order],
        starts=sequences.starts,
        n_workers=sequences.n_workers,
        tags=sequences.tags,
    )
    plain, fitted = method().fit(sequences), method().fit(moved)
    assert (fitted.predict() == plain.predict()).all()
    assert fitted.posterior_ == pytest.approx(plain.posterior_)
    assert fitted.reliability_.accuracy[renamed] == pytest.approx(plain.reliability_.accuracy)


@ALL
def test_one_worker_is_followed(method):
    assert predicted(method, "B-PER I-PER O B-LOC") == "B-PER I-PER O B-LOC"
    assert method().fit(crowd("B-PER O")).reliability_.judged.tolist() == [2]


@ALL
def test_without_tokens_there_is_nothing_to_say(method):
    empty = CrowdSequences([], [], [], starts=[0], n_workers=0, tags=("O",))
    assert method().fit(empty).predict().tolist() == []
