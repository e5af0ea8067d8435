"""What judging takes, drawn and asked: the forecast of a period, and the tasks of a plan.

A plan moves on by its rows: killed between any two statements it goes on where it was, and asks
nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Avg, F, Q
from django.utils import timezone

from aggregation.knowledge.claim_tasks import build_claims
from annotation.actions import assignments, locks
from annotation.actions.bulk import batches
from annotation.actions.campaigns import NotReady, open_campaign
from annotation.formats.claims import Claim as AskedClaim
from annotation.formats.claims import Name
from annotation.interfaces.claim_parts import Part, asked_parts, parts_of
from annotation.models import Campaign, Demand, Task
from evaluation.actions.links import links_forecast
from evaluation.actions.plans import CannotPlan, check_budget, check_campaign
from evaluation.actions.submissions import ANSWERS, PAY
from evaluation.algorithms.predictions import Floats
from evaluation.arrays.claims import code_of, known_claims, save_claims_made, save_parts
from evaluation.arrays.plans import WIDTHS, DrawnClaims, count_new, draw_claims
from evaluation.arrays.pool import StandingPool, corpus_of, load_pool
from evaluation.arrays.recall import pairs_claimed, recall_sizes
from evaluation.models import (
    Claim,
    ClaimPart,
    Draw,
    EvaluationPeriod,
    SamplingPlan,
    Submission,
    SubmissionClaim,
    SystemScore,
)

BELIEVED = 0.7  # precision of a system of which nothing is known
AT_ONCE = 200  # claims
FIRST, STEP = 30_000, 1  # priorities of the first batch, and from one to the next
Advance = Callable[[int], None]


# --- What it takes --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Price:
    pay_mills: int
    answers: float  # to be expected for a claim
    most: int

    def mills(self, claims: int, answers: float) -> int:
        return round(claims * answers * self.pay_mills)


def forecast(period: EvaluationPeriod) -> dict[str, Any]:
    """Half-width → claims → money, for each metric and for all of them together; stored."""
    standing = load_pool(period)
    price = price_of(period.campaign)
    believed = believed_precisions(period, standing.submissions)
    known = set(_asked(period).values_list("code", flat=True))
    names = list(period.metrics)
    curves = {}
    if len(standing.pool.predictions.claim):
        for metrics in [*([name] for name in names), *([names] if len(names) > 1 else [])]:
            curves["+".join(metrics)] = [
                _point(period, standing, metrics, width, believed, price, known) for width in WIDTHS
            ]
    told = {
        "submissions": sorted(str(row.key) for row in standing.submissions),
        "pool": standing.pool.version,
        "claims": int(standing.pool.predictions.n_claims),
        "asked": len(known),
        "pay_mills": price.pay_mills,
        "answers": price.answers,
        "most_answers": price.most,
        "currency": period.campaign.currency if period.campaign else "USD",
        "believed": [round(float(one), 3) for one in believed],
        "curves": curves,
        "recall": recall_sizes(standing, period),
        "documents_in_all": len(corpus_of(period)),
        "pairs_claimed": pairs_claimed(standing),
        "links": links_forecast(period),
        "made_at": timezone.now().isoformat(),
    }
    EvaluationPeriod.objects.filter(pk=period.pk).update(forecast=told)
    period.forecast = told
    return told


def _point(
    period: EvaluationPeriod, standing: StandingPool, metrics: list[str], width: float,
    believed: Floats, price: Price, known: set[str],
) -> dict[str, Any]:  # fmt: skip
    cases = {}
    for case, precisions in (("most", None), ("expected", believed)):
        drawn = draw_claims(period, standing, metrics, width, precisions)
        claims = count_new(standing, drawn, known)
        cases[case] = {
            "claims": claims,
            "mills": price.mills(claims, price.answers),
            "most_mills": price.mills(claims, price.most),
        }
    return {"width": width, "claims_in_all": int(standing.pool.predictions.n_claims), **cases}


def price_of(campaign: Campaign | None) -> Price:
    """How many answers a claim has got so far says how many the next will; before the first, the
    campaign's redundancy does."""
    if campaign is None:
        return Price(PAY, ANSWERS, ANSWERS)
    rests = Demand.objects.plain().filter(campaign=campaign, open=0, leased=0, received__gt=0)
    mean = rests.aggregate(mean=Avg("received"))["mean"]
    most = campaign.redundancy if campaign.wanted is None else campaign.max_redundancy
    return Price(campaign.pay_mills, float(mean or campaign.redundancy), most)


def believed_precisions(period: EvaluationPeriod, rows: Iterable[Submission]) -> Floats:
    """By the last score of each system in this period."""
    scores = SystemScore.objects.filter(
        snapshot__period=period, precision__isnull=False, metric=(period.metrics or ["instance"])[0]
    )
    last = dict(scores.order_by("snapshot__number").values_list("submission__system", "precision"))
    return np.array([last.get(row.system_id, BELIEVED) for row in rows], dtype=np.float64)


def _asked(period: EvaluationPeriod) -> Any:
    """Claims about whose relation somebody was asked."""
    parts = ClaimPart.objects.filter(
        Q(task__isnull=False) | Q(labels__isnull=False), part=ClaimPart.Part.RELATION,
        claim__period=period,
    )  # fmt: skip
    return Claim.objects.filter(pk__in=parts.values("claim"))


# --- Drawing --------------------------------------------------------------------------------------


def ask(plan: SamplingPlan, *, advance: Advance = lambda number: None) -> SamplingPlan:
    """Go on with a plan until all of its tasks are made. `advance` is told of claims. What keeps it
    from going on stands in its row too. Raises CannotPlan, ValueError, or locks.Held."""
    with locks.hold(f"evaluation:{plan.period.key}"):
        related = SamplingPlan.objects.select_related("period__project", "period__campaign")
        row = related.get(pk=plan.pk)
        try:
            if row.state == SamplingPlan.State.DRAWING:
                _draw(row)
            if row.state == SamplingPlan.State.ASKING:
                _make_tasks(row, advance)
        except ValueError as error:
            SamplingPlan.objects.filter(pk=row.pk).update(problem=str(error))
            raise
        return row


def _draw(plan: SamplingPlan) -> None:
    period = plan.period
    campaign = check_campaign(period)
    standing = load_pool(period, details=True)
    if not len(standing.pool.predictions.claim):
        raise CannotPlan("plan.nothing", period=period.name)
    believed = None
    if not plan.is_conservative:
        believed = believed_precisions(period, standing.submissions)
    drawn = draw_claims(period, standing, plan.metrics, plan.half_width, believed)
    asked = set(_asked(period).values_list("code", flat=True))
    new, price = count_new(standing, drawn, asked), price_of(campaign)
    expected = price.mills(new, price.answers)
    check_budget(campaign, expected)
    with transaction.atomic():
        _save_claims(period, standing, drawn)
        known = known_claims(period)
        for place, row in enumerate(standing.submissions):
            save_claims_made(row, standing.claims[place], known)
            _save_draws(plan, standing, drawn, place, known)
        plan.state, plan.problem = SamplingPlan.State.ASKING, ""
        plan.pool_version = standing.pool.version
        plan.drawn, plan.known = len(drawn.claims), len(drawn.claims) - new
        plan.expected_mills, plan.most_mills = expected, price.mills(new, price.most)
        plan.save()
        plan.submissions.set(standing.submissions)


def _save_claims(period: EvaluationPeriod, standing: StandingPool, drawn: DrawnClaims) -> None:
    pool, documents = standing.pool, corpus_of(period)
    for batch in batches(zip(drawn.claims.tolist(), drawn.numbers.tolist(), strict=True), 1_000):
        rows = []
        for x, number in batch:
            name = pool.documents[pool.document[x]]
            a, b, c, d = pool.spans[x].tolist()
            rows.append(
                Claim(
                    period=period, code=code_of(int(pool.keys[x])), document_id=documents[name],
                    document_name=name, relation=standing.directions.names[pool.relation[x]],
                    subject_start=a, subject_end=b, object_start=c, object_end=d, number=number,
                )
            )  # fmt: skip
        Claim.objects.bulk_create(rows, ignore_conflicts=True)


def _save_draws(
    plan: SamplingPlan, standing: StandingPool, drawn: DrawnClaims, place: int,
    known: dict[str, int],
) -> None:  # fmt: skip
    """Those of one submission: the claims whose number lies below its own probability."""
    pool = standing.pool
    number = np.full(pool.predictions.n_claims, np.inf)
    number[drawn.claims] = drawn.numbers
    part = slice(*pool.predictions.starts[place : place + 2])
    claims, own = pool.predictions.claim[part], drawn.own[part]
    mine = number[claims] < own
    keys = pool.keys[claims[mine]]
    metric = "+".join(plan.metrics)
    for batch in batches(zip(keys.tolist(), own[mine].tolist(), strict=True), 1_000):
        Draw.objects.bulk_create(
            [
                Draw(
                    plan=plan, submission=standing.submissions[place], metric=metric,
                    claim_id=known[code_of(key)], probability=probability,
                )
                for key, probability in batch
            ]
        )  # fmt: skip
    save_parts(standing.claims[place], known, keys)


# --- Asking ---------------------------------------------------------------------------------------


def _make_tasks(plan: SamplingPlan, advance: Advance) -> None:
    """In batches, the likeliest to be drawn again first: any beginning of them is a sample."""
    period = plan.period
    campaign = check_campaign(period)
    standing = Submission.objects.standing().filter(period=period)
    wanted = SubmissionClaim.objects.filter(submission__in=standing).values("claim")
    waiting = ClaimPart.objects.filter(
        claim__draws__plan=plan, claim__in=wanted, task=None, labels=None
    )
    claims = list(
        Claim.objects.in_corpus()
        .filter(pk__in=waiting.values("claim"))
        .drawn()
        .order_by(F("number") / F("inclusion"), "pk")
    )
    first = plan.number * 1_000
    for place, batch in enumerate(batches(claims, AT_ONCE)):
        made = _ask_about(plan, campaign, batch, priority=max(FIRST - first - place * STEP, 1))
        SamplingPlan.objects.filter(pk=plan.pk).update(made=F("made") + made)
        advance(len(batch))
    if campaign.state == Campaign.State.DRAFT and campaign.tasks.exists():
        try:
            open_campaign(campaign, user=plan.created_by)
        except NotReady as error:
            raise CannotPlan("plan.not_ready", campaign=campaign.slug, why=error) from error
    lost = waiting.filter(part=ClaimPart.Part.RELATION).values("claim").distinct().count()
    plan.refresh_from_db(fields=["made"])
    plan.state, plan.lost, plan.asked_at = SamplingPlan.State.ASKED, lost, timezone.now()
    plan.problem = ""
    plan.save(update_fields=["state", "lost", "asked_at", "problem"])


def _ask_about(
    plan: SamplingPlan, campaign: Campaign, claims: list[Claim], *, priority: int
) -> int:
    """How many tasks came of it. Parts that the campaign asks already are joined to their task."""
    made = SubmissionClaim.objects.filter(
        claim__in=claims, submission__draws__plan=plan, submission__draws__claim=F("claim")
    ).distinct()
    order = {claim.pk: place for place, claim in enumerate(claims)}
    rows = sorted(made, key=lambda row: (order[row.claim_id], row.pk))
    built = build_claims(campaign, _asked_claims(rows, claims))
    tasks = _tasks_by_part(campaign, {claim.document_id for claim in claims})
    waiting = ClaimPart.objects.filter(claim__in=claims, task=None).select_related("claim")
    joined = []
    for row in waiting:
        row.task_id = tasks.get((row.claim.document_id, _part(row)))
        if row.task_id is not None:
            joined.append(row)
    ClaimPart.objects.bulk_update(joined, ["task"], batch_size=500)
    new = {row.task_id: priority for row in joined if row.task_id}
    assignments.set_priorities(campaign, _untouched(campaign, new))
    return built.made


def _asked_claims(rows: Iterable[SubmissionClaim], claims: list[Claim]) -> Iterator[AskedClaim]:
    """As each of the submissions has it: types, links and provenance may differ."""
    by_key = {claim.pk: claim for claim in claims}
    for row in rows:
        claim = by_key[row.claim_id]
        yield AskedClaim(
            row.line, claim.document_name,
            Name(claim.subject_start, claim.subject_end, row.subject_type,
                 row.subject_link or None),
            claim.relation,
            Name(claim.object_start, claim.object_end, row.object_type, row.object_link or None),
            tuple((start, end) for start, end in row.provenance),
        )  # fmt: skip


def _tasks_by_part(
    campaign: Campaign, documents: set[int | None]
) -> dict[tuple[int | None, Part], int]:
    rows = Task.objects.plain().filter(campaign=campaign, document__in=documents)
    found: dict[tuple[int | None, Part], int] = {}
    for pk, document, payload in rows.order_by("pk").values_list("pk", "document", "payload"):
        if payload.get("predicted"):
            for part in asked_parts(payload).values():
                found.setdefault((document, part), pk)
    return found


def _part(row: ClaimPart) -> Part:
    """As interfaces.claim_parts tells it apart within its document."""
    claim = row.claim
    sides: dict[str, dict[str, Any]] = {
        "subject": {"start": claim.subject_start, "end": claim.subject_end},
        "object": {"start": claim.object_start, "end": claim.object_end},
    }
    if row.value:
        side, what = row.part.removesuffix("_ok").split("_")
        sides[side][what] = row.value if what == "type" else {"key": row.value}
    return parts_of({**sides, "predicted": claim.relation})[row.part]  # type: ignore[index]


def _untouched(campaign: Campaign, priorities: dict[int, int]) -> dict[int, int]:
    """Those that have no priority yet: a task that an earlier plan asked for keeps its place."""
    rows = Demand.objects.filter(campaign=campaign, task__in=priorities, priority=0)
    return {pk: priorities[pk] for pk in rows.values_list("task", flat=True)}
