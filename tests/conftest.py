"""What every test gets: PostgreSQL's tests marked, a clean cache, a Hypothesis that keeps calm."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import groupby
from pathlib import Path

import hypothesis
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, TransactionTestCase

import aggregation.interfaces
import dashboard.interfaces
from annotation.actions.assignments import ahead
from annotation.interfaces import REGISTRY
from annotation.sentences import workers
from tests import migrated, toy_interface
from tests.collected import collected  # noqa: F401 - a fixture for all
from tests.emptying import empty_tables
from tests.logged_in import force_login
from tests.toy_interface import stars as stars_interface

TESTS = Path(__file__).resolve().parent
IN_CI = os.environ.get("CI", "").lower() == "true"

# No deadline: a busy machine is no failure. In CI the same examples each time.
hypothesis.settings.register_profile(
    "touchstone", deadline=None, derandomize=IN_CI, max_examples=50
)
hypothesis.settings.load_profile("touchstone")

# Tests that take many seconds each come first: at the end one of two processors would wait.
LONGEST = ("tests/test_benchmarks.py", "tests/test_documents.py", "tests/test_first_start.py")


@pytest.hookimpl(trylast=True)  # after Django's, which has those with transactions at the end
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = sorted(_spread(items), key=lambda item: not item.nodeid.startswith(LONGEST))
    if connection.vendor == "postgresql":
        return
    skip = pytest.mark.skip(reason="needs PostgreSQL: set DATABASE_URL to a server")
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker(skip)


def _spread(items: list[pytest.Item]) -> list[pytest.Item]:
    """Tests of pages wait for two thirds of their time: evenly between the others, so that never
    all processes wait at once. Those of a module stay together."""
    placed: list[tuple[float, list[pytest.Item]]] = []
    for of_pages in (False, True):
        kind = [item for item in items if bool(item.get_closest_marker("browser")) is of_pages]
        before = 0
        for _, module in groupby(kind, key=lambda item: item.path):
            together = list(module)
            placed.append(((before + len(together) / 2) / len(kind), together))
            before += len(together)
    return [item for _, together in sorted(placed, key=lambda one: one[0]) for item in together]


def pytest_configure(config: pytest.Config) -> None:
    hands_out = config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")
    if hands_out:
        maker = migrated.begin()
        config.add_cleanup(lambda: migrated.end(maker))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Each process compiles its share of the tests first, and finds compiled what is the others':
    where nothing is compiled yet, it would take each of them ten seconds."""
    worker = getattr(session.config, "workerinput", None)
    if not worker or session.config.args != session.config.getini("testpaths"):
        return
    number, of = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    for path in sorted(TESTS.rglob("test_*.py"))[number::of]:
        with suppress(Exception):  # it is told where it is collected
            import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """One more than there are processors: tests of pages wait for the browser, two thirds of their
    time. PYTEST_XDIST_AUTO_NUM_WORKERS has its way."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is there by now stays: the collector of garbage need not look at it all the time. Nor
    after each 700 objects: a page makes thousands that are gone with it."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def _clean_cache():
    """Throttles count in the cache, and the tests of one process share it."""
    cache.clear()


class InOrder(random.Random):
    def shuffle(self, x: list) -> None:
        """Leave it as it is."""


@pytest.fixture(autouse=True)
def _tasks_in_order(monkeypatch):
    """Workers get tasks in the order of ranks, and not one of the next few. Who tests that puts a
    draw of their own in its place."""
    monkeypatch.setattr(ahead, "draw", InOrder(0))


@pytest.fixture
def stars(monkeypatch, settings, tmp_path):
    """The toy interface of tests.toy_interface: its files among the product's, its sentences among
    the workers', and one line."""
    toy_interface.lay_beside(tmp_path / "static")
    settings.STATICFILES_DIRS = [tmp_path / "static"]
    for code, sentence in stars_interface.SENTENCES.items():
        monkeypatch.setitem(workers.SENTENCES, code, sentence)
    monkeypatch.setitem(REGISTRY, "stars", toy_interface.MODULE)
    monkeypatch.setitem(aggregation.interfaces.REGISTRY, "stars", toy_interface.CONSENSUS)
    monkeypatch.setitem(dashboard.interfaces.REGISTRY, "stars", toy_interface.PAGES)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings, django_db_keepdb) -> bool:
    return migrated.use() or django_db_keepdb


@pytest.fixture(scope="session", autouse=True)
def _emptied_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


@pytest.fixture(scope="session", autouse=True)
def _logged_in_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "force_login", force_login)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_session_left(django_db_setup, django_db_blocker):
    """PostgreSQL drops no database while a thread of the test server still holds a connection."""
    yield
    if connection.vendor != "postgresql":
        return
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
