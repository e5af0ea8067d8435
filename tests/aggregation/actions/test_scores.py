import re

import numpy as np
import pytest

from aggregation.actions.runs import aggregate
from aggregation.actions.scores import NoGold, score_run
from aggregation.models import AggregationRun, Consensus
from aggregation.queries import latest_run, run_by_key
from annotation.actions.gold import count_documents_as_random
from annotation.interfaces import Material, entity
from tests.aggregation.crowds import (
    GOLD,
    SENTENCES,
    TEXT,
    choice,
    choice_campaign,
    choice_task,
    make_workers,
    tagged_task,
)
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db

NAMES = " ".join(GOLD)
NOTHING = "O O O O O O O O O"


def score(campaign, method="mv-token", **options):
    aggregate(campaign, method)
    return score_run(campaign, latest_run(campaign), **options)


def values(found):
    return {share.name: share.value for share in found.shares}


def counts(found):
    return (found.spans.right, found.spans.predicted, found.spans.gold)


def test_it_works():
    """Right: Ada Lovelace. Wrong: Babbage as a place. Missed: London."""
    campaign = make_campaign()
    tagged_task(campaign, "B-PER I-PER O B-LOC O O O O O", gold=NAMES)
    found = score(campaign)

    assert counts(found) == (1, 2, 3)
    assert values(found) == {"P": 1 / 2, "R": 1 / 3, "F1": 2 / 5}
    assert (found.units, found.documents) == (2, 1)
    assert (found.judgments, found.judgment) == (2, "span")
    assert found.calibration_error == pytest.approx(1 / 2)  # quite sure of both, one is wrong


def test_each_type_has_its_own_scores_and_the_commonest_in_gold_comes_first():
    """Gold: two people and London. Of the people one is found; a place is made of the other."""
    campaign = make_campaign()
    tagged_task(campaign, "B-PER I-PER O B-LOC O O O O O", gold=NAMES)
    people, places = score(campaign).types
    assert (people.name, people.gold, people.predicted) == ("PER", 2, 1)
    assert [share.value for share in people.shares] == [1, 1 / 2, pytest.approx(2 / 3)]
    assert (places.name, places.gold, places.predicted) == ("LOC", 1, 1)
    assert [share.value for share in places.shares] == [0, 0, 0]
    assert people.shares[0].interval is None  # one document


def test_only_sentences_with_a_label_count():
    campaign = make_campaign()
    tagged_task(campaign, "B-PER I-PER O B-PER O ? ? ? ?", gold=NAMES)
    found = score(campaign)
    assert counts(found) == (2, 2, 2)
    assert found.units == 1
    assert found.judgments == 2


def test_tokens_without_a_label_in_a_labelled_sentence_are_outside():
    campaign = make_campaign()
    tagged_task(campaign, "B-PER ? O B-PER O B-LOC O O O", gold=NAMES)
    found = score(campaign)
    assert counts(found) == (2, 3, 3)
    assert found.units == 2


def test_sentences_whose_gold_is_not_known_in_full_are_left_out_and_counted():
    campaign = make_campaign()
    tagged_task(campaign, NAMES, gold="B-PER I-PER O ? O B-LOC O O O")
    found = score(campaign)
    assert counts(found) == (1, 1, 1)
    assert (found.units, found.unknown_units) == (1, 1)
    assert found.judgments == 1


def test_documents_of_which_gold_knows_nothing_are_left_out():
    campaign = make_campaign()
    tagged_task(campaign, NAMES, gold="? ? ? ? ? ? ? ? ?")
    tagged_task(campaign, NAMES, gold=NAMES)
    found = score(campaign)
    assert (found.documents, found.units, found.unknown_units) == (1, 2, 2)


def test_raw_tags_and_mentions_are_the_same_gold():
    tokens = [list(word.span()) for word in re.finditer(r"\S+", TEXT)]
    mentions = entity.answer_of_tags(GOLD, Material(tokens=tokens, sentences=SENTENCES))
    for gold in (NAMES, mentions):
        campaign = make_campaign()
        tagged_task(campaign, "B-PER O O B-PER O O O O O", gold=gold)
        assert counts(score(campaign)) == (1, 2, 3)


def test_what_has_no_gold_or_no_answers_is_named():
    campaign = make_campaign()
    tagged_task(campaign, NAMES, gold=NAMES)
    bare = tagged_task(campaign, NAMES)
    silent = tagged_task(campaign, gold=NAMES)
    found = score(campaign)
    assert found.documents == 1
    assert found.without_gold == [bare.document.external_id]
    assert found.without_answers == [silent.document.external_id]


def test_interval_is_over_documents_and_has_a_seed():
    campaign, worker = make_campaign(), make_workers(1)
    for i in range(12):
        tagged_task(campaign, NAMES if i % 3 else NOTHING, gold=NAMES, workers=worker)
    once, again = score(campaign, seed=1), score(campaign, seed=1)

    recall = once.shares[1]
    assert recall.value == pytest.approx(2 / 3)
    assert 0.3 < recall.interval[0] < recall.value < recall.interval[1] < 1
    assert [share.interval for share in once.shares] == [share.interval for share in again.shares]


def test_one_document_has_no_interval():
    campaign = make_campaign()
    tagged_task(campaign, NAMES, gold=NAMES)
    assert [share.interval for share in score(campaign).shares] == [None] * 3


def test_a_share_of_nothing_is_none():
    campaign = make_campaign()
    tagged_task(campaign, NOTHING, gold=NOTHING)
    assert values(score(campaign)) == {"P": None, "R": None, "F1": None}


def test_choices_are_scored_by_accuracy():
    campaign, workers = choice_campaign(), make_workers(3)
    choice_task(campaign, "no", "no", "yes", workers=workers, gold="no")
    choice_task(campaign, "yes", "yes", "yes", workers=workers, gold="no")
    choice_task(campaign, "unsure", "unsure", workers=workers[:2], gold="unsure")
    choice_task(campaign, "maybe", workers=workers[:1])
    count_documents_as_random(campaign)
    found = score(campaign, "majority")

    assert values(found) == {"accuracy": pytest.approx(2 / 3)}
    assert (found.units, found.documents, found.spans) == (3, 3, None)
    assert len(found.without_gold) == 1
    assert found.judgments == 3
    # As the run has found it by folds, for its confidences have been fitted to this gold.
    folds = latest_run(campaign).facts.gold
    assert found.calibration_error == pytest.approx(folds.calibration_error)
    assert found.cross_entropy == pytest.approx(folds.cross_entropy)


def test_choices_that_nobody_judged_are_left_out():
    campaign = choice_campaign()
    choice_task(campaign, "no", gold="no")
    run = aggregate(campaign, "majority")
    Consensus.objects.create(
        run=run,
        task=choice_task(campaign, gold="yes"),
        answer=choice("unsure"),
        probabilities=np.full(1, np.nan, "<f2").tobytes(),
    )
    assert score_run(campaign, latest_run(campaign)).units == 1


def test_without_any_gold_it_says_what_to_do():
    campaign = make_campaign()
    tagged_task(campaign, NAMES)
    with pytest.raises(NoGold, match="Import documents with a 'gold' field"):
        score(campaign)


def test_only_a_complete_run_is_scored():
    campaign = make_campaign()
    run = AggregationRun.objects.create(campaign=campaign, method="mv-token")
    with pytest.raises(ValueError, match=f"Run {run.key} is running"):
        score_run(campaign, run_by_key(campaign, run.key))
