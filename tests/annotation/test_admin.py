from importlib import import_module

import pytest
from axes.models import AccessLog
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from annotation.admin import RawTable
from demonstration import access
from tests.factories import make_campaign, make_document, make_enrollment, make_task

pytestmark = pytest.mark.django_db

MIGRATION = import_module("annotation.migrations.0010_demonstration_is_no_staff")
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
        "axes",
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


def test_staff_with_every_permission_but_no_superuser_opens_no_table(client):
    """Whether somebody is staff is a box on a page: it opens no other project's answers."""
    staff = User.objects.create_user("staff", is_staff=True)
    staff.user_permissions.set(Permission.objects.all())
    client.force_login(staff)
    campaign = make_campaign()
    addresses = [reverse("admin:index"), reverse("admin:auth_user_add")]
    addresses += [reverse("admin:annotation_campaign_change", args=[campaign.pk])]
    addresses += [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    ]
    for address in addresses:
        for method in (client.get, client.post):
            answer = method(address)
            assert answer.url == f"/admin/login/?next={address}"
            assert client.get(answer.url).status_code == 403


def test_demonstration_s_account_is_no_staff(client):
    account = User.objects.create_user("demonstration", is_staff=True)
    account.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    User.objects.create_superuser("root")
    MIGRATION.take_back(apps, None)
    account.refresh_from_db()
    assert not account.is_staff
    assert not account.user_permissions.exists()
    assert User.objects.get(username="root").is_staff


def test_demonstration_makes_an_ordinary_account(client, tmp_path):
    account, password = access.manager(tmp_path / "demonstration.txt")
    assert client.post("/login/", {"username": account.username, "password": password}).url == "/"
    assert (account.is_staff, account.is_superuser) == (False, False)
    assert not account.user_permissions.exists()
    assert client.get("/admin/login/").status_code == 403


def test_log_of_log_ins_is_for_reading_too(administrator):
    log = AccessLog.objects.create(username="anna", ip_address="192.0.2.7")
    listed = administrator.get(reverse("admin:axes_accesslog_changelist"))
    assert "192.0.2.7" in listed.content.decode()
    row = reverse("admin:axes_accesslog_delete", args=[log.pk])
    assert administrator.post(row, {"post": "yes"}).status_code == 403


def test_stranger_is_sent_to_the_log_in(client):
    answer = client.get(reverse("admin:annotation_response_changelist"))
    assert answer.status_code == 302
    assert answer.url.startswith("/admin/login/")
