import pytest
from django.contrib.auth.models import User

from annotation.actions.rollups import update_rollups
from annotation.models import ImportRun
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_member,
    make_project,
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

    assert "<h2><bdi>Old letters</bdi></h2>" in page
    assert "1,240 documents" in page
    assert "First round" in page
    assert 'class="state state-paused">paused<' in page
    assert "1 of 3" in page
    assert '<progress value="1" max="3"' in page


def test_draft_shows_no_answers(client):
    draft = make_campaign(name="Soon", state="draft")
    make_task(draft)
    update_rollups()
    client.force_login(make_member(draft.project).user)
    page = start(client)
    assert "Soon" in page
    assert "<progress" not in page


def test_tasks_are_never_counted_for_a_visitor(client, django_assert_max_num_queries):
    make_task(make_campaign())
    update_rollups()
    with django_assert_max_num_queries(4) as queries:
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
    with django_assert_max_num_queries(4):
        start(client)
    client.force_login(make_member(project).user)
    with django_assert_max_num_queries(7):  # and the session, the user, the memberships
        start(client)


def test_names_are_escaped(client):
    make_project(name="<script>alert(1)</script>")
    assert "<script>" not in start(client)
