from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

pytestmark = pytest.mark.django_db


def made(model, before: timedelta, **fields):
    row = model.objects.create(username="anna", ip_address="192.0.2.1", **fields)
    model.objects.filter(pk=row.pk).update(attempt_time=timezone.now() - before)
    return row.pk


def test_old_log_ins_failed_ones_and_sessions_are_deleted(client, settings, capsys):
    settings.LOGIN_LOG_DAYS = 30
    client.force_login(User.objects.create_user("bert"))
    made(AccessLog, timedelta(days=31))
    young = made(AccessLog, timedelta(days=29))
    made(AccessAttempt, timedelta(minutes=61), failures_since_start=1, user_agent="a")
    locking = made(AccessAttempt, timedelta(minutes=59), failures_since_start=1, user_agent="b")
    over, present = timezone.now() - timedelta(seconds=1), Session.objects.get()
    Session.objects.create(session_key="old", session_data="", expire_date=over)

    call_command("clear_log_ins")

    assert AccessLog.objects.filter(username="anna").get().pk == young
    assert AccessAttempt.objects.get().pk == locking
    assert Session.objects.get() == present
    assert capsys.readouterr().out == (
        "1 log-in of more than 30 days ago deleted, 1 that failed, and 1 session that ended.\n"
    )
