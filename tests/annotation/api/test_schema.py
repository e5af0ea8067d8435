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
        "DELETE /api/campaigns/{slug}/",
        "DELETE /api/campaigns/{slug}/workers/{key}/answers/{answer}/rejection/",
        "DELETE /api/campaigns/{slug}/workers/{key}/flags/{kind}/",
        "DELETE /api/projects/{slug}/",
        "DELETE /api/projects/{slug}/invitations/{key}/",
        "DELETE /api/projects/{slug}/members/{username}/",
        "DELETE /api/projects/{slug}/webhooks/{key}/",
        "DELETE /api/teams/{key}/people/{username}/",
        "DELETE /api/teams/{key}/{what}/{row}/",
        "GET /api/campaigns/{slug}/",
        "GET /api/campaigns/{slug}/gold/",
        "GET /api/campaigns/{slug}/links/",
        "GET /api/campaigns/{slug}/money/",
        "GET /api/campaigns/{slug}/plan/",
        "GET /api/campaigns/{slug}/requests/",
        "GET /api/campaigns/{slug}/review/",
        "GET /api/campaigns/{slug}/review/task/",
        "GET /api/campaigns/{slug}/runs/",
        "GET /api/campaigns/{slug}/tasks/",
        "GET /api/campaigns/{slug}/workers/",
        "GET /api/campaigns/{slug}/workers/{key}/answers/",
        "GET /api/evaluations/{key}/",
        "GET /api/projects/",
        "GET /api/projects/{slug}/",
        "GET /api/projects/{slug}/campaigns/",
        "GET /api/projects/{slug}/documents/",
        "GET /api/projects/{slug}/imports/",
        "GET /api/projects/{slug}/invitations/",
        "GET /api/projects/{slug}/jobs/",
        "GET /api/projects/{slug}/jobs/{key}/",
        "GET /api/projects/{slug}/jobs/{key}/file/",
        "GET /api/projects/{slug}/labels/",
        "GET /api/projects/{slug}/loops/",
        "GET /api/projects/{slug}/loops/{key}/",
        "GET /api/projects/{slug}/loops/{key}/rounds/",
        "GET /api/projects/{slug}/loops/{key}/rounds/{number}/",
        "GET /api/projects/{slug}/members/",
        "GET /api/projects/{slug}/periods/",
        "GET /api/projects/{slug}/periods/{key}/",
        "GET /api/projects/{slug}/periods/{key}/submissions/",
        "GET /api/projects/{slug}/record/",
        "GET /api/projects/{slug}/teams/",
        "GET /api/projects/{slug}/webhooks/",
        "GET /api/projects/{slug}/webhooks/{key}/deliveries/",
        "GET /api/submissions/",
        "GET /api/submissions/{key}/",
        "GET /api/teams/{key}/invitations/",
        "GET /api/teams/{key}/people/",
        "GET /api/teams/{key}/tokens/",
        "GET /api/work/assignments/{key}/",
        "GET /api/work/assignments/{key}/draft/",
        "GET /api/work/entities/",
        "GET /api/work/history/",
        "PATCH /api/campaigns/{slug}/",
        "PATCH /api/projects/{slug}/loops/{key}/",
        "PATCH /api/projects/{slug}/periods/{key}/",
        "POST /api/campaigns/{slug}/copy/",
        "POST /api/campaigns/{slug}/download/",
        "POST /api/campaigns/{slug}/files/{what}/",
        "POST /api/campaigns/{slug}/gold/question/",
        "POST /api/campaigns/{slug}/jobs/",
        "POST /api/campaigns/{slug}/links/",
        "POST /api/campaigns/{slug}/links/{number}/end/",
        "POST /api/campaigns/{slug}/plan/",
        "POST /api/campaigns/{slug}/requests/{key}/",
        "POST /api/campaigns/{slug}/review/",
        "POST /api/campaigns/{slug}/tasks/order/",
        "POST /api/campaigns/{slug}/workers/{key}/answers/{answer}/rejection/",
        "POST /api/campaigns/{slug}/workers/{key}/state/",
        "POST /api/campaigns/{slug}/{verb}/",
        "POST /api/projects/",
        "POST /api/projects/{slug}/campaigns/",
        "POST /api/projects/{slug}/copy/",
        "POST /api/projects/{slug}/documents/",
        "POST /api/projects/{slug}/imports/{key}/undo/",
        "POST /api/projects/{slug}/invitations/",
        "POST /api/projects/{slug}/jobs/{key}/again/",
        "POST /api/projects/{slug}/jobs/{key}/stop/",
        "POST /api/projects/{slug}/loops/",
        "POST /api/projects/{slug}/loops/{key}/advance/",
        "POST /api/projects/{slug}/loops/{key}/{verb}/",
        "POST /api/projects/{slug}/members/",
        "POST /api/projects/{slug}/periods/",
        "POST /api/projects/{slug}/periods/{key}/plans/",
        "POST /api/projects/{slug}/periods/{key}/recall/",
        "POST /api/projects/{slug}/periods/{key}/recall/links/",
        "POST /api/projects/{slug}/periods/{key}/release/",
        "POST /api/projects/{slug}/periods/{key}/{act}/",
        "POST /api/projects/{slug}/teams/",
        "POST /api/projects/{slug}/webhooks/",
        "POST /api/projects/{slug}/webhooks/{key}/deliveries/{delivery}/again/",
        "POST /api/projects/{slug}/{verb}/",
        "POST /api/submissions/",
        "POST /api/teams/{key}/invitations/",
        "POST /api/teams/{key}/tokens/",
        "POST /api/work/appeal/",
        "POST /api/work/assignments/{key}/events/",
        "POST /api/work/assignments/{key}/return/",
        "POST /api/work/assignments/{key}/submit/",
        "POST /api/work/consent/",
        "POST /api/work/finish/",
        "POST /api/work/join/",
        "POST /api/work/next/",
        "POST /api/work/phrase/",
        "POST /api/work/try/",
        "PUT /api/campaigns/{slug}/budget/",
        "PUT /api/campaigns/{slug}/floor/",
        "PUT /api/campaigns/{slug}/runs/{key}/",
        "PUT /api/campaigns/{slug}/served-method/",
        "PUT /api/projects/{slug}/labels/",
        "PUT /api/projects/{slug}/members/{username}/",
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
    for label, operation in operations(schema).items():
        if "/api/work/" not in label:  # a worker's token opens the others to nobody
            continue

        @settings(
            max_examples=8, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def call(case):
            case.call_and_validate(headers=headers, checks=[not_a_server_error])

        call()
    assert Enrollment.objects.filter(pk=worker.pk).exists()
