import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse

from annotation.admin import RawTable
from tests.factories import make_campaign, make_document, make_enrollment, make_task

pytestmark = pytest.mark.django_db

TABLES = [model for model, table in admin.site._registry.items() if isinstance(table, RawTable)]


@pytest.fixture
def administrator(client):
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_tables_of_all_apps_are_there():
    assert {model._meta.app_label for model in TABLES} == {
        "annotation",
        "aggregation",
        "selection",
    }
    assert len(TABLES) > 15


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
def test_every_table_opens(administrator, model):
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    assert administrator.get(address).status_code == 200


def test_rows_open_and_their_number_costs_no_queries(administrator, django_assert_max_num_queries):
    campaign = make_campaign()
    for _ in range(20):
        make_enrollment(campaign)
        task = make_task(campaign, make_document(campaign.project))
    for name in ("enrollment", "task", "demand", "document"):
        with django_assert_max_num_queries(8):
            listed = administrator.get(reverse(f"admin:annotation_{name}_changelist"))
        assert listed.status_code == 200
    row = administrator.get(reverse("admin:annotation_task_change", args=[task.pk]))
    assert task.external_id in row.content.decode()


def test_nothing_can_be_changed_even_by_the_administrator(administrator):
    campaign = make_campaign(name="Before")
    change = reverse("admin:annotation_campaign_change", args=[campaign.pk])
    delete = reverse("admin:annotation_campaign_delete", args=[campaign.pk])
    assert administrator.post(change, {"name": "After"}).status_code == 403
    assert administrator.post(delete, {"post": "yes"}).status_code == 403
    assert administrator.get(reverse("admin:annotation_campaign_add")).status_code == 403
    campaign.refresh_from_db()
    assert campaign.name == "Before"


def test_stranger_is_sent_to_the_log_in(client):
    answer = client.get(reverse("admin:annotation_response_changelist"))
    assert answer.status_code == 302
    assert answer.url.startswith("/admin/login/")
