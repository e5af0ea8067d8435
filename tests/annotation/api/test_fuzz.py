"""Whatever JSON a worker's program sends, the answer is a refusal in words and never a crash."""

from __future__ import annotations

import json

import hypothesis.strategies as st
import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings

from annotation.actions import tokens
from tests.factories import make_campaign, make_task

pytestmark = pytest.mark.django_db

KEYS = st.sampled_from(
    ["link", "device", "task", "answer", "seconds", "reason", "broken", "events", "number", "at",
     "kind", "data", "mentions", "entities", "unlabelled", "tags", "id", "start", "end", "type"]
) | st.text(max_size=5)  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=20)
    | st.sampled_from(["B-PER", "PER", "2026-11-21T00:00:00Z", "m1", "-9999-01-01T00:00:00Z"])
)
BODIES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=8) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=30,
)  # fmt: skip
MEMBERS = ["next", "link", "device", "task", "answer", "seconds", "reason", "broken", "events"]
VERBS = [("post", "draft"), ("put", "draft"), ("post", "submit"), ("post", "return"),
         ("post", "events")]  # fmt: skip


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    verb=st.sampled_from([("post", "next"), ("post", "join"), ("post", "finish"), *VERBS]),
    body=BODIES | st.fixed_dictionaries({}, optional=dict.fromkeys(MEMBERS, BODIES)),
)
def test_no_body_ends_in_a_server_error(verb, body):
    method, action = verb
    with transaction.atomic():
        campaign = make_campaign(redundancy=1)
        make_task(campaign)
        http = Client()
        joined = http.post(
            "/api/work/join/", {"link": tokens.campaign_link(campaign)},
            content_type="application/json",
        ).json()  # fmt: skip
        headers = {"Authorization": f"Worker {joined['token']}"}

        def send(method, path, content):
            return getattr(http, method)(
                f"/api/work/{path}/", content, content_type="application/json", headers=headers
            )

        key = send("post", "next", "{}").json()["assignment"]["key"]
        path = action if action in ("next", "join", "finish") else f"assignments/{key}/{action}"
        # As a program in another language writes it: NaN, lone surrogates and all.
        reply = send(method, path, json.dumps(body))
        assert reply.status_code < 500
        if reply.status_code >= 400:
            assert reply.json()["detail"]
        assert send("post", "next", "{}").status_code == 200
        transaction.set_rollback(True)


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    name=st.sampled_from(["q", "key", "Q"]),
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=120), max_size=3),
)
def test_no_query_of_a_search_ends_in_a_server_error(name, texts):
    with transaction.atomic():
        http = Client()
        joined = http.post(
            "/api/work/join/", {"link": tokens.campaign_link(make_campaign())},
            content_type="application/json",
        ).json()  # fmt: skip
        headers = {"Authorization": f"Worker {joined['token']}"}
        reply = http.get("/api/work/entities/", {name: texts}, headers=headers)
        assert reply.status_code in (200, 400)
        transaction.set_rollback(True)
