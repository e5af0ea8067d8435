"""Who may see a project, by command; and that a project which nobody sees is not passed over."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from annotation.models import AuditEntry, Member, Project
from demonstration import access
from tests.factories import make_project

pytestmark = pytest.mark.django_db


def run(name: str, *arguments: str, **options: object) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def project() -> Project:
    return make_project(slug="news")


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password="many-words-1")


def role_of(user: User) -> str | None:
    return Member.objects.filter(user=user).values_list("role", flat=True).first()


def changes() -> list[tuple[str, str, dict, dict]]:
    return list(
        AuditEntry.objects.order_by("pk").values_list("action", "subject", "before", "after")
    )


def test_a_member_is_added_changed_and_removed_and_each_step_is_in_the_record(project, anna):
    User.objects.create_user("bert", password="many-words-2").memberships.create(
        project=project, role="manager"
    )
    said = run("members", "news", "add", "anna", "--role", "viewer")
    assert said.startswith("anna is a viewer of 'news' now.\nbert manages it: http")
    assert run("members", "news", "add", "anna", "--role", "reviewer").startswith(
        "anna was a viewer of 'news' and is a reviewer now."
    )
    assert role_of(anna) == "reviewer"
    assert run("members", "news", "remove", "anna").startswith(
        "anna is no member of 'news' any more."
    )
    assert role_of(anna) is None
    assert changes() == [
        ("add member", "anna", {}, {"role": "viewer"}),
        ("change role", "anna", {"role": "viewer"}, {"role": "reviewer"}),
        ("remove member", "anna", {"role": "reviewer"}, {}),
    ]


def test_a_second_time_nothing_changes_and_it_says_so(project, anna):
    run("members", "news", "add", "anna", "--role", "manager")
    assert run("members", "news", "add", "anna", "--role", "manager").startswith(
        "anna is a manager of 'news' already."
    )
    bert = User.objects.create_user("bert")
    assert run("members", "news", "remove", "bert").startswith("bert is no member of 'news'.")
    assert [subject for _, subject, _, _ in changes()] == ["anna"]
    assert not bert.memberships.exists()


def test_the_list_names_who_can_and_who_cannot_log_in(project, anna):
    assert "its members" not in run("members", "news", "list")
    run("members", "news", "add", "anna", "--role", "manager")
    User.objects.create_user("bert").memberships.create(project=project, role="viewer")
    User.objects.create_user("carl", is_active=False).memberships.create(
        project=project, role="viewer"
    )
    assert run("members", "news", "list").splitlines()[:3] == [
        "manager  anna",
        "viewer   bert  can't log in; a password lets them: ./run manage changepassword bert",
        "viewer   carl  can't log in: the account is closed",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("old", "list"), "There is no project 'old'."),
        (("news", "add"), "Say who: ./run manage members news add USERNAME"),
        (
            ("news", "add", "anna"),
            r"Say which role \(manager, reviewer, viewer\), such as: ./run manage members news",
        ),
        (("news", "add", "ana", "--role", "viewer"), "no account 'ana'. There are: anna."),
        (("news", "remove", "ana"), "no account 'ana'. There are: anna."),
        (("news", "add", "carl", "--role", "viewer"), "The account 'carl' is closed."),
        (("news", "remove", "anna"), "anna is the only manager. Make somebody else"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_changes(project, anna, arguments, words):
    project.members.create(user=anna, role="manager")
    User.objects.create_user("carl", is_active=False)
    with pytest.raises(CommandError, match=words):
        run("members", *arguments)
    assert [member.user for member in project.members.all()] == [anna]
    assert changes() == []


def test_the_account_that_run_makes_manages_what_commands_make(tmp_path):
    manager, _ = access.manager(tmp_path / "demonstration.txt")
    said = run("create_project", "mine", "--name", "Mine", "--types", "PER")
    assert "\ndemonstration manages it: http://127.0.0.1:8000/manage/projects/mine/\n" in said
    assert Project.objects.visible_to(manager).get().owner == manager


@pytest.mark.parametrize(
    "account", [None, {"is_active": False, "password": "many-words-1"}], ids=["none", "closed"]
)
def test_without_that_account_the_command_says_that_nobody_sees_the_project(account):
    if account:
        User.objects.create_user(access.MANAGER, **account)
    said = run("create_project", "mine", "--name", "Mine", "--types", "PER")
    assert (
        "Look: No account but a site administrator's sees project 'mine' on the pages, because it "
        "has no members. Add a manager: ./run manage members mine add USERNAME --role manager\n"
    ) in said
    assert "Look: No account" in run("create_campaign", "one", "--project", "mine")


def test_members_who_cannot_log_in_do_not_count(project):
    ben = User.objects.create_user("ben")
    project.members.create(user=ben, role="manager")
    assert "because its members (ben) can't log in." in run("members", "news", "list")
    ben.set_password("many-words-3")
    ben.save()
    assert "ben manages it" in run("members", "news", "list")


def test_members_without_a_manager_are_told_as_such(project, anna):
    project.members.create(user=anna, role="viewer")
    assert (
        "It has no manager who can log in. Add one: ./run manage members news add USERNAME"
        in run("members", "news", "list")
    )


def test_another_default_is_a_setting(settings, anna):
    settings.DEFAULT_MANAGER = "anna"
    assert "anna manages it" in run("create_project", "mine", "--name", "Mine", "--types", "PER")


def test_the_name_of_the_account_that_run_makes_is_the_default(settings):
    assert settings.DEFAULT_MANAGER == access.MANAGER
