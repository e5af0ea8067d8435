"""What workers were unsure of counts, or is left out where the campaign says so."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from aggregation import arrays
from aggregation.actions.runs import aggregate
from aggregation.arrays.piles import load_piles
from aggregation.models import Consensus
from annotation.actions.projects import label_numbers
from annotation.interfaces import Material, interface, linking
from annotation.models import Campaign, Correction, Response
from tests.aggregation.actions.test_linking import block, linking_campaign, piled
from tests.aggregation.actions.test_relations import pair, related, relation_campaign
from tests.aggregation.crowds import (
    choice,
    choice_campaign,
    choice_task,
    make_workers,
    read,
    tagged_task,
)
from tests.factories import make_campaign, make_project, make_response, make_task

pytestmark = pytest.mark.django_db

ADA, LOVELACE, LONDON = (0, 12), (4, 12), (27, 33)
NESTED = {"entity_types": [{"name": "PER"}, {"name": "LOC"}], "nested": True}


def doubted(answer: Any, *at: str | None) -> dict[str, Any]:
    return answer | {"doubts": [{"at": part, "note": ""} for part in at]}


def left_out(campaign: Campaign) -> Campaign:
    campaign.doubts = Campaign.Doubts.LEFT_OUT
    campaign.save()
    return campaign


def mentions(*spans: tuple[int, int]) -> dict[str, Any]:
    """m1, m2, … in the order that they are given in."""
    marks = [
        {"id": f"m{n}", "start": start, "end": end, "type": "PER", "entity": None}
        for n, (start, end) in enumerate(spans, start=1)
    ]
    return {"mentions": marks, "entities": [], "unlabelled": []}


def tags_of(campaign: Campaign) -> str:
    """Of the only answer."""
    found = arrays.load_sequences(campaign)
    tags = ["?"] * int(found.starts[-1])
    for token, label in zip(found.labels.unit, found.labels.label, strict=True):
        tags[token] = found.classes[label]
    return " ".join(tags)


def labels_of(crowd: arrays.Crowd) -> list[str]:
    return [crowd.classes[label] for label in crowd.labels.label]


def correct(answer: Any, at: Any) -> None:
    """The only response."""
    response = Response.objects.select_related("assignment__task__document").get()
    task = response.assignment.task
    module = interface(task.campaign.interface)
    material = Material(
        tokens=task.document.tokens,
        sentences=task.document.sentences,
        options=task.campaign.options,
    )
    numbers = label_numbers(task.campaign.project_id, module.label_names(answer, material))
    judged = module.judge(answer, material, numbers)
    Correction.objects.create(response=response, answer=answer, judgments=judged, at=at)


# --- Each interface -----------------------------------------------------------------------------


def test_the_words_of_a_doubted_name_are_not_labelled():
    campaign = make_campaign()
    tagged_task(campaign, doubted(mentions(ADA, LONDON), "m1"))
    assert tags_of(campaign) == "B-PER I-PER O O O B-PER O O O"
    assert tags_of(left_out(campaign)) == "? ? O O O B-PER O O O"


def test_a_name_inside_another_has_no_tags_that_could_be_left_out():
    campaign = left_out(make_campaign(make_project(schema=NESTED)))
    tagged_task(campaign, doubted(mentions(LOVELACE, ADA), "m1"))
    assert tags_of(campaign) == "B-PER I-PER O O O O O O O"


def test_a_doubted_name_with_another_inside_is_left_out_with_it():
    campaign = left_out(make_campaign(make_project(schema=NESTED)))
    tagged_task(campaign, doubted(mentions(LOVELACE, ADA), "m2"))
    assert tags_of(campaign) == "? ? O O O O O O O"


@pytest.mark.parametrize("answer", [mentions(ADA), read("B-PER I-PER O O O O O O O")])
def test_a_text_that_is_doubted_as_a_whole_says_nothing(answer):
    campaign = left_out(make_campaign())
    tagged_task(campaign, doubted(answer, None))
    crowd = arrays.load_sequences(campaign)
    assert crowd.labels.n_labels == 0
    assert crowd.answers_each.tolist() == [1]  # it fills its place all the same


def test_a_doubted_choice_is_no_vote():
    campaign, workers = choice_campaign(), make_workers(3)
    task = choice_task(campaign, "yes", workers=workers)
    for worker in workers[1:]:
        make_response(task, worker, doubted(choice("no"), None))
    assert sorted(labels_of(arrays.load_labels(campaign))) == ["no", "no", "yes"]
    aggregate(campaign, "majority")
    assert Consensus.objects.get().answer == choice("no")

    crowd = arrays.load_labels(left_out(campaign))
    assert labels_of(crowd) == ["yes"]
    assert crowd.answers_each.tolist() == [3]
    run = aggregate(campaign, "majority")
    row = Consensus.objects.get(run=run)
    assert (row.answer, row.answers) == (choice("yes"), 3)


def test_a_task_of_which_nobody_was_sure_has_no_label():
    campaign = left_out(choice_campaign())
    choice_task(campaign, "yes")
    make_response(make_task(campaign), None, doubted(choice("no"), None))
    aggregate(campaign, "majority")
    row = Consensus.objects.order_by("task").last()
    assert (row.answer, row.confidence, row.expected_errors) == (choice("unsure"), None, None)


def test_a_doubted_relation_is_left_out_with_its_verdicts():
    campaign, workers = relation_campaign(), make_workers(2)
    unsure = doubted(related("founded", subject_ok=False), None)
    pair(campaign, workers, related("works_for", subject_ok=True), unsure)
    counted = arrays.load_relations(campaign)
    assert sorted(labels_of(counted)) == ["founded", "works_for"]
    assert counted.parts["subject_ok"].n_labels == 2

    crowd = arrays.load_relations(left_out(campaign))
    assert labels_of(crowd) == ["works_for"]
    assert crowd.parts["subject_ok"].n_labels == 1


@pytest.mark.parametrize(
    ("at", "said"), [("a", ["c", "d"]), ("b", ["c", "d"]), ("c", ["a", "b", "d"]), (None, [])]
)
def test_the_cards_of_a_doubted_pile_are_undecided(at, said):
    """The page names a pile by its first card; a file may name any."""
    campaign = linking_campaign()
    task = block(campaign, "a b c d")
    answer = linking.read(piled("a b=Q1 | c=Q2 | ?d"), Material(payload=task.payload))
    make_response(task, None, doubted(answer, at))
    everything = load_piles(campaign)
    assert np.unique(everything.data.item).size == 4

    crowd = load_piles(left_out(campaign))
    assert [crowd.mentions[item] for item in sorted(crowd.data.item)] == said
    linked = {crowd.mentions[item] for item in crowd.item}
    assert linked == {*said} - {"d"}
    assert crowd.data.n_answers == everything.data.n_answers == 1


# --- Which answer it is that is doubted ---------------------------------------------------------


@pytest.mark.parametrize("now_doubted", [True, False])
def test_what_was_corrected_is_doubted_as_corrected(now_doubted):
    campaign = left_out(choice_campaign())
    plain, unsure = choice("yes"), doubted(choice("yes"), None)
    make_response(make_task(campaign), None, plain if now_doubted else unsure)
    before = timezone.now()
    correct(unsure if now_doubted else plain, before + timedelta(seconds=1))
    assert labels_of(arrays.load_labels(campaign)) == ([] if now_doubted else ["yes"])
    earlier = arrays.load_labels(campaign, until=before)
    assert labels_of(earlier) == (["yes"] if now_doubted else [])


def test_a_corrected_name_is_left_out_where_it_stands_now():
    campaign = left_out(make_campaign())
    tagged_task(campaign, doubted(mentions(ADA, LONDON), "m1"))
    correct(doubted(mentions(ADA, LONDON), "m2"), timezone.now())
    assert tags_of(campaign) == "B-PER I-PER O O O ? O O O"


# --- What it costs ------------------------------------------------------------------------------


def test_it_costs_nothing_unless_it_is_asked_for(django_assert_num_queries):
    campaign, workers = make_campaign(), make_workers(3)
    for number in range(3):
        tagged_task(campaign, *[doubted(mentions(ADA), "m1")] * (number + 1), workers=workers)
    with django_assert_num_queries(5):
        arrays.load_sequences(campaign)
    left_out(campaign)
    with django_assert_num_queries(6):
        arrays.load_sequences(campaign)


def test_doubted_answers_are_found_by_their_index():
    plan = Response.objects.perhaps_doubted().explain()
    assert "response_doubted" in plan or connection.vendor == "postgresql"


def test_a_run_knows_what_it_made_of_doubts():
    campaign = choice_campaign()
    choice_task(campaign, "yes", "no")
    now = timezone.now()
    digests = arrays.inputs_of(campaign, clamp=False, from_gold=False, until=now)
    assert "doubts" not in digests  # as in runs of before
    others = arrays.inputs_of(left_out(campaign), clamp=False, from_gold=False, until=now)
    assert {name: others[name] for name in digests} == digests
    assert others.keys() - digests.keys() == {"doubts"}
