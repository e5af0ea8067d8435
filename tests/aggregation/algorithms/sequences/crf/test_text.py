import pickle

import numpy as np
import pytest

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.sequences.crf import Text

SENTENCES = [["Ann", "slept"], [], ["So", "Ann", "woke"], ["Ben"]]


def test_it_works():
    text = Text.of(SENTENCES, [0, 3, 4])

    assert text.vocabulary == ("Ann", "slept", "So", "woke", "Ben")
    assert text.words.tolist() == [0, 1, 2, 0, 3, 4]
    assert text.starts.tolist() == [0, 2, 2, 5, 6]
    assert text.documents.tolist() == [0, 3, 4]
    assert (text.n_tokens, text.n_sequences, text.n_documents) == (6, 4, 2)
    assert text.sequence_of_token().tolist() == [0, 0, 2, 2, 2, 3]
    assert text.document_of_sequence().tolist() == [0, 0, 0, 1]
    assert repr(text) == "Text(6 tokens in 4 sequences of 2 documents, 5 words)"


def test_without_documents_each_sequence_is_one():
    assert Text.of(SENTENCES).documents.tolist() == [0, 1, 2, 3, 4]


def test_no_sentences_are_no_tokens():
    text = Text.of([])
    assert (text.n_tokens, text.n_sequences, text.n_documents) == (0, 0, 0)


def test_the_text_of_sequences_is_theirs():
    given = Text.of(SENTENCES, [0, 1, 4])
    crowd = CrowdSequences(
        [], [], [], starts=given.starts, n_workers=0, tags=["O"],
        words=given.words, vocabulary=given.vocabulary, documents=given.documents,
    )  # fmt: skip
    text = Text.of_sequences(crowd)

    assert text.words.tolist() == given.words.tolist()
    assert text.vocabulary == given.vocabulary
    assert text.starts.tolist() == given.starts.tolist()
    assert text.documents.tolist() == [0, 1, 4]


def test_where_the_text_of_sequences_is_not_known_no_word_is():
    crowd = CrowdSequences([], [], [], starts=[0, 2], n_workers=0, tags=["O"])
    text = Text.of_sequences(crowd)
    assert text.words.tolist() == [-1, -1]
    assert text.vocabulary == ()


def test_some_sequences_in_another_order():
    text = Text.of(SENTENCES, [0, 3, 4]).take([2, 3, 1, 0])

    assert text.words.tolist() == [2, 0, 3, 4, 0, 1]
    assert text.starts.tolist() == [0, 3, 4, 4, 6]
    # The first document comes back behind the second: it is another one then.
    assert text.documents.tolist() == [0, 1, 2, 4]


def test_no_sequence_at_all():
    text = Text.of(SENTENCES).take([])
    assert (text.n_tokens, text.n_sequences, text.n_documents) == (0, 0, 0)


def test_a_text_travels_between_processes():
    text = pickle.loads(pickle.dumps(Text.of(SENTENCES, [0, 3, 4])))
    assert text.vocabulary == ("Ann", "slept", "So", "woke", "Ben")
    assert text.documents.tolist() == [0, 3, 4]


def test_input_is_neither_changed_nor_locked():
    words, starts, documents = np.array([0, 0], np.int32), np.array([0, 2]), np.array([0, 1])
    text = Text(words, ["a"], starts, documents)

    assert all(array.flags.writeable for array in (words, starts, documents))
    for array in (text.words, text.starts, text.documents):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"words": [0, 2]}, "words run from 0 to 2, but there are 2, numbered from 0"),
        ({"words": [0, -2]}, "words run from -2 to 0"),
        ({"words": [0.0, 1.0]}, "words holds float64, but must hold integers"),
        ({"words": [0]}, r"words has the shape \(1,\), but there are 2 tokens"),
        ({"vocabulary": ["a", "a"]}, "vocabulary has 2 words, but only 1 different"),
        ({"starts": [1, 2]}, "starts must begin with 0, but begins with 1"),
        ({"starts": [0, 2, 1, 2]}, r"starts must not fall, but starts\[1\] is 2"),
        ({"starts": []}, r"must be \(n_sequences \+ 1,\)"),
        ({"documents": [0, 1]}, "must end with the number of sequences, 2, but end with 1"),
        ({"documents": [1, 2]}, "documents must begin with 0, but begins with 1"),
        ({"documents": [0, 2, 1, 2]}, r"documents must not fall, but documents\[1\] is 2"),
        ({"documents": []}, r"documents has the shape .* must be \(n_documents \+ 1,\)"),
    ],
)
def test_bad_input_is_told(wrong, message):
    right = {"words": [0, 1], "vocabulary": ["a", "b"], "starts": [0, 1, 2], "documents": [0, 2]}
    with pytest.raises(ValueError, match=message):
        Text(**right | wrong)
