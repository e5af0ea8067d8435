"""Every address × every method × everybody, from the URL configuration itself (see rules.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookies import SimpleCookie

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections, connection, transaction
from django.urls import URLPattern, get_resolver

from annotation.models import ApiToken
from tests.access.rules import (
    EVERYBODY,
    PARAMETER,
    ROLES,
    WITHOUT_ACCOUNT,
    Seen,
    address,
)
from tests.access.rules import RULES as RULES_OF_PEOPLE
from tests.access.rules_of_programs import RULES_OF_PROGRAMS
from tests.access.world import make_world

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

RULES = RULES_OF_PEOPLE | RULES_OF_PROGRAMS
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
UNUSUAL = ("PUT", "PATCH", "DELETE")
WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b.*?\"(?!django_session|axes_)\w+\"", re.I | re.S)
ROWS = {
    "import", "manager's upload", "superuser's upload", "run", "appeal", "enrollment", "done",
    "document", "task", "job", "period",
}  # fmt: skip


def routes(patterns=None, before: str = "") -> Iterator[str]:
    for found in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(found.pattern)
        if isinstance(found, URLPattern):
            yield route
        else:
            yield from routes(found.url_patterns, route)


TABLES = sorted({route for route in routes() if route.startswith("admin/")})
OTHERS = sorted(set(routes()) - set(TABLES))


def parameters(route: str) -> list[str]:
    return [first or second for first, second in PARAMETER.findall(route)]


@pytest.fixture
def world(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"  # no rows to read
    return make_world(tmp_path)


@contextmanager
def undone(client) -> Iterator[list[str]]:
    """What a request writes is taken back; the statements that wrote are what it yields."""
    written: list[str] = []
    cookies = client.cookies.output()

    def note(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if WRITES.match(sql) and context["cursor"].rowcount:
            written.append(sql)
        return result

    with transaction.atomic(), connection.execute_wrapper(note):
        yield written
        transaction.set_rollback(True)
    client.cookies = SimpleCookie()
    client.cookies.load(cookies.replace("Set-Cookie: ", ""))


def seen(answer) -> Seen | str:
    """A sentence where it is none of what may be."""
    status = answer.status_code
    if status in (301, 302) and re.match(r"(/admin)?/login/\?next=", answer.headers["Location"]):
        return Seen.LOG_IN
    if status < 400 or status in (400, 409, 413, 415, 422, 429):
        return Seen.LET_IN
    return Seen(str(status)) if status in (401, 403, 404, 405) else f"status {status}"


def unsaid(where: str, answer) -> Iterator[str]:
    """What the reply should have said to caches and to search engines."""
    if "noindex" not in answer.headers.get("X-Robots-Tag", ""):
        yield "may be listed by search engines"
    kept = answer.headers.get("Cache-Control", "")
    is_public = where.startswith("/pictures/") or where == "/robots.txt"
    if not is_public and not {"private", "no-store"} <= set(kept.split(", ")):
        yield f"may be kept by caches: '{kept}'"


def ask(client, method: str, where: str, body: Mapping[str, object] | None = None):
    """JSON for programs, a form for pages; an empty one where there is no `body`."""
    more = {}
    if method not in ("GET", "HEAD", "OPTIONS"):
        is_form = method == "POST" and not where.startswith("/api/")
        more = {"data": body or {}} | ({} if is_form else {"content_type": "application/json"})
    answer = getattr(client, method.lower())(where, **more)
    request_finished.disconnect(close_old_connections)  # it would close the test's own
    answer.close()
    request_finished.connect(close_old_connections)
    return answer


def test_every_address_has_a_rule():
    known = {route for route in routes() if not route.startswith("admin/")}
    unruled = ", ".join(f"'{route}'" for route in sorted(known - set(RULES)))
    assert not unruled, (
        f"It is stated nowhere who may do what at {unruled}. "
        "Add a rule to RULES in tests/access/rules.py."
    )
    gone = ", ".join(f"'{route}'" for route in sorted(set(RULES) - known))
    assert not gone, f"There is no route {gone} any more. Take it out of tests/access/rules.py."
    for route, rule in RULES.items():
        assert set(rule.names) == set(parameters(route)), f"{route}: name something for each"
        assert set(rule.allows) <= set(METHODS)


def test_new_address_without_a_rule_is_told_where_it_is_stated(settings):
    settings.ROOT_URLCONF = "tests.dashboard.test_every_page"  # ours, and one more
    with pytest.raises(AssertionError, match=r"'broken/'\. Add a rule to RULES in tests/access/"):
        test_every_address_has_a_rule()


@pytest.mark.parametrize("role", ROLES)
def test_everybody_meets_what_the_rules_say(world, role):
    client, wrong, turn = world.client(role), [], ROLES.index(role)
    for number, route in enumerate(OTHERS):
        rule = RULES[route]
        where = address(route, rule, world.names)
        for method in METHODS:
            allowed = rule.allowed(method)
            not_now = set(UNUSUAL) - {UNUSUAL[(number + turn) % len(UNUSUAL)]}
            if allowed is None and method in not_now:  # every one of them is asked, by some roles
                continue
            with undone(client) as written:
                answer = ask(client, method, where, rule.body if allowed else None)
                found = seen(answer)
            if allowed is not None:
                expected = {Seen.LET_IN} if role in allowed else {rule.refused(role)}
            else:
                expected = {Seen.METHOD, rule.refused(role)}
                if any(role in roles for roles in rule.allows.values()):
                    expected.add(Seen.LET_IN)
                if method == "OPTIONS" and route.startswith("api/"):
                    expected.add(Seen.LET_IN)  # tells what an address takes, and reads no row
            if found not in expected:
                meant = " or ".join(sorted(expected))
                wrong.append(f"{role}: {method} {where} is '{found}' and should be '{meant}'")
            wrong += [f"{role}: {method} {where} {what}" for what in unsaid(where, answer)]
            may_write = allowed is not None and role in allowed and method not in ("GET", "HEAD")
            if written and not may_write:
                wrong.append(f"{role}: {method} {where} writes: {written[0][:80]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ["manager", "submitter", "other manager"])
def test_token_does_what_its_account_may_and_its_scope_reaches(world, role):
    wrong, asked = [], [route for route in OTHERS if route.startswith("api/")]
    for scope in ApiToken.Scope.values:
        client = world.program(role, scope)
        for route in asked:
            rule = RULES[route]
            where = address(route, rule, world.names)
            for method, roles in rule.allows.items():
                if roles == EVERYBODY:  # nobody is asked who they are
                    continue
                with undone(client) as written:
                    found = seen(ask(client, method, where, rule.body))
                expected = expected_of_token(rule, route, role, scope, method)
                if found != expected:
                    wrong.append(f"{scope}: {method} {where} is '{found}', should be '{expected}'")
                if written and expected != Seen.LET_IN:
                    wrong.append(f"{scope}: {method} {where} writes: {written[0][:80]}")
    assert not wrong, "\n".join(wrong)


def expected_of_token(rule, route, role, scope, method):
    if route.startswith(("api/work/", "api/answering/")):
        return Seen.UNKNOWN  # there a worker's token is asked for
    if not rule.opens_to(scope, method):
        return Seen.FORBIDDEN
    if route.startswith("api/submissions/"):  # of the account's teams
        return Seen.LET_IN if "<" not in route or role == "submitter" else Seen.HIDDEN
    return Seen.LET_IN if role in rule.allows[method] else Seen.HIDDEN


@pytest.mark.parametrize("role", [role for role in ROLES if role != "superuser"])
def test_tables_are_closed_to_all_but_superusers(world, role):
    """By one rule for all: every table is asked by those three, and by some of the others."""
    client, wrong, turn = world.client(role), [], ROLES.index(role)
    asks_all = role in ("staff", "manager", "stranger")
    for number, route in enumerate(TABLES):
        if not asks_all and (number + turn) % 3:
            continue
        where = table_address(route)
        for method in ("GET", "POST") if asks_all else ("GET",):
            with undone(client) as written:
                answer = ask(client, method, where)
                found = seen(answer)
            if where == "/admin/login/" and role not in WITHOUT_ACCOUNT:
                expected = {Seen.FORBIDDEN}
            elif where == "/admin/password_change/":
                expected = {Seen.LET_IN}  # to the one page for a password
                assert answer.url == "/password/"
            elif where == "/admin/logout/":
                expected = {Seen.LET_IN, Seen.LOG_IN}
            else:
                expected = {Seen.LOG_IN}
            if found not in expected or written:
                wrong.append(f"{role}: {method} {where} is '{found}' {written[:1]}")
    assert not wrong, "\n".join(wrong)


def test_tables_open_for_superusers_and_none_breaks(world):
    client, wrong = world.client("superuser"), []
    for route in TABLES:
        with undone(client) as written:
            found = ask(client, "GET", table_address(route))
        if found.status_code >= 500 or written or seen(found) == Seen.LOG_IN:
            wrong.append(f"{table_address(route)}: {found.status_code} {written[:1]}")
    assert not wrong, "\n".join(wrong)


def table_address(route: str) -> str:
    return "/" + PARAMETER.sub("1", route).replace("^", "").replace("$", "").replace(".*", "x")


def test_row_of_another_project_is_not_found_under_one_s_own(world):
    """The other manager puts the key of a row that is not theirs behind a name that is."""
    client, wrong, tried = world.client("other manager"), [], 0
    for route in OTHERS:
        rule = RULES[route]
        container = rule.names.get("slug")
        if container not in world.own or not ROWS & set(rule.names.values()):
            continue
        where = address(route, rule, world.names | world.own)
        for method in set(rule.allows):
            tried += 1
            with undone(client) as written:
                answer = ask(client, method, where)
            elsewhere = answer.status_code == 302 and "/import/" in answer.headers["Location"]
            if not (seen(answer) == Seen.HIDDEN or elsewhere) or written:
                wrong.append(f"{method} {where} is '{seen(answer)}' {written[:1]}")
    assert tried > 15
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ["manager", "superuser"])
def test_nothing_is_changed_without_the_token_of_a_form(world, role):
    """What another site lets a browser send, with its cookies."""
    client, wrong = world.client(role), []
    client.handler.enforce_csrf_checks = True
    for number, route in enumerate([*OTHERS, *TABLES]):
        rule = RULES.get(route)
        where = address(route, rule, world.names) if rule else table_address(route)
        if where in ("/api/work/join/", "/api/work/try/"):
            continue  # no cookie is looked at: a link that was signed here is what lets in
        for method in ("POST", UNUSUAL[(number + ROLES.index(role)) % len(UNUSUAL)]):
            with undone(client) as written:
                found = seen(ask(client, method, where))
            if written or found not in (Seen.FORBIDDEN, Seen.UNKNOWN, Seen.METHOD):
                wrong.append(f"{role}: {method} {where} is '{found}' {written[:1]}")
    assert not wrong, "\n".join(wrong)
