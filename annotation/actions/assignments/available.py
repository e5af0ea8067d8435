"""How many tasks a worker could still get: an estimate for their page, at a bounded cost.

It falls by one with every answer, whatever the task was. A count of plain tasks alone would stand
still while they answer hidden gold, and so tell it from the rest; a count with all of the gold
would name questions that nobody gets any more once the plain tasks are done. So the gold that a
worker meets on their way through all plain tasks is added, and what they had of it is taken off.
That is the average: near the end, whoever got more gold than it sees the number wait at one more,
and whoever got less sees it fall to nothing at once; both whatever the task was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from annotation.actions.assignments.claim import first_state, why_not
from annotation.actions.assignments.picking import HEAD, allotted_to, held_by
from annotation.actions.assignments.qualification import AT_IT
from annotation.models import Assignment, Campaign, Demand, Enrollment

MOST = 200  # counted one by one
NOBODY = 0  # no row has this key
STEPS = (5, 10, 20, 50, 100, MOST)  # of what is told before anybody joins
LOOKED_AT = 1_000  # rows of each part of the order, also those that the worker has had


@dataclass(frozen=True, slots=True)
class Available:
    """`count` with the task that they hold now; with `more` there are more, or may be."""

    count: int
    more: bool


def tasks_available(enrollment: Enrollment) -> Available:
    """At most five queries, none of which grows with the campaign."""
    held = int(Assignment.objects.live().filter(enrollment=enrollment).exists())
    if why_not(enrollment) not in ("", "consent"):
        return Available(held, False)
    if enrollment.campaign.is_assigned:
        found = _count_allotted(enrollment)
    else:
        found = _count_open(enrollment, held)
    return _bounded(enrollment, found, held)


def tasks_for_newcomer(campaign: Campaign) -> int | None:
    """How many `tasks_available` would tell somebody who joined an open campaign now, at least:
    the largest of `STEPS` that is no more, and None below the first; 0 where there is none, and
    nobody holds one either, which may come back; at most four queries. Everybody
    may ask as often as they like, and a number that stood still with a claim, or with an answer,
    would tell which task was hidden gold. None where tasks are allotted by name."""
    state = first_state(campaign)
    is_closed = campaign.open_to == Campaign.OpenTo.SELECTED and state == Enrollment.State.QUALIFIED
    if campaign.is_assigned or is_closed:
        return None
    newcomer = Enrollment(
        pk=NOBODY, worker_id=NOBODY, campaign=campaign, state=state,
        epoch=campaign.epoch, cursor=HEAD,
    )  # fmt: skip
    found = _bounded(newcomer, _count_open(newcomer, held=0), held=0)
    if found.count == 0 and not Assignment.objects.live().filter(task__campaign=campaign).exists():
        return 0
    return max((step for step in STEPS if step <= found.count), default=None)


def _bounded(enrollment: Enrollment, found: Available, held: int) -> Available:
    """No more than is counted, or paid for."""
    count = min(found.count + held, MOST)
    more = found.more or found.count + held > MOST
    if (affordable := _affordable(enrollment)) is not None and affordable + held <= count:
        return Available(affordable + held, False)
    return Available(count, more)


def _count_allotted(enrollment: Enrollment) -> Available:
    """What the list still holds for them, and what ran out: they get that again."""
    fresh = allotted_to(enrollment).values("task")[: MOST + 1]
    expired = Assignment.objects.expired().filter(enrollment=enrollment, task__demand__ready=True)
    again = expired.values("pk")[: MOST + 1]
    count = len(fresh) + len(again)
    return Available(count, count > MOST)


def _count_open(enrollment: Enrollment, held: int) -> Available:
    campaign = enrollment.campaign
    starts_over = enrollment.epoch != campaign.epoch
    cursor = HEAD if starts_over else enrollment.cursor
    plain, more = _ready(enrollment, Demand.Kind.PLAIN, Q(rank__gt=cursor))
    if cursor != HEAD and not more:  # a claim that finds no more begins again at the head
        before, more = _ready(enrollment, Demand.Kind.PLAIN, Q(rank__lte=cursor))
        plain += before
    count = plain
    if plain and not more and campaign.gold_every > 1:
        count = max(1, plain + _gold_ahead(enrollment, plain))
    return Available(count + _before_the_work(enrollment, held), more)


def _before_the_work(enrollment: Enrollment, held: int) -> int:
    """Practice and test tasks of this try, without the one that they hold."""
    campaign = enrollment.campaign
    if enrollment.state not in AT_IT:
        return 0
    exam = max(0, campaign.exam_size - enrollment.exam_seen)
    if enrollment.state == Enrollment.State.EXAM:
        return max(0, exam - held)
    left = max(0, campaign.training_size - enrollment.training_seen - held)
    return exam + min(left, _ready(enrollment, Demand.Kind.TRAINING, Q())[0])


def _ready(enrollment: Enrollment, kind: int, part: Q) -> tuple[int, bool]:
    """How many ready tasks of a part of the order the worker never had, and whether all were
    looked at."""
    rows = (
        Demand.objects.ready()
        .filter(part, campaign=enrollment.campaign_id, kind=kind)
        .annotate(mine=held_by(enrollment.worker_id))
        .order_by("rank")
        .values_list("mine", flat=True)[:LOOKED_AT]
    )
    new = sum(mine is None for mine in rows)
    return new, len(rows) == LOOKED_AT or new > MOST


def _gold_ahead(enrollment: Enrollment, plain: int) -> int:
    """Hidden gold that is still to come among `plain` tasks; below 0 where they had more of it than
    the average. A claim, of either kind, leaves the sum of the two terms as it was."""
    gold = Demand.objects.ready().filter(campaign=enrollment.campaign_id, kind=Demand.Kind.HIDDEN)
    had: list[Any] = list(
        gold.annotate(mine=held_by(enrollment.worker_id)).values_list("mine", flat=True)[:LOOKED_AT]
    )
    given = len(had) - had.count(None)
    if enrollment.campaign.exam_is_hidden:  # the test's were not met on the way
        given -= enrollment.exam_seen + enrollment.tries * enrollment.campaign.exam_size
    given = max(0, given)
    behind = 0
    if enrollment.pk != NOBODY:
        behind = Assignment.objects.filter(enrollment=enrollment).count() - given
    met = min(len(had), (behind + plain) // (enrollment.campaign.gold_every - 1))
    return met - given


def _affordable(enrollment: Enrollment) -> int | None:
    """How many tasks the budget and their allowance still pay; None where there is no limit."""
    campaign: Campaign = enrollment.campaign
    if not campaign.pay_mills or campaign.budget_mills is None:
        return None
    left = max(0, campaign.budget_mills - campaign.committed_mills)
    return (left + enrollment.allowance_mills) // campaign.pay_mills
