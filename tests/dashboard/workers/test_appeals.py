"""Workers' requests for a review, and a manager's answers."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from annotation.actions import appeals, assignments, rejections
from annotation.actions.tokens import worker_token
from annotation.actions.workers import set_state
from annotation.models import Appeal, AuditEntry, Payment
from tests.dashboard import CAMPAIGN_BAR
from tests.factories import (
    make_campaign,
    make_enrollment,
    make_member,
    make_project,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": [], "entities": []}


@pytest.fixture
def campaign():
    return make_campaign(slug="names", pay_mills=50, budget_mills=10_000)


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project, "manager").user
    client.force_login(user)
    return user


PAGE = "/manage/campaigns/names/appeals/"


def paused(campaign, text: str = "I read fast.", **fields) -> Appeal:
    worker = make_enrollment(campaign, **fields)
    set_state(worker, "paused", "Answers came in seconds.")
    return appeals.appeal(worker.key, text)


def rejected(campaign) -> Appeal:
    worker = make_enrollment(campaign)
    make_task(campaign)
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, NOTHING)
    lease.refresh_from_db()
    rejections.reject(lease, "Nothing is marked.")
    return appeals.appeal(worker.key, "There is no name in it.", lease.key)


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def answer(client, asked: Appeal, verb: str, text: str = "Looked at again."):
    return client.post(f"{PAGE}{asked.key}/", {"verb": verb, "answer": text}, follow=True)


def test_page_shows_what_was_asked_and_all_that_is_known(client, manager, campaign):
    worker = make_worker(external_id="anna")
    asked = paused(
        campaign, worker=worker, submitted=10, seconds=340, earned_mills=500,
        gold_seen=10, gold_score_sum=8, training_seen=2, training_score_sum=1,
    )  # fmt: skip
    about = rejected(campaign).rejection.assignment.task.external_id
    text = words(client.get(PAGE))
    for told in (
        "anna", f"/workers/{asked.enrollment.key}/", "Answers came in seconds.", "I read fast.",
        "10 answers · 34 s each · 0.50 USD earned · practice .50",
        "gold score .80 (.49–.94, 95 %, on 10 answers)",
        "Let worker back in", "Withdraw rejection", "Decline request", "There is no name in it.",
        f"/documents/{about}/?campaign=names", "Nothing is marked.",
    ):  # fmt: skip
        assert told in text, told


def test_granted_request_lets_the_worker_back_in(client, manager, campaign):
    asked = paused(campaign)
    text = words(answer(client, asked, "grant"))
    assert "Back in: tasks are given out again." in text
    assert "Let back in by" in text
    assert "No request waits for an answer." in text
    asked.refresh_from_db()
    asked.enrollment.refresh_from_db()
    assert (asked.granted, asked.answer, asked.answered_by) == (True, "Looked at again.", manager)
    assert asked.enrollment.state == "qualified"
    assert AuditEntry.objects.filter(action="answer appeal", user=manager).count() == 1


def test_granted_request_takes_the_rejection_back(client, manager, campaign):
    asked = rejected(campaign)
    assert "The rejection is taken back: the answer is paid." in words(
        answer(client, asked, "grant")
    )
    assert Payment.objects.get().state == "earned"
    assert set(AuditEntry.objects.filter(user=manager).values_list("action", flat=True)) == {
        "overturn rejection", "answer appeal",
    }  # fmt: skip


@pytest.mark.parametrize("make", [paused, rejected])
def test_refused_request_leaves_all_as_it_is(client, manager, campaign, make):
    asked = make(campaign)
    text = words(answer(client, asked, "stay", "Each answer took two seconds."))
    assert "It stays as it is." in text
    assert "Stayed with it by" in text
    assert "Each answer took two seconds." in text
    asked.refresh_from_db()
    asked.enrollment.refresh_from_db()
    assert asked.granted is False
    assert asked.enrollment.state == ("paused" if make is paused else "qualified")
    assert not Payment.objects.filter(state="earned").exists()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"verb": "stay", "answer": " "}, "Write an answer: the worker reads it."),
        ({"verb": "x", "answer": "Kept."}, "Choose one of the two buttons."),
        ({"answer": "Kept."}, "Choose one of the two buttons."),
        ({"verb": "stay", "answer": "x" * 2_001}, "Write 2,000 characters at most."),
    ],
)
def test_what_is_missing_is_told_and_what_was_typed_stays(client, manager, campaign, fields, told):
    asked = paused(campaign)
    reply = client.post(f"{PAGE}{asked.key}/", fields)
    assert reply.status_code == 422
    assert told in words(reply)
    assert fields["answer"].strip() in words(reply)
    asked.refresh_from_db()
    assert asked.answered_at is None


def test_two_managers_at_once_give_one_answer(client, manager, campaign):
    asked = paused(campaign)
    appeals.answer(asked, False, "No.")
    text = words(answer(client, asked, "grant"))
    assert "was answered in the meantime" in text
    asked.enrollment.refresh_from_db()
    assert asked.enrollment.state == "paused"


def test_request_of_another_campaign_is_not_found(client, manager, campaign):
    other = paused(make_campaign(campaign.project))
    assert answer(client, other, "grant").status_code == 404
    assert client.get(f"{PAGE}{other.key}/").status_code == 404


def test_address_of_an_answer_leads_to_the_page(client, manager, campaign):
    assert client.get(f"{PAGE}{paused(campaign).key}/").url == PAGE


def test_answered_ones_come_by_the_page(client, manager, campaign, monkeypatch):
    monkeypatch.setattr("dashboard.workers.appeal_queries.ANSWERED", 2)
    for number in range(5):
        appeals.answer(paused(campaign, f"Request {number}."), False, f"Answer {number}.")
    assert ["Request 4." in words(client.get(f"{PAGE}?page={n}")) for n in ("1", "2", "x")] == [
        True, False, True,
    ]  # fmt: skip
    last = words(client.get(f"{PAGE}?page=3"))
    assert "Request 0." in last
    assert 'rel="next"' not in last
    assert "?page=2" in words(client.get(PAGE))


def test_campaign_page_lists_open_ones_for_managers_alone(client, manager, campaign):
    campaign_page = "/manage/campaigns/names/"
    assert PAGE not in words(client.get(campaign_page))
    asked = paused(campaign)
    text = words(client.get(campaign_page))
    assert "1 worker asks for a review" in text
    assert f'href="{PAGE}">Read requests' in text
    rejected(campaign)
    assert "2 requests for a review." in words(client.get(campaign_page))
    client.force_login(make_member(campaign.project, "reviewer").user)
    assert PAGE not in words(client.get(campaign_page))
    client.force_login(manager)
    answer(client, asked, "stay")
    assert "1 worker asks" in words(client.get(campaign_page))


def test_number_of_queries_does_not_grow(client, manager, campaign, django_assert_max_num_queries):
    for number in (1, 9):
        for _ in range(number):
            paused(campaign)
            rejected(campaign)
            appeals.answer(paused(campaign), False, "No.", user=manager)
        with django_assert_max_num_queries(6 + CAMPAIGN_BAR):
            assert client.get(PAGE).status_code == 200


@pytest.mark.parametrize(
    "visitor", ["reviewer", "viewer", "other manager", "stranger", "worker", "nobody"]
)
def test_managers_alone_see_and_answer(client, campaign, visitor):
    asked = paused(campaign)
    if visitor in ("reviewer", "viewer"):
        client.force_login(make_member(campaign.project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    elif visitor == "worker":
        client.defaults["HTTP_AUTHORIZATION"] = f"Worker {worker_token(asked.enrollment)}"
    for address, reply in (
        (PAGE, client.get(PAGE)),
        (
            f"{PAGE}{asked.key}/",
            client.post(f"{PAGE}{asked.key}/", {"verb": "grant", "answer": "x"}),
        ),
    ):
        if visitor in ("worker", "nobody"):
            assert reply.url == f"/login/?next={address}"
        else:
            assert reply.status_code == 404
    asked.refresh_from_db()
    assert asked.answered_at is None


def test_site_administrator_answers_as_a_manager(admin_client, campaign):
    asked = paused(campaign)
    assert "Back in" in words(answer(admin_client, asked, "grant"))
