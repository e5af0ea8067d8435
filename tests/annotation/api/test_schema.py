"""The OpenAPI document, and a fuzzer that knows nothing but it."""

from __future__ import annotations

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error

from annotation.actions import tokens, workers
from annotation.models import Enrollment
from tests.factories import make_campaign, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def application():
    """The application as a server calls it; its connection is the test's, and stays open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def schema(application):
    return schemathesis.openapi.from_wsgi("/api/schema/", application)


def operations(schema):
    return {op.label: op for op in (result.ok() for result in schema.get_all_operations())}


def test_the_document_names_every_endpoint(schema):
    assert sorted(operations(schema)) == [
        "GET /api/campaigns/{slug}/",
        "GET /api/evaluations/{key}/",
        "GET /api/projects/",
        "GET /api/submissions/",
        "GET /api/submissions/{key}/",
        "GET /api/work/assignments/{key}/",
        "GET /api/work/entities/",
        "GET /api/work/history/",
        "POST /api/campaigns/{slug}/{verb}/",
        "POST /api/submissions/",
        "POST /api/work/appeal/",
        "POST /api/work/assignments/{key}/events/",
        "POST /api/work/assignments/{key}/return/",
        "POST /api/work/assignments/{key}/submit/",
        "POST /api/work/consent/",
        "POST /api/work/finish/",
        "POST /api/work/join/",
        "POST /api/work/next/",
        "POST /api/work/phrase/",
        "PUT /api/work/assignments/{key}/correction/",
        "PUT /api/work/assignments/{key}/draft/",
    ]


@pytest.mark.slow
def test_no_call_that_the_document_allows_ends_in_a_server_error(schema):
    campaign = make_campaign(redundancy=1)
    for _ in range(50):
        make_task(campaign)
    worker = workers.join(tokens.Link(campaign.slug, "fuzzer"))
    headers = {"Authorization": f"Worker {tokens.worker_token(worker)}"}
    for operation in operations(schema).values():

        @settings(
            max_examples=8, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def call(case):
            case.call_and_validate(headers=headers, checks=[not_a_server_error])

        call()
    assert Enrollment.objects.filter(pk=worker.pk).exists()
