"""Every page of a project's set-up, for every kind of visitor."""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.actions.documents import keep_upload, report_of
from annotation.actions.projects import set_schema
from annotation.actions.tokens import worker_token
from annotation.models import AuditEntry
from tests.dashboard import CAMPAIGN_BAR, PROJECT_BAR
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_member,
    make_project,
)

pytestmark = pytest.mark.django_db

READ = ["", "labels/", "people/"]
MANAGE = ["import/", "campaigns/new/", "imports/{run}/undo/", "import/{upload}/"]
POSTS = {
    "labels/": {"form-TOTAL_FORMS": "0", "form-INITIAL_FORMS": "0"},
    "people/": {"username": "root", "role": "manager"},
    "people/bert/": {"role": "manager"},
    "import/": {},
    "import/{upload}/": {"import": ""},
    "imports/{run}/undo/": {},
    "campaigns/new/": {"name": "Mine"},
}
VISITORS = ["manager", "reviewer", "viewer", "administrator", "other manager", "stranger", "worker"]


@pytest.fixture
def project():
    return make_project(slug="letters")


@pytest.fixture
def address(project):
    """The address of a page of the project, with keys that are right."""
    run = make_import(project, added=1)
    make_document(project, import_run=run)
    manager = make_member(project, user=User.objects.create_user("bert")).user
    file = SimpleUploadedFile("a.jsonl", b'{"id": "d1", "text": "Ada."}\n')
    upload = keep_upload(project, manager, file.name, file.chunks())

    def found(path: str) -> str:
        return f"/manage/projects/letters/{path.format(run=run.key, upload=upload.key)}"

    return found


def enter(client, project, visitor):
    if visitor in ("manager", "reviewer", "viewer"):
        client.force_login(make_member(project, visitor).user)
    elif visitor == "administrator":
        client.force_login(User.objects.create_superuser("root"))
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    else:
        token = worker_token(make_enrollment(make_campaign(project)))
        client.defaults["HTTP_AUTHORIZATION"] = f"Worker {token}"


@pytest.mark.parametrize("path", READ)
@pytest.mark.parametrize("visitor", VISITORS)
def test_members_read(client, project, address, visitor, path):
    enter(client, project, visitor)
    expected = {"other manager": 404, "stranger": 404, "worker": 302}.get(visitor, 200)
    assert client.get(address(path)).status_code == expected


@pytest.mark.parametrize("path", MANAGE)
@pytest.mark.parametrize("visitor", VISITORS)
def test_managers_alone_see_what_changes_something(client, project, address, visitor, path):
    enter(client, project, visitor)
    expected = {"manager": 200, "administrator": 200, "worker": 302}.get(visitor, 404)
    if path == "import/{upload}/" and expected == 200:
        expected = 302  # another manager's upload: kept no more, as far as anybody else can see
    assert client.get(address(path)).status_code == expected


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "visitor", ["reviewer", "viewer", "other manager", "stranger", "worker", "nobody"]
)
def test_nobody_else_changes_anything(client, project, address, visitor, path):
    if visitor != "nobody":
        enter(client, project, visitor)
    where = address(path)
    recorded = AuditEntry.objects.count()
    answer = client.post(where, POSTS[path])
    if visitor in ("worker", "nobody"):
        assert answer.url == f"/login/?next={where}"
    else:
        assert answer.status_code == 404
    assert AuditEntry.objects.count() == recorded


def test_address_of_a_change_of_role_leads_to_the_members(client, project, address):
    enter(client, project, "reviewer")
    assert client.get(address("people/bert/")).status_code == 404
    enter(client, project, "manager")
    assert client.get(address("people/bert/")).url == address("people/")


def test_anybody_with_an_account_makes_projects_and_nobody_without(client):
    assert client.get("/manage/new-project/").url == "/login/?next=/manage/new-project/"
    assert client.post("/manage/new-project/").url == "/login/?next=/manage/new-project/"
    client.force_login(User.objects.create_user("anna"))
    assert client.get("/manage/new-project/").status_code == 200


@pytest.mark.parametrize("visitor", VISITORS)
def test_rejected_lines_are_for_managers_since_they_tell_of_gold(
    client, project, address, visitor, settings, tmp_path
):
    settings.DATA_DIR = tmp_path
    where = address("imports/{run}/rejected.jsonl")
    report = report_of(project.imports.get())
    report.parent.mkdir()
    report.write_text("{}")
    enter(client, project, visitor)
    expected = {"manager": 200, "administrator": 200, "worker": 302}.get(visitor, 404)
    answer = client.get(where)
    assert answer.status_code == expected
    answer.close()


def test_number_of_queries_does_not_grow(client, project, django_assert_max_num_queries):
    client.force_login(make_member(project).user)
    for _ in range(12):
        make_campaign(project)
        make_member(project, "viewer")
        make_document(project, import_run=make_import(project, added=1))
    set_schema(project, {"entity_types": [{"name": f"T{number}"} for number in range(50)]})
    for path, most in {
        "": 18,
        "labels/": 4,
        "people/": 7,
        "import/": 3,
        "campaigns/new/": 6,
    }.items():
        with django_assert_max_num_queries(most + PROJECT_BAR):
            assert client.get(f"/manage/projects/letters/{path}").status_code == 200
    draft = make_campaign(project, state="draft")
    with django_assert_max_num_queries(8 + CAMPAIGN_BAR):
        assert client.get(f"/manage/campaigns/{draft.slug}/edit/").status_code == 200
