"""Money: what a campaign costs, owes and promises, and what an hour of it pays."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.models import Adjudication, Consensus
from annotation.actions import assignments
from annotation.actions.campaigns import close_campaign
from annotation.models import (
    AuditEntry,
    Campaign,
    CampaignForecast,
    Enrollment,
    Payment,
    Rollup,
)
from dashboard.templatetags.figures import money
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers
from tests.factories import make_enrollment, make_member, make_worker

pytestmark = pytest.mark.django_db

PAGE = "/manage/campaigns/names/money/"


@pytest.fixture
def campaign(client):
    made = choice_campaign()
    made.slug, made.redundancy, made.pay_mills, made.budget_mills = "names", 3, 500, 90_000
    made.committed_mills = 12_000
    made.save()
    client.force_login(make_member(made.project).user)
    workers = make_workers(3)
    for worker, mills, seconds in zip(workers, (6, 3, 1), (1_800, 600, 3_600), strict=True):
        make_enrollment(made, worker, submitted=4, earned_mills=1_000 * mills, seconds=seconds)
    for _ in range(4):
        choice_task(made, "yes", "yes", "yes", workers=workers)
    return made


def shown(client):
    return " ".join(client.get(PAGE).content.decode().split())


def test_cost_of_an_accepted_label_by_stage_and_worker(client, campaign):
    assert "no aggregation has told yet" in shown(client)
    now = timezone.now()
    Rollup.objects.create(campaign=campaign, hour=now, answers=15, gold=4, late=1, counted_at=now)
    aggregate(campaign, "majority")
    Consensus.objects.update(expected_errors=0.1)
    first, second = Consensus.objects.order_by("pk")[:2]
    Consensus.objects.filter(pk__in=[first.pk, second.pk]).update(expected_errors=0.9)
    page = shown(client)
    assert '<p class="figure">5.00 <small>USD</small></p>' in page  # 10.00 for two of four
    assert "for each of 2 tasks" in page
    Adjudication.objects.create(task=first.task, answer=first.answer)
    page = shown(client)
    assert "for each of 3 tasks" in page
    row = page.split("Gold questions: practice, exam and hidden")[1].split("</tr>")[0]
    assert 'data-l="Cost">2.00<' in row  # four answers of twenty
    assert [f'data-l="For an accepted task">{each}<' in page for each in ("2.500", "0.667")] == [
        True, True,
    ]  # both with three places  # fmt: skip
    most = Enrollment.objects.get(earned_mills=6_000)
    said = campaign.aggregation_runs.get().reliabilities.get(worker=most.worker)
    each = 6_000 / (said.judged * said.accuracy)
    assert f'data-l="An accepted task">{money(each)}<' in page


def test_what_is_promised_and_to_whom(client, campaign):
    ruth = make_worker(display_name="Ruth Adler")
    worker = make_enrollment(campaign, ruth, allowance_mills=1_500)
    lease = assignments.claim_next(worker.key).assignment
    assert lease.pay_mills == 500
    page = shown(client)
    assert "Promised: 2.00 USD" in page  # 12.00 committed, less 10.00 earned
    row = page.split('id="promised-title"')[1].split("Ruth Adler")[1].split("</tr>")[0]
    assert 'data-l="For the task they hold">0.50<' in row
    assert 'data-l="For their next tasks">1.00<' in row
    assert 'data-l="Together">1.50<' in row


def test_what_is_paid_rejected_and_beyond_the_budget(client, campaign):
    worker = Enrollment.objects.filter(campaign=campaign).first().worker
    lines = [("paid", 2_500), ("sent", 500), ("rejected", 750), ("unfunded", 125), ("earned", 7)]
    assert "the ledger says" not in shown(client)  # no amount of nothing, while nobody records one
    for state, mills in lines:
        Payment.objects.create(
            worker=worker, campaign=campaign, kind="base", mills=mills, currency="USD", state=state
        )
    page = shown(client)
    assert 'Earned by workers</h2> <p class="figure">10.00 ' in page
    assert "Paid, as the ledger says</dt><dd>3.00<" in page
    assert "Not yet paid</dt><dd>7.00<" in page
    assert "Of rejected answers, reserved</dt><dd>0.75<" in page
    assert "Earned beyond the budget</dt><dd>0.125<" in page
    assert "Promised: 1.25 USD" in page  # 12.00 committed, less 10.00 earned and 0.75 reserved


def test_a_floor_is_set_recorded_and_held_against_what_an_hour_pays(client, campaign):
    page = shown(client)
    assert '<p class="figure">6.00 <small>USD, active time' in page  # 10.00 in 6,000 s
    assert "below the floor" not in page
    refused = client.post(PAGE, {"floor": "a lot"})
    assert refused.status_code == 422
    assert "Write an amount" in refused.content.decode()
    assert client.post(PAGE, {"floor": "12"}).status_code == 302
    page = shown(client)
    assert "1 of 3 workers below the floor" in page  # 12.00, 18.00 and 1.00 an hour
    assert page.count('<span class="tag warn">below the floor</span>') == 1
    entry = AuditEntry.objects.get(action="set floor")
    assert (entry.before, entry.after) == ({"mills": None}, {"mills": 12_000})
    client.post(PAGE, {"floor": ""})
    campaign.refresh_from_db()
    assert campaign.floor_mills is None


def test_no_cost_is_foretold_that_will_never_come(client, campaign):
    now = timezone.now()
    CampaignForecast.objects.create(
        campaign=campaign, made_at=now, likely=now + timedelta(days=2), earned_mills=10_000,
        cost_mills=77_700, cost_low_mills=70_000, cost_high_mills=80_000,
    )  # fmt: skip
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    assert "77.70 <small>70.00–80.00 USD" in shown(client)
    Campaign.objects.filter(pk=campaign.pk).update(state="paused")  # the overview tells it, too
    assert "77.70 <small>70.00–80.00 USD" in shown(client)
    campaign.refresh_from_db()
    close_campaign(campaign)
    page = shown(client)
    assert "77.70" not in page
    assert "it is closed: this is what it cost" in page


def test_queries_do_not_grow(client, campaign):
    aggregate(campaign, "majority")
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            shown(client)
        counts.append(len(queries))
        for _ in range(8):
            make_enrollment(campaign, submitted=2, seconds=9, earned_mills=9, allowance_mills=9)
            choice_task(campaign, "yes", "no", "no")
    assert counts[0] == counts[1] <= 18
