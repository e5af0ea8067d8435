"""The gold questions of a campaign, and what a manager does with them."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions import assignments
from annotation.models import AuditEntry, Demand, Enrollment, GoldQuestion, GoldScore
from selection.models import GoldCheck
from tests.dashboard import SECTION
from tests.factories import (
    GOLD_NEXT,
    make_campaign,
    make_enrollment,
    make_member,
    make_project,
    make_task,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

OPTIONS = {"choices": ["A", "B"]}


def said(choice, note=""):
    return {"choice": choice, "unsure": False, "value": None, "note": note}


@pytest.fixture
def campaign():
    return make_campaign(interface="choice", options=OPTIONS, redundancy=1, gold_every=2)


@pytest.fixture
def question(campaign):
    task = make_task(campaign, kind=Demand.Kind.HIDDEN, external_id="q-one")
    return GoldQuestion.objects.create(task=task, answer=said("B"))


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project).user
    client.force_login(user)
    return user


def answered(campaign, *choices) -> list[Enrollment]:
    """A worker for each choice, who was given the one gold question there is."""
    workers = []
    for choice in choices:
        worker = make_enrollment(campaign, **GOLD_NEXT)
        lease = assignments.claim_next(worker.key).assignment
        assignments.submit(worker.key, lease.key, said(choice, note="I think so."))
        workers.append(worker)
    return workers


def address(campaign, what="") -> str:
    return f"/manage/campaigns/{campaign.slug}/gold/{what}"


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def page(client, campaign, what="", status=200) -> str:
    answer = client.get(address(campaign, what))
    assert answer.status_code == status
    return words(answer)


def change(client, question, **fields):
    return client.post(address(question.task.campaign, own(question)), fields, follow=True)


def own(question) -> str:
    return f"questions/{question.task.external_id}/"


def test_suspicious_questions_come_first_with_their_evidence(client, manager, campaign, question):
    answered(campaign, "A", "A", "B")
    other = make_task(campaign, kind=Demand.Kind.TRAINING, external_id="q-two")
    GoldQuestion.objects.create(task=other, answer=said("A"))
    text = page(client, campaign)
    assert "1 hidden · 1 practice · 0 exam · 0 drawn at random · not checked yet" in text
    assert text.count("not checked yet<") == 1  # nobody has answered the other
    assert "not answered yet" in text
    GoldCheck.objects.create(
        question=question, number=8, mean=0.125, expected=0.93, suspicious=True, at=timezone.now()
    )
    text = page(client, campaign)
    assert text.index("q-one") < text.index("q-two")
    assert "1 suspicious</span>" in text
    assert 'state-disputed">suspicious</span>' in text
    assert "8 workers scored 0.12 here, and the same workers 0.93 on the other questions." in text
    assert ">hidden<" in text
    assert ">practice<" in text
    assert '.33 <span class="pm">.06–.79 of 3</span>' in text
    assert 'aria-label=".33, .06 to .79"' in text
    needs = words(client.get(f"/manage/campaigns/{campaign.slug}/")).split("What needs you?")[1]
    assert "1 gold question is suspicious." in needs


def test_answer_that_most_gave_becomes_the_known_one_and_all_are_scored_anew(
    client, manager, campaign, question
):
    first, *_ = answered(campaign, "A", "A", "B")
    what = own(question)
    text = page(client, campaign, what)
    answers = text.split("Workers’ answers")[1]
    assert answers.index("<b>2 ×</b> <bdi>A</bdi>") < answers.index("<b>1 ×</b>")
    given = first.assignments.get()
    text = words(change(client, question, verb="take", assignment=str(given.key)))
    assert "The known answer is changed. 3 answers were scored anew: 3 scores changed" in text
    question.refresh_from_db()
    assert question.answer == said("A")
    first.refresh_from_db()
    assert (first.gold_seen, first.gold_score_sum) == (1, 1.0)
    entry = AuditEntry.objects.get(action="correct gold")
    assert (entry.user, entry.before["answer"], entry.after["answer"]) == (
        manager, said("B"), said("A"),
    )  # fmt: skip
    its = words(client.get(f"/manage/campaigns/{campaign.slug}/workers/{first.key}/"))
    assert address(campaign, what) in its
    campaign.options = {"choices": ["B", "C"]}
    campaign.save()
    text = words(change(client, question, verb="take", assignment=str(given.key)))
    assert "This answer can't be the known one." in text
    for key in ("x", str(first.key)):
        assert change(client, question, verb="take", assignment=key).status_code == 404


def test_correction_by_hand_tells_what_is_wrong_with_it(client, manager, campaign, question):
    answered(campaign, "A")
    for answer, told in (
        ("{", "This is no JSON from line 1 on."),
        (json.dumps(said("C")), "choice"),
        ("", "Write the answer."),
    ):
        refused = change(client, question, verb="correct", answer=answer, tolerance=0)
        assert refused.status_code == 422
        assert told in words(refused)
        question.refresh_from_db()
        assert question.answer == said("B")
    done = change(
        client, question, verb="correct", answer=json.dumps(said("A")), tolerance=1,
        explanation="It says so.",
    )  # fmt: skip
    assert "1 answer was scored anew: 1 score changed, of 1 worker." in words(done)
    question.refresh_from_db()
    assert (question.tolerance, question.explanation) == (1, "It says so.")


def test_question_is_retired_with_a_reason_and_given_back(client, manager, campaign, question):
    (worker,) = answered(campaign, "A")
    refused = change(client, question, verb="retire", reason=" ")
    assert refused.status_code == 422
    assert "Write why: it stands in the record." in words(refused)
    text = words(change(client, question, verb="retire", reason="Two answers are right."))
    assert "Retired: it is given out no more. 1 answer was scored anew" in text
    assert "Two answers are right." in page(client, campaign)
    worker.refresh_from_db()
    assert worker.gold_seen == 0
    assert "counts for nothing" in page(client, campaign, own(question))
    its = f"/manage/campaigns/{campaign.slug}/workers/{worker.key}/"
    assert "retired" in words(client.get(its)).split("Hidden gold")[-1]
    again = words(change(client, question, verb="retire", reason="Twice."))
    assert "This question is retired already." in again
    assert "Given out again." in words(change(client, question, verb="restore"))
    assert "not retired" in words(change(client, question, verb="restore"))
    assert change(client, question, verb="burn").status_code == 200
    worker.refresh_from_db()
    assert worker.gold_seen == 1


def test_parts_of_a_score_are_told_apart(client, manager):
    campaign = make_campaign(gold_every=2, redundancy=1)
    task = make_task(campaign, kind=Demand.Kind.HIDDEN)
    ada = {
        "mentions": [{"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": "e1"}],
        "unlabelled": [],
        "entities": [{"id": "e1", "canonical": "m1", "link": None, "value": None}],
    }
    question = GoldQuestion.objects.create(task=task, answer=ada)
    worker = make_enrollment(campaign, **GOLD_NEXT)
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, {"mentions": [], "entities": []})
    GoldScore.objects.create(
        assignment_id=lease.pk, score=0.5, parts={"coreference": 0.25, "links": 1.0},
        scored_at=timezone.now(),
    )  # fmt: skip
    client.force_login(make_member(campaign.project).user)
    its = words(client.get(f"/manage/campaigns/{campaign.slug}/workers/{worker.key}/"))
    assert "groups .25, links 1.00" in its
    text = page(client, campaign, own(question))
    assert "Ada Lovelace (PER)" in text
    assert "<bdi>no names</bdi>" in text
    assert "coreference .25" in text


def test_looking_at_them_and_scoring_them_are_jobs(client, manager, campaign, question):
    asked = client.post(address(campaign, "check/")).url
    client.post(f"/manage/campaigns/{campaign.slug}/jobs/score_gold/")
    assert [job.state for job in do_jobs()] == ["done", "done"]
    text = words(client.get(asked))
    assert "1 gold questions, none suspicious." in text
    assert f'href="{address(campaign)}"' in text


def test_without_gold_it_says_what_to_do(client, manager, campaign):
    assert f"/manage/campaigns/{campaign.slug}/import/gold/" in page(client, campaign)


def test_question_of_a_draft_is_not_given_out_yet(client, manager):
    draft = make_campaign(state="draft", interface="choice", options=OPTIONS)
    task = make_task(draft)
    Demand.objects.all().delete()
    question = GoldQuestion.objects.create(task=task, answer=said("A"))
    client.force_login(make_member(draft.project).user)
    assert "not given out yet" in page(client, draft)
    assert "Nobody has answered it yet." in page(client, draft, own(question))
    text = words(
        change(client, question, verb="correct", answer=json.dumps(said("B")), tolerance=0)
    )
    assert "The known answer is changed. Nobody has answered it yet." in text


def test_number_of_queries_does_not_grow(
    client, manager, campaign, question, django_assert_max_num_queries, monkeypatch
):
    for number in range(4):
        answered(campaign, "A", "B")
        task = make_task(campaign, kind=Demand.Kind.TRAINING, external_id=f"more-{number}")
        GoldQuestion.objects.create(task=task, answer=said("A"))
        with django_assert_max_num_queries(8 + SECTION):
            page(client, campaign)
        with django_assert_max_num_queries(8 + SECTION):
            page(client, campaign, own(question))
    monkeypatch.setattr("dashboard.gold.queries.ROWS", 3)
    assert "Page 1 of 2" in page(client, campaign)
    assert "more-3" in page(client, campaign, "?page=2")


@pytest.mark.parametrize(
    "visitor", ["manager", "reviewer", "viewer", "other manager", "stranger", "nobody"]
)
def test_who_sees_gold_and_who_changes_it(client, campaign, question, visitor):
    (worker,) = answered(campaign, "A")
    if visitor in ("manager", "reviewer", "viewer"):
        client.force_login(make_member(campaign.project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    seen = {"manager": 200, "reviewer": 200, "nobody": 302}.get(visitor, 404)
    acts = {"manager": 302, "nobody": 302}.get(visitor, 404)
    for what in ("", own(question)):
        answer = client.get(address(campaign, what))
        assert answer.status_code == seen
        if visitor == "reviewer":
            main = words(answer).split("<main")[1]
            assert "<button" not in main
            assert worker.worker.external_id not in main
    for what, fields in (
        ("check/", {}),
        (own(question), {"verb": "retire", "reason": "No."}),
    ):
        assert client.post(address(campaign, what), fields).status_code == acts
    question.refresh_from_db()
    assert (question.retired_at is not None) is (visitor == "manager")


def test_question_of_another_campaign_is_not_found(client, manager, campaign, question):
    other = make_campaign(campaign.project)
    assert client.get(address(other, own(question))).status_code == 404
    assert client.get(address(campaign, "questions/x%00/")).status_code == 404


@pytest.mark.parametrize("depth", [500, *range(900, 1000, 7), 5_000])
def test_answer_that_is_nested_too_deeply_is_told_and_kept_in_the_form(
    client, manager, campaign, question, depth
):
    for deep in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        fields = {"verb": "correct", "answer": deep, "tolerance": "0", "explanation": ""}
        refused = client.post(address(campaign, own(question)), fields)
        assert refused.status_code == 422
        assert "nested too deeply" in words(refused) or depth < 1_000
    question.refresh_from_db()
    assert question.answer == said("B")


@pytest.mark.parametrize("odd", ["NaN", "1e999", '"\\ud800"', '"\\u0000"', "9" * 5_000])
def test_answer_that_no_database_could_keep_is_told(client, manager, campaign, question, odd):
    for answer in (odd, f'{{"choice": {odd}}}', f'{{"choice": "A", "note": {odd}}}'):
        fields = {"verb": "correct", "answer": answer, "tolerance": "0", "explanation": ""}
        assert client.post(address(campaign, own(question)), fields).status_code == 422
