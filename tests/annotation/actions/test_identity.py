import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.test import override_settings

from annotation.actions import devices, recovery, workers
from annotation.actions.tokens import Link
from annotation.models import AuditEntry, Enrollment, Worker
from annotation.models.pseudonyms import pseudonym, public_name
from tests.factories import make_campaign, make_enrollment, make_project, make_worker

OLD, NEW, NEWEST = "the old key", "the new key", "the newest key"


@pytest.fixture
def campaign(db):
    return make_campaign()


def join(campaign, device, **options) -> Enrollment:
    return workers.join(Link(campaign.slug, None), device, **options)


# --- The device ---------------------------------------------------------------------------------


def test_nothing_of_a_device_s_secret_is_stored(campaign):
    device = uuid.uuid4()
    enrollment = join(campaign, device)
    row = Worker.objects.filter(pk=enrollment.worker_id).values().get()
    stored = " ".join(str(value) for value in row.values())
    assert device.hex not in stored.replace("-", "")
    assert row["external_id"].startswith("anonymous:")
    assert len(row["device_digest"]) == 64


def test_the_id_of_a_worker_opens_nothing(campaign):
    enrollment = join(campaign, uuid.uuid4())
    for known in (enrollment.worker.external_id, enrollment.worker.device_digest):
        hexadecimal = known.removeprefix("anonymous:")
        for guess in (hexadecimal[:32], hexadecimal[-32:]):
            assert join(campaign, uuid.UUID(guess)) != enrollment


def test_a_device_goes_on_as_the_same_worker_after_a_change_of_the_key(campaign):
    device = uuid.uuid4()
    with override_settings(SECRET_KEY=OLD):
        enrollment = join(campaign, device)
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[OLD]):
        assert join(campaign, device) == enrollment
    # Found under the old key, it is digested under the new one: the fallback may go.
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[]):
        assert join(campaign, device) == enrollment
    with override_settings(SECRET_KEY=NEWEST, SECRET_KEY_FALLBACKS=[NEW, OLD]):
        assert join(campaign, device) == enrollment
    assert Worker.objects.count() == 1


def test_a_phrase_is_digested_anew_when_it_is_used_after_a_change_of_the_key(campaign):
    with override_settings(SECRET_KEY=OLD):
        enrollment = join(campaign, uuid.uuid4())
        phrase = recovery.phrase_of(enrollment.key)
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[OLD]):
        assert join(campaign, uuid.uuid4(), phrase=phrase) == enrollment
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[]):
        assert join(campaign, uuid.uuid4(), phrase=phrase) == enrollment


def test_a_device_that_came_without_the_fallback_stays_who_it_is_now(campaign):
    device = uuid.uuid4()
    with override_settings(SECRET_KEY=OLD):
        join(campaign, device)
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[]):
        later = join(campaign, device)
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[OLD]):
        assert join(campaign, device) == later


def test_two_tabs_that_join_at_once_are_one_worker(campaign, monkeypatch):
    device = uuid.uuid4()
    first = join(campaign, device)
    monkeypatch.setattr(devices, "worker_by_digest", lambda *_: None)  # it looked too early
    assert join(campaign, device) == first


# --- What a worker is called --------------------------------------------------------------------


def test_an_anonymous_worker_has_a_pseudonym_of_each_campaign(campaign):
    device = uuid.uuid4()
    here, there = join(campaign, device), join(make_campaign(), device)
    assert here.worker == there.worker
    assert public_name(here) == pseudonym(here) != public_name(there)
    with override_settings(SECRET_KEY=NEW):
        assert public_name(here) == pseudonym(Enrollment.objects.get(pk=here.pk))
    for known in (device.hex, here.key.hex, here.worker.external_id, here.worker.device_digest):
        assert public_name(here).removeprefix("anonymous-") not in known


def test_a_worker_whom_a_manager_named_keeps_that_name(campaign):
    assert public_name(make_enrollment(campaign, make_worker(external_id="anna"))) == "anna"


def test_the_record_of_changes_names_the_pseudonym(campaign):
    enrollment = join(campaign, uuid.uuid4())
    workers.set_state(enrollment, "paused", "Too fast.")
    assert AuditEntry.objects.get(action="worker state").subject == pseudonym(enrollment)


# --- The migration of what was stored before ----------------------------------------------------


NAME = "0011_device_digest"
MIGRATION = import_module(f"annotation.migrations.{NAME}")


def test_devices_of_before_go_on_and_their_secrets_are_gone(campaign, monkeypatch):
    monkeypatch.setattr(MIGRATION, "AT_ONCE", 2)
    secrets = [uuid.uuid4() for _ in range(5)]
    old = [
        make_enrollment(campaign, make_worker(external_id=f"device:{secret.hex}"))
        for secret in secrets
    ]
    named = make_worker(external_id="device:by hand")
    project = make_project()
    for row in old:
        AuditEntry.objects.create(
            project=project, action="worker state", subject=row.worker.external_id
        )
    other = AuditEntry.objects.create(project=project, action="set budget", subject=campaign.slug)

    MIGRATION.digest_devices(apps, None)

    assert [join(campaign, secret) for secret in secrets] == old
    named.refresh_from_db()
    assert (named.external_id, named.device_digest) == ("device:by hand", "")
    stored = f"{list(Worker.objects.values())} {list(AuditEntry.objects.values())}"
    assert not [secret for secret in secrets if secret.hex in stored]
    assert AuditEntry.objects.get(pk=other.pk).subject == campaign.slug
    ids = set(Worker.objects.values_list("external_id", flat=True))
    subjects = AuditEntry.objects.filter(action="worker state").values_list("subject", flat=True)
    assert set(subjects) == ids - {"device:by hand"}

    before = list(Worker.objects.order_by("pk").values())
    MIGRATION.digest_devices(apps, None)
    assert list(Worker.objects.order_by("pk").values()) == before
