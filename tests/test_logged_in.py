"""Who is logged in by force is so as after a log-in, in three statements."""

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from tests.logged_in import _as_django_does

pytestmark = pytest.mark.django_db


def test_the_session_is_the_one_that_django_makes(client, django_assert_max_num_queries):
    anna = User.objects.create_user("anna")
    with django_assert_max_num_queries(3):  # a row within a savepoint
        client.force_login(anna)
    other = Client()
    _as_django_does(other, anna)
    assert dict(client.session.items()) == dict(other.session.items())
    assert client.cookies.keys() == other.cookies.keys()
    assert client.get("/").wsgi_request.user == anna


def test_a_session_that_is_there_is_kept_and_ends_with_the_log_out(client):
    session = client.session
    session["seen"] = "yes"
    session.save()
    client.force_login(User.objects.create_user("anna"))
    assert client.session["seen"] == "yes"
    client.logout()
    assert not Session.objects.exists()


@pytest.mark.parametrize("engine", ["db", "signed_cookies"])
def test_another_engine_is_asked_in_the_same_way(client, settings, engine):
    settings.SESSION_ENGINE = f"django.contrib.sessions.backends.{engine}"
    anna = User.objects.create_user("anna")
    client.force_login(anna)
    assert client.get("/").wsgi_request.user == anna
