"""A database that can't be reached: 503, in words, with one line in the log."""

from __future__ import annotations

import logging
import sqlite3

import pytest
from django.db import InterfaceError, OperationalError, connection

from annotation.actions.tokens import worker_token
from config.logs import OneLineAMinute
from config.outages import is_outage
from tests.factories import make_campaign, make_enrollment


def lost():
    """As PostgreSQL says it: there is no code, because there is no server that gives one."""
    error = OperationalError("connection to server failed: Connection refused\n\tIs it running?")
    error.__cause__ = ConnectionError()
    return error


def of_sqlite(code):
    cause = sqlite3.OperationalError("…")
    cause.sqlite_errorcode = code
    error = OperationalError("…")
    error.__cause__ = cause
    return error


def of_postgresql(code):
    cause = Exception("…")
    cause.pgcode = code
    error = OperationalError("…")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (lost(), True),
        (InterfaceError("connection already closed"), True),
        (of_sqlite(sqlite3.SQLITE_BUSY), True),
        (of_sqlite(sqlite3.SQLITE_IOERR_READ), True),
        (of_sqlite(sqlite3.SQLITE_ERROR), False),  # no such table
        (of_postgresql("57P01"), True),  # shut down by its administrator
        (of_postgresql("53300"), True),  # too many connections
        (of_postgresql("40P01"), False),  # a deadlock
        (ValueError(), False),
        (None, False),
    ],
)
def test_what_is_away_and_what_is_a_mistake(error, expected):
    assert is_outage(error) is expected


@pytest.fixture
def outage(db, client, settings):
    """The database goes away after the fixtures; the client gets what a browser would."""
    settings.DEBUG = False
    enrollment = make_enrollment(make_campaign())
    client.raise_request_exception = False

    def away(*_):
        raise lost()

    with connection.execute_wrapper(away):
        yield enrollment


def test_a_program_is_asked_to_come_back(outage, client):
    reply = client.post(
        "/api/work/next/", {}, content_type="application/json",
        headers={"Authorization": f"Worker {worker_token(outage)}"},
    )  # fmt: skip
    assert (reply.status_code, reply.headers["Retry-After"]) == (503, "5")
    assert reply.json().keys() == {"detail", "errors"}
    assert "database can't be reached" in reply.json()["detail"]


def test_a_person_is_told_on_a_page(outage, client):
    client.cookies["sessionid"] = "a" * 32  # a log-in that has to be looked up
    for path in ("/", f"/manage/projects/{outage.campaign.project.slug}/"):
        reply = client.get(path)
        assert (reply.status_code, reply.headers["Retry-After"]) == (503, "5")
        assert "The database can't be reached" in reply.content.decode()


def test_any_other_error_is_still_a_500(db, client, settings, monkeypatch):
    settings.DEBUG = False
    client.raise_request_exception = False
    monkeypatch.setattr("annotation.queries.work.next_page", lambda _: 1 / 0)
    token = worker_token(make_enrollment(make_campaign()))
    reply = client.post(
        "/api/work/next/", {}, content_type="application/json",
        headers={"Authorization": f"Worker {token}"},
    )  # fmt: skip
    assert reply.status_code == 500
    assert reply.json()["errors"] == []


def test_the_log_has_one_line_a_minute(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("config.logs.time.monotonic", lambda: clock[0])
    one_line = OneLineAMinute()

    def record(error):
        return logging.LogRecord(
            "django.request", logging.ERROR, "", 0, "%s: %s", ("Service Unavailable", "/"),
            (type(error), error, None),
        )  # fmt: skip

    first = record(lost())
    assert one_line.filter(first)
    assert "\n" not in first.getMessage()
    assert "Connection refused" in first.getMessage()
    assert first.exc_info is None
    assert not any(one_line.filter(record(lost())) for _ in range(30))
    assert one_line.filter(record(ValueError("a mistake of ours")))
    clock[0] += 60
    again = record(lost())
    assert one_line.filter(again)
    assert again.getMessage().endswith("answered with 503: 31.")
