"""The tasks of a campaign: the least sure first, the reported, the unfinished; names as a strip."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.models import Consensus
from aggregation.queries.runs import last_runs
from annotation.models import Assignment, Demand, Task
from dashboard.campaigns import task_worth
from dashboard.campaigns.task_list import task_list
from dashboard.campaigns.task_rows import expected_wrong, task_rows
from tests.aggregation.crowds import choice_campaign, choice_task, tagged_task
from tests.dashboard import SECTION
from tests.factories import make_campaign, make_enrollment, make_member, make_task

pytestmark = pytest.mark.django_db
NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FEWER = "B-PER I-PER O O O B-LOC O O O"


@pytest.fixture
def campaign():
    return make_campaign(opened_at=timezone.now())


def lease(campaign) -> Task:
    """A task that somebody is at work on, and that wants no other answer."""
    task = make_task(campaign, demand={"wanted": 1, "open": 0, "leased": 1, "ready": False})
    enrollment = make_enrollment(campaign)
    Assignment.objects.create(
        task=task, worker=enrollment.worker, enrollment=enrollment,
        leased_at=timezone.now(), expires_at=timezone.now(),
    )  # fmt: skip
    return task


def page(client, campaign, role="manager", query="") -> str:
    client.force_login(make_member(campaign.project, role).user)
    answer = client.get(f"/manage/campaigns/{campaign.slug}/tasks/{query}")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_least_sure_come_first_each_name_a_tick(client, campaign):
    sure = tagged_task(campaign, NAMES, NAMES, NAMES)
    doubted = tagged_task(campaign, NAMES, FEWER, NAMES)
    aggregate(campaign, "mv-token")
    text = page(client, campaign)
    first, second = (text.index(f"documents/{one.external_id}/") for one in (doubted, sure))
    assert first < second
    assert text.count('<rect class="type-') == 6
    assert "0.3</b>" in text[first:second]  # of three names one has two votes of three
    assert "0.0</b>" in text[second:]


def test_reported_and_unfinished_are_picked_out(client, campaign):
    done = make_task(campaign, demand={"wanted": 1, "open": 0, "received": 1, "ready": False})
    broken = tagged_task(campaign, NAMES)
    Assignment.objects.filter(task=broken).update(reported_at=timezone.now())
    text = page(client, campaign, query="?show=reported")
    assert f"documents/{broken.external_id}/" in text
    assert "1 worker reports it as broken" in text
    assert "by <a href=" in text.split("Last answer")[-1]
    assert f"documents/{done.external_id}/" not in text
    Demand.objects.filter(task=broken).update(wanted=2, open=1, leased=0, received=1, ready=True)
    text = page(client, campaign, query="?show=unfinished")
    assert f"documents/{broken.external_id}/" in text
    assert f"documents/{done.external_id}/" not in text
    assert '?show=all" aria-current="true">All' in page(
        client, campaign, query="?show=nonsense&page=x"
    )


def test_gold_tasks_are_for_those_who_see_gold(client, campaign):
    gold = tagged_task(campaign, NAMES)
    Demand.objects.filter(task=gold).update(kind=Demand.Kind.HIDDEN)
    Assignment.objects.filter(task=gold).update(reported_at=timezone.now())
    tagged_task(campaign, NAMES)
    aggregate(campaign, "mv-token")
    for query in ("", "?show=reported"):
        link = f"documents/{gold.external_id}/"
        assert link not in page(client, campaign, "viewer", query)
    assert f"documents/{gold.external_id}/" in page(client, campaign, query="?show=reported")


def test_number_of_queries_does_not_grow(client, campaign, django_assert_num_queries):
    client.force_login(make_member(campaign.project).user)
    address = f"/manage/campaigns/{campaign.slug}/tasks/"
    for _ in range(6):
        tagged_task(campaign, NAMES, FEWER)
    aggregate(campaign, "mv-token")
    for show in ("all", "disputed", "reported"):
        with CaptureQueriesContext(connection) as captured:  # session, user, campaign, role, runs
            client.get(address, {"show": show})
        assert len(captured) <= 5 + 10 + SECTION
    for _ in range(6):
        lease(campaign)
    with django_assert_num_queries(5 + 11 + SECTION):
        client.get(address, {"show": "unfinished"})


def test_expected_wrong_names_have_an_interval():
    found = expected_wrong(2, [0.5] * 4)
    assert (found.mean, found.low) == (2, pytest.approx(2 - 1.645))
    assert expected_wrong(0, [1.0]).high == 0.0
    missed = expected_wrong(1, [1.0])  # besides the one that was found
    assert (missed.low, missed.high) == (0, pytest.approx(1 + 1.645))


def test_disputed_come_by_what_is_expected_to_be_wrong_and_say_why(client, campaign):
    other = NAMES.replace("LOC", "PER")
    doubted = tagged_task(campaign, NAMES, FEWER, other)
    worse = tagged_task(campaign, NAMES, FEWER, "B-LOC O B-LOC O O B-PER B-PER O O")
    tagged_task(campaign, NAMES, NAMES, NAMES)
    left_out = tagged_task(campaign, NAMES, FEWER, FEWER)
    alone = tagged_task(campaign, FEWER)  # more may settle it
    aggregate(campaign, "mv-token")
    text = page(client, campaign, query="?show=disputed")
    assert "Disputed 2</a>" in text
    assert text.count('type="checkbox"') == 2
    first, second = (text.index(f"documents/{one.external_id}/") for one in (worse, doubted))
    assert first < second
    assert "2 of 3 marked “Babbage” (PER)" in text[second:]
    assert "its confidence: .67" in text[second:]
    assert "Disputed 2</a>" in page(client, campaign, "viewer")
    run = last_runs(campaign, 1)[0]
    rows = task_rows(campaign, run, [left_out.pk, alone.pk])
    told = [(row.why, row.least) for row in rows]
    assert told == [("1 of 3 marked “Babbage” too", ""), ("", "one answer so far")]


def test_what_decisions_mend_is_drawn_for_who_may_decide(client, campaign):
    for _ in range(3):
        tagged_task(campaign, NAMES, FEWER, NAMES.replace("LOC", "PER"))
    tagged_task(campaign, NAMES, NAMES, NAMES)
    assert "What decisions mend" not in page(client, campaign)  # nothing is inferred yet
    aggregate(campaign, "mv-token")
    errors = sorted(Consensus.objects.values_list("expected_errors", flat=True))
    text = page(client, campaign)
    assert "Review 3 tasks</a>" in text
    mended = sum(errors[1:])
    assert f'aria-label="3 decisions are expected to mend {mended:.1f} names.' in text
    assert 'aria-label="Wrong names a task: 4 tasks in all, in 3 of them 0.5 or more.' in text
    assert text.count('class="bar k-warn"') == 1
    assert '<svg class="pips" width="24" height="10" aria-hidden="true">' in text
    assert "What decisions mend" not in page(client, campaign, "viewer")
    Consensus.objects.filter(expected_errors__gt=0.1).update(expected_errors=0.1)
    text = page(client, campaign)
    assert "None is, by the run that is served." in text
    assert "What decisions mend" not in text


def test_doubt_beyond_the_last_bar_is_told_with_it():
    chart = task_worth._spread([40.0, 3.0, 0.2], 0.5, "name")
    assert chart.rows[-1] == ("5.5 or more", "1")
    assert [int(cells[1]) for cells in chart.rows] == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert chart.bars[0].tone == ""


def test_labels_have_the_same_list():
    campaign = choice_campaign()
    doubted = choice_task(campaign, "yes", "no", "maybe")
    choice_task(campaign, "yes", "yes", "yes")
    aggregate(campaign, "majority")
    run = last_runs(campaign, 1)[0]
    (row,) = task_list(campaign, run, shown="disputed", page=1, with_gold=True).rows
    assert (row.id, row.why) == (doubted.external_id, "2 of 3 workers chose another label")
    assert row.wrong.mean == pytest.approx(1 - row.confidence)


def test_a_run_that_did_not_know_errors_is_ordered_by_confidence(client, campaign):
    sure = tagged_task(campaign, NAMES, NAMES, NAMES)
    doubted = tagged_task(campaign, NAMES, FEWER, NAMES)
    run = aggregate(campaign, "mv-token")
    Consensus.objects.update(expected_errors=None)
    run.diagnostics.pop("expected_errors")
    run.save(update_fields=["diagnostics"])
    text = page(client, campaign)
    first, second = (text.index(f"documents/{one.external_id}/") for one in (doubted, sure))
    assert first < second
    assert '<span class="soft">confidence .9' in text


def test_unfinished_come_as_they_are_given_out_and_then_those_at_work():
    campaign = make_campaign()
    at_work = lease(campaign)
    late, soon = (make_task(campaign, demand={"rank": rank}) for rank in (2, 1))
    make_task(campaign, demand={"wanted": 1, "open": 0, "received": 1, "ready": False})
    found = task_list(campaign, None, shown="unfinished", page=1, with_gold=True)
    assert [row.id for row in found.rows] == [one.external_id for one in (soon, late, at_work)]
    assert [row.state for row in found.rows] == ["unfinished", "unfinished", "at-work"]


def test_single_answers_have_no_confidence_and_the_page_says_so(client):
    campaign = choice_campaign()
    for name in ("yes", "no", "yes"):
        choice_task(campaign, name)
    aggregate(campaign, "hierarchical-dawid-skene")
    text = page(client, campaign)
    assert text.count('<span class="soft">not known</span>') == 3
    assert "confidence ." not in text
    for place in ("", "results/", "quality/", "review/"):
        assert client.get(f"/manage/campaigns/{campaign.slug}/{place}").status_code == 200
