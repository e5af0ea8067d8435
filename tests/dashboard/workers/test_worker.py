"""A worker's page: what is known of them, their answers, and what a manager does there."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions import appeals, assignments, rejections
from annotation.actions.tokens import worker_token
from annotation.actions.workers import set_state
from annotation.models import Appeal, Assignment, AuditEntry, Enrollment, Payment, Rejection
from annotation.models.pseudonyms import short_pseudonym
from dashboard.workers.history import answers_by_day
from tests.dashboard import CAMPAIGN_BAR
from tests.factories import (
    make_campaign,
    make_enrollment,
    make_member,
    make_project,
    make_response,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": [], "entities": []}


@pytest.fixture
def campaign():
    return make_campaign(pay_mills=50, budget_mills=10_000, training_size=2, exam_size=3)


@pytest.fixture
def worker(campaign):
    return make_enrollment(campaign, make_worker(external_id="5f8a1b2c3d4e"))


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project, "manager").user
    client.force_login(user)
    return user


def answered(worker: Enrollment, number: int = 1) -> Assignment:
    """The assignment of the last of `number` answers, each handed in."""
    for _ in range(number):
        make_task(worker.campaign)
    Enrollment.objects.filter(pk=worker.pk).update(rest_until=None)  # there was nothing before
    for _ in range(number):
        lease = assignments.claim_next(worker.key).assignment
        assignments.submit(worker.key, lease.key, NOTHING, 34.0)
    lease.refresh_from_db()
    return lease


def address(worker: Enrollment, what: str = "") -> str:
    return f"/manage/campaigns/{worker.campaign.slug}/workers/{worker.key}/{what}"


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def page(client, worker: Enrollment, status: int = 200) -> str:
    answer = client.get(address(worker))
    assert answer.status_code == status
    return words(answer)


def test_it_shows_state_numbers_and_answers(client, manager, worker):
    lease = answered(worker)
    Enrollment.objects.update(
        skipped=2, training_seen=2, training_score_sum=1.5, exam_seen=1, exam_score_sum=1, tries=1,
        gold_seen=10, gold_score_sum=8,
    )  # fmt: skip
    set_state(worker, "paused", "Answers came in seconds.", user=manager)
    text = page(client, worker)
    assert 'state-paused">paused</span>' in text
    assert "Answers came in seconds." in text
    for told in (
        '<h2 class="q">Answers</h2> <p class="figure">1</p>', "34 s each",
        '<p class="figure">0.05 <small>USD</small>', f"Paused by <bdi>{manager.username}</bdi>:",
        'Practice</dt><dd>.75 <span class="soft">2 of 2',
        'Exam</dt><dd>1.00 <span class="soft">1 of 3', "Tries failed</dt><dd>1",
        '<p class="figure">.80 <small>.49–.94</small>', "mean of 10 answers to hidden gold",
        "2 of 10 skips",
        f"/documents/{lease.task.external_id}/?campaign=", "0 names", "0.05 USD earned",
    ):  # fmt: skip
        assert told in text, told


def test_workers_table_leads_to_it(client, manager, worker):
    answered(worker)
    assert address(worker) in words(
        client.get(f"/manage/campaigns/{worker.campaign.slug}/workers/")
    )


def test_answers_come_the_newest_first_by_the_page(client, manager, worker, monkeypatch):
    monkeypatch.setattr("dashboard.workers.answers.ROWS", 2)
    answered(worker, 5)
    shown = []
    following = address(worker)
    while following:
        text = words(client.get(following))
        shown.append(re.findall(r"/documents/([^/]+)/", text))
        found = re.search(r'rel="next" href="(\?before=[^"]+)"', text)
        following = address(worker) + found[1] if found else ""
    assert [len(names) for names in shown] == [2, 2, 1]
    given = worker.assignments.order_by("-pk").values_list("task__external_id", flat=True)
    assert [name for names in shown for name in names] == list(given)


def test_days_of_the_last_week_are_drawn_and_older_ones_are_not(client, manager, worker):
    assert 'class="spark"' not in page(client, worker)
    answered(worker, 4)
    now = timezone.localtime()
    given = list(Assignment.objects.filter(enrollment=worker).order_by("pk"))
    for one, days in zip(given, (0, 0, 7, 8), strict=True):
        one.submitted_at = now - timedelta(days=days)
        one.save()
    assert answers_by_day([worker.pk], now) == {worker.pk: (1, 0, 0, 0, 0, 0, 0, 2)}
    text = page(client, worker)
    days = f"1 on {now - timedelta(days=7):%a %-d %b}, 2 on {now:%a %-d %b}"
    assert f'aria-label="Answers in 8 days: {days}"' in text
    assert '<rect x="0" width="3" y="10" height="10"/>' in text
    assert "at most 2 a day" in text


def test_wrong_place_in_the_list_is_the_beginning(client, manager, worker):
    answered(worker)
    assert "0 names" in words(client.get(address(worker, "?before=x")))
    assert "There are no older ones." in words(
        client.get(address(worker, f"?before={uuid.uuid4()}"))
    )


def test_number_of_queries_does_not_grow(client, manager, worker, django_assert_max_num_queries):
    for number in (1, 12):
        lease = answered(worker, number)
        rejections.reject(lease, "Nothing is marked.", user=manager)
        appeals.appeal(worker.key, "I marked all.", lease.key)
        with django_assert_max_num_queries(14 + CAMPAIGN_BAR):
            page(client, worker)


# --- What a manager does ------------------------------------------------------------------------


def act(client, worker, what="state/", **fields):
    return client.post(address(worker, what), fields, follow=True)


@pytest.mark.parametrize(("verb", "state"), [("pause", "paused"), ("block", "blocked")])
def test_worker_is_stopped_with_a_reason_that_they_read(client, manager, worker, verb, state):
    make_task(worker.campaign)
    text = words(act(client, worker, verb=verb, reason="Too fast."))
    assert f"{state.capitalize()}. The worker reads your reason." in text
    worker.refresh_from_db()
    assert (worker.state, worker.state_reason) == (state, "Too fast.")
    assert assignments.claim_next(worker.key).assignment is None
    entry = AuditEntry.objects.get(action="worker state")
    assert (entry.user, entry.before["state"], entry.after["state"]) == (
        manager, "qualified", state,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"verb": "pause", "reason": " "}, "Write the reason: the worker reads it"),
        ({"verb": "block"}, "Write the reason: the worker reads it"),
        ({"verb": "fire", "reason": "Kept."}, "Choose whether to pause, to block"),
        ({"verb": "pause", "reason": "x" * 2_001}, "Write 2,000 characters at most."),
    ],
)
def test_what_is_missing_is_told_and_what_was_typed_stays(client, manager, worker, fields, told):
    answer = act(client, worker, **fields)
    assert answer.status_code == 422
    assert told in words(answer)
    assert fields.get("reason", "").strip() in words(answer)
    worker.refresh_from_db()
    assert worker.state == "qualified"
    assert not AuditEntry.objects.filter(action="worker state").exists()


def test_worker_is_let_back_in_and_their_request_is_answered_by_it(client, manager, worker):
    set_state(worker, "paused", "Too fast.", user=manager)
    asked = appeals.appeal(worker.key, "I read fast.")
    assert "waits for an answer" in page(client, worker)
    text = words(act(client, worker, verb="admit", reason="You are right."))
    assert "Back in: tasks are given out again." in text
    worker.refresh_from_db()
    asked.refresh_from_db()
    assert worker.state == "qualified"
    assert (asked.granted, asked.answer, asked.answered_by) == (True, "You are right.", manager)
    set_state(worker, "blocked", "Too fast.", user=manager)
    act(client, worker, verb="admit", reason="")
    worker.refresh_from_db()
    assert (worker.state, worker.state_reason) == ("qualified", "")


def test_answer_is_rejected_and_that_is_taken_back(client, manager, worker):
    lease = answered(worker)
    what = f"answers/{lease.key}/"
    text = words(act(client, worker, what, verb="reject", reason="Nothing is marked."))
    assert "Rejected: it is not paid." in text
    assert "<strong>Rejected</strong>" in text
    assert "· 1 rejected ·" in text
    assert Payment.objects.get().state == "rejected"
    asked = appeals.appeal(worker.key, "There is no name in it.", lease.key)

    text = words(act(client, worker, what, verb="take-back"))
    assert "The rejection is taken back: the answer is paid." in text
    assert "A rejection was taken back" in text
    assert Payment.objects.get().state == "earned"
    asked.refresh_from_db()
    assert asked.granted
    assert str(asked.reply).endswith("The rejection is taken back.")
    assert "was taken back already" in words(act(client, worker, what, verb="take-back"))
    actions = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["reject answer", "overturn rejection", "answer appeal"]


def test_rejection_without_a_reason_is_asked_for_beside_its_answer(client, manager, worker):
    lease = answered(worker, 2)
    answer = act(client, worker, f"answers/{lease.key}/", verb="reject", reason="")
    assert answer.status_code == 422
    assert f'aria-describedby="problem-{lease.key}"' in words(answer)
    assert "<details open>" in words(answer)
    assert not Rejection.objects.exists()


def test_answer_that_is_paid_can_not_be_rejected(client, manager, worker):
    lease = answered(worker)
    Payment.objects.update(state="paid")
    assert "Reject…" not in page(client, worker)
    text = words(act(client, worker, f"answers/{lease.key}/", verb="reject", reason="No."))
    assert "is paid already" in text


def test_answer_of_somebody_else_is_not_found(client, manager, worker):
    other = answered(make_enrollment(worker.campaign))
    reply = act(client, worker, f"answers/{other.key}/", verb="reject", reason="No.")
    assert reply.status_code == 404
    assert act(client, worker, f"answers/{uuid.uuid4()}/", verb="reject").status_code == 404


def test_address_of_a_refused_form_leads_back(client, manager, worker):
    lease = answered(worker)
    for what in ("state/", f"answers/{lease.key}/"):
        assert client.get(address(worker, what)).url == address(worker)


# --- Who sees what ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "acts", "gold", "earnings"),
    [
        ("manager", True, True, True),
        ("reviewer", False, True, False),
        ("viewer", False, False, False),
    ],
)
def test_member_sees_what_the_role_needs(client, worker, role, acts, gold, earnings):
    answered(worker)
    Enrollment.objects.update(gold_seen=4, gold_score_sum=3, state_by="qualification",
                              state_reason="The practice tasks were 40% right.")  # fmt: skip
    hidden = make_task(worker.campaign, kind=2)
    make_response(hidden, worker.worker, NOTHING | {"unlabelled": []})
    client.force_login(make_member(worker.campaign.project, role).user)
    text = page(client, worker)
    assert ("5f8a1b2c3d4e" in text) is earnings
    assert (f"<h1><bdi>{short_pseudonym(worker)}</bdi></h1>" in text) is not earnings
    assert ("Earned" in text) is earnings
    assert ("0.05 USD" in text) is earnings
    assert ("gold" in text.lower()) is gold
    assert ("Practice" in text) is gold
    assert ("practice tasks were 40%" in text) is gold
    assert (hidden.external_id in text) is gold
    assert ("csrfmiddlewaretoken" in text.split("<main", 1)[1]) is acts
    assert ("Reject…" in text) is acts


@pytest.mark.parametrize("visitor", ["reviewer", "viewer", "other manager", "stranger", "nobody"])
def test_managers_alone_act(client, worker, visitor):
    lease = answered(worker)
    if visitor in ("reviewer", "viewer"):
        client.force_login(make_member(worker.campaign.project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    for what, fields in (
        ("state/", {"verb": "pause", "reason": "No."}),
        (f"answers/{lease.key}/", {"verb": "reject", "reason": "No."}),
    ):
        answer = client.post(address(worker, what), fields)
        if visitor == "nobody":
            assert answer.url == f"/login/?next={address(worker, what)}"
        else:
            assert answer.status_code == 404
    worker.refresh_from_db()
    assert worker.state == "qualified"
    assert not Rejection.objects.exists()
    if visitor in ("other manager", "stranger"):
        page(client, worker, status=404)


def test_workers_token_opens_nothing(client, worker):
    token = worker_token(worker)
    answer = client.get(address(worker), headers={"authorization": f"Worker {token}"})
    assert answer.status_code == 302


def test_worker_of_another_campaign_is_not_found(client, manager, worker):
    other = make_campaign(worker.campaign.project)
    answer = client.get(f"/manage/campaigns/{other.slug}/workers/{worker.key}/")
    assert answer.status_code == 404


def test_what_workers_and_managers_wrote_is_escaped(client, manager, worker):
    set_state(worker, "paused", "<b>fast</b>", user=manager)
    appeals.appeal(worker.key, "<script>alert(1)</script>")
    text = page(client, worker)
    assert "<b>fast" not in text
    assert "<script>alert" not in text
    assert Appeal.objects.exists()
