import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from aggregation.models import GoldFacts, RunFacts, Share
from annotation.actions import jobs
from annotation.actions.appeals import appeal
from annotation.actions.rollups import tally, update_rollups
from annotation.actions.workers import set_state
from annotation.models import Campaign, ImportRun
from dashboard.projects import start as start_page
from selection.models import WorkerFlag
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_member,
    make_project,
    make_response,
    make_task,
)

pytestmark = pytest.mark.django_db


def start(client) -> str:
    answer = client.get("/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_projects_stand_with_their_documents_campaigns_and_progress(client):
    project = make_project(name="Old letters")
    make_import(project, added=1240)
    campaign = make_campaign(project, name="First round", state="paused")
    make_task(campaign, demand={"wanted": 3, "open": 2, "received": 1})
    make_enrollment(campaign, submitted=1)
    update_rollups()

    page = start(client)

    assert "<bdi>Old letters</bdi></h2>" in page
    assert "1,240 documents" in page
    assert "First round" in page
    assert 'class="state state-paused">paused<' in page
    assert "1 of 3" in page
    assert 'aria-label="Answers received"' in page


def test_draft_shows_no_answers(client):
    draft = make_campaign(name="Soon", state="draft")
    make_task(draft)
    update_rollups()
    client.force_login(make_member(draft.project).user)
    page = start(client)
    assert "Soon" in page
    assert "Answers received" not in page


def test_tasks_are_never_counted_for_a_visitor(client, django_assert_max_num_queries):
    make_task(make_campaign())
    update_rollups()
    with django_assert_max_num_queries(5) as queries:
        assert "0 of 3" in start(client)
    assert not any("annotation_demand" in query["sql"] for query in queries.captured_queries)


def test_documents_of_an_import_that_goes_on_are_not_counted(client):
    project = make_project()
    make_import(project, added=7, state=ImportRun.State.RUNNING)
    assert "0 documents" in start(client)


def test_empty_server_says_how_a_project_is_made(client):
    page = start(client)
    assert "No project stands here yet" in page
    assert "/login/?next=/manage/new-project/" in page
    assert "./run manage createsuperuser" in page
    assert "./run manage load_demonstration" in page
    client.force_login(User.objects.create_user("anna"))
    assert 'href="/manage/new-project/"' in start(client)


def test_names_lead_members_to_their_project_and_nobody_else(client):
    project = make_project(slug="letters")
    campaign = make_campaign(project)
    links = ['href="/manage/projects/letters/"', f'href="/manage/campaigns/{campaign.slug}/"']
    assert [link in start(client) for link in links] == [False, False]
    client.force_login(make_member(make_project()).user)
    assert [link in start(client) for link in links] == [False, False]
    client.force_login(make_member(project, "viewer").user)
    assert [link in start(client) for link in links] == [True, True]


def test_unlisted_project_is_shown_to_its_members_only(client):
    project = make_project(name="Secret papers", listed=False)
    assert "Secret papers" not in start(client)
    client.force_login(make_member(project, "viewer").user)
    assert "Secret papers" in start(client)
    client.force_login(make_member(make_project(), "manager").user)
    assert "Secret papers" not in start(client)


def test_drafts_are_shown_to_members_only(client):
    project = make_project(slug="letters")
    make_campaign(project, name="Second thoughts", state="draft")
    make_campaign(project, name="First round")
    assert "Second thoughts" not in start(client)
    assert "First round" in start(client)
    client.force_login(make_member(make_project(), "manager").user)
    assert "Second thoughts" not in start(client)
    client.force_login(make_member(project, "viewer").user)
    assert "Second thoughts" in start(client)


def test_stranger_is_offered_the_log_in(client):
    assert "/login/?next=/" in start(client)


def test_member_is_offered_the_way_out_and_the_tables_to_superusers(client):
    user = make_member(make_project()).user
    client.force_login(user)
    assert f"Log out {user.username}" in start(client)
    assert "Tables" not in start(client)
    user.is_staff = True
    user.save()
    assert "Tables" not in start(client)
    user.is_superuser = True
    user.save()
    assert "Tables" in start(client)
    assert client.post("/logout/").url == "/"
    assert "Log out" not in start(client)


def test_number_of_queries_does_not_grow_with_the_projects(client, django_assert_max_num_queries):
    for _ in range(5):
        project = make_project()
        make_document(project)
        for _ in range(3):
            make_campaign(project)
    with django_assert_max_num_queries(5):
        start(client)
    client.force_login(make_member(project).user)
    with django_assert_max_num_queries(14):  # and the session, the user, the memberships
        start(client)


def test_names_are_escaped(client):
    make_project(name="<script>alert(1)</script>")
    assert "<script>" not in start(client)


def test_a_manager_reads_the_four_answers_of_each_campaign(client):
    project = make_project(slug="letters")
    campaign = make_campaign(
        project,
        slug="names",
        pay_mills=60,
        budget_mills=9_000,
        committed_mills=1_500,
        opened_at=timezone.now(),
    )
    task = make_task(campaign, demand={"wanted": 3, "open": 2, "received": 1})
    asking = make_enrollment(campaign, submitted=1, earned_mills=1_500)
    set_state(asking, "paused", "Answers came in seconds.")
    appeal(asking.key, "I read fast.")
    fast = make_enrollment(campaign)
    WorkerFlag.objects.create(enrollment=fast, kind="fast", evidence={}, at=timezone.now())
    asked = jobs.enqueue("aggregate", campaign=campaign)
    jobs.fail(jobs.claim() or asked, "There are no answers yet.")
    make_response(task, answer={"mentions": []})
    update_rollups()
    client.force_login(make_member(project).user)

    page = start(client)

    assert 'href="/manage/campaigns/names/appeals/">Read requests<' in page
    for address, words in (
        ("/manage/projects/letters/jobs/", "1 failed job"),
        ("/manage/campaigns/names/workers/?flag=any", "1 flagged worker"),
        ("/manage/campaigns/names/results/", "nothing aggregated yet"),
    ):
        assert f'<a href="{address}">{words}</a>' in page
        assert client.get(address).status_code == 200
    assert "1 of 1 campaign needs you · 1.50 of 9.00 USD earned or promised" in page
    assert page.count("too early to tell") == 3  # quality, cost and end, as its own page says
    assert "not checked against gold" not in page
    Campaign.objects.filter(pk=campaign.pk).update(opened_at=timezone.now() - timedelta(days=5))
    campaign.refresh_from_db()
    tally([campaign])
    page = start(client)
    assert "too early to tell" not in page
    assert "not checked against gold" in page
    assert "1.50" in page
    assert "9.00" in page
    gold = GoldFacts(shares=(Share("F1", 0.91, (0.88, 0.93)),), units=37, documents=37)
    run = campaign.aggregation_runs.create(method="bsc-seq", state="complete")
    run.facts = RunFacts(tasks=1, answers=1, gold=gold)
    run.save()
    page = start(client)
    assert "F1 of names, 37 gold tasks" in page
    assert 'aria-label=".91, .88 to .93"' in page
    assert ">scale .80–1<" in page  # so that intervals have some width
    for role in ("viewer", "reviewer"):  # decisions are the managers', gold is no viewer's
        client.force_login(make_member(project, role).user)
        page = start(client)
        assert "request for a review" not in page
        assert ("F1 of names" in page) == (role == "reviewer")


def test_search_and_filters_find_campaigns_by_name_and_state(client):
    old = make_campaign(make_project(name="Old letters"), name="First round", state="closed")
    make_campaign(make_project(name="New bills"), name="Second round")
    assert old.name not in start(client)  # what is over is told where it is asked for
    for query, there, gone in (
        ({"show": "closed"}, "First round", "Second round"),
        ({"q": "LETTERS"}, "First round", "Second round"),
        ({"q": "second"}, "Second round", "Old letters"),
        ({"show": "all"}, "First round", "no telling"),
        ({"show": "nonsense", "page": "x"}, "Second round", "First round"),
    ):
        page = client.get("/", query).text
        assert there in page, query
        assert gone not in page, query
    page = client.get("/", {"q": "nowhere to be found<b>"}).text
    assert "nowhere to be found&lt;b&gt;” is called" in page or "Nothing is called" in page


def test_each_filter_says_how_many_campaigns_it_shows(client):
    project = make_project()
    for state, archived in (("open", 0), ("draft", 0), ("closed", 0), ("closed", 1), ("open", 1)):
        make_campaign(project, state=state, archived_at=timezone.now() if archived else None)
    make_campaign(make_project(listed=False))

    def counts() -> list[tuple[str, str]]:
        said = start(client).split('aria-label="Which campaigns"')[1].split("</nav>")[0]
        return re.findall(r'(\w+) <span class="tally">(\d+)<', said)

    assert counts() == [("Active", "1"), ("Closed", "1"), ("All", "2"), ("Archived", "2")]
    client.force_login(make_member(project, "viewer").user)  # who sees the draft, too
    assert counts()[0] == ("Active", "2")
    assert 'class="tally"' not in client.get("/?q=x").text  # they count what no search has left


def test_projects_stand_on_pages(client, monkeypatch):
    monkeypatch.setattr(start_page, "PROJECTS", 2)
    for number in range(3):
        make_project(name=f"Box {number}")
    first, second = client.get("/").text, client.get("/?page=2").text
    assert [f"Box {n}" in first for n in range(3)] == [False, True, True]
    assert [f"Box {n}" in second for n in range(3)] == [True, False, False]
    assert 'rel="next"' in first
    assert 'rel="prev"' in second
