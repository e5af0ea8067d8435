"""How often passwords are checked, and that none is kept in clear text."""

import logging
from importlib import import_module
from types import SimpleNamespace

import pytest
import time_machine
from axes.models import AccessAttempt, AccessLog
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.urls import resolve
from rest_framework.throttling import SimpleRateThrottle

from dashboard.accounts import lockout

pytestmark = pytest.mark.django_db

MIGRATION = import_module("annotation.migrations.0009_no_password_kept")
OLD, NEW, MISTYPED = "a long pass word", "quite another word", "a lomg pass word"


@pytest.fixture
def anna():
    return User.objects.create_user("anna", password=OLD)


def log_in(client, username="anna", password=OLD, **headers):
    return client.post("/login/", {"username": username, "password": password}, **headers)


def change(client, old, new=NEW, again=None):
    fields = {"old_password": old, "new_password1": new, "new_password2": again or new}
    return client.post("/password/", fields)


def stored_texts():
    """(table and column, text) of everything in the database that is no number."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            quoted = connection.ops.quote_name(table)
            cursor.execute(f"SELECT * FROM {quoted}")
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    if isinstance(value, memoryview | bytes):
                        value = bytes(value).decode("latin-1")
                    if value is not None and not isinstance(value, int | float):
                        yield f"{table}.{name}", str(value)


def where_it_stands(*secrets):
    return [place for place, text in stored_texts() if any(secret in text for secret in secrets)]


def test_no_password_is_kept_in_the_database_or_the_logs(client, anna, caplog):
    caplog.set_level(logging.DEBUG)
    assert log_in(client, password=MISTYPED).status_code == 200
    assert log_in(client, username=OLD, password="anna").status_code == 200  # the wrong field
    assert client.post(f"/login/?password={OLD}", {"username": "anna"}).status_code == 200
    log_in(client)
    assert change(client, MISTYPED).status_code == 200
    assert change(client, MISTYPED, again="quite another wird").status_code == 200
    assert change(client, OLD).url == "/"
    places = {place for place, _ in stored_texts()}
    assert {"auth_user.password", "axes_accessattempt.post_data"} <= places
    assert where_it_stands("anna") != []
    assert where_it_stands(OLD, NEW, MISTYPED, "wird") == []
    assert caplog.text
    for secret in (OLD, NEW, MISTYPED, "wird"):
        assert secret not in caplog.text


def test_what_was_kept_before_is_emptied_by_the_migration(anna):
    filled = {"failures_since_start": 2, "ip_address": "192.0.2.1"}
    forms = {"get_data": f"password={OLD}", "post_data": f"old_password={OLD}\nnew_password1={NEW}"}
    AccessAttempt.objects.create(username="anna", **filled, **forms)
    AccessAttempt.objects.create(username=OLD, **filled)  # typed into the wrong field
    assert where_it_stands(OLD, NEW) != []
    MIGRATION.empty_attempts(apps, SimpleNamespace(connection=connection))
    assert where_it_stands(OLD, NEW) == []
    assert AccessAttempt.objects.get().failures_since_start == 2  # who is locked out stays so


def test_attempts_are_counted_by_the_64_of_an_address(client, anna, settings):
    settings.AXES_FAILURE_LIMIT = 3
    for number in range(3):
        log_in(client, password="wrong", REMOTE_ADDR=f"2001:db8:7:8:{number}::1")
    assert log_in(client, REMOTE_ADDR="2001:db8:7:8:ffff::1").status_code == 429
    assert {attempt.ip_address for attempt in AccessAttempt.objects.all()} == {"2001:db8:7:8::"}
    assert log_in(client, REMOTE_ADDR="2001:db8:7:9::1").url == "/"


def test_address_alone_has_a_limit_whatever_names_are_tried(client, anna, settings):
    settings.AXES_FAILURE_LIMIT, settings.LOGIN_ADDRESS_ATTEMPTS = 3, 5
    with time_machine.travel("2026-05-01 10:00Z", tick=False):
        statuses = [log_in(client, f"name-{n}", "wrong").status_code for n in range(4)]
    with time_machine.travel("2026-05-01 10:20Z", tick=False):
        statuses += [log_in(client, f"more-{n}", "wrong").status_code for n in range(2)]
        assert statuses == [200, 200, 200, 200, 429, 429]
        refused = log_in(client)
        assert refused.status_code == 429
        # Opens when the first four are an hour old, at 11:00.
        assert refused.headers["Retry-After"] == "2400"
        assert "There were too many attempts from here." in refused.content.decode()
        assert log_in(client, REMOTE_ADDR="192.0.2.9").url == "/"
    with time_machine.travel("2026-05-01 11:01Z", tick=False):
        assert log_in(client).url == "/"


def test_account_of_ones_own_does_not_wipe_the_count_of_an_address(client, anna, settings):
    settings.AXES_FAILURE_LIMIT, settings.LOGIN_ADDRESS_ATTEMPTS = 3, 4
    User.objects.create_user("bert", password=OLD)
    statuses = []
    for number in range(5):
        assert log_in(client, "bert").status_code in (302, 429)
        client.logout()
        statuses.append(log_in(client, f"name-{number}", "wrong").status_code)
    assert statuses == [200, 200, 200, 429, 429]


def test_passwords_of_an_address_have_a_rate_right_or_wrong(client, anna, monkeypatch):
    rates = SimpleRateThrottle.THROTTLE_RATES | {"login": "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    for _ in range(2):
        assert log_in(client).url == "/"
        client.logout()
    refused = log_in(client)
    assert refused.status_code == 429
    assert 30 <= int(refused.headers["Retry-After"]) <= 60
    assert "Too many passwords have come from here" in refused.content.decode()
    assert log_in(client, REMOTE_ADDR="192.0.2.9").url == "/"
    assert change(client, OLD).status_code == 429  # the same count
    assert client.get("/login/").status_code == 302


def test_one_password_is_checked_at_a_time_and_nobody_waits(client, anna):
    with lockout._turn() as is_free:
        assert is_free
        refused = log_in(client, password="wrong")
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "1"
        assert "The server is checking another password" in refused.content.decode()
        assert client.get("/login/").status_code == 200
    assert not AccessAttempt.objects.exists()  # it was not looked at, so it is no failure
    assert log_in(client).url == "/"
    with lockout._turn():
        assert change(client, OLD).status_code == 429
    assert change(client, OLD).url == "/"


def test_attempts_at_a_locked_name_cost_no_hashing(client, anna, settings, monkeypatch):
    settings.AXES_FAILURE_LIMIT = 3
    for _ in range(3):
        log_in(client, password="wrong")
    monkeypatch.setattr(User, "check_password", lambda *_: pytest.fail("was hashed"))
    assert log_in(client).status_code == 429


def test_every_form_with_a_password_takes_its_turn():
    for page in ("/login/", "/password/"):
        assert issubclass(resolve(page).func.view_class, lockout.PasswordCheckMixin)


def test_log_of_log_ins_keeps_the_network_of_an_address(client, anna):
    log_in(client, REMOTE_ADDR="2001:db8:7:8:9::1")
    assert AccessLog.objects.get().ip_address == "2001:db8:7:8::"
