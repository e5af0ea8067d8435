"""Statements that are made once are those that the ORM would make anew, on either database."""

from __future__ import annotations

import datetime as dt
import sys
import uuid

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from annotation.actions.assignments import claim_next, submit
from annotation.models import Assignment, Event, Payment, Response
from annotation.queries import work
from annotation.querysets import compiled
from tests.factories import make_campaign, make_enrollment, make_task

NOON = dt.datetime(2026, 11, 22, 12, tzinfo=dt.UTC)
VALUES = {  # of each type of field, two that no statement holds of itself
    "BigAutoField": (41, 977_001), "BigIntegerField": (43, 977_003),
    "CharField": ("one", "an other"), "DateTimeField": (NOON, NOON + dt.timedelta(hours=3)),
    "FloatField": (4.75, 1e9 + 0.25), "IntegerField": (47, 977_007),
    "JSONField": ({"a": [1]}, [{"b": None}]), "PositiveBigIntegerField": (51, 977_011),
    "PositiveIntegerField": (53, 977_013), "PositiveSmallIntegerField": (59, 30_017),
    "SmallIntegerField": (61, 30_019), "TextField": ("a text", "an other text"),
    "UUIDField": (uuid.UUID(int=2**70), uuid.UUID(int=2**90)),
}  # fmt: skip


def statements():
    """Every one that the application has made, wherever it stands."""
    assert work.TASK  # imports all that serves a worker
    modules = [module for name, module in sys.modules.items() if name.startswith("annotation.")]
    found = {id(each): each for module in modules for each in vars(module).values()}
    made = [each for each in found.values() if isinstance(each, compiled._Statement)]
    return sorted(made, key=lambda each: repr(each.build.__code__))


def test_there_are_statements_to_look_at():
    assert len(statements()) >= 10


@pytest.mark.django_db
@pytest.mark.parametrize("drawn", [0, 1])
def test_each_statement_is_what_the_orm_makes_of_the_same_values(drawn):
    own = connections["default"]
    for statement in statements():
        values = {
            name: VALUES[field.get_internal_type()][drawn]
            for name, field in statement.fields.items()
        }
        with transaction.atomic():
            sql, parameters, _ = statement.compiled(own, **values)
            assert statement.made(own).sql == sql
            mine = [compiled._bare(each) for each in statement.parameters(own, values)]
            assert mine == [compiled._bare(each) for each in parameters], sql


@pytest.mark.django_db
def test_a_value_that_is_not_among_the_parameters_is_named():
    wrong = compiled.Select(
        lambda pk, state: Assignment.objects.filter(pk=pk).values("pk"),
        pk=Assignment.id, state=Assignment.state,
    )  # fmt: skip
    with pytest.raises(TypeError, match=r"\['state'\] not found among the parameters"):
        wrong.dicts(pk=1, state="leased")


@pytest.fixture
def lease(db):
    campaign = make_campaign(pay_mills=10, budget_mills=1_000)
    make_task(campaign)
    enrollment = make_enrollment(campaign)
    return claim_next(enrollment.key).assignment


def sql_of(action):
    with (
        CaptureQueriesContext(
            connection,
        ) as caught,
        transaction.atomic(),
    ):
        action()
        transaction.set_rollback(True)
    said = [query["sql"] for query in caught.captured_queries]
    return [sql for sql in said if sql.startswith("INSERT")]


@pytest.mark.parametrize("model", [Response, Payment, Assignment])
def test_an_inserted_row_is_what_saving_it_makes(lease, model):
    other = make_enrollment(lease.enrollment.campaign)

    def row():
        if model is Response:
            return Response(
                assignment=lease, answer={"mentions": []}, judgments=b"\0\1", answer_version=1,
                seconds=2.5, received_at=NOON,
            )  # fmt: skip
        if model is Payment:
            return Payment(
                worker_id=lease.worker_id, campaign_id=lease.enrollment.campaign_id,
                assignment=lease, kind="bonus", mills=7, currency="USD", state="earned",
            )  # fmt: skip
        return Assignment(
            key=uuid.UUID(int=5), task_id=lease.task_id, worker_id=other.worker_id,
            enrollment_id=lease.enrollment_id, leased_at=NOON, expires_at=NOON, draft=None,
            state="returned",
        )  # fmt: skip

    mine, saved = row(), row()
    assert sql_of(lambda: compiled.insert(mine)) == sql_of(lambda: saved.save(force_insert=True))
    compiled.insert(mine)
    stored = model.objects.get(pk=mine.pk)
    assert not mine._state.adding
    for field in model._meta.concrete_fields:
        value = getattr(stored, field.attname)
        whole = bytes(value) if isinstance(value, memoryview) else value  # of PostgreSQL
        assert whole == getattr(mine, field.attname)


@pytest.mark.parametrize("number", [0, 1, 2, 7])
def test_inserted_rows_are_what_a_bulk_insert_makes(lease, number):
    step = {"assignment_id": lease.pk, "at": NOON, "kind": "opened"}
    rows = [step | {"number": each, "data": {"n": each}} for each in range(number)]
    bulk = [Event(**row) for row in rows]
    assert sql_of(lambda: compiled.insert_all(Event, rows)) == sql_of(
        lambda: Event.objects.bulk_create(bulk, ignore_conflicts=True)
    )
    compiled.insert_all(Event, rows)
    compiled.insert_all(Event, rows)  # those that are there stay
    assert [event.data["n"] for event in Event.objects.order_by("number")] == list(range(number))


@pytest.mark.django_db
def test_an_answer_of_nothing_goes_in_and_comes_out_whole(lease):
    submit(lease.enrollment.key, lease.key, {"mentions": []}, 3.0, now=NOON)
    lease.refresh_from_db()
    assert (lease.state, lease.submitted_at, lease.draft) == ("submitted", NOON, None)
    assert lease.enrollment.seen_at is None or lease.enrollment.seen_at <= NOON
