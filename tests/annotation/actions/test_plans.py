"""The claim stays an index walk with a probe, whatever the worker has behind them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from annotation.actions.assignments import claim_next, create_demands, picking, submit
from annotation.actions.assignments.ahead import WINDOW
from annotation.actions.assignments.picking import gold_candidates, plain_ahead
from annotation.models import Assignment, Task
from tests.factories import make_campaign, make_enrollment

TASKS, HISTORY = 20_000, 2_000
NOTHING = {"mentions": []}
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
    return explained(*queryset.query.sql_with_params())


def explained(sql, parameters):
    prefix = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
    with connection.cursor() as cursor:
        cursor.execute(prefix + sql, parameters)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_every_claim_walks_the_index_of_ready_tasks_and_probes_row_by_row(crowd):
    campaign, *enrollments = crowd
    for enrollment in enrollments:
        for queryset in (
            plain_ahead(campaign.pk, enrollment.worker_id, 10)[: WINDOW + 1],
            gold_candidates(campaign.pk, enrollment.worker_id, 10, 2),
        ):
            plan = plan_of(queryset)
            assert "demand_ready" in plan
            # The unique index on (task, worker), with both columns.
            assert PROBE[connection.vendor] in plan
            for bad in ("Seq Scan", "Materialize", "Hash", "SCAN", "TEMP B-TREE"):
                assert bad not in plan, plan


def test_taking_one_of_the_window_reads_no_table_from_end_to_end(crowd):
    campaign, *enrollments = crowd
    for enrollment in enrollments:
        plan = explained(
            *picking.window_statement(
                campaign.pk, enrollment.worker_id, 10, last=0, order="abcdefgh"
            )
        )
        assert "demand_ready" in plan
        assert PROBE[connection.vendor] in plan
        tables = ("annotation_demand", "annotation_assignment", "d ")
        for bad in ("Seq Scan on ", "SCAN "):
            assert not any(f"{bad}{table}" in f"{plan} " for table in tables), plan


def test_a_claim_looks_at_few_rows_whatever_is_behind_and_before(crowd):
    """Rows of which the worker's history is asked, counted by the database itself."""
    if connection.vendor == "postgresql":
        pytest.skip("SQLite counts the steps of a statement; PostgreSQL would have to be asked.")
    steps: list[int] = []
    for enrollment in crowd[1:]:
        lease = claim_next(enrollment.key).assignment  # past all that the veteran had before
        steps.clear()
        connection.connection.set_progress_handler(lambda: steps.append(1), 1_000)
        try:
            submit(enrollment.key, lease.key, NOTHING)
        finally:
            connection.connection.set_progress_handler(None, 0)
        assert len(steps) < 20  # thousands of the virtual machine's steps
