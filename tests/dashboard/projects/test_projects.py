import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import jobs
from annotation.models import Campaign, Entity, ImportRun, Member, Project
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_member,
    make_project,
)

pytestmark = pytest.mark.django_db

FIELDS = {
    "name": "The ferry",
    "slug": "",
    "language": "en",
    "text_direction": "auto",
    "tokeniser": "words",
    "types": "PER = A person\n\nORG\n",
    "listed": "on",
}


@pytest.fixture
def anna(client):
    anna = User.objects.create_user("anna")
    client.force_login(anna)
    return anna


def send(client, **fields):
    return client.post("/manage/new-project/", FIELDS | fields)


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def test_it_works(client, anna):
    assert send(client).url == "/manage/projects/the-ferry/"
    project = Project.objects.get()
    assert (project.name, project.owner, project.listed) == ("The ferry", anna, True)
    assert [
        (one["name"], one["description"], one["key"]) for one in project.schema["entity_types"]
    ] == [("PER", "A person", "p"), ("ORG", "", "o")]
    assert project.members.get().role == Member.Role.MANAGER
    assert "“The ferry” is set up." in client.get("/manage/projects/the-ferry/").content.decode()


def test_a_project_is_listed_only_where_that_is_ticked(client, anna):
    assert client.get("/manage/new-project/").context["form"]["listed"].value() is None
    client.post("/manage/new-project/", {k: v for k, v in FIELDS.items() if k != "listed"})
    assert not Project.objects.get().listed


@pytest.mark.parametrize(
    ("name", "slug"), [("The ferry", "the-ferry-3"), ("渡し船", "project"), ("x" * 200, "x" * 70)]
)
def test_short_name_is_made_of_the_name_and_is_free(client, anna, name, slug):
    for taken in ("the-ferry", "the-ferry-2", "the-ferry-man"):
        make_project(slug=taken)
    send(client, name=name)
    assert Project.objects.latest("pk").slug == slug


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": " "}, "Give the project a name."),
        ({"name": "x" * 201}, "at most 200 characters"),
        ({"name": "a\0b"}, "Null characters are not allowed."),
        ({"slug": "a b"}, "Use letters, digits, hyphens and underscores only."),
        ({"slug": "taken"}, "There is a project 'taken' already."),
        ({"language": "klingon?"}, "Write a language tag, such as en or pt-BR."),
        ({"text_direction": "up"}, "Select a valid choice."),
        ({"types": "PER\n\nA B"}, "Line 3: 'A B' can't be a name."),
        ({"types": "PER\nPER"}, "Line 2: 'PER' is the name of line 1 too."),
        ({"types": "= a person"}, "Line 1: The text has 0 characters."),
    ],
)
def test_what_is_wrong_is_told_and_what_was_typed_stays(client, anna, fields, sentence):
    make_project(slug="taken")
    answer = send(client, **fields)
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert "Nothing is saved yet. 1 place needs a look" in words(answer)
    assert 'value="The ferry"' in words(answer) or "name" in fields
    assert Project.objects.count() == 1


def test_page_names_what_comes_next(client, anna):
    project = make_project(slug="letters", schema={"entity_types": [], "relation_types": []})
    make_member(project, user=anna)

    def primary() -> str:
        page = words(client.get("/manage/projects/letters/"))
        return page.partition('class="btn primary" href="')[2].partition('"')[0]

    assert primary() == "/manage/projects/letters/import/"
    make_import(project, added=3)
    assert primary() == "/manage/projects/letters/labels/"
    Project.objects.update(schema={"entity_types": [{"name": "PER", "colour": 1}]})
    assert primary() == "/manage/projects/letters/campaigns/new/"
    campaign = make_campaign(project, state="draft")
    assert primary() == f"/manage/campaigns/{campaign.slug}/"
    Campaign.objects.update(state="open")
    assert "What comes next" not in words(client.get("/manage/projects/letters/"))


def test_imports_stand_with_their_counts_and_the_way_back(client, anna):
    project = make_project(slug="letters")
    make_member(project, user=anna)
    done = make_import(project, file_name="old.jsonl", added=1234, rejected=2)
    failed = make_import(project, state=ImportRun.State.FAILED, error="It broke.")
    page = words(client.get("/manage/projects/letters/"))
    assert "old.jsonl" in page
    assert "1,234" in page
    assert f"/manage/projects/letters/imports/{done.key}/undo/" in page
    assert f"/manage/projects/letters/imports/{done.key}/rejected.jsonl" in page
    assert f"/manage/projects/letters/imports/{failed.key}/undo/" not in page
    assert "It broke." in page


def test_old_imports_stand_on_the_next_page(client, anna):
    project = make_project(slug="letters")
    make_member(project, user=anna)
    for _ in range(12):
        make_import(project)
    page = client.get("/manage/projects/letters/").text
    assert page.count('data-l="Rejected"') == 10
    older = re.search(r"[?]imports=[0-9]+", page)[0]
    assert client.get(f"/manage/projects/letters/{older}").text.count('data-l="Rejected"') == 2


def test_knowledge_base_is_counted_up_to_a_bound(client, anna, monkeypatch):
    monkeypatch.setattr("dashboard.projects.queries.MOST_ENTRIES", 2)
    project = make_project(slug="letters")
    make_member(project, user=anna)
    assert "/manage/projects/letters/knowledge/import/" in words(
        client.get("/manage/projects/letters/")
    )
    for number, told in enumerate(["1 entry.", "2 entries.", "More than 10,000 entries."]):
        Entity.objects.create(project=project, key=f"Q{number}", name="Ada")
        assert told in words(client.get("/manage/projects/letters/"))


def test_viewer_sees_no_way_to_change_anything(client, anna):
    project = make_project(slug="letters")
    make_member(project, "viewer", user=anna)
    make_document(project, import_run=make_import(project, added=1))
    page = words(client.get("/manage/projects/letters/"))
    for path in ("import/", "undo/", "campaigns/new/"):
        assert f'{path}"' not in page
    assert "What comes next" not in page
    assert "Show<span" in page


def test_names_are_escaped(client, anna):
    project = make_project(slug="letters", name="<script>alert(1)</script>")
    make_member(project, user=anna)
    make_import(project, file_name="<img>.jsonl")
    page = words(client.get("/manage/projects/letters/"))
    assert "<script>alert" not in page
    assert "<img>" not in page


def test_what_failed_in_a_campaign_stands_on_the_project_s_page_too(client, anna):
    project = make_project(slug="letters")
    make_member(project, user=anna)
    campaign = make_campaign(project, name="Names of old")
    asked = jobs.enqueue("aggregate", campaign=campaign, user=anna)
    jobs.fail(jobs.claim() or asked, "There are no answers yet.\nAnd more.")
    page = words(client.get("/manage/projects/letters/"))
    assert "Names of old: “Run aggregation” has failed." in page
    assert "There are no answers yet." in page
    assert f'href="/manage/projects/letters/jobs/{asked.key}/"' in page
    jobs.enqueue("aggregate", campaign=campaign, user=anna)  # asked for again
    assert "has failed" not in words(client.get("/manage/projects/letters/"))


def test_page_costs_the_same_queries_with_any_number_of_campaigns(
    client, anna, django_assert_num_queries
):
    project = make_project(slug="letters")
    make_member(project, user=anna)
    make_campaign(project)
    client.get("/manage/projects/letters/")
    with CaptureQueriesContext(connection) as queries:
        client.get("/manage/projects/letters/")
    for _ in range(3):
        make_enrollment(make_campaign(project), submitted=1)
    with django_assert_num_queries(len(queries)):
        client.get("/manage/projects/letters/")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL reads a small table whole")
def test_broken_tasks_are_counted_by_their_own_index(client, anna):
    project = make_project(slug="letters")
    make_member(project, user=anna)
    make_campaign(project)
    with CaptureQueriesContext(connection) as queries:
        client.get("/manage/projects/letters/")
    (asked,) = [query["sql"] for query in queries if "reported_at" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked}")
        assert any("INDEX assignment_reported" in row[3] for row in cursor.fetchall())
