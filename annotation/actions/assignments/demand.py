"""Every write to the demand table. Each function keeps open + leased + received = wanted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q

from annotation.actions.assignments.ahead import TOGETHER_BITS
from annotation.actions.bulk import CHANGED, ROWS, batches, id_ranges
from annotation.interfaces import traits
from annotation.models import PRIORITIES, SHUFFLE_BITS, Campaign, Demand
from annotation.querysets import compiled
from annotation.sentences import CodedError

BUCKET = 2**SHUFFLE_BITS  # ranks of one priority
TAKE = (
    "UPDATE annotation_demand SET open = open - 1, leased = leased + 1, ready = open > 1 "
    "WHERE open > 0 AND task_id ="
)
# By document, the documents scattered (times an odd number: one to one within 2**27), then by task:
# who has read a text gets all that is asked about it. The % is doubled for the driver.
TOGETHER = (
    f"(CAST(COALESCE(t.document_id, t.id) AS bigint) * 2654435761 "
    f"%% {2 ** (SHUFFLE_BITS - TOGETHER_BITS)}) * {2**TOGETHER_BITS} + t.id %% {2**TOGETHER_BITS}"
)


def take(statement: str, parameters: Sequence[Any]) -> Any:
    """Lease one slot by a statement that is made of TAKE and a query for at most one task id: the
    row that it returns, or None.

    Picking and taking are one statement, so there is nothing between them to race for; on
    PostgreSQL it skips locked rows.
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchone()


def take_first(candidates: str, parameters: Sequence[Any]) -> tuple[int, int] | None:
    """Lease one slot of the first task that `candidates`, SQL, yields: (task id, rank), or None."""
    return take(f"{TAKE} ({candidates}) RETURNING task_id, rank", parameters)


def receive(task_id: int) -> None:
    """A leased slot is filled."""
    RECEIVE.run(task=task_id)


RECEIVE = compiled.Update(
    lambda task: (
        Demand.objects.plain().filter(task=task),
        {"leased": F("leased") - 1, "received": F("received") + 1},
    ),
    task=Demand.task,
)


def receive_late(task_id: int) -> bool:
    """An answer whose lease had expired fills a slot that is still open; False: none is."""
    return bool(
        Demand.objects.plain()
        .filter(task=task_id, open__gt=0)
        .update(open=F("open") - 1, received=F("received") + 1, ready=Q(open__gt=1))
    )


def give_back(task_ids: Iterable[int]) -> None:
    """Leased slots become open again, one for each mention of a task. Gold is not counted."""
    by_count: dict[int, list[int]] = {}
    for task_id, count in Counter(task_ids).items():
        by_count.setdefault(count, []).append(task_id)
    for count, tasks in sorted(by_count.items()):
        Demand.objects.plain().filter(task__in=tasks).update(
            leased=F("leased") - count, open=F("open") + count, ready=True
        )


def lease_again(task_id: int) -> bool:
    """An open slot is leased outside the order of ranks; False: none is open."""
    return bool(
        Demand.objects.plain()
        .filter(task=task_id, open__gt=0)
        .update(open=F("open") - 1, leased=F("leased") + 1, ready=Q(open__gt=1))
    )


# --- In bulk ------------------------------------------------------------------------------------


def create_gold_demands(campaign: Campaign, kinds: Mapping[int, int]) -> None:
    """Demands of gold: task id → Demand.Kind. Each wants one answer that is never counted."""
    draw = random.SystemRandom()
    Demand.objects.bulk_create(
        [
            Demand(
                task_id=task, campaign=campaign, kind=kind, rank=_rank(0, draw),
                wanted=1, open=1, ready=True,
            )
            for task, kind in kinds.items()
        ],
        batch_size=ROWS,
    )  # fmt: skip


def make_gold(campaign: Campaign, kinds: Mapping[int, int]) -> bool:
    """Plain tasks that nobody was given yet become gold: task id → Demand.Kind. False, and some of
    them gone, where one was given out: the caller's transaction has to be undone."""
    plain = Demand.objects.plain().filter(task__in=kinds)
    wanted = plain.count()
    untouched = list(plain.filter(task__assignments=None).values_list("pk", flat=True))
    # Asked of the rows themselves: one may be given out between the two statements.
    still = Demand.objects.filter(pk__in=untouched, leased=0, received=0)
    taken_away, _ = still.delete()
    if taken_away != wanted:
        return False
    create_gold_demands(campaign, kinds)
    return True


def offer_gold(task_id: int, offered: bool) -> None:
    """Give a gold question out, or no more. Its counts stay as they are: one, and open."""
    wanted = int(offered)
    Demand.objects.filter(task=task_id, kind__gt=Demand.Kind.PLAIN).update(
        wanted=wanted, open=wanted, ready=offered
    )


def order_gold(campaign: Campaign, task_ids: Sequence[int]) -> None:
    """Put hidden gold into this order, evenly: each question is drawn as often as another, and who
    has had one is given the next."""
    last = BUCKET // max(len(task_ids), 1)
    rows = [
        Demand(task_id=task, rank=(PRIORITIES - 1) * BUCKET + place * last)
        for place, task in enumerate(task_ids)
    ]
    Demand.objects.bulk_update(rows, ["rank"], batch_size=ROWS)


def create_demands(campaign: Campaign, wanted: int) -> int:
    """Give every task of the campaign that has none its Demand; how many were made.

    Ranks are shuffled; where an interface says so documents are, and their tasks stay together.
    Set-based, in short transactions: a million take seconds.
    """
    made = 0
    shuffle = (
        f"CAST(floor(random() * {BUCKET}) AS bigint)"
        if connection.vendor == "postgresql"
        else f"abs(random() %% {BUCKET})"  # doubled: parameters follow
    )
    if traits(campaign.interface).together:
        shuffle = TOGETHER
    for after, end in id_ranges("annotation_task", "campaign_id", campaign.pk):
        with transaction.atomic(), connection.cursor() as cursor:
            # ON CONFLICT and not NOT EXISTS: the planner takes a table that has just been filled
            # for an empty one, and would read all of it for every row.
            cursor.execute(
                "INSERT INTO annotation_demand (task_id, campaign_id, kind, priority, rank, "
                "wanted, open, leased, received, ready) "
                f"SELECT t.id, t.campaign_id, 0, 0, {(PRIORITIES - 1) * BUCKET} + {shuffle}, "
                "%s, %s, 0, 0, %s FROM annotation_task t "
                "WHERE t.campaign_id = %s AND t.id > %s AND t.id <= %s "
                "ORDER BY 5 "  # by rank: the index is filled in its order
                "ON CONFLICT (task_id) DO NOTHING",
                [wanted, wanted, wanted > 0, campaign.pk, after, end],
            )
            made += cursor.rowcount
    _analyze()
    return made


def add_slots(
    campaign: Campaign, task_ids: Iterable[int], count: int = 1, *, reopen: bool = True
) -> int:
    """Ask for `count` more answers of each task; how many tasks were changed.

    Never past max_redundancy in an open campaign; gold is left alone. Idempotency is the caller's:
    asked twice, two more answers are wanted. With `reopen` every worker starts again at the head.
    """
    changed = 0
    limit = Q() if campaign.is_assigned else Q(wanted__lte=campaign.max_redundancy - count)
    for batch in _in_order(task_ids):
        with transaction.atomic():
            locked = _locked(campaign, batch, limit)
            changed += Demand.objects.filter(task__in=locked).update(
                wanted=F("wanted") + count, open=F("open") + count, ready=True
            )
    if changed and reopen:
        start_over(campaign)
    return changed


def close_tasks(campaign: Campaign, task_ids: Iterable[int]) -> int:
    """Give out no more of these tasks; what is leased may still be submitted."""
    changed = 0
    for batch in _in_order(task_ids):
        with transaction.atomic():
            locked = _locked(campaign, batch, Q(open__gt=0))
            changed += Demand.objects.filter(task__in=locked).update(
                wanted=F("wanted") - F("open"), open=0, ready=False
            )
    return changed


class WrongPriority(CodedError, ValueError):
    """Out of the range that the table holds."""


def set_priorities(campaign: Campaign, priorities: Mapping[int, int]) -> int:
    """task id → priority, 0 (default) to 65535 (first). How many were changed.

    Only rows whose priority differs are written; at the end every worker starts at the head.
    """
    wrong = [p for p in priorities.values() if not 0 <= p < PRIORITIES]
    if wrong:
        raise WrongPriority("demand.priority", priority=wrong[0], most=PRIORITIES - 1)
    changed, draw = 0, random.SystemRandom()
    for batch in _in_order(priorities, CHANGED):
        with transaction.atomic():
            rows = list(
                Demand.objects.select_for_update()
                .filter(campaign=campaign, task__in=batch)
                .order_by("task")
                .only("task", "priority", "rank")
            )
            moved = [row for row in rows if row.priority != priorities[row.task_id]]
            for row in moved:
                row.priority = priorities[row.task_id]
                row.rank = _rank(row.priority, draw)
            if moved:
                changed += Demand.objects.bulk_update(moved, ["priority", "rank"])
    if changed:
        start_over(campaign)
    return changed


def restore_counts(campaign: Campaign, task_ids: Iterable[int], counts: Mapping) -> None:
    """Set leased and received to what the assignments say (integrity's repair)."""
    for batch in _in_order(task_ids):
        rows = Demand.objects.select_for_update().filter(campaign=campaign, task__in=batch)
        repaired = []
        for row in rows.order_by("task"):
            row.leased, row.received = counts[row.task_id]
            row.wanted = max(row.wanted, row.leased + row.received)
            row.open = row.wanted - row.leased - row.received
            row.ready = row.open > 0
            repaired.append(row)
        Demand.objects.bulk_update(repaired, ["wanted", "open", "leased", "received", "ready"])


def start_over(campaign: Campaign) -> None:
    """Send every worker back to the head of the order: new or freed slots may lie behind them."""
    Campaign.objects.filter(pk=campaign.pk).update(epoch=F("epoch") + 1)


def _rank(priority: int, draw: random.Random) -> int:
    return (PRIORITIES - 1 - priority) * BUCKET + draw.getrandbits(SHUFFLE_BITS)


def _in_order(task_ids: Iterable[int], size: int = ROWS) -> Iterator[list[int]]:
    """Batches in the order of ids, so that two bulk actions lock in the same order."""
    return batches(sorted(set(task_ids)), size)


def _locked(campaign: Campaign, batch: list[int], condition: Q) -> list[int]:
    return list(
        Demand.objects.plain()
        .select_for_update()
        .filter(condition, campaign=campaign, task__in=batch)
        .order_by("task")
        .values_list("task", flat=True)
    )


def _analyze() -> None:
    """Fresh statistics after a bulk insert, or the first claims get a plan for an empty table."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_demand")
        cursor.execute("ANALYZE annotation_task")
