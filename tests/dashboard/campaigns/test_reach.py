"""Whether the form says beforehand that a quality can't be had."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotation.models import Campaign, Job, Tally
from dashboard.campaigns.consequences import consequences
from dashboard.campaigns.reach import reach_words
from tests.aggregation.crowds import choice_campaign
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db
POINTS = [
    {"answers": number, "mean": mean, "low": mean - 0.04, "high": mean + 0.04}
    for number, mean in ((1, 0.7), (2, 0.74), (3, 0.78))
]


@pytest.fixture
def campaign(client):
    found = choice_campaign()
    client.force_login(make_member(found.project).user)
    Campaign.objects.filter(pk=found.pk).update(max_redundancy=3, target_quality=0.9)
    found.refresh_from_db()
    return found


def answered(campaign) -> Campaign:
    numbers = {"tasks": 4, "complete": 4, "wanted": 12, "received": 12, "gold": 0}
    numbers |= {"epoch": 1, "counted_at": timezone.now()}
    Tally.objects.update_or_create(campaign=campaign, defaults=numbers)
    return Campaign.objects.get(pk=campaign.pk)


def forecast(campaign, **found):
    told = {"measure": "accuracy", "points": POINTS, "pilot": 40, "checked": True, "level": 0.9}
    return Job.objects.create(
        project=campaign.project, campaign=campaign, kind="forecast_campaign", state="done",
        ended_at=timezone.now(), result={"forecast": told | found},
    )  # fmt: skip


def test_a_forecast_tells_whether_the_most_answers_reach_it(campaign):
    assert reach_words(campaign, 0.9, 3) == ""  # nothing tells
    forecast(campaign)
    words = reach_words(campaign, 0.9, 3)
    assert ", 3 answers to each task reach .78 (90 %: .74 to .82): a quality" in words
    assert words.endswith("of .90 can’t be had.")
    assert reach_words(campaign, 0.8, 3).endswith("a quality of .80 probably can’t be had.")
    assert reach_words(campaign, 0.77, 3).endswith("a quality of .77 can probably be had.")
    assert reach_words(campaign, 0.74, 3).endswith("a quality of .74 can be had.")
    assert "2 answers to each task reach .74 (90 %: .70 to .78)" in reach_words(campaign, 0.9, 2)
    assert reach_words(campaign, 0.9, 9).endswith(
        "3 answers to each task reach .78 (90 %: .74 to .82): a quality of .90 is not sure to "
        "be had, and what 9 reach was not forecast."
    )


def test_it_says_what_the_forecast_rests_on(campaign):
    forecast(campaign, checked=False)
    assert ", not checked against gold, 3 answers" in reach_words(campaign, 0.9, 3)
    forecast(campaign, pilot=0)
    assert " by a stated crowd, 3 answers" in reach_words(campaign, 0.9, 3)


def test_before_a_forecast_answers_lead_to_plan(campaign):
    assert reach_words(answered(campaign), 0.9, 3) == (
        "Whether 3 answers to each task can reach it, Plan forecasts by the answers that there are."
    )
    assert reach_words(answered(make_campaign(interface="linking")), 0.9, 3) == ""


def test_the_form_says_so_and_what_a_change_does(client, campaign):
    edit = f"/manage/campaigns/{campaign.slug}/edit/"
    forecast(campaign)
    assert "a quality of .90 can’t be had." in client.get(edit).text
    fields = {"target_quality": 0.9, "target_confidence": None, "max_redundancy": 3}
    told = consequences(campaign, fields, fields | {"target_quality": 0.95})
    assert told[-1].setting == "Quality wanted"
    assert "a quality of .95 can’t be had" in told[-1].sentence
    without = consequences(campaign, fields, fields | {"target_quality": None})
    assert [one.setting for one in without] == ["More answers where there is doubt"]
