"""Whom a campaign goes on with, and how much is asked: tried, done, and kept for each night."""

from __future__ import annotations

import io
import json

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.actions.workers import set_state
from annotation.models import AuditEntry, Campaign, Demand, Rollup, Tally
from selection.models import NightlySelection, RedundancyRound, WorkerSelection
from tests.dashboard import CAMPAIGN_BAR
from tests.factories import (
    make_campaign,
    make_enrollment,
    make_member,
    make_project,
    make_task,
    make_worker,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

OPTIONS = {"choices": ["A", "B"]}


@pytest.fixture
def campaign():
    campaign = make_campaign(interface="choice", options=OPTIONS, gold_every=5, pay_mills=50)
    make_task(campaign, kind=Demand.Kind.HIDDEN)
    return campaign


@pytest.fixture
def workers(campaign):
    rights = {"ada": 10, "bo": 9, "cy": 5}
    return [
        make_enrollment(
            campaign, make_worker(external_id=name), gold_seen=10, gold_score_sum=right,
            gold_score_sumsq=right,
        )
        for name, right in rights.items()
    ]  # fmt: skip


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project).user
    client.force_login(user)
    return user


def address(campaign, what="") -> str:
    return f"/manage/campaigns/{campaign.slug}/selection/{what}"


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def page(client, campaign, what="", status=200) -> str:
    answer = client.get(address(campaign, what))
    assert answer.status_code == status
    return words(answer)


def try_it(client, campaign, **fields):
    """The page of what would be, or of the job that changed it or could not."""
    fields = {"keep": 2, "estimator": "unbiased", "verb": "try"} | fields
    answer = client.post(address(campaign, "try/"), fields)
    if answer.status_code != 302:
        return answer
    for job in do_jobs():
        if job.kind == "preview_selection" and job.state == "done":
            return client.get(address(campaign), {"preview": job.key})
    return client.get(answer.url)


def states(campaign) -> dict[str, str]:
    return dict(campaign.enrollments.values_list("worker__external_id", "state"))


def test_a_trial_tells_who_would_be_kept_and_why_and_changes_nothing(
    client, manager, campaign, workers
):
    set_state(workers[2], "qualified", "They have explained.", user=manager)
    text = words(try_it(client, campaign))
    assert "2 of 3 tested workers would be kept" in text
    assert "Would become selected</dt><dd>2" in text
    assert "can't be told from guessing" in text
    assert "a person has decided: it stays" in text
    assert "can't be finished" not in text  # cy stays
    assert set(states(campaign).values()) == {"qualified"}
    assert not WorkerSelection.objects.exists()


def test_applying_it_moves_the_workers_in_the_managers_name(client, manager, campaign, workers):
    text = words(try_it(client, campaign, verb="apply", estimator="plug-in", above_chance="on"))
    assert "2 of 3 tested workers are kept. 1 is paused now. 2 are selected now." in text
    assert "Each task wants 3 answers of different workers, but 2 would be left" in text
    assert states(campaign) == {"ada": "selected", "bo": "selected", "cy": "paused"}
    made = WorkerSelection.objects.get()
    assert (made.made_by, made.estimator, made.budget) == (manager, "plug-in", 2)
    assert made.parameters["above_chance"]
    again = words(try_it(client, campaign, verb="apply", estimator="plug-in", above_chance="on"))
    assert "2 of 3 tested workers are kept. Nobody changes their state." in again
    WorkerSelection.objects.first().delete()
    past = page(client, campaign).split("Past selections")[1]
    assert f"<bdi>{manager.username}</bdi>" in past
    assert "plug-in, above chance" in past
    assert f"{made.crowd:.2f}" in past
    assert AuditEntry.objects.filter(action="select workers").first().user == manager
    assert "That is too few" not in text  # nothing is missing yet: nobody has counted
    table = words(client.get(f"/manage/campaigns/{campaign.slug}/workers/"))
    assert "by <bdi>the selection</bdi>" in table


def test_what_stands_in_the_way_is_told(client, manager, campaign, workers):
    for keep in ("", "0", "many"):
        answer = try_it(client, campaign, keep=keep)
        assert answer.status_code == 422
        assert "Write a whole number from 1" in words(answer)
    campaign.demands.all().delete()
    assert "has no hidden gold" in words(try_it(client, campaign))
    for what in ("try/", "rules/"):
        assert client.get(address(campaign, what)).url == address(campaign)
    Campaign.objects.update(state="closed")
    assert "nobody works on it any more" in words(try_it(client, campaign, verb="apply"))


def test_nobody_who_is_worth_it_is_said_so(client, manager, campaign):
    make_enrollment(campaign, gold_seen=10, gold_score_sum=5, gold_score_sumsq=5)
    text = words(try_it(client, campaign))
    assert "Nobody would be kept" in text
    assert "No worker can be told from guessing." in text
    try_it(client, campaign, verb="apply")
    assert "No worker can be told from guessing." in page(client, campaign)


def test_rules_for_each_night_are_kept_and_recorded(client, manager, campaign):
    def save(**fields):
        return words(client.post(address(campaign, "rules/"), fields, follow=True))

    text = save(keep_workers="12", open_to="selected")
    assert "Saved. Each night at most 12 are kept. Only the selected get tasks." in text
    campaign.refresh_from_db()
    assert (campaign.nightly_selection.keep_workers, campaign.open_to) == (12, "selected")
    assert campaign.options["choices"] == ["A", "B"]
    entry = AuditEntry.objects.get(action="edit campaign")
    assert (entry.user, entry.after) == (manager, {"open_to": "selected"})
    nightly = AuditEntry.objects.get(action="edit nightly selection")
    assert (nightly.user, nightly.after) == (manager, {"keep_workers": 12})
    assert 'value="12"' in page(client, campaign)
    assert "Nobody is selected by night." in save(keep_workers="", open_to="qualified")
    assert not NightlySelection.objects.exists()
    assert "Write a whole number" in save(keep_workers="-3", open_to="qualified")
    assert "Choose one of the two." in save(open_to="everyone")
    Campaign.objects.update(state="closed")
    assert "is closed" in save(keep_workers="3", open_to="qualified")


def test_rounds_tell_what_was_saved(client, manager, campaign):
    Campaign.objects.update(target_confidence=0.9, max_redundancy=5)
    RedundancyRound.objects.create(
        campaign=campaign, rule="confidence", target=0.9, code_version="1", asked=7, closed=11,
        waiting=2, certain=80, full=3, received=300, saved=100,
    )  # fmt: skip
    text = page(client, campaign)
    assert "Confidence wanted: .90, which promises no quality." in text
    assert "A task whose confidence is .90 is given out no more" in text
    for told in (">80<", ">7<", ">11<", ">3<", "300", "5.00 USD", ".25 of them all"):
        assert told in text, told
    for asked in (0, 9, 0, 0):  # of the idle ones, only the newest is told
        RedundancyRound.objects.create(
            campaign=campaign, rule="confidence", target=0.9, code_version="1", asked=asked,
            closed=0, waiting=0, certain=80, full=3, received=300, saved=100,
        )  # fmt: skip
    assert page(client, campaign).split("In doubt with all answers")[1].count("<tr>") == 3
    Campaign.objects.update(target_confidence=None)
    assert "Each task gets 3 answers." in page(client, campaign)


def test_pool_that_is_too_small_needs_somebody(client, manager, campaign, workers):
    Tally.objects.create(
        campaign=campaign,
        tasks=10,
        complete=0,
        wanted=30,
        received=2,
        gold=0,
        epoch=0,
        counted_at=timezone.now(),
    )
    home = f"/manage/campaigns/{campaign.slug}/"
    needed = "Each task wants 3 answers of different workers, but 2 workers are left"
    assert needed not in words(client.get(home))
    set_state(workers[0], "paused", "No.", user=manager)
    assert needed in words(client.get(home))
    assert "That is too few" in page(client, campaign)
    Campaign.objects.update(open_to="selected")
    assert "but 0 workers are selected, and the others get no task" in words(client.get(home))
    Campaign.objects.update(state="closed")
    assert "Each task wants" not in words(client.get(home))


def test_pace_of_the_last_week_says_how_long_it_will_take(client, manager, campaign, workers):
    now = timezone.now()
    Tally.objects.create(
        campaign=campaign,
        tasks=10,
        complete=0,
        wanted=450,
        received=30,
        gold=0,
        epoch=0,
        counted_at=now,
    )
    campaign.enrollments.update(submitted=10, seen_at=now)
    Rollup.objects.create(campaign=campaign, hour=now, answers=210, gold=0, late=0, counted_at=now)
    text = page(client, campaign)
    assert "In the last week each of 3 workers gave 10.0 answers a day." in text
    assert "420 are missing: 3 such workers give them in about 14 days." in text
    text = words(try_it(client, campaign))
    assert "at last week's pace</dt><dd>in about 21 days" in text


def test_number_of_queries_does_not_grow(
    client, manager, campaign, django_assert_max_num_queries, monkeypatch
):
    monkeypatch.setattr("dashboard.workers.selections.SELECTIONS", 3)
    for number in range(5):
        WorkerSelection.objects.create(
            campaign=campaign, budget=number + 30, estimator="unbiased", code_version="1",
            tested=1, kept=1, crowd=1.2, low=0.4, high=2.0,
            made_by=User.objects.create_user(f"by-{number}"),
        )  # fmt: skip
    with django_assert_max_num_queries(9 + CAMPAIGN_BAR):  # session, user, campaign, role, and five
        text = page(client, campaign)
    assert "by-4" in text
    assert "by-1" not in text
    assert "by-1" in page(client, campaign, "?page=2")


def test_the_command_knows_whose_decision_it_was_by_an_account_that_is_there(campaign, workers):
    with pytest.raises(CommandError, match="no account 'nobody'"):
        call_command("select_workers", campaign=campaign.slug, keep=2, by="nobody")
    out = io.StringIO()
    call_command("select_workers", campaign=campaign.slug, keep=2, json=True, stdout=out)
    told = json.loads(out.getvalue())
    assert (told["kept"], told["left"], told["moved"]) == (2, 2, {"selected": 2, "paused": 1})
    assert [row["name"] for row in told["workers"]] == ["ada", "bo", "cy"]


@pytest.mark.parametrize(
    "visitor", ["manager", "reviewer", "viewer", "other manager", "stranger", "nobody"]
)
def test_who_sees_it_and_who_acts(client, campaign, workers, visitor):
    WorkerSelection.objects.create(
        campaign=campaign, budget=77, estimator="unbiased", code_version="1", tested=1, kept=1,
        crowd=1.2, low=0.4, high=2.0,
    )  # fmt: skip
    if visitor in ("manager", "reviewer", "viewer"):
        client.force_login(make_member(campaign.project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    answer = client.get(address(campaign))
    member = visitor in ("manager", "reviewer", "viewer")
    assert answer.status_code == (200 if member else 302 if visitor == "nobody" else 404)
    if member:
        main = words(answer).split("<main")[1]
        assert ("<button" in main) is (visitor == "manager")
        assert ("Past selections" in main) is (visitor != "viewer")
        assert ("gold" in main.lower()) is (visitor == "manager") or visitor == "reviewer"
    acts = 302 if visitor in ("manager", "nobody") else 404
    fields = {"keep": 2, "estimator": "unbiased", "verb": "apply", "open_to": "selected"}
    for what in ("try/", "rules/"):
        assert client.post(address(campaign, what), fields).status_code == acts
    do_jobs()
    campaign.refresh_from_db()
    assert (campaign.open_to == "selected") is (visitor == "manager")
    assert ("paused" in states(campaign).values()) is (visitor == "manager")
