"""Counters recomputed from what they count: what differs is reported, and mended on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from annotation.actions import audit, rollups
from annotation.actions.assignments import demand
from annotation.actions.projects import label_numbers
from annotation.interfaces import interface, judgments
from annotation.models import (
    Assignment,
    Campaign,
    Correction,
    Demand,
    Enrollment,
    Payment,
    Response,
    Rollup,
    Task,
)
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.models.pseudonyms import public_name
from annotation.querysets.assignments import standing

SHOWN = 20  # differences of one kind that are listed


@dataclass(frozen=True, slots=True)
class Difference:
    """One number that is not what the rows say."""

    what: str  # a sentence that names the row
    stored: int
    counted: int

    def __str__(self) -> str:
        return f"{self.what}: stored {self.stored}, the rows say {self.counted}."


def check_campaign(campaign: Campaign, *, repair: bool = False) -> list[Difference]:
    """Compare every derived number of the campaign with its rows; mend them with `repair`.

    Repairing locks the campaign's enrollments, so it runs beside workers.
    """
    hours, damaged = rollups.wrong_hours(campaign), _damaged_judgments(campaign)
    with transaction.atomic() if repair else reading_one_moment():
        if repair:
            # Every action of a worker takes their enrollment first: holding all of them stops the
            # counters from moving between the count and the repair.
            list(
                Enrollment.objects.select_for_update()
                .filter(campaign=campaign)
                .order_by("pk")
                .values_list("pk")
            )
        found = [
            *_demands(campaign, repair),
            *_enrollments(campaign, repair),
            *_money(campaign, repair),
            *_responses(campaign),
            *(_hour_difference(right, stored) for right, stored in hours),
            *(_judgments_difference(right, stored) for right, stored in damaged),
        ]
        if repair:
            _stand_in(right for right, _ in damaged)
            rollups.write_hours(right for right, _ in hours)
        if repair and found:
            audit.record(
                campaign.project, "repair counters", campaign.slug,
                before={"differences": [str(difference) for difference in found[:SHOWN]]},
            )  # fmt: skip
    return found


@contextmanager
def reading_one_moment() -> Iterator[None]:
    """All that is read within is of one moment, though workers go on; nothing may be written."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    else:
        with connection.read_only(), transaction.atomic():  # type: ignore[attr-defined]
            yield


def _demands(campaign: Campaign, repair: bool) -> list[Difference]:
    """leased and received of plain tasks, against their assignments."""

    def number_of(state: str) -> Coalesce:
        rows = (
            Assignment.objects.filter(task=OuterRef("task"), state=state)
            .order_by()
            .values("task")
            .annotate(number=Count("pk"))
            .values("number")
        )
        return Coalesce(Subquery(rows), 0)

    wrong = list(
        Demand.objects.plain()
        .filter(campaign=campaign)
        .annotate(counted_leased=number_of("leased"), counted_received=number_of("submitted"))
        .exclude(leased=F("counted_leased"), received=F("counted_received"))
        .select_related("task")
        .order_by("task")
    )
    if repair and wrong:
        counts = {row.task_id: (row.counted_leased, row.counted_received) for row in wrong}
        demand.restore_counts(campaign, counts, counts)
    found = []
    for row in wrong:
        for name in ("leased", "received"):
            stored, counted = getattr(row, name), getattr(row, f"counted_{name}")
            if stored != counted:
                found.append(
                    Difference(f"Task '{row.task.external_id}', {name} answers", stored, counted)
                )
    return found


def _enrollments(campaign: Campaign, repair: bool) -> list[Difference]:
    """submitted and earned of every worker, against assignments and the ledger."""
    done = Q(assignments__state__in=["submitted", "late"])
    earned = dict(
        Payment.objects.filter(campaign=campaign, kind=Payment.Kind.BASE)
        .exclude(state__in=[Payment.State.UNFUNDED, Payment.State.REJECTED])
        .values_list("worker")
        .annotate(total=Sum("mills"))
    )
    found, mended = [], []
    rows = Enrollment.objects.filter(campaign=campaign).select_related("worker")
    for row in rows.annotate(counted=Count("assignments", filter=done)).order_by("pk"):
        paid = earned.get(row.worker_id, 0)
        name = f"Worker '{public_name(row)}'"
        if row.submitted != row.counted:
            found.append(Difference(f"{name}, submitted", row.submitted, row.counted))
        if row.earned_mills != paid:
            found.append(Difference(f"{name}, earned mills", row.earned_mills, paid))
        if row.submitted != row.counted or row.earned_mills != paid:
            row.submitted, row.earned_mills = row.counted, paid
            mended.append(row)
    if repair and mended:
        Enrollment.objects.bulk_update(mended, ["submitted", "earned_mills"], batch_size=500)
    return found


def _money(campaign: Campaign, repair: bool) -> list[Difference]:
    """committed = funded ledger + pay of live leases + allowances."""
    ledger = Payment.objects.filter(campaign=campaign).exclude(state=Payment.State.UNFUNDED)
    leases = Assignment.objects.live().filter(enrollment__campaign=campaign)
    allowances = Enrollment.objects.filter(campaign=campaign)
    counted = sum(
        rows.aggregate(total=Coalesce(Sum(column), 0))["total"]
        for rows, column in (
            (ledger, "mills"),
            (leases, "pay_mills"),
            (allowances, "allowance_mills"),
        )
    )
    locked = Campaign.objects.select_for_update() if repair else Campaign.objects
    row = locked.get(pk=campaign.pk)
    if row.committed_mills == counted:
        return []
    difference = Difference("Committed mills of the campaign", row.committed_mills, counted)
    if repair:
        if row.budget_mills is not None and counted > row.budget_mills:
            # The rows are the truth: the budget is raised to what was really promised.
            Campaign.objects.filter(pk=row.pk).update(committed_mills=counted, budget_mills=counted)
        else:
            Campaign.objects.filter(pk=row.pk).update(committed_mills=counted)
    return [difference]


def _responses(campaign: Campaign) -> list[Difference]:
    """Every submitted or late assignment has its one response. Not derived: nothing to mend."""
    done = Assignment.objects.filter(
        enrollment__campaign=campaign, state__in=["submitted", "late"]
    ).count()
    kept = Response.objects.filter(assignment__enrollment__campaign=campaign).count()
    if done == kept:
        return []
    return [Difference("Responses of submitted assignments", kept, done)]


def _damaged_judgments(campaign: Campaign) -> list[tuple[Correction, int]]:
    """The answers of which nobody can read what they judge: each with judgments that are made from
    it anew, not saved, and the number of bytes that stand there. Responses never change, so this
    needs no lock."""
    rows = Response.objects.filter(assignment__enrollment__campaign=campaign).order_by()
    found = []
    for number, data in rows.values_list("pk", standing("judgments")).iterator(chunk_size=2_000):
        try:
            judgments.directory(data)
        except judgments.Damaged:
            found.append(number)
    return [_judged_anew(campaign, number) for number in found]


def _judged_anew(campaign: Campaign, number: int) -> tuple[Correction, int]:
    response = Response.objects.select_related("correction").get(pk=number)
    material = Task.objects.filter(assignments=number).values(*MATERIAL_COLUMNS)[0]
    kind, shown = interface(campaign.interface), material_of(material)
    numbers = label_numbers(campaign.project_id, kind.label_names(response.standing, shown))
    there = getattr(response, "correction", None)
    right = Correction(
        response=response,
        answer=response.standing,
        judgments=kind.judge(response.standing, shown, numbers),
        answer_version=response.answer_version,
        at=response.received_at,
    )
    return right, len((there or response).judgments)


def _stand_in(made: Iterable[Correction]) -> None:
    """A response stays as it is: what was made anew counts in its place. Where a correction itself
    is damaged there is no place left; its row has to come from a backup."""
    for right in made:
        Correction.objects.get_or_create(
            response=right.response,
            defaults={
                "answer": right.answer, "judgments": right.judgments,
                "answer_version": right.answer_version, "at": right.at,
            },
        )  # fmt: skip


def _judgments_difference(right: Correction, stored: int) -> Difference:
    return Difference(
        f"Response {right.response_id}, bytes of its judgments, which are damaged",
        stored,
        len(right.judgments),
    )


def _hour_difference(right: Rollup, stored: int) -> Difference:
    counted = right.answers + right.gold + right.late
    return Difference(f"Responses rolled up from {right.hour:%Y-%m-%d %H:%M} on", stored, counted)
