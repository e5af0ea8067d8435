import pytest
import time_machine
from django.contrib.auth.models import User

from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db

PASSWORD = "a long pass word"


@pytest.fixture
def anna():
    return User.objects.create_user("anna", password=PASSWORD)


def log_in(client, password=PASSWORD, **fields):
    return client.post("/login/", {"username": "anna", "password": password} | fields)


def test_it_works(client, anna):
    assert log_in(client).url == "/"
    assert client.get("/password/").status_code == 200
    assert client.post("/logout/").url == "/"
    assert client.get("/password/").url == "/login/?next=/password/"


def test_page_that_was_asked_for_comes_after_the_log_in(client, anna):
    project = make_member(make_project(slug="letters"), user=anna).project
    asked = f"/manage/projects/{project.slug}/"
    assert client.get(asked).url == f"/login/?next={asked}"
    assert log_in(client, next=asked).url == asked


def test_who_is_logged_in_is_not_asked_again(client, anna):
    client.force_login(anna)
    assert client.get("/login/").url == "/"
    assert client.get("/login/?next=/password/").url == "/password/"


def test_log_in_never_leads_back_to_itself(client, anna):
    assert log_in(client, next="/login/").url == "/"
    assert client.get("/login/?next=/login/").url == "/"


def test_wrong_password_is_told_without_saying_whether_the_name_is_right(client, anna):
    wrong = log_in(client, "wrong").content.decode()
    unknown = log_in(client, "wrong", username="nobody").content.decode()
    assert "Name and password do not fit together." in wrong
    assert "Name and password do not fit together." in unknown
    assert 'value="anna"' in wrong


def test_account_that_was_closed_can_not_log_in(client, anna):
    User.objects.update(is_active=False)
    assert log_in(client).status_code == 200


def test_log_out_is_a_post(client, anna):
    assert client.get("/logout/").url == "/login/"
    client.force_login(anna)
    assert client.get("/logout/").url == "/"
    assert client.get("/password/").status_code == 200


def test_too_many_attempts_close_the_log_in_for_an_hour(client, anna, settings):
    settings.AXES_FAILURE_LIMIT = 3
    with time_machine.travel("2026-05-01 10:00Z", tick=False):
        for _ in range(3):
            answer = log_in(client, "wrong")
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "3600"
        assert "60 minutes, at 11:00 UTC" in answer.content.decode()
    with time_machine.travel("2026-05-01 10:45Z", tick=False):
        answer = log_in(client)
        assert answer.status_code == 429
        assert "15 minutes, at 11:00 UTC" in answer.content.decode()
    with time_machine.travel("2026-05-01 11:01Z", tick=False):
        assert log_in(client).url == "/"


def test_lock_is_on_a_name_from_an_address(client, anna, settings):
    settings.AXES_FAILURE_LIMIT = 3
    User.objects.create_user("bert", password=PASSWORD)
    for _ in range(3):
        log_in(client, "wrong")
    assert log_in(client, username="bert").url == "/"


@pytest.mark.parametrize("proxies", [0, 1])
def test_lock_is_on_the_address_that_a_proxy_names_behind_one_alone(
    client, anna, settings, proxies
):
    settings.AXES_FAILURE_LIMIT = 3
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": proxies}
    for number in range(3):  # what stands before the last entry, anybody can make up
        log_in_by_proxy(client, f"198.51.100.{number}, 192.0.2.1", "wrong")
    assert log_in_by_proxy(client, "192.0.2.1").status_code == 429
    assert log_in_by_proxy(client, "192.0.2.2").status_code == (302 if proxies else 429)


def log_in_by_proxy(client, forwarded, password=PASSWORD):
    return client.post(
        "/login/", {"username": "anna", "password": password}, HTTP_X_FORWARDED_FOR=forwarded
    )


def test_address_that_is_none_is_counted_too(client, anna, settings):
    settings.AXES_FAILURE_LIMIT = 3
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": 1}
    for _ in range(3):
        answer = log_in_by_proxy(client, "unknown", "wrong")
    assert answer.status_code == 429
    assert "60 minutes" in answer.content.decode()


def change_password(client, old, new="quite another word"):
    fields = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post("/password/", fields)


def test_guesses_at_the_old_password_end_in_the_same_lock(client, anna, settings):
    settings.AXES_FAILURE_LIMIT = 3
    client.force_login(anna)
    assert [change_password(client, "wrong").status_code for _ in range(3)] == [200, 200, 429]
    assert change_password(client, PASSWORD).status_code == 429
    client.logout()
    assert log_in(client).status_code == 429
    assert User.objects.get().check_password(PASSWORD)


def test_tables_have_no_password_page_beside_it(client, anna):
    User.objects.update(is_superuser=True)
    client.force_login(anna)
    assert client.get("/admin/password_change/").url == "/password/"
    assert client.post("/admin/password_change/", {"old_password": "wrong"}).url == "/password/"


def test_password_is_changed(client, anna):
    client.force_login(anna)
    new = "quite another word"
    assert change_password(client, PASSWORD, new).url == "/"
    assert "Your password is changed." in client.get("/").content.decode()
    client.logout()
    assert log_in(client, new).url == "/"


def test_what_is_wrong_with_a_new_password_stands_beside_it(client, anna):
    client.force_login(anna)
    fields = {"old_password": "wrong", "new_password1": "1", "new_password2": "2"}
    page = client.post("/password/", fields).content.decode()
    assert 'id="id_old_password_error"' in page
    assert 'id="id_new_password2_error"' in page


def test_tables_ask_for_the_same_log_in(client):
    assert client.get("/admin/login/?next=/admin/auth/").url == "/login/?next=/admin/auth/"


def test_tables_refuse_an_account_that_may_not_read_them(client, anna):
    client.force_login(anna)
    assert client.get("/admin/login/").status_code == 403


def test_tables_open_for_superusers(client):
    client.force_login(User.objects.create_superuser("root"))
    assert client.get("/admin/login/").url == "/admin/"
