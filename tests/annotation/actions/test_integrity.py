"""Counters against their rows."""

from __future__ import annotations

from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from annotation.actions import assignments
from annotation.actions.integrity import check_campaign
from annotation.models import AuditEntry, Campaign, Demand, Enrollment
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """One answer submitted, one task leased, by one worker."""
    campaign = make_campaign(redundancy=2, pay_mills=10, budget_mills=1_000)
    make_task(campaign)
    make_task(campaign)
    worker = make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, {"mentions": []})
    return campaign


def test_a_campaign_in_order_has_no_difference(campaign):
    assert check_campaign(campaign) == []
    call_command("check_integrity")


def test_every_kind_of_drift_is_named_and_mended(campaign):
    task = Demand.objects.get(received=1)
    Demand.objects.filter(pk=task.pk).update(received=0, open=2, ready=True)
    Enrollment.objects.update(submitted=7, earned_mills=3)
    Campaign.objects.update(committed_mills=999)

    found = [str(difference) for difference in check_campaign(campaign)]

    assert found == [
        f"Task '{task.task.external_id}', received answers: stored 0, the rows say 1.",
        f"Worker '{Enrollment.objects.get().worker.external_id}', submitted: "
        "stored 7, the rows say 1.",
        f"Worker '{Enrollment.objects.get().worker.external_id}', earned mills: "
        "stored 3, the rows say 10.",
        "Committed mills of the campaign: stored 999, the rows say 20.",
    ]
    assert len(check_campaign(campaign, repair=True)) == 4
    assert check_campaign(campaign) == []
    task.refresh_from_db()
    assert (task.wanted, task.open, task.received) == (2, 1, 1)
    assert AuditEntry.objects.filter(action="repair counters").count() == 1


def test_more_answers_than_wanted_raise_what_is_wanted(campaign):
    Demand.objects.filter(received=1).update(wanted=0, open=0, received=0, ready=False)
    check_campaign(campaign, repair=True)
    assert check_campaign(campaign) == []
    assert set(Demand.objects.values_list("wanted", flat=True)) == {1, 2}


def test_the_command_fails_until_it_was_told_to_repair(campaign):
    Campaign.objects.update(committed_mills=999)
    with pytest.raises(CommandError, match="check_integrity --repair"):
        call_command("check_integrity")
    call_command("check_integrity", repair=True)
    call_command("check_integrity", campaign=campaign.slug)


def test_an_unknown_campaign_is_named():
    with pytest.raises(CommandError, match="no campaign 'gone'"):
        call_command("check_integrity", campaign="gone")


def test_checking_costs_the_same_for_any_number_of_tasks(campaign, django_assert_max_num_queries):
    for _ in range(30):
        make_task(campaign)
    with django_assert_max_num_queries(14):
        check_campaign(campaign)


@pytest.mark.postgres  # on SQLite the check holds the writers' lock
@pytest.mark.django_db(transaction=True)
def test_a_check_beside_workers_raises_no_false_alarm():
    campaign = make_campaign(redundancy=1, pay_mills=10, budget_mills=10**6)
    for _ in range(60):
        make_task(campaign)
    keys = [make_enrollment(campaign).key for _ in range(3)]

    def work(key):
        following = assignments.claim_next(key)
        while following.assignment:
            lease = following.assignment
            following = assignments.submit(key, lease.key, {"mentions": []}).next
        connections.close_all()

    threads = [Thread(target=work, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert check_campaign(campaign) == []
    for thread in threads:
        thread.join()
    assert Demand.objects.filter(received=1).count() == 60
