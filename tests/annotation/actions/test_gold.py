"""Gold that turns out to be wrong: corrected, retired, given back; and all scores made anew."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotation.actions import assignments, gold
from annotation.actions.integrity import check_campaign
from annotation.interfaces import AnswerError, Material, interface
from annotation.models import AuditEntry, Demand, GoldQuestion, GoldScore, Response
from tests.factories import GOLD_NEXT, make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

ADA = {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER"}]}
NOTHING = {"mentions": [], "entities": []}
KNOWN = {
    "mentions": [{"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": None}],
    "entities": [],
    "unlabelled": [],
}
NO_NAMES = {"mentions": [], "entities": [], "unlabelled": []}


@pytest.fixture
def campaign():
    return make_campaign(gold_every=2)


@pytest.fixture
def question(campaign):
    task = make_task(campaign, kind=Demand.Kind.HIDDEN)
    return GoldQuestion.objects.create(task=task, answer=KNOWN)


def answered(campaign, answer):
    worker = make_enrollment(campaign, **GOLD_NEXT)
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, answer)
    return worker


def sums(worker):
    worker.refresh_from_db()
    return worker.gold_seen, worker.gold_score_sum, worker.gold_score_sumsq


def test_a_corrected_answer_turns_the_scores_round_and_the_responses_stay(campaign, question):
    right, wrong = answered(campaign, ADA), answered(campaign, NOTHING)
    assert (sums(right), sums(wrong)) == ((1, 1, 1), (1, 0, 0))
    told = gold.correct_gold(question, NO_NAMES)
    assert (told.answers, told.changed, told.workers) == (2, 2, 2)
    assert (sums(right), sums(wrong)) == ((1, 0, 0), (1, 1, 1))
    assert sorted(Response.objects.values_list("gold_score", flat=True)) == [0, 1]
    assert AuditEntry.objects.get(action="correct gold").before["answer"] == KNOWN
    gold.correct_gold(question, KNOWN)
    assert (sums(right), sums(wrong)) == ((1, 1, 1), (1, 0, 0))
    assert check_campaign(campaign) == []


def test_what_is_undecided_is_left_out_of_gold_and_nothing_decided_is_nothing():
    campaign = make_campaign(interface="linking", gold_every=2)
    task = make_task(
        campaign, kind=Demand.Kind.HIDDEN, payload={"mentions": [{"id": i} for i in "abcd"]}
    )
    known = {"clusters": [{"mentions": list("ab")}, {"mentions": ["c"]}, {"mentions": ["d"]}]}
    question = GoldQuestion.objects.create(
        task=task, answer=interface("linking").read(known, Material(payload=task.payload))
    )
    pair = {"clusters": [{"mentions": list("ab")}]}
    half = answered(campaign, pair | {"undecided": list("cd")})
    unsure = answered(campaign, pair | {"unsure": list("cd")})
    none = answered(campaign, {"clusters": [], "undecided": list("abcd")})
    apart = answered(campaign, {"clusters": [{"mentions": ["c"]}], "undecided": list("abd")})
    old = answered(campaign, {"clusters": [{"mentions": [i]} for i in "abcd"]})

    scores = [1, 1, 0, 0, 0]
    assert [sums(worker)[1] for worker in (half, unsure, none, apart, old)] == scores
    # Judgments tell undecided from unsure: scored anew, they are not taken for one another.
    gold.correct_gold(question, {"clusters": [{"mentions": list("cd")}, {"mentions": list("ab")}]})
    assert sums(half)[1] == 1
    assert sums(unsure)[1] == pytest.approx(2 / 3)


def test_a_wrong_answer_names_its_field_and_changes_nothing(campaign, question):
    with pytest.raises(AnswerError, match=r"mentions\[0\].end"):
        gold.correct_gold(
            question, {"mentions": [{"id": "m", "start": 0, "end": 5, "type": "PER"}]}
        )
    question.refresh_from_db()
    assert question.answer == KNOWN


def test_a_retired_question_counts_for_nobody_and_is_given_to_nobody(campaign, question):
    worker = answered(campaign, ADA)
    with pytest.raises(gold.GoldRefused, match="why"):
        gold.retire_gold(question, " ")
    gold.retire_gold(question, "It leaked.")
    assert sums(worker) == (0, 0, 0)
    other = make_enrollment(campaign, **GOLD_NEXT)
    assert assignments.claim_next(other.key).assignment is None
    with pytest.raises(gold.GoldRefused, match="retired already"):
        gold.retire_gold(question, "Again.")
    gold.restore_gold(question)
    assert sums(worker) == (1, 1, 1)
    assert assignments.claim_next(other.key).assignment.task == question.task  # at once


def test_an_answer_to_a_question_that_was_retired_while_they_held_it_is_not_scored(
    campaign, question
):
    worker = make_enrollment(campaign, **GOLD_NEXT)
    lease = assignments.claim_next(worker.key).assignment
    gold.retire_gold(question, "It leaked.")
    assignments.submit(worker.key, lease.key, ADA)
    assert sums(worker) == (0, 0, 0)


@pytest.mark.parametrize(
    ("state", "kind"), [("exam", Demand.Kind.EXAM), ("training", Demand.Kind.TRAINING)]
)
def test_who_is_at_practice_or_exam_is_judged_by_what_is_known_now(state, kind):
    campaign = make_campaign(training_size=2, exam_size=2, pass_score=1.0)
    for _ in range(3):
        task = make_task(campaign, kind=kind)
        GoldQuestion.objects.create(task=task, answer=KNOWN)
    worker = make_enrollment(campaign, state=state)
    prefix = "exam" if state == "exam" else "training"

    def decides():
        worker.refresh_from_db()
        return getattr(worker, f"{prefix}_seen"), getattr(worker, f"{prefix}_score_sum")

    lease = assignments.claim_next(worker.key).assignment
    following = assignments.submit(worker.key, lease.key, NOTHING).next.assignment
    assert decides() == (1, 0)
    question = lease.task.gold_question
    gold.correct_gold(question, NO_NAMES)
    assert decides() == (1, 1)
    gold.correct_gold(question, KNOWN)
    gold.retire_gold(question, "It is wrong.")
    assert decides() == (0, 0)
    following = assignments.submit(worker.key, following.key, ADA).next.assignment
    assert decides() == (1, 1)
    assert following.task.demand.kind == kind  # one more, in the place of the retired one


def test_scoring_twice_writes_nothing_more(campaign, question):
    answered(campaign, ADA)
    first = gold.score_gold(campaign)
    assert (first.answers, first.changed) == (1, 0)
    assert not GoldScore.objects.exists()  # the response's own score stands
    assert gold.score_gold(campaign) == first


def test_counters_that_drifted_are_made_again(campaign, question):
    worker = answered(campaign, ADA)
    worker.gold_seen, worker.gold_score_sum = 7, 3.0
    worker.save()
    gold.score_gold(campaign)
    assert sums(worker) == (1, 1, 1)


def test_the_queries_do_not_grow_with_the_answers(campaign, question, django_assert_num_queries):
    for _ in range(3):
        answered(campaign, ADA)
    with django_assert_num_queries(9):
        gold.score_gold(campaign)
    for _ in range(5):
        answered(campaign, ADA)
    with django_assert_num_queries(9):
        gold.score_gold(campaign)


def test_the_command_says_what_is_missing(campaign, question, capsys):
    answered(campaign, ADA)
    call_command("score_gold")
    assert "1 answers to gold by 1 workers" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no campaign 'nowhere'"):
        call_command("score_gold", campaign="nowhere")
    with pytest.raises(CommandError, match="has no gold questions"):
        call_command("score_gold", campaign=make_campaign().slug)
