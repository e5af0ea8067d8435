"""The claim stays an index walk with a probe, whatever the worker has behind him."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from annotation.actions.assignments import create_demands
from annotation.actions.assignments.claim import gold_candidates, plain_candidates
from annotation.models import Assignment, Task
from tests.factories import make_campaign, make_enrollment

TASKS, HISTORY = 20_000, 2_000
PROBE = {
    "postgresql": "task_given_once_to_worker",
    "sqlite": "(task_id=? AND worker_id=?)",
}


@pytest.fixture
def crowd(db):
    campaign = make_campaign(redundancy=3)
    Task.objects.bulk_create(
        [Task(campaign=campaign, external_id=str(n)) for n in range(TASKS)], batch_size=5_000
    )
    create_demands(campaign, 3)
    veteran, novice = make_enrollment(campaign), make_enrollment(campaign)
    now = timezone.now()

    def had(enrollment, tasks):
        return [
            Assignment(
                task_id=task, worker_id=enrollment.worker_id, enrollment=enrollment,
                state="submitted", leased_at=now, expires_at=now,
            )
            for task in tasks
        ]  # fmt: skip

    ids = list(campaign.demands.order_by("rank").values_list("task", flat=True))
    Assignment.objects.bulk_create(
        [*had(veteran, ids[:HISTORY]), *had(novice, ids[:1])], batch_size=5_000
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return campaign, veteran, novice


def plan_of(queryset):
    """What the database does for it, as lines."""
    sql, parameters = queryset.query.sql_with_params()
    prefix = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
    with connection.cursor() as cursor:
        cursor.execute(prefix + sql, parameters)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_every_claim_walks_the_index_of_ready_tasks_and_probes_row_by_row(crowd):
    campaign, *enrollments = crowd
    for enrollment in enrollments:
        for queryset in (
            plain_candidates(campaign.pk, enrollment.worker_id, 10),
            gold_candidates(campaign.pk, enrollment.worker_id, 10, 2),
        ):
            plan = plan_of(queryset)
            assert "demand_ready" in plan
            # The unique index on (task, worker), with both columns.
            assert PROBE[connection.vendor] in plan
            for bad in ("Seq Scan", "Materialize", "Hash", "SCAN", "TEMP B-TREE"):
                assert bad not in plan, plan
