import pytest
from django.contrib.auth.models import User

from annotation.models import AuditEntry, Member
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(client):
    project = make_project(slug="letters")
    client.force_login(make_member(project, user=User.objects.create_user("anna")).user)
    return project


def add(client, username, role="viewer"):
    return client.post("/manage/projects/letters/people/", {"username": username, "role": role})


def change(client, username, **fields):
    return client.post(f"/manage/projects/letters/people/{username}/", fields)


def roles(project):
    return dict(project.members.values_list("user__username", "role"))


def told(client) -> str:
    return client.get("/").content.decode().replace("&#x27;", "'")


def test_it_works(client, project):
    User.objects.create_user("bert")
    add(client, "bert")
    assert roles(project) == {"anna": "manager", "bert": "viewer"}
    change(client, "bert", role="reviewer")
    assert roles(project)["bert"] == "reviewer"
    change(client, "bert", remove="")
    assert roles(project) == {"anna": "manager"}
    assert list(
        AuditEntry.objects.filter(project=project).values_list(
            "action", "subject", "user__username"
        )
    ) == [(f"{verb}", "bert", "anna") for verb in ("remove member", "change role", "add member")]


@pytest.mark.parametrize(
    ("username", "sentence"),
    [
        ("nobody", "There is no account 'nobody'."),
        ("closed", "There is no account 'closed'."),
        ("anna", "'anna' is a member already."),
        ("", "Write the name of an account."),
        ("a\0b", "Null characters are not allowed."),
    ],
)
def test_who_can_not_be_added_is_told_beside_the_name(client, project, username, sentence):
    User.objects.create_user("closed", is_active=False)
    answer = add(client, username)
    assert answer.status_code == 422
    assert sentence in answer.content.decode().replace("&#x27;", "'")
    assert roles(project) == {"anna": "manager"}


def test_account_may_be_called_as_what_the_page_does(client, project):
    User.objects.create_user("add")
    add(client, "add")
    change(client, "add", role="reviewer")
    assert roles(project)["add"] == "reviewer"


@pytest.mark.parametrize("fields", [{"role": "viewer"}, {"remove": ""}])
def test_last_manager_stays(client, project, fields):
    change(client, "anna", **fields)
    assert roles(project) == {"anna": "manager"}
    assert "anna is the only manager." in told(client)


def test_manager_who_leaves_is_back_on_the_start_page(client, project):
    make_member(project)
    assert change(client, "anna", remove="").url == "/"
    assert client.get("/manage/projects/letters/").status_code == 404


def test_manager_who_becomes_a_viewer_sees_the_page_without_forms(client, project):
    make_member(project)
    assert change(client, "anna", role="viewer").url == "/manage/projects/letters/people/"
    page = client.get("/manage/projects/letters/people/").content.decode()
    assert "New member" not in page
    assert "New invitation" not in page


def test_role_that_does_not_exist_changes_nothing(client, project):
    change(client, "anna", role="owner")
    assert roles(project) == {"anna": "manager"}
    assert "Choose one of the roles" in told(client)


@pytest.mark.parametrize("username", ["nobody", "stranger", "%00"])
def test_who_is_no_member_is_not_found(client, project, username):
    make_member(make_project(), user=User.objects.create_user("stranger"))
    assert change(client, username, role="viewer").status_code == 404
    assert Member.objects.count() == 2
