"""What a change of settings does is told in figures before it is saved."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregation.models import AggregationRun, Consensus
from annotation.actions import campaigns
from annotation.actions.assignments import claim_next
from annotation.models import Campaign, CampaignForecast, Tally
from dashboard.campaigns.consequences import consequences, digest_of, of_budget
from dashboard.campaigns.edit_form import values_of
from tests.aggregation.crowds import choice
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_response,
    make_task,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign(
        redundancy=3, max_redundancy=3, pay_mills=100, budget_mills=2_000, committed_mills=800
    )


def told(campaign, **after) -> list[str]:
    before = values_of(campaign)
    return [one.sentence for one in consequences(campaign, before, before | after)]


def aggregated(campaign, *confidences):
    run = AggregationRun.objects.create(
        campaign=campaign, method="majority", state="complete", finished_at=timezone.now(),
        diagnostics={"tasks": len(confidences)},
    )  # fmt: skip
    for confidence in confidences:
        Consensus.objects.create(
            run=run, task=make_task(campaign), answer={}, confidence=confidence, probabilities=b""
        )


def test_more_answers_where_there_is_doubt_say_how_many_what_they_cost_and_what_is_left(campaign):
    aggregated(campaign, *[0.95] * 4, *[0.6] * 7)
    (said,) = told(campaign, target_confidence=0.9, max_redundancy=5)
    assert said == (
        "By the latest run 7 of 11 tasks are less certain: up to 2 more answers each, 14 answers "
        "and 1.40 USD more at most. The others stop. Budget left: 1.20 USD, not enough for all of "
        "them."
    )
    Campaign.objects.update(budget_mills=2_500)
    campaign.refresh_from_db()
    campaign.forecast = CampaignForecast(
        pace=2.5, likely=datetime(2026, 3, 2, 12, tzinfo=UTC), pace_low=2, pace_high=3
    )
    (one,) = consequences(
        campaign, values_of(campaign),
        values_of(campaign) | {"target_confidence": 0.9, "max_redundancy": 5},
    )  # fmt: skip
    assert not one.is_short
    assert one.sentence.endswith(
        "Budget left: 1.70 USD. At 3 answers a day the end is up to 6 days later: Sun 8 Mar."
    )


def test_tasks_whose_confidence_is_not_known_ask_for_more_too(campaign):
    aggregated(campaign, *[None] * 7, *[0.95] * 4)
    (said,) = told(campaign, target_confidence=0.9, max_redundancy=5)
    assert said.startswith("By the latest run 7 of 11 tasks are less certain: up to 2 more")


def test_before_the_first_run_certainty_plays_no_part(campaign):
    (said,) = told(campaign, target_confidence=0.9)
    assert said.startswith("Nothing is aggregated yet")


def test_texts_say_who_reads_them_and_what_answers_keep(campaign):
    campaigns.set_instructions(campaign, "Mark names.")
    campaign.refresh_from_db()
    for state in ("qualified", "qualified", "paused", "blocked"):
        make_enrollment(campaign, state=state)
    (said,) = told(campaign, instructions="Mark all names.")
    assert said.startswith("3 workers read the new text before the next task; answers given until")
    (said,) = told(campaign, consent="I agree.")
    assert said.startswith("3 workers are asked to agree to the new text before the next task")
    assert told(campaign, name="Another name", content_warning="Sad.") == []


def test_tasks_at_work_and_skips_are_counted(campaign):
    make_task(campaign)
    claim_next(make_enrollment(campaign, skipped=4).key)
    make_enrollment(campaign, skipped=2)
    (said,) = told(campaign, lease_minutes=5)
    assert said.startswith("1 task at work keeps its time until a draft is saved")
    (said,) = told(campaign, skip_limit=3)
    assert said == "1 worker has skipped as many, and can skip no more."
    assert told(campaign, skip_limit=9) == ["Nobody has skipped as many yet."]


def test_doubts_that_are_left_out_are_counted(campaign):
    Campaign.objects.update(interface="choice", options={"choices": ["yes", "no"]})
    task = make_task(Campaign.objects.get())
    make_response(task, None, choice("yes") | {"doubts": [{"at": None, "note": ""}]})
    make_response(task, None, choice("no"))
    assert told(campaign, doubts="left_out") == [
        "1 answer is marked as unsure, in part or as a whole: labels follow with the next run. "
        "Gold scores and pay stay as they are."
    ]


def test_cost_of_a_draft_is_told_before_and_after():
    campaign = make_campaign(
        state="draft", redundancy=3, pay_mills=100, budget_mills=2_000, gold_every=0
    )
    for number in range(5):
        make_document(campaign.project, external_id=f"letter-{number}")
    before = values_of(campaign)
    (one,) = consequences(campaign, before, before | {"redundancy": 5})
    assert one.change == "1.50 → 2.50 USD"
    assert one.is_short
    assert "25 answers" in one.sentence
    assert one.sentence.endswith("10 more than before. The budget is 2.00 USD: not enough.")
    assert consequences(campaign, before, before | {"name": "Other", "tries": 3}) == []


def test_pay_of_a_draft_says_what_an_hour_comes_to_by_what_workers_took():
    draft = make_campaign(state="draft", pay_mills=100)
    (assumed,) = told(draft, pay_mills=200)  # it has no task yet that could cost anything
    assert assumed.startswith("Nobody was measured yet. If a task takes ")
    assert "as is assumed, an hour pays " in assumed
    earlier = make_campaign(draft.project, interface=draft.interface)
    for seconds in (200, 300, 400):  # for ten tasks each: 30 seconds a task
        make_enrollment(earlier, submitted=10, seconds=seconds)
    before = values_of(draft)
    (one,) = consequences(draft, before, before | {"pay_mills": 200})
    assert (one.setting, one.change) == ("Pay for an hour", "12.00 → 24.00 USD")
    assert one.sentence == (
        "A task took the 3 workers who did such tasks in this project 30 seconds, measured: an "
        "hour pays 24.00 USD, to the middle 80 % of them 18.00–36.00."
    )
    assert told(draft, pay_mills=0) == ["Nobody is paid for a task."]
    assert told(draft, name="Another name") == []


def test_budget_says_whether_the_missing_answers_are_paid(campaign):
    campaign.tally = Tally(
        campaign=campaign, tasks=9, complete=0, wanted=27, received=8, gold=0, epoch=0,
        counted_at=timezone.now(),
    )  # fmt: skip
    one = of_budget(campaign, 1_500)
    assert one.is_short
    assert one.sentence.endswith("cost 1.90 USD: not enough, it pays 7 of them.")
    assert of_budget(campaign, 2_700).sentence.endswith("cost 1.90 USD: enough, gold aside.")


def test_second_press_saves_what_was_told_and_nothing_else(client, campaign):
    make_enrollment(campaign)
    client.force_login(make_member(campaign.project).user)
    address = f"/manage/campaigns/{campaign.slug}/edit/"
    form = client.get(address).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    sent |= {"instructions": "Mark names.", "name": "New"}
    first = client.post(address, sent)
    assert first.status_code == 200
    text = first.content.decode()
    assert "What these changes do" in text
    assert 'value="New"' in text  # what was typed stays
    campaign.refresh_from_db()
    assert (campaign.name, campaign.instructions) == (form.initial["name"], None)
    digest = re.search(r'name="told" value="(\w+)"', text)[1]
    make_enrollment(campaign)  # meanwhile it is another number of workers
    again = client.post(address, sent | {"told": digest})
    assert "2 workers read" in again.content.decode()
    digest = again.context["told_digest"]
    assert client.post(address, sent | {"told": digest}).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.name, campaign.instructions.text) == ("New", "Mark names.")


def test_queries_do_not_grow_with_tasks_and_workers(campaign):
    def count() -> int:
        before = values_of(campaign)
        after = before | {
            "target_confidence": 0.9, "max_redundancy": 5, "instructions": "A", "consent": "B",
            "lease_minutes": 5, "skip_limit": 1, "doubts": "left_out",
        }  # fmt: skip
        with CaptureQueriesContext(connection) as queries:
            assert len(digest_of(consequences(campaign, before, after))) == 18
        return len(queries)

    aggregated(campaign, 0.5)
    assert not hasattr(campaign, "forecast")  # comes with the campaign, as its count does
    few = count()
    for _ in range(3):
        make_enrollment(campaign)
    aggregated(campaign, 0.5, 0.6, 0.7)
    assert count() == few <= 7
