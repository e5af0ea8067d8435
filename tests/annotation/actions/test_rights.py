"""What a worker agrees to, is refused, asks to be looked at again, and takes to another device."""

from __future__ import annotations

import uuid

import pytest
from django.core.exceptions import ValidationError
from django.test import override_settings
from django.utils import timezone

from annotation.actions import (
    appeals,
    assignments,
    consent,
    recovery,
    rejections,
    tokens,
    workers,
)
from annotation.actions.integrity import check_campaign
from annotation.actions.workers import CannotJoin, set_state
from annotation.models import (
    Appeal,
    AuditEntry,
    Campaign,
    Consent,
    ConsentVersion,
    Demand,
    Document,
    Enrollment,
    Payment,
    Rejection,
    Task,
)
from annotation.queries.history import history_page
from annotation.queries.work import next_page
from annotation.sentences import Problem
from annotation.text.aliases import SHORT
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": [], "entities": []}


@pytest.fixture
def campaign():
    return make_campaign(pay_mills=50, budget_mills=10_000)


@pytest.fixture
def worker(campaign):
    return make_enrollment(campaign)


def answered(campaign, worker):
    """An assignment with its answer."""
    make_task(campaign)
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, NOTHING)
    lease.refresh_from_db()
    return lease


# --- Consent -------------------------------------------------------------------------------------


def test_nobody_gets_a_task_before_they_agreed_and_the_time_is_kept(campaign, worker):
    task = make_task(campaign)
    version = consent.set_consent(campaign, "We keep your answers.")
    assert assignments.claim_next(worker.key).reason == "consent"
    found = consent.give(worker.key, version.number)
    assert found.assignment.task == task
    given = Consent.objects.get()
    assert (given.enrollment, given.version) == (worker, version)
    assert consent.give(worker.key, 1).assignment == found.assignment
    assert Consent.objects.get().given_at == given.given_at


def test_a_new_text_is_asked_for_with_the_next_task_and_not_in_mid_work(campaign, worker):
    for _ in range(2):
        make_task(campaign)
    consent.set_consent(campaign, "First.")
    held = consent.give(worker.key, 1).assignment
    consent.set_consent(campaign, "Second.")
    assert assignments.claim_next(worker.key).assignment == held
    reply = assignments.submit(worker.key, held.key, NOTHING)
    assert reply.next.reason == "consent"
    with pytest.raises(consent.TextChanged):
        consent.give(worker.key, 1)
    assert consent.give(worker.key, 2).assignment is not None
    assert Consent.objects.count() == 2


def test_the_same_text_is_no_new_version_and_a_blank_one_asks_for_nothing(campaign, worker):
    make_task(campaign)
    first = consent.set_consent(campaign, "Text.")
    assert consent.set_consent(campaign, "Text.") == first
    assert consent.set_consent(campaign, "  ") is None
    assert assignments.claim_next(worker.key).assignment is not None
    assert consent.give(worker.key, 1).assignment is not None  # pressed a moment later
    assert ConsentVersion.objects.count() == 1
    with pytest.raises(ValidationError, match="at most 20,000"):
        consent.set_consent(campaign, "x" * 20_001)


# --- Rejections ----------------------------------------------------------------------------------


def money(campaign, worker):
    worker.refresh_from_db()
    committed = Campaign.objects.values_list("committed_mills", flat=True).get(pk=campaign.pk)
    return worker.earned_mills, committed


def test_a_rejected_answer_is_not_paid_and_taken_back_it_is(campaign, worker):
    lease = answered(campaign, worker)
    before = money(campaign, worker)
    rejection = rejections.reject(lease, "It is empty.")
    assert Payment.objects.get().state == "rejected"
    assert money(campaign, worker) == (0, before[1])  # the money stays reserved
    assert check_campaign(campaign) == []
    with pytest.raises(rejections.CannotReject, match="already"):
        rejections.reject(lease, "Again.")

    rejections.overturn(rejection)
    assert Payment.objects.get().state == "earned"
    assert money(campaign, worker) == before
    assert check_campaign(campaign) == []
    with pytest.raises(rejections.CannotReject, match="taken back already"):
        rejections.overturn(rejection)
    rejections.reject(lease, "After all.")
    assert Rejection.objects.get().reason == "After all."
    told = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(told) == ["reject answer", "overturn rejection", "reject answer"]


def test_what_is_paid_or_not_handed_in_can_not_be_rejected(campaign, worker):
    lease = answered(campaign, worker)
    with pytest.raises(rejections.CannotReject, match="reason"):
        rejections.reject(lease, " ")
    Payment.objects.update(state=Payment.State.PAID)
    with pytest.raises(rejections.CannotReject, match="paid already"):
        rejections.reject(lease, "No.")
    make_task(campaign)
    Enrollment.objects.update(rest_until=None)
    held = assignments.claim_next(worker.key).assignment
    with pytest.raises(rejections.CannotReject, match="leased"):
        rejections.reject(held, "No.")
    assert not Rejection.objects.exists()


def test_an_answer_whose_pay_waits_for_money_is_rejected_without_moving_any(campaign, worker):
    lease = answered(campaign, worker)
    Payment.objects.update(state=Payment.State.UNFUNDED)
    Enrollment.objects.update(earned_mills=0)
    rejection = rejections.reject(lease, "No.")
    rejections.overturn(rejection)
    assert Payment.objects.get().state == "unfunded"
    assert money(campaign, worker)[0] == 0


# --- Appeals -------------------------------------------------------------------------------------


def test_a_granted_appeal_lets_a_paused_worker_back_in(campaign, worker):
    make_task(campaign)
    set_state(worker, "paused", "Too fast.")
    asked = appeals.appeal(worker.key, "I was careful.")
    assert asked.about == "Too fast."
    with pytest.raises(appeals.CannotAppeal, match="asked already"):
        appeals.appeal(worker.key, "Please.")
    appeals.answer(asked, True, "You are right.")
    assert (asked.granted, asked.answer) == (True, "You are right.")
    worker.refresh_from_db()
    assert (worker.state, worker.state_reason) == ("qualified", "You are right.")
    assert assignments.claim_next(worker.key).assignment is not None
    with pytest.raises(appeals.AnsweredAlready):
        appeals.answer(asked, False, "No.")


def test_a_refused_one_leaves_the_worker_out_and_three_times_is_the_last_word(campaign, worker):
    set_state(worker, "paused", "Too fast.")
    for _ in range(appeals.MOST):
        appeals.answer(appeals.appeal(worker.key, "Please."), False, "No.")
    with pytest.raises(appeals.CannotAppeal, match="last word"):
        appeals.appeal(worker.key, "Please.")
    worker.refresh_from_db()
    assert worker.state == "paused"
    assert appeals.last_about_pause(worker)[1] is False


def test_who_is_paused_again_after_being_let_in_may_ask_again(campaign, worker):
    for _ in range(appeals.MOST):
        set_state(worker, "paused", "Too fast.")
        appeals.answer(appeals.appeal(worker.key, "Please."), True, "Come back.")
    set_state(worker, "paused", "Much too fast.")
    worker.refresh_from_db()
    # What was said of an earlier pause is no word about this one.
    assert appeals.last_about_pause(worker) == (None, True)
    asked = appeals.appeal(worker.key, "Please.")
    assert appeals.last_about_pause(worker) == (asked, False)


def test_a_worker_blocked_everywhere_reads_why_and_not_what_was_said_before(campaign, worker):
    set_state(worker, "paused", "Too fast.")
    appeals.answer(appeals.appeal(worker.key, "Please."), True, "You can go on.")
    worker.worker.blocked_at, worker.worker.block_reason = timezone.now(), "Copied answers."
    worker.worker.save()
    told = next_page(assignments.claim_next(worker.key))["message"]
    assert told == "You can’t work in this campaign any more. Copied answers."
    assert appeals.appeal(worker.key, "Please.").about == "Copied answers."


def test_a_worker_blocked_while_they_wait_is_not_let_in_by_the_answer(campaign, worker):
    set_state(worker, "paused", "Too fast.")
    asked = appeals.appeal(worker.key, "Please.")
    worker.worker.blocked_at = timezone.now()
    worker.worker.save()
    with pytest.raises(appeals.CannotAppeal, match="whole platform"):
        appeals.answer(asked, True, "Come back.")
    asked.refresh_from_db()
    worker.refresh_from_db()
    assert (asked.answered_at, worker.state) == (None, "paused")


def test_who_is_let_back_into_a_campaign_of_selected_workers_is_selected(worker, campaign):
    Campaign.objects.update(open_to=Campaign.OpenTo.SELECTED)
    set_state(worker, "paused", "Too fast.")
    appeals.answer(appeals.appeal(worker.key, "Please."), True, "")
    worker.refresh_from_db()
    assert worker.state == "selected"


def test_what_a_rule_said_is_kept_as_its_code_until_it_is_shown(campaign, worker):
    coded = Problem("selection.paused", reason="surplus").stored()
    Enrollment.objects.update(state="paused", state_by="selection", coded_reason=coded)
    asked = appeals.appeal(worker.key, "Please.")
    assert (asked.about, asked.coded_about) == ("", coded)
    told = next_page(assignments.claim_next(worker.key))
    assert told["appeal"]["reason"].startswith("The campaign goes on with a smaller group.")
    assert told["message"] == f"You are paused in this campaign. {told['appeal']['reason']}"
    appeals.let_in(worker, "")
    worker.refresh_from_db()
    assert (worker.state, worker.reason) == ("qualified", None)
    (answered,) = history_page(worker.key)["appeals"]
    assert answered["answer"] == "You can go on with your work."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada met  Bob.\n", "Ada met Bob."),
        ("x" * 29 + " " + "y" * 30 + "\n", "x" * 29 + " " + "y" * 30),  # all that is told
        ("x" * 29 + " " + "y" * 31, "x" * 29 + "…"),
        (" " * 99 + "Ada", ""),
    ],
    ids=["short", "just so", "longer", "blank"],
)
def test_a_text_without_a_title_is_called_by_its_first_words(campaign, worker, text, name):
    lease = answered(campaign, worker)
    Document.objects.filter(pk=lease.task.document_id).update(title="", text=text)
    (row,) = history_page(worker.key)["rows"]
    assert row["name"] == (name or f"Task {row['task'][:SHORT]}")


def test_a_text_that_was_not_shown_names_no_answer():
    """It may say what is seen on the picture."""
    campaign = make_campaign(interface="choice", options={"choices": ["A cat", "A dog"]})
    worker = make_enrollment(campaign)
    make_task(campaign, payload={"image": {"file": "1.png", "alt": ""}})
    Document.objects.update(title="", text="This is a cat.")
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, {"choice": "A cat"})
    (row,) = history_page(worker.key)["rows"]
    assert "This is" not in row["name"]
    Task.objects.update(payload={})
    (row,) = history_page(worker.key)["rows"]
    assert "This is" in row["name"]


def test_a_sentence_that_was_kept_by_an_older_version_is_told_as_it_is(campaign, worker):
    old = "The test tasks were {right} 40% right; 90% are needed."
    Enrollment.objects.update(state="paused", state_by="qualification", state_reason=old)
    told = next_page(assignments.claim_next(worker.key))["message"]
    assert told == f"You have not qualified for this campaign. {old}"
    assert appeals.appeal(worker.key, "Please.").about == old
    assert next_page(assignments.claim_next(worker.key))["appeal"]["reason"] == old
    set_state(worker, "blocked", "Copied answers.")
    assert AuditEntry.objects.get().before == {"state": "paused", "reason": old}


def test_a_person_s_word_takes_the_place_of_a_rule_s(campaign, worker):
    coded = Problem("qualification.unanswered", stage="exam").stored()
    Enrollment.objects.update(state="paused", state_by="qualification", coded_reason=coded)
    set_state(worker, "blocked", "Copied answers.")
    worker.refresh_from_db()
    assert (str(worker.reason), worker.coded_reason) == ("Copied answers.", None)


def test_who_was_blocked_without_a_word_asks_about_that(campaign, worker):
    worker.worker.blocked_at = timezone.now()
    worker.worker.save()
    asked = appeals.appeal(worker.key, "Why?")
    assert str(asked.reason) == "You can’t work in this campaign any more."


def test_a_rejection_is_appealed_by_its_own_worker_while_it_stands(campaign, worker):
    lease = answered(campaign, worker)
    with pytest.raises(appeals.CannotAppeal, match="not rejected"):
        appeals.appeal(worker.key, "Why?", lease.key)
    with pytest.raises(appeals.CannotAppeal, match="not paused"):
        appeals.appeal(worker.key, "Why?")
    rejection = rejections.reject(lease, "It is empty.")
    stranger = make_enrollment(campaign)
    with pytest.raises(appeals.CannotAppeal):
        appeals.appeal(stranger.key, "Why?", lease.key)
    asked = appeals.appeal(worker.key, "There was no name in it.", lease.key)
    appeals.answer(asked, True, "Indeed.")
    rejection.refresh_from_db()
    assert rejection.overturned_at is not None
    assert Payment.objects.get().state == "earned"
    assert Appeal.objects.get().about == "It is empty."


# --- Another device ------------------------------------------------------------------------------


def test_a_worker_is_found_by_their_phrase_however_it_is_typed(campaign):
    link = tokens.read_link(tokens.campaign_link(campaign))
    here = workers.join(link, uuid.uuid4())
    phrase = recovery.phrase_of(here.key)
    assert len(phrase.split()) == recovery.LENGTH
    assert recovery.phrase_of(here.key) == phrase
    typed = f"  {phrase.upper().replace(' ', ' - ')} "
    assert workers.join(link, uuid.uuid4(), phrase=typed) == here
    assert workers.join(link, uuid.uuid4()) != here
    with pytest.raises(CannotJoin, match="Nobody has these words"):
        workers.join(link, uuid.uuid4(), phrase="acorn acorn acorn acorn acorn")
    with pytest.raises(CannotJoin):
        workers.join(link, uuid.uuid4(), phrase="...")


def test_a_phrase_that_was_never_shown_finds_nobody(campaign):
    link = tokens.read_link(tokens.campaign_link(campaign))
    here = workers.join(link, uuid.uuid4())
    with pytest.raises(CannotJoin):
        workers.join(link, phrase=recovery._phrase(here.worker))


def test_a_phrase_outlives_a_change_of_the_key(campaign, settings):
    link = tokens.read_link(tokens.campaign_link(campaign))
    here = workers.join(link, uuid.uuid4())
    phrase = recovery.phrase_of(here.key)
    with override_settings(SECRET_KEY="new", SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert workers.join(link, phrase=phrase) == here


def test_the_sums_are_those_of_all_rows_whatever_they_were(campaign, worker):
    """Gold among them is counted as other work is, so that no sum tells it."""
    for _ in range(3):
        make_task(campaign)
    leases = [answered(campaign, worker) for _ in range(4)]
    Demand.objects.filter(task=leases[0].task).update(kind=Demand.Kind.HIDDEN)
    rejections.reject(leases[1], "One name is missing.")
    Payment.objects.filter(assignment=leases[2]).update(state="paid")
    past = history_page(worker.key)
    mills = {"earned": 100, "paid": 50, "rejected": 50}
    assert past["sums"] == {"answers": 4, "mills": mills, "practice": None}
    assert [row["paid"] for row in past["rows"]] == ["earned", "paid", "rejected", "earned"]
    nothing = {"answers": 0, "mills": {}, "practice": None}
    assert history_page(make_enrollment(campaign).key)["sums"] == nothing
    Enrollment.objects.filter(pk=worker.pk).update(training_seen=2, training_score_sum=1.5)
    assert history_page(worker.key)["sums"]["practice"] == 0.75
