"""Results of a campaign: methods side by side, what formats lose, jobs in their place."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aggregation.actions.runs import aggregate
from aggregation.models import RunDifference
from annotation.actions import jobs
from annotation.queries.file_formats import FORMATS
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    campaign, workers = choice_campaign(), make_workers(3)
    for _ in range(6):
        choice_task(campaign, "yes", "yes", "no", workers=workers, gold="yes")
    return campaign


def page(client, campaign, role="manager"):
    client.force_login(make_member(campaign.project, role).user)
    answer = client.get(f"/manage/campaigns/{campaign.slug}/results/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_methods_stand_side_by_side_with_what_they_differ_by(client, campaign):
    aggregate(campaign, "majority")
    assert "Methods side by side" not in page(client, campaign)
    aggregate(campaign, "dawid-skene")
    RunDifference.objects.update(differing=2, value=-0.031, low=-0.07, high=0.008)
    text = page(client, campaign)
    (side,) = re.findall(r'id="methods".*?</section>', text)
    assert side.index("dawid-skene") < side.index("majority")  # the one that is served comes first
    for words in (
        "all from the same 18 answers", "−.031", "−.070 to +.008", "on 6 gold documents",
        "may be as good", 'aria-label="−.031, −.070 to +.008"', "2 <span class=\"pm\">of 6</span>",
    ):  # fmt: skip
        assert words in side
    RunDifference.objects.update(high=-0.01)
    assert "may be as good" not in page(client, campaign)


def test_runs_of_other_answers_say_so_and_old_pairs_are_left_out(client, campaign):
    aggregate(campaign, "majority")
    choice_task(campaign, "no", "no")
    aggregate(campaign, "dawid-skene")
    RunDifference.objects.all().delete()  # as in a database of an older version
    text = page(client, campaign)
    assert "from different numbers of answers" in text
    assert "not counted before the next run" in text


def test_who_may_not_see_gold_sees_in_how_many_tasks_methods_differ(client, campaign):
    aggregate(campaign, "majority")
    aggregate(campaign, "dawid-skene")
    text = page(client, campaign, "viewer")
    assert '0 <span class="pm">of 6</span>' in text
    for words in ("gold document", "Difference to", "Confidence off by", "Run aggregation</button"):
        assert words not in text


def test_each_format_says_what_it_loses(client, campaign):
    aggregate(campaign, "majority")
    text = page(client, campaign)
    assert FORMATS["csv"].loses in text
    assert FORMATS["conll"].loses not in text  # it holds no choices
    assert FORMATS["conll"].loses in page(client, make_campaign())
    with open("docs/managers-guide.md", encoding="utf-8") as guide:
        rows = guide.read()
    for format in FORMATS.values():
        assert f"| {format.name} | {format.form} | {format.loses or 'nothing'} |" in rows


def test_a_job_stands_where_its_result_does(client, campaign):
    jobs.enqueue("aggregate", campaign=campaign)
    text = page(client, campaign)
    assert 'id="labels" data-changes' in text
    assert "waits for its turn" in text
    viewer = page(client, campaign, "viewer")
    assert "waits for its turn" not in viewer


def test_a_page_that_is_known_is_not_made_again(client, campaign):
    text = page(client, campaign)
    state = re.search(r'data-state="(\w+)"', text)[1]
    address = f"/manage/campaigns/{campaign.slug}/results/"
    assert client.get(address, headers={"if-none-match": f'"{state}"'}).status_code == 304
    aggregate(campaign, "majority")
    assert client.get(address, headers={"if-none-match": f'"{state}"'}).status_code == 200


def test_queries_do_not_grow_with_methods_runs_tasks_and_workers(client, campaign):
    for method in ("majority", "dawid-skene"):
        aggregate(campaign, method)
    client.force_login(make_member(campaign.project).user)
    address = f"/manage/campaigns/{campaign.slug}/results/"
    client.get(address)
    with CaptureQueriesContext(connection) as before:
        client.get(address)
    for _ in range(4):
        choice_task(campaign, "yes", "yes", "no", "no", gold="yes")
    for method in ("mace", "one-coin", "dawid-skene"):
        aggregate(campaign, method)
    with CaptureQueriesContext(connection) as after:
        assert client.get(address).content.count(b"/runs/") > 8
    assert len(after) == len(before) <= 22
