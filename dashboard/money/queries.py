"""What a campaign costs: by stage and by worker, what is promised and to whom, what an hour pays.

From counters, rolled-up hours and the few lines of the ledger that are not simply earned: a fixed
number of queries that do not grow with the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce

from aggregation.interfaces import words_of
from aggregation.models import Consensus, WorkerReliability
from aggregation.queries.runs import RunSummary, latest_run
from annotation.models import Assignment, Campaign, CampaignForecast, Enrollment, Payment, Rollup
from annotation.queries.worker_names import worker_name
from dashboard.campaigns.forecast import cost_forecast
from dashboard.campaigns.queries import WorkerRow, per_hour, worker_row
from dashboard.templatetags.figures import money_places

ROWS = 50  # workers whose cost is shown, those who earned most first
PROMISED_TO = 20  # workers to whom something is promised
HOUR = 3_600
BATCHES = {"word": 1_000}  # of what costs less than a tenth of a cent: the price of so many is told
STAGES = {
    "answers": "Answers that count",
    "gold": "Gold questions: practice, exam and hidden",
    "late": "Late answers, to tasks that were full",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """`mills`: of what was earned, by the number of answers."""

    name: str
    answers: int
    mills: float
    a_label: float | None  # for each accepted label


@dataclass(frozen=True, slots=True)
class Promise:
    enrollment: Enrollment
    name: str
    leased: int  # for the task that they hold
    allowance: int  # for their next tasks

    @property
    def mills(self) -> int:
        return self.leased + self.allowance


@dataclass(frozen=True, slots=True)
class WorkerCost:
    row: WorkerRow
    accepted: float | None  # judgments of theirs that agree with the consensus, as the run expects
    each: float | None  # mills for a batch of them
    is_below: bool  # the floor


@dataclass(frozen=True, slots=True)
class MoneyPage:
    """In mills."""

    earned: int
    paid: int  # of what was earned, as the ledger says
    unfunded: int  # earned when the budget was used up
    rejected: int  # of rejected answers, still reserved
    promised: int
    left: int | None  # None: no budget
    cost: CampaignForecast | None  # None where no more is to come, or nobody can tell
    accepted: int | None  # labels; None: no run tells
    a_label: float | None
    label: str  # what one is
    judged: str  # what a worker is right or wrong about
    batch: int  # of those whose price is told
    stages: Sequence[Stage]
    promises: Sequence[Promise]
    more_promises: bool
    workers: Sequence[WorkerCost]
    worker_count: int  # who have submitted something
    below: int  # of them, under the floor
    an_hour: int | None  # what an hour of active time has paid, of all workers
    run: RunSummary | None

    @property
    def owed(self) -> int:
        return self.earned - self.paid

    @property
    def places(self) -> dict[str, int]:
        """Column → places of its amounts."""
        return {
            "cost": money_places(one.mills for one in self.stages),
            "a_label": money_places(one.a_label for one in self.stages),
            "leased": money_places(one.leased for one in self.promises),
            "allowance": money_places(one.allowance for one in self.promises),
            "together": money_places(one.mills for one in self.promises),
            "earned": money_places(one.row.earned_mills for one in self.workers),
            "an_hour": money_places(one.row.mills_an_hour for one in self.workers),
            "each": money_places(one.each for one in self.workers),
        }


def money_page(campaign: Campaign) -> MoneyPage:
    """Ten queries at most; `campaign` comes with its forecast."""
    enrollments = Enrollment.objects.filter(campaign=campaign)
    floor = campaign.floor_mills
    sums = enrollments.aggregate(
        earned=Coalesce(Sum("earned_mills"), 0),
        active=Coalesce(Sum("seconds"), 0.0),
        workers=Count("pk", filter=Q(submitted__gt=0)),
        below=Count("pk", filter=_is_below(floor)),
    )
    earned: int = sums["earned"]
    beside = Payment.objects.beside_earned().filter(campaign=campaign).order_by()
    by_state = dict(beside.values_list("state").annotate(Sum("mills")))
    rejected = by_state.get(Payment.State.REJECTED, 0)
    run = latest_run(campaign)
    accepted = _accepted(campaign, run)
    promises = _promises(campaign)
    judged = words_of(campaign.interface).judged
    batch = BATCHES.get(judged, 1)
    promised = campaign.committed_mills - earned - rejected
    return MoneyPage(
        earned=earned,
        paid=sum(by_state.get(state, 0) for state in (Payment.State.SENT, Payment.State.PAID)),
        unfunded=by_state.get(Payment.State.UNFUNDED, 0),
        rejected=rejected,
        promised=max(promised, 0),
        left=None
        if campaign.budget_mills is None
        else campaign.budget_mills - campaign.committed_mills,
        cost=cost_forecast(campaign),
        accepted=accepted,
        a_label=earned / accepted if accepted else None,
        label="task",
        judged=judged,
        batch=batch,
        stages=_stages(campaign, earned, accepted),
        promises=promises[:PROMISED_TO],
        more_promises=len(promises) > PROMISED_TO,
        workers=_workers(campaign, run, floor, batch),
        worker_count=sums["workers"],
        below=sums["below"],
        an_hour=per_hour(earned, sums["active"]),
        run=run,
    )


def _is_below(floor: int | None) -> Q:
    paid_less = Q(seconds__gt=F("earned_mills") * (HOUR / floor)) if floor else Q(pk=None)
    return Q(submitted__gt=0, seconds__gt=0) & paid_less


def _accepted(campaign: Campaign, run: RunSummary | None) -> int | None:
    """Tasks of the latest run in which little is expected to be wrong, or that a person has
    decided. Two queries."""
    if run is None or run.facts.expected_errors is None:
        return None
    rows = Consensus.objects.of_run(run.key)
    doubtful = rows.filter(expected_errors__gte=words_of(campaign.interface).disputed)
    return (
        rows.sure(campaign).count() + doubtful.filter(task__adjudication__is_complete=True).count()
    )


def _stages(campaign: Campaign, earned: int, accepted: int | None) -> list[Stage]:
    """One query."""
    sums = Rollup.objects.filter(campaign=campaign).aggregate(
        **{name: Coalesce(Sum(name), 0) for name in STAGES}
    )
    total = sum(sums.values())
    found = []
    for name, words in STAGES.items():
        if sums[name]:
            mills = earned * sums[name] / total
            found.append(Stage(words, sums[name], mills, mills / accepted if accepted else None))
    return found


def _promises(campaign: Campaign) -> list[Promise]:
    """One more than is shown. Two queries."""
    leases = Assignment.objects.live().filter(enrollment__campaign=campaign).order_by()
    leased: dict[int, int] = dict(leases.values_list("enrollment").annotate(Sum("pay_mills")))
    holders = Enrollment.objects.filter(
        Q(allowance_mills__gt=0) | Q(pk__in=leases.values("enrollment")), campaign=campaign
    ).select_related("worker", "campaign")
    found = [
        Promise(row, worker_name(row, with_ids=True), leased.get(row.pk, 0), row.allowance_mills)
        for row in holders.order_by("-allowance_mills", "pk")[: PROMISED_TO + 1]
    ]
    return sorted((one for one in found if one.mills), key=lambda one: (-one.mills, one.name))


def _workers(
    campaign: Campaign, run: RunSummary | None, floor: int | None, batch: int
) -> list[WorkerCost]:
    """Two queries."""
    rows = list(
        Enrollment.objects.with_answers()
        .filter(campaign=campaign)
        .select_related("worker", "campaign")
        .order_by("-earned_mills", "pk")[:ROWS]
    )
    accepted = _accepted_of(run, [row.worker_id for row in rows])
    return [_worker_cost(row, accepted.get(row.worker_id), floor, batch) for row in rows]


def _worker_cost(
    row: Enrollment, accepted: float | None, floor: int | None, batch: int
) -> WorkerCost:
    shown = worker_row(row, with_ids=True)
    return WorkerCost(
        shown,
        accepted,
        batch * row.earned_mills / accepted if accepted else None,
        is_below=bool(floor and row.seconds and row.earned_mills * HOUR < floor * row.seconds),
    )


def _accepted_of(run: RunSummary | None, workers: Iterable[int]) -> dict[int, float]:
    if run is None:
        return {}
    rows = WorkerReliability.objects.filter(
        run__key=run.key, worker__in=workers, accuracy__isnull=False
    )
    known = rows.values_list("worker", "judged", "accuracy")
    return {worker: judged * (accuracy or 0) for worker, judged, accuracy in known}
