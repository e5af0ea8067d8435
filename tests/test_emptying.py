"""What a test with transactions of its own leaves behind: no rows, and all permissions."""

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType

from annotation.models import Campaign, Response, Task
from tests.emptying import empty_tables
from tests.factories import make_campaign, make_member, make_response, make_task


@pytest.mark.django_db(transaction=True)
def test_all_rows_go_but_what_migrate_made():
    kept = set(Permission.objects.values_list("pk", "content_type"))
    response = make_response(make_task(make_campaign()), answer={"tags": ["O"] * 7})
    make_member(response.assignment.task.campaign.project)
    empty_tables()
    assert [model.objects.count() for model in (Campaign, Task, Response, User)] == [0] * 4
    assert kept == set(Permission.objects.values_list("pk", "content_type")) != set()
    assert ContentType.objects.exists()
