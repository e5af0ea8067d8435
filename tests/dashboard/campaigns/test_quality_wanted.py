"""A quality that is named: what the form says beforehand, what pages say of it, and the rule."""

from __future__ import annotations

import pytest

from aggregation.actions.runs import aggregate
from aggregation.algorithms.measures.intervals import f1_interval, wilson
from annotation.models import Campaign, Demand, GoldQuestion
from dashboard.campaigns.promise import interval_of
from selection.actions.redundancy import adjust_redundancy
from tests.aggregation.crowds import choice, choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(client):
    found = choice_campaign()
    client.force_login(make_member(found.project).user)
    return found


def words(client, address) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def answered(campaign, number=12, gold="random"):
    workers = make_workers(3)
    for _ in range(number):
        task = choice_task(campaign, "yes", "yes", "yes", workers=workers)
        GoldQuestion.objects.create(task=task, answer=choice("yes"), drawn=gold)


def wants(campaign, **fields):
    Campaign.objects.filter(pk=campaign.pk).update(**fields)
    campaign.refresh_from_db()


def test_promise_is_the_interval_that_a_run_would_have():
    assert interval_of(0.9, 20) == pytest.approx(wilson(18, 20), abs=1e-5)
    # Twenty documents alike, of six spans each.
    alike = f1_interval([5] * 20, [6] * 20, [5] * 20)
    quality = 10 / 11
    assert interval_of(quality, 20, 110) == pytest.approx(alike, abs=2e-3)


def test_form_says_beforehand_what_can_be_promised(client, campaign):
    edit = f"/manage/campaigns/{campaign.slug}/edit/"
    text = words(client, edit)
    assert "There are no known answers of tasks drawn at random" in text
    assert "can be aimed at, but not promised" in text
    assert "20 known answers of tasks drawn at random would show" in text
    assert "a quality of .90 as .70 to .97" in text
    answered(campaign, 3)
    assert "There are 3 known answers of tasks drawn at random" in words(client, edit)
    answered(campaign, 20, gold="picked")
    assert "There are 3 known answers" in words(client, edit)
    answered(campaign, 47)
    wants(campaign, target_quality=0.8)
    text = words(client, edit)
    assert "With the 50 known answers of tasks drawn at random" in text
    assert "a quality of .80 would show as .67 to .89" in text


def test_quality_is_saved_by_the_form_and_excludes_a_confidence(client, campaign):
    edit = f"/manage/campaigns/{campaign.slug}/edit/"
    page = client.get(edit)
    initial = page.context["form"].initial
    data = {name: "" if value is None else value for name, value in initial.items()}
    data |= {"target_quality": "0.9", "max_redundancy": "6"}
    answer = client.post(edit, data | {"target_confidence": "0.8"})
    assert "A quality is named already." in answer.content.decode()
    told = client.post(edit, data).context["told_digest"]
    assert client.post(edit, data | {"told": told}).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.target_quality, campaign.target_confidence) == (0.9, None)
    assert "<dt>Quality wanted</dt><dd>.90" in words(
        client, f"/manage/campaigns/{campaign.slug}/settings/"
    )


def test_overview_tells_expected_quality_beside_the_cost(client, campaign):
    overview = f"/manage/campaigns/{campaign.slug}/"
    wants(campaign, target_confidence=0.8, state="closed")
    assert "Confidence wanted .80" in words(client, overview)
    wants(campaign, target_confidence=None, target_quality=0.9)
    answered(campaign, 12, gold="picked")
    aggregate(campaign, "majority")
    cost = words(client, overview).split("What will it cost?")[1].split("When is it done?")[0]
    assert "1.00 expected" in cost
    assert "not checked against gold" in cost
    GoldQuestion.objects.update(drawn="random")
    run = aggregate(campaign, "majority")
    assert run.facts.expected_quality == pytest.approx(1 - run.facts.expected_errors / 12)
    cost = words(client, overview).split("What will it cost?")[1].split("When is it done?")[0]
    low, high = run.facts.gold.shares[0].interval
    assert f".{round(100 * low)}–{high:.2f} on gold" in cost
    assert "not checked" not in cost
    aggregate(campaign, "majority", seed=1)
    text = words(client, overview)
    well = text.split("Is it going well?")[1].split("What needs you?")[0]
    assert '<line class="aim" x1="90%"' in well
    assert "dashed: wanted .90" in well
    trend = text.split("run by run of")[1].split("</figure>")[0]
    assert ">wanted .90</text>" in trend


def test_tasks_ask_until_their_confidence_is_the_quality(campaign):
    wants(campaign, redundancy=2, max_redundancy=4, target_quality=0.9)
    workers = make_workers(2)
    for _ in range(10):
        choice_task(campaign, "yes", "yes", workers=workers)
    doubt = choice_task(campaign, "yes", "no", workers=workers)
    Demand.objects.update(wanted=2, open=0, received=2, ready=False)
    aggregate(campaign, "majority")
    made = adjust_redundancy(campaign)
    assert (made.asked, made.target) == (1, 0.9)
    doubt.demand.refresh_from_db()
    assert doubt.demand.wanted == 3
    assert list(Campaign.objects.adaptive()) == [campaign]


def test_spans_have_an_expected_f1():
    campaign = make_campaign()
    tagged_task(campaign, "B-PER I-PER O B-PER O O O O O", "B-PER I-PER O O O O O O O",
                "B-PER I-PER O O O O O O O")  # fmt: skip
    facts = aggregate(campaign, "mv-token").facts
    # One span is sure, and a third of another is expected.
    assert facts.expected_quality == pytest.approx(2 * 1 / (1 + 4 / 3))
