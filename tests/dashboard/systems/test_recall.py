"""Recall on its page: what it takes, one press, how far it is, and what it says in the end."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Job, Task
from evaluation.actions.asking import ask, forecast
from evaluation.actions.links import ask_who_is_who
from evaluation.actions.plans import start_plan
from evaluation.actions.recall_requests import CannotSample, check_links
from evaluation.actions.scoring import evaluate_period
from evaluation.actions.submissions import submit
from evaluation.actions.validation import validate
from evaluation.models import RecallSample
from tests.evaluation.actions.test_recall import answer_all, names_of, spans, text_of
from tests.evaluation.files import claim, lines
from tests.evaluation.made import make_evaluated_project, make_period, make_team
from tests.evaluation.verifying import verify_all
from tests.factories import make_campaign, make_document, make_member
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db
ASKED = {"width": "0.15", "largest": "24", "answers": "1", "pay": "0.5", "pair_pay": "0.05"}


def submitted(period, name, numbers, links=("", "")):
    claims = []
    for i in numbers:
        (a, b, _), (c, d, _) = spans(text_of(i))
        sides = {"subject": (a, b), "object_": (c, d), "links": links}
        claims.append(claim(f"d{i:02}", provenance=[], **sides))
    team = make_team(period.project)
    return validate(submit(period, team, name, f"{name}.jsonl", lines(*claims)))


@pytest.fixture
def period(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    documents = [
        make_document(project, text_of(i), external_id=f"d{i:02}", sentences=[[0, 7]])
        for i in range(30)
    ]
    campaign = make_campaign(project, interface="relation", redundancy=1, pay_mills=50)
    return make_period(project, documents, campaign=campaign)


@pytest.fixture
def manager(period):
    client = Client()
    client.force_login(make_member(period.project).user)
    return client


def page(period, more=""):
    return f"/manage/projects/{period.project.slug}/evaluation/{period.key}/{more}"


def words(reply):
    return " ".join(reply.text.split())


def test_recall_shows_its_cost_is_pressed_once_and_told_in_the_end(period, manager):
    here = page(period, "recall/")
    assert "Nothing to plan yet" in words(manager.get(here))
    submitted(period, "falcon", range(0, 30, 2))
    forecast(period)
    # 20 documents at $.50, and one pair in each that the system claims something of, at $.05
    shown = words(manager.get(here, ASKED))
    assert "± .15 takes" in shown
    size = period.forecast["recall"][0]["documents"]
    assert 20 <= size <= 30
    assert f"<b>{size * 0.55:.2f}</b>" in shown
    assert f"<td class=\"num\" data-l=\"Documents\">{size}</td>" in words(
        manager.get(page(period, "plan/"))
    )  # fmt: skip
    poor = manager.post(here, ASKED | {"pay": "much"})
    assert (poor.status_code, "Write an amount" in poor.text) == (422, True)
    assert not Job.objects.filter(kind="annotate_documents").exists()

    pressed = manager.post(here, ASKED)
    assert pressed.status_code == 302
    assert manager.post(here, ASKED).status_code == 302  # pressed twice
    do_jobs()
    sample = RecallSample.objects.get()
    assert sample.names.tasks.count() == sample.documents.count() == size
    assert (sample.names.pay_mills, sample.relations.pay_mills) == (500, 50)
    assert f"0 of {size} tasks answered" in words(manager.get(here))

    answer_all(sample.names, names_of)
    ask(start_plan(period, metrics="instance", width=0.02))
    verify_all(period.campaign, lambda task: True, workers=1)
    evaluate_period(period)
    answer_all(sample.names, names_of)  # of the expansion
    evaluate_period(period)
    answer_all(sample.relations, lambda task: {"relation": "per:place_of_birth"})
    snapshot = evaluate_period(period).snapshot
    told = words(manager.get(here))
    assert f"by the {size} documents drawn evenly" in told
    assert snapshot.theta_low <= 0.5 <= snapshot.theta_high
    spent = sum(one.pay_mills * one.tasks.count() for one in (sample.names, sample.relations))
    assert snapshot.documents_mills == spent
    assert f"{spent / 1000:,.2f}" in told
    if snapshot.expansion_documents:
        assert "a declared model, which serves no score" in told
    falcon = snapshot.scores.get()
    [born] = falcon.relations
    assert born["low"] <= 0.5 <= born["high"]
    reply = words(manager.get(page(period, f"systems/{falcon.submission.key}/")))
    assert "Recall" in reply


def test_names_without_a_link_become_linking_tasks(period, manager):
    falcon = submitted(period, "falcon", range(6))
    submitted(period, "heron", range(3, 9), links=("Q1", ""))
    forecast(period)
    ask(start_plan(period, metrics="instance", width=0.02))
    told = forecast(period)["links"]
    # Nine towns; the people of the first six, for the others have a link.
    assert told["names"] == 15
    assert "linking task" in words(manager.get(page(period, "recall/")))
    with pytest.raises(CannotSample, match="names no campaign"):
        ask_who_is_who(period)
    with pytest.raises(CannotSample, match="Choose a linking campaign"):
        check_links(period, period.campaign)
    asked = {"campaign": "", "answers": "2", "pay": "0.3"}
    assert manager.post(page(period, "recall/links/"), asked).status_code == 302
    do_jobs()
    period.refresh_from_db()
    campaign = Campaign.objects.get(interface="linking")
    assert (period.links, campaign.pay_mills, campaign.redundancy) == (campaign, 300, 2)
    assert campaign.state == "open"
    cards = [
        card for payload in campaign.tasks.values_list("payload", flat=True)
        for card in payload["mentions"]
    ]  # fmt: skip
    assert told["tasks"] == campaign.tasks.count() > 0
    assert {card["document"] for card in cards} <= {f"d{i:02}" for i in range(9)}
    assert all("was born in" in card["sentence"] for card in cards)
    before = Task.objects.count()
    assert ask_who_is_who(period).made == 0  # done again
    assert Task.objects.count() == before
    assert falcon.judged_claims.exists()


def test_recall_asks_as_many_queries_however_many_documents(period, manager):
    submitted(period, "falcon", range(30))
    forecast(period)

    def queries():
        with CaptureQueriesContext(connection) as told:
            assert manager.get(page(period, "recall/")).status_code == 200
            assert manager.get(page(period, "plan/")).status_code == 200
        return len(told)

    manager.post(page(period, "recall/"), ASKED)
    do_jobs()
    before = queries()
    manager.post(page(period, "recall/"), ASKED | {"width": "0.03"})
    do_jobs()
    assert RecallSample.objects.get().documents.count() == 30
    assert queries() == before
