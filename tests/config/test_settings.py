"""Each wrong variable stops the start with one clear sentence; each right one arrives."""

import importlib.util
import os
import re
import runpy
import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.backends.postgresql import base as postgresql
from django.db.backends.postgresql import psycopg_any

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def read_settings(monkeypatch, tmp_path):
    """config/settings.py as a machine with just these variables would read it."""

    def read(**variables: str) -> dict[str, Any]:
        for name in ("DATABASE_URL", "SECRET_KEY"):
            monkeypatch.delenv(name, raising=False)
        for name, value in ({"DATA_DIR": str(tmp_path / "data")} | variables).items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "config" / "settings.py"))

    return read


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DEBUG", "maybe", "DEBUG is 'maybe'. Set it to 1 or 0."),
        ("HTTPS", "https", "HTTPS is 'https'. Set it to 1 or 0."),
        ("BEHIND_PROXY", "nginx", "BEHIND_PROXY is 'nginx'. Set it to 1 or 0."),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL is 'LOUD'. Set it to one of DEBUG, INFO, WARNING, ERROR."),
        ("TIME_ZONE", "Berlin", "TIME_ZONE is 'Berlin'. Use a name such as Europe/Berlin."),
        ("LOGIN_ATTEMPTS", "2", "LOGIN_ATTEMPTS is 2. Set it to a number from 3 to 1000."),
        ("WORKER_TOKEN_DAYS", "0", "WORKER_TOKEN_DAYS is 0. Set it to a number from 1 to 3650."),
        ("MAX_BODY_MB", "much", "MAX_BODY_MB is 'much'. Set it to a whole number."),
        ("MAX_IMPORT_LINE_MB", "1e9", "MAX_IMPORT_LINE_MB is '1e9'. Set it to a whole number."),
        ("MAX_UPLOAD_MB", "0", "MAX_UPLOAD_MB is 0. Set it to a number from 1 to 2000."),
        (
            "SUBMIT_RATE",
            "fast",
            "SUBMIT_RATE is 'fast'. Set it to a rate such as 240/min; per sec, min, hour or day.",
        ),
        ("SEARCH_RATE", "0/min", "SEARCH_RATE is '0/min'. Set it to a rate such as 600/min;"),
        ("FRAME_HOSTS", "mturk.com", "FRAME_HOSTS names 'mturk.com'. Write each host as https://"),
        ("FRAME_HOSTS", "https://a.example/x", "FRAME_HOSTS names 'https://a.example/x'."),
        ("FRAME_HOSTS", "'self'", "FRAME_HOSTS names ''self''."),
        ("FRAME_HOSTS", "*", "FRAME_HOSTS names '*'."),
        ("HSTS_PRELOAD", "1", "HSTS_PRELOAD is 1 without HSTS_SUBDOMAINS=1."),
        ("DATABASE_URL", "mysql://u@h/db", "DATABASE_URL names neither PostgreSQL nor SQLite."),
    ],
)
def test_wrong_variable_is_told_in_one_sentence(read_settings, name, value, sentence):
    with pytest.raises(ImproperlyConfigured, match=re.escape(sentence)):
        read_settings(**{name: value})


@pytest.mark.parametrize("url", ["oracle is nice", "postgres://host:many/db", "nosuch://x/y"])
def test_database_url_that_cant_be_read_is_told_with_an_example(read_settings, url):
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL can't be read .*postgres://user"):
        read_settings(DATABASE_URL=url)


def test_data_dir_that_cant_be_written_is_told_with_the_way_out(read_settings, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match=r"can't be kept in .*Set SECRET_KEY, or"):
        read_settings(DATA_DIR=str(tmp_path / "file" / "data"))


def test_secret_key_is_made_once_and_only_its_owner_can_read_it(read_settings, tmp_path):
    first, second = read_settings(), read_settings()
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert len(first["SECRET_KEY"]) > 64
    mode = (tmp_path / "data" / "secret_key").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert os.listdir(tmp_path / "data") == ["secret_key"]


def test_secret_key_of_the_environment_is_not_written_down(read_settings, tmp_path):
    assert read_settings(SECRET_KEY="k" * 60)["SECRET_KEY"] == "k" * 60
    assert not (tmp_path / "data").exists()


def test_sqlite_beside_the_data_is_the_default_and_takes_its_lock_at_begin(read_settings, tmp_path):
    database = read_settings()["DATABASES"]["default"]
    assert database["ENGINE"] == "config.sqlite"
    assert database["NAME"] == str(tmp_path / "data" / "touchstone.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_postgresql_is_chosen_by_its_url_with_socket_folders_decoded(read_settings):
    url = "postgres://touch:s%40crt@%2Fvar%2Frun%2Fpostgresql:5433/stone"
    database = read_settings(DATABASE_URL=url)["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["HOST"], database["PORT"]) == ("/var/run/postgresql", 5433)
    assert (database["USER"], database["PASSWORD"]) == ("touch", "s@crt")
    assert database["NAME"] == "stone"


def test_a_postgresql_that_says_nothing_is_given_up_before_the_web_server_gives_up(read_settings):
    """gunicorn kills a process that is silent for 30 s."""

    def waits(query: str = "") -> dict[str, Any]:
        return read_settings(DATABASE_URL=f"postgres://u@h/db{query}")["DATABASES"]["default"][
            "OPTIONS"
        ]

    found = waits()
    assert found["connect_timeout"] < 30
    assert found["tcp_user_timeout"] < 30_000
    alive = found["keepalives_interval"] * found["keepalives_count"]
    assert found["keepalives_idle"] + alive < 30
    assert waits("?connect_timeout=10&sslmode=require") == found | {
        "connect_timeout": 10, "sslmode": "require",
    }  # fmt: skip


def test_https_turns_on_all_that_belongs_to_it(read_settings):
    plain, secure = read_settings(), read_settings(HTTPS="1")
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"):
        assert plain[name] is False
        assert secure[name] is True
    assert plain["SECURE_HSTS_SECONDS"] == 0
    assert secure["SECURE_HSTS_SECONDS"] == 31_536_000


def test_subdomains_are_bound_by_hsts_where_that_is_asked_for_alone(read_settings):
    def chosen(**variables: str) -> tuple[bool, bool]:
        found = read_settings(HTTPS="1", **variables)
        return found["SECURE_HSTS_INCLUDE_SUBDOMAINS"], found["SECURE_HSTS_PRELOAD"]

    assert chosen() == (False, False)
    assert chosen(HSTS_SUBDOMAINS="1") == (True, False)
    assert chosen(HSTS_SUBDOMAINS="1", HSTS_PRELOAD="1") == (True, True)


def test_header_of_a_proxy_is_believed_only_behind_one(read_settings):
    assert "SECURE_PROXY_SSL_HEADER" not in read_settings()
    behind = read_settings(BEHIND_PROXY="1")
    assert behind["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")
    assert read_settings(BEHIND_PROXY="0")["REST_FRAMEWORK"]["NUM_PROXIES"] == 0
    assert behind["REST_FRAMEWORK"]["NUM_PROXIES"] == 1


def test_every_variable_that_settings_read_stands_in_the_operations_page():
    source = (ROOT / "config" / "settings.py").read_text()
    names = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    page = (ROOT / "docs" / "operations.md").read_text()
    assert len(names) > 10
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_psycopg2_is_the_driver_because_psycopg_3_is_absent():
    """Django silently takes psycopg 3 where both are installed."""
    assert importlib.util.find_spec("psycopg") is None
    assert psycopg_any.is_psycopg3 is False
    assert postgresql.Database.__name__ == "psycopg2"


@pytest.mark.postgres
@pytest.mark.django_db
def test_connection_to_postgresql_is_made_by_psycopg2():
    connection.ensure_connection()
    assert connection.Database.__name__ == "psycopg2"
    assert type(connection.connection).__module__.startswith("psycopg2")


def test_hosts_that_may_frame_the_worker_s_page_are_read(read_settings):
    assert read_settings()["FRAME_HOSTS"] == []
    hosts = "https://www.mturk.com, https://*.prolific.com,http://localhost:8001"
    assert read_settings(FRAME_HOSTS=hosts)["FRAME_HOSTS"] == [
        "https://www.mturk.com", "https://*.prolific.com", "http://localhost:8001",
    ]  # fmt: skip


def test_rates_are_read(read_settings):
    rates = read_settings(SUBMIT_RATE="5/sec")["REST_FRAMEWORK"]["DEFAULT_THROTTLE_RATES"]
    assert (rates["submit"], rates["draft"], rates["join"]) == ("5/sec", "240/min", "600/min")
