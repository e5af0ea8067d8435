import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection

from annotation.actions import members
from annotation.models import AuditEntry
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db


def test_who_is_added_is_recorded_with_the_role():
    project, anna = make_project(), User.objects.create_user("anna")
    bert = User.objects.create_user("bert")
    members.add_member(project, "bert", "reviewer", user=anna)
    assert project.members.get(user=bert).role == "reviewer"
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.subject, entry.user) == ("add member", "bert", anna)
    assert entry.after == {"role": "reviewer"}


def test_second_membership_is_refused_and_leaves_no_trace():
    member = make_member(make_project(), "viewer")
    with pytest.raises(members.IsMember, match="is a member already"):
        members.add_member(member.project, member.user.username, "manager", user=None)
    assert member.project.members.get().role == "viewer"
    assert not AuditEntry.objects.exists()


def test_only_manager_neither_leaves_nor_takes_another_role():
    member = make_member(make_project())
    make_member(member.project, "reviewer")
    for change in (
        lambda: members.remove_member(member, user=None),
        lambda: members.change_role(member, "viewer", user=None),
    ):
        with pytest.raises(members.LastManager, match="is the only manager"):
            change()
    assert member.project.members.filter(role="manager").exists()
    assert not AuditEntry.objects.exists()


def test_manager_who_stays_one_is_no_matter():
    member = make_member(make_project())
    members.change_role(member, "manager", user=None)
    assert member.project.members.get().role == "manager"


def test_project_without_a_manager_can_lose_its_members():
    member = make_member(make_project(), "viewer")
    members.remove_member(member, user=None)
    assert not member.project.members.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_managers_who_leave_at_once_one_stays():
    project = make_project()
    both = [make_member(project), make_member(project)]
    start = threading.Barrier(2)
    refused = []

    def leave(member):
        start.wait()
        try:
            members.remove_member(member, user=None)
        except members.LastManager:
            refused.append(member)
        finally:
            connection.close()

    threads = [threading.Thread(target=leave, args=(member,)) for member in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert project.members.get() == refused[0]
