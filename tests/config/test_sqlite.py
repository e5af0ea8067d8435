"""The queue of writers beside a SQLite file."""

from __future__ import annotations

import fcntl
import os
import threading

import pytest
from django.db import DatabaseError

from config.sqlite.base import DatabaseWrapper

pytestmark = pytest.mark.django_db  # or pytest-django refuses every connection


def connection_to(path):
    settings = {
        "NAME": str(path), "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 0.01},
        "TIME_ZONE": None, "ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": False, "ENGINE": "config.sqlite", "TEST": {},
    }  # fmt: skip
    return DatabaseWrapper(settings, "queue")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data.sqlite3"


@pytest.fixture
def first(path):
    connection = connection_to(path)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE note (text)")
    yield connection
    connection.close()


def is_free(path):
    queue = os.open(f"{path}-queue", os.O_RDWR)
    try:
        fcntl.flock(queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(queue)
    return True


def write(connection, text):
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO note VALUES (%s)", [text])


def test_a_second_writer_waits_for_its_turn_and_not_for_a_timeout(path, first):
    """SQLite's own patience is 10 ms here: without the queue, the second one would fail."""
    first.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    write(first, "first")
    started, done = threading.Event(), []

    def second():
        connection = connection_to(path)
        started.set()
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        write(connection, "second")
        connection.commit()
        connection.set_autocommit(True)
        connection.close()
        done.append(True)

    thread = threading.Thread(target=second)
    thread.start()
    started.wait()
    thread.join(timeout=0.1)
    assert not done
    first.commit()
    first.set_autocommit(True)
    thread.join(timeout=200)
    assert done


@pytest.mark.parametrize("ending", ["commit", "rollback", "close"])
def test_every_ending_gives_the_turn_back(path, first, ending):
    first.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    assert not is_free(path)
    getattr(first, ending)()
    assert is_free(path)


def test_a_begin_that_fails_gives_the_turn_back(path, first):
    # A writer from outside the queue, such as the sqlite3 program, holds the database.
    outside = connection_to(path)
    outside.ensure_connection()
    outside.connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseError, match="locked"):
        first.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    assert is_free(path)
    outside.connection.rollback()
    outside.close()


def test_who_only_reads_sees_one_moment_and_nobody_waits(path, first):
    with first.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode = WAL")
    path.with_name(f"{path.name}-queue").touch()
    second = connection_to(path)

    def notes():
        with second.cursor() as cursor:
            return cursor.execute("SELECT count(*) FROM note").fetchone()[0]

    with second.read_only():
        second.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        assert notes() == 0
        assert is_free(path)
        write(first, "meanwhile")
        assert notes() == 0
        second.commit()
        second.set_autocommit(True)
    assert notes() == 1
    second.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    assert not is_free(path)
    second.rollback()
    second.close()
