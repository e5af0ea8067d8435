from itertools import pairwise

import numpy as np
import pytest

from experiments.crf.chunks import BEGIN, INSIDE, OUTSIDE, chunk_corpus
from experiments.crf.corpus import synthetic_corpus
from experiments.crf.lexicon import Lexicon, adverb, past, plural, progressive


@pytest.fixture(scope="module")
def documents():
    return chunk_corpus(60, seed=1)


def sentences_of(documents):
    return [sentence for sentences in documents for sentence in sentences]


def test_tags_are_legal_and_each_token_has_one(documents):
    for sentence in sentences_of(documents):
        assert len(sentence.tokens) == len(sentence.tags)
        assert {*sentence.tags} <= {BEGIN, INSIDE, OUTSIDE}
        assert sentence.tags[0] != INSIDE
        assert (OUTSIDE, INSIDE) not in pairwise(sentence.tags)
        assert all(sentence.tokens)


def test_documents_have_their_sentences_and_these_begin_with_a_capital(documents):
    assert {len(sentences) for sentences in documents} <= {*range(6, 15)}
    assert all(s.tokens[0][0].isupper() or not s.tokens[0][0].isalpha()
               for s in sentences_of(documents))  # fmt: skip


def test_the_same_seed_writes_the_same_and_more_documents_begin_alike(documents):
    assert chunk_corpus(60, seed=1) == documents
    assert chunk_corpus(5, seed=1) == documents[:5]
    assert chunk_corpus(5, seed=2) != documents[:5]


def test_numbers_agree_between_determiner_noun_and_verb():
    words = [pair for s in sentences_of(chunk_corpus(100)) for pair in pairwise(s.tokens)]
    assert ("these", "was") not in words
    following = {b for a, b in words if a == "they"}
    assert following.isdisjoint({"is", "was", "has"})
    assert {b for a, b in words if a in ("she", "it", "he")} & {"is", "was", "has"}


def test_chunks_touch_and_words_are_ambiguous(documents):
    tags = {}
    touching = 0
    for sentence in sentences_of(documents):
        touching += sum(b == BEGIN and a != OUTSIDE for a, b in pairwise(sentence.tags))
        for token, tag in zip(sentence.tokens, sentence.tags, strict=True):
            tags.setdefault(token.lower(), set()).add(tag)
    assert touching > 100
    assert tags["that"] == {BEGIN, OUTSIDE}
    assert sum(len(kinds) > 1 for kinds in tags.values()) > 100


def test_a_share_of_the_words_of_the_test_half_is_unseen():
    corpus = synthetic_corpus(60, seed=0)
    seen = np.isin(corpus.test.text.words, corpus.train.text.words)
    assert 0.05 < 1 - seen.mean() < 0.25


def test_halves_are_documents_of_the_whole_without_overlap():
    corpus = synthetic_corpus(21, seed=3)
    train, test = corpus.train.text, corpus.test.text
    assert (train.n_documents, test.n_documents) == (11, 10)
    written = chunk_corpus(21, seed=3)
    assert train.n_sequences + test.n_sequences == sum(map(len, written))
    first = tuple(train.vocabulary[w] for w in train.words[: train.starts[1]])
    assert first in {sentences[0].tokens for sentences in written}
    assert len(corpus.train.gold) == train.n_tokens


def test_a_corpus_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1 document, but n_documents is 0"):
        chunk_corpus(0)


@pytest.mark.parametrize(
    ("form", "word", "written"),
    [
        (plural, "city", "cities"),
        (plural, "key", "keys"),
        (plural, "box", "boxes"),
        (past, "bake", "baked"),
        (past, "carry", "carried"),
        (progressive, "bake", "baking"),
        (adverb, "happy", "happily"),
    ],
)
def test_suffixes(form, word, written):
    assert form(word) == written


def test_invented_words_are_of_the_seed_and_come_between_the_common_ones():
    one, same = (Lexicon(40, np.random.default_rng(5)) for _ in range(2))
    assert one.nouns == same.nouns
    assert len(one.nouns) == len(set(one.nouns))
    assert "house" in one.nouns[:3]
    assert len({*one.nouns} & {*one.verbs}) > 40
    assert one.names[0][0].isupper()
