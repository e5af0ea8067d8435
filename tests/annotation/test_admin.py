import re
from importlib import import_module

import pytest
from axes.models import AccessLog
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import Permission, User
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from aggregation.models import Consensus, WorkerReliability
from annotation.admin import raw_tables
from annotation.admin.raw_tables import SECRETS, RawTable
from annotation.models import AuditEntry, Campaign, GoldQuestion, Payment, Worker
from demonstration import access
from selection.models import GoldCheck, WorkerSelection
from tests.access.world import World, make_world
from tests.factories import (
    make_campaign,
    make_document,
    make_import,
    make_response,
    make_task,
)

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": [], "entities": [], "unlabelled": []}
MIGRATION = import_module("annotation.migrations.0010_demonstration_is_no_staff")
TABLES = [model for model, table in admin.site._registry.items() if isinstance(table, RawTable)]


@pytest.fixture
def administrator(client):
    client.force_login(User.objects.create_superuser("administrator"))
    return client


def test_tables_of_all_apps_are_there():
    assert {model._meta.app_label for model in TABLES} == {
        "annotation",
        "aggregation",
        "selection",
        "evaluation",
        "axes",
    }
    assert len(TABLES) > 15


@pytest.fixture
def world(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return make_world(tmp_path)


def list_of(model: type[models.Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def page_of(row: models.Model) -> str:
    kind = f"{row._meta.app_label}_{row._meta.model_name}"
    return reverse(f"admin:{kind}_change", args=[row.pk])


def fill(world: World, number: int) -> None:
    """Rows of the tables that grow, each pointing at others of its own."""
    for _ in range(number):
        campaign = make_campaign(state="draft")
        make_import(campaign.project)
        task = make_task(campaign, make_document(campaign.project), kind=2)
        GoldQuestion.objects.create(task=task, answer=NOTHING)
        GoldCheck.objects.create(
            question=task.gold_question, number=0, suspicious=False, at=timezone.now()
        )
        response = make_response(task, answer=NOTHING)
        worker = response.assignment.worker
        Payment.objects.create(
            worker=worker, campaign=campaign, assignment=response.assignment, mills=1
        )
        run = campaign.aggregation_runs.create(method="majority")
        Consensus.objects.create(run=run, task=task, answer={}, probabilities=b"")
        WorkerReliability.objects.create(run=run, worker=worker, judged=1)
        WorkerSelection.objects.create(
            campaign=campaign, budget=1, tested=1, kept=1, crowd=1, low=1, high=1
        )
        AuditEntry.objects.create(project=campaign.project, action="open", subject="x")


def test_every_table_opens_and_its_rows_cost_no_queries(
    administrator, world, django_assert_num_queries
):
    fill(world, 1)
    before = {}
    for model in TABLES:
        with CaptureQueriesContext(connection) as queries:
            assert administrator.get(list_of(model)).status_code == 200
        before[model] = model._default_manager.count(), len(queries)
        assert len(queries) <= 8, model
    fill(world, 5)
    grown = 0
    for model, (rows, number) in before.items():
        if 0 < rows < model._default_manager.count():
            grown += 1
            with django_assert_num_queries(number):
                administrator.get(list_of(model))
    assert grown > 15


def test_every_row_leads_to_other_rows_and_to_its_page_in_the_dashboard(administrator, world):
    """All that a row's page links to is there, at a number of queries that no table raises."""
    fill(world, 1)
    there, pages = set(), set()
    for model in TABLES:
        for row in model._default_manager.order_by("pk")[:2]:
            with CaptureQueriesContext(connection) as queries:
                answer = administrator.get(page_of(row))
            assert answer.status_code == 200
            assert len(queries) <= 6, (model, [one["sql"][:200] for one in queries])
            there |= set(re.findall(r'href="(/admin/[a-z]+/[a-z]+/[^"]*)"', answer.text))
            found = re.search(r'href="([^"]*)" class="viewsitelink"', answer.text)
            if found:
                pages.add((model.__name__, found[1]))
    for address in there | {address for _, address in pages}:
        assert administrator.get(address).status_code == 200, address
    assert len({name for name, _ in pages}) > 20
    assert f"{list_of(Campaign)}?project__id__exact={world.project.pk}" in there


def test_rows_are_found_by_number_key_and_name(administrator, world):
    task = world.campaign.tasks.get(external_id="known")
    lease = world.worker.assignments.get(state="leased")
    for row, term in (
        (task, "known"), (task, task.pk), (lease, lease.key), (lease, lease.pk),
        (world.campaign, "name"), (world.worker, world.worker.worker.external_id),
        (world.worker, str(world.worker.key).upper()),
    ):  # fmt: skip
        listed = administrator.get(list_of(type(row)), {"q": term})
        assert f'href="{page_of(row).replace("change/", "change/?")}'[:-1] in listed.text, term
    others = administrator.get(list_of(Worker), {"q": "worker-"})  # it grows: the whole name
    assert "0 workers" in others.text


def test_a_large_table_is_counted_to_a_limit(administrator, world, monkeypatch):
    fill(world, 4)
    monkeypatch.setattr(raw_tables, "MOST_COUNTED", 3)
    with CaptureQueriesContext(connection) as queries:
        listed = administrator.get(list_of(Worker))
    assert "more than 3 workers" in listed.text
    counts = [one["sql"] for one in queries if "COUNT(" in one["sql"]]
    assert len(counts) == 1
    assert "LIMIT 4" in counts[0]


def test_no_secret_is_shown_and_none_can_be_filtered_for(administrator, world):
    names = {
        f"{model.__name__}.{field.name}"
        for model in TABLES
        for field in model._meta.concrete_fields
        if re.search("secret|password|token|digest|hash|post_data", field.name)
        and field.name not in SECRETS
    }
    assert names == {  # what is said of documents and inputs, not of people
        "AggregationRun.input_digest", "Document.digest", "Document.tokens",
        "ImportRun.split_tokens", "Job.digest", "Project.tokeniser", "ScoreSnapshot.digest",
        "Submission.digest", "Submission.upload_token", "TrainedModel.digest",
            "TrainedModel.input_digest",
    }  # fmt: skip
    worker = Worker.objects.create(
        platform="link", external_id="x", device_digest="d1gest" * 9, phrase_digest="p1gest" * 9
    )
    for row, hidden in ((world.campaign, world.campaign.secret), (worker, "1gest")):
        for address in (page_of(row), list_of(type(row))):
            page = administrator.get(address).text
            assert page
            assert hidden not in page
    for lookup in ("campaign__secret__startswith", "secret__startswith"):
        asked = administrator.get(list_of(Campaign), {lookup: "a"})
        assert asked.status_code in (302, 400), lookup


def test_an_account_s_page_shows_nothing_of_the_password(administrator, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    stored = PBKDF2PasswordHasher().encode("a long one", "s4ltsalt", iterations=2)
    user = User.objects.create(username="anna", password=stored)
    page = administrator.get(reverse("admin:auth_user_change", args=[user.pk])).text
    assert "Set another password" in page
    assert not re.search("pbkdf2|s4ltsa|iterations", page)
    assert stored.split("$")[3][:6] not in page
    assert administrator.get(reverse("admin:auth_user_changelist")).status_code == 200


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
