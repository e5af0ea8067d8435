from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.actions.campaigns import set_instructions
from annotation.actions.rollups import update_rollups
from annotation.models import Assignment, Campaign, Demand
from dashboard.campaigns.needs import needs
from dashboard.campaigns.queries import campaign_page
from tests.aggregation.crowds import tagged_task
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
SOME = {"wanted": 10, "open": 5, "received": 5}


@pytest.fixture
def campaign():
    """Open for a moment, with instructions: nothing needs anybody."""
    made = make_campaign(opened_at=timezone.now(), pay_mills=100)
    set_instructions(made, "Mark every name.")
    return made


def told(
    campaign: Campaign, *, later: timedelta = timedelta(0), count: bool = True, gold: bool = True
) -> str:
    if count:
        update_rollups()
    now = timezone.now() + later
    found = Campaign.objects.select_related("tally").get(pk=campaign.pk)
    page = campaign_page(found, now)
    found_needs = needs(page, now, with_gold=gold)
    return " | ".join(f"{need.text} {need.why} {need.command}" for need in found_needs)


def report(task, reason="It is cut off.", worker=None):
    """A worker gets the task and gives it back as broken; of gold, no slot is counted."""
    from annotation.actions import assignments

    worker = worker or make_enrollment(task.campaign)
    now = timezone.now()
    key = Assignment.objects.create(
        task=task, worker=worker.worker, enrollment=worker, leased_at=now,
        expires_at=now + timedelta(hours=1),
    ).key  # fmt: skip
    Demand.objects.filter(task=task, kind=Demand.Kind.PLAIN).update(
        open=F("open") - 1, leased=F("leased") + 1
    )
    assignments.return_task(worker.key, key, reason, skip=False)


def test_campaign_that_runs_well_needs_nothing(campaign):
    make_task(campaign)
    assert told(campaign) == ""


def test_missing_instructions_are_told():
    campaign = make_campaign(opened_at=timezone.now())
    make_task(campaign)
    assert told(campaign).startswith("There are no instructions")


def test_budget_that_is_used_up_is_told(campaign):
    make_task(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(budget_mills=950, committed_mills=900)
    make_enrollment(campaign, earned_mills=900, submitted=9)
    assert "The budget is used up" in told(campaign)


def test_budget_that_ends_too_early_is_told_with_how_many_are_lacking(campaign):
    make_task(campaign, demand=dict(SOME))
    make_enrollment(campaign, earned_mills=500, submitted=5)
    Campaign.objects.filter(pk=campaign.pk).update(budget_mills=700, committed_mills=500)
    assert "About 3 of the 5 that are missing can't be paid" in told(campaign)


@pytest.mark.parametrize(("every", "gold", "lacking"), [(0, True, 1), (3, True, 2), (3, False, 1)])
def test_budget_too_small_is_told_before_the_first_answer(campaign, every, gold, lacking):
    make_task(campaign, demand={"wanted": 5, "open": 5})
    Campaign.objects.filter(pk=campaign.pk).update(budget_mills=450, gold_every=every)
    assert f"About {lacking} of the 5 that are missing" in told(campaign, gold=gold)
    Campaign.objects.filter(pk=campaign.pk).update(budget_mills=750)
    assert told(campaign, gold=gold) == ""


def test_reports_of_broken_tasks_are_told_the_most_reported_first(campaign):
    once, often = make_task(campaign), make_task(campaign)
    report(often, "It is empty.")
    report(often, "x" * 200)
    report(once)
    found = told(campaign)
    assert f"2 workers report task {often.external_id} as broken. “{'x' * 119}…”" in found
    assert f"1 worker reports task {once.external_id} as broken. “It is cut off.”" in found
    assert found.index("2 workers report") < found.index("1 worker reports")


def test_a_skip_is_no_report(campaign):
    task = make_task(campaign)
    report(task)
    Assignment.objects.update(reported_at=None)  # as a skip leaves it
    assert told(campaign) == ""


def test_only_the_most_reported_tasks_are_named(campaign):
    for _ in range(5):
        report(make_task(campaign))
    assert "2 more tasks are reported as broken too." in told(campaign)


def test_reports_of_gold_are_for_those_who_see_gold(campaign):
    gold = make_task(campaign, kind=Demand.Kind.HIDDEN)
    report(gold)
    make_task(campaign)
    assert gold.external_id in told(campaign)
    assert told(campaign, gold=False) == ""


def test_reports_of_a_closed_campaign_ask_for_nothing(campaign):
    report(make_task(campaign))
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    assert told(campaign) == ""


def test_campaign_without_an_answer_for_a_day_is_told(campaign):
    make_task(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(opened_at=timezone.now() - timedelta(days=2))
    assert "No answer has come in for more than a day" in told(campaign)


def test_campaign_with_all_answers_can_be_closed(campaign):
    make_task(campaign, demand={"wanted": 3, "open": 0, "received": 3, "ready": False})
    assert "All answers are in." in told(campaign)


def test_answers_that_were_never_aggregated_are_told(campaign):
    make_task(campaign, demand=dict(SOME))
    assert "The answers have not been aggregated yet." in told(campaign)


def test_many_new_answers_ask_for_a_new_run_and_few_do_not(campaign):
    """Of a run that the loop can't follow: one of an earlier version."""
    make_task(campaign, demand={"wanted": 20, "open": 0, "received": 20, "ready": False})
    for _ in range(19):
        tagged_task(campaign, NAMES)
    aggregate(campaign, "mv-token")
    assert "since the last aggregation" not in told(campaign)
    AggregationRun.objects.update(diagnostics={"answers": 15})
    assert "5 answers have come since the last aggregation" in told(campaign)


def test_answers_that_the_loop_adds_by_itself_ask_for_nothing(campaign):
    make_task(campaign, demand={"wanted": 20, "open": 0, "received": 20, "ready": False})
    for _ in range(15):
        tagged_task(campaign, NAMES)
    run = aggregate(campaign, "mv-token")
    assert "since the last aggregation" not in told(campaign)
    later = timedelta(hours=2)  # and nobody has looked for new ones since
    assert "5 answers have come since the last aggregation" in told(campaign, later=later)

    run.diagnostics["live"]["answers"] = 4
    run.save(update_fields=["diagnostics"])
    assert "since the last aggregation" not in told(campaign, later=later)

    run.diagnostics["live"]["answers"] = 0
    run.save(update_fields=["diagnostics"])
    campaign.state = "closed"  # the loop leaves it alone
    campaign.save(update_fields=["state"])
    assert "5 answers have come since the last aggregation" in told(campaign)


def test_run_that_failed_is_told_with_its_error(campaign):
    make_task(campaign, demand=dict(SOME))
    AggregationRun.objects.create(
        campaign=campaign, method="mv-token", state="failed", error="The disk is full."
    )
    assert "The last aggregation failed. The disk is full." in told(campaign)


def test_paused_workers_are_told(campaign):
    make_task(campaign)
    make_enrollment(campaign, state="paused")
    assert "1 worker is paused." in told(campaign)
    make_enrollment(campaign, state="paused")
    assert "2 workers are paused." in told(campaign)


def test_counting_that_has_stopped_is_told(campaign):
    make_task(campaign)
    assert "nothing counts the answers" in told(campaign, count=False)
    assert "nothing counts the answers" not in told(campaign)
    assert "nothing counts the answers" in told(campaign, later=timedelta(hours=2), count=False)


def test_closed_campaign_asks_for_no_money_and_no_workers(campaign):
    make_task(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(
        state="closed", budget_mills=0, opened_at=timezone.now() - timedelta(days=2)
    )
    assert told(campaign) == ""
