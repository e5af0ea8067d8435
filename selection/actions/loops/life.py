"""What people do with a labelling loop: set it up, change it, pause it, stop it. No numerics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.actions import audit
from annotation.actions.campaigns import (
    WrongState,
    close_campaign,
    create_shared_budget,
    join_shared_budget,
    open_campaign,
    pause_campaign,
    resize_shared_budget,
)
from annotation.interfaces import categorical, traits
from annotation.models import Campaign, Document, ImportedAnswer, Project
from annotation.sentences import CodedError
from selection.methods.words import (
    DEFAULT,
    LOOP_LEARNERS,
    LOOP_METRICS,
    NONE,
    PICKER_SETTINGS,
    STARTS,
    loop_pickers,
)
from selection.models import LabellingLoop, LoopRound
from selection.sentences import CATALOGUE

LEAST_SAMPLE, SAMPLE_SHARE = 100, 0.1  # documents; of what the budget pays for
LEAST_GOLD = 20  # documents with known answers
FIRST_GUESS = 0.25  # of the way from the least to the most answers, before anything is known
EVALUATIONS = tuple(LabellingLoop.Evaluation.values)
State = LabellingLoop.State


class CannotLoop(CodedError, ValueError):
    """A loop can't be made, or go on, like this; the message says what to do."""

    catalogue = CATALOGUE


# --- What an answer costs -----------------------------------------------------------------------


def answer_mills(campaign: Campaign) -> float:
    """What one answer to a plain task costs: hidden gold is paid as well."""
    every = campaign.gold_every
    return campaign.pay_mills * (1 + 1 / (every - 1) if every > 1 else 1.0)


def answers_wanted(campaign: Campaign) -> tuple[int, int]:
    """The least and the most of one task."""
    adaptive = campaign.wanted is not None
    return campaign.redundancy, campaign.max_redundancy if adaptive else campaign.redundancy


def first_item_mills(campaign: Campaign) -> float:
    """What a document will cost, as long as none is labelled."""
    least, most = answers_wanted(campaign)
    return (least + FIRST_GUESS * (most - least)) * answer_mills(campaign)


# --- Set up -------------------------------------------------------------------------------------


def create_loop(
    project: Project, *, name: str, campaign: Campaign, budget_mills: int, start: str = STARTS[0],
    start_size: int = 100, picker: str = DEFAULT, parameters: Mapping[str, Any] | None = None,
    batch_size: int = 50, learner: str = "", evaluation: str = "sample", metric: str = "",
    deadline: datetime | None = None, goal: float | None = None, least_gain: float | None = None,
    most_changed: float | None = None, suggests: bool = False, seed: int = 0, user: Any = None,
) -> LabellingLoop:  # fmt: skip
    """A loop that runs: `advance` picks the first documents and opens the campaign, a draft without
    tasks, on them. The campaign spends of the loop's budget from now on. Raises CannotLoop.
    """
    _check_campaign(project, campaign)
    kind = campaign.interface
    loop = LabellingLoop(
        project=project, name=name.strip() or campaign.name, campaign=campaign, start=start,
        start_size=start_size, picker=picker, parameters=dict(parameters or {}),
        batch_size=batch_size, learner=learner or LOOP_LEARNERS[kind][0], evaluation=evaluation,
        metric=metric or LOOP_METRICS[kind][0], deadline=deadline, goal=goal,
        least_gain=least_gain, most_changed=most_changed, suggests=suggests, seed=seed,
        created_by=user,
    )  # fmt: skip
    _check_components(loop)
    documents, known = _documents(project, kind)
    if evaluation == LabellingLoop.Evaluation.SAMPLE:
        loop.sample_size = sample_size(campaign, budget_mills)
        if documents <= loop.sample_size:
            raise CannotLoop("loop.few_documents", number=documents, sample=loop.sample_size)
    elif known < LEAST_GOLD:
        raise CannotLoop("loop.few_gold", number=known, least=LEAST_GOLD)
    if not documents:
        raise CannotLoop("loop.no_documents")
    _check_budget(loop, budget_mills)
    try:
        with transaction.atomic():
            loop.budget = create_shared_budget(project, budget_mills, campaign.currency)
            Campaign.objects.filter(pk=campaign.pk).update(chosen_documents=True)
            join_shared_budget(campaign, loop.budget, user=user)
            loop.save()
            audit.record(
                project, "create loop", loop.name, user=user,
                after={"budget_mills": budget_mills, "campaign": campaign.slug},
            )  # fmt: skip
    except IntegrityError as error:
        raise CannotLoop("loop.campaign_taken", campaign=campaign.slug) from error
    except WrongState as error:
        raise CannotLoop("loop.campaign_refused", why=error) from error
    campaign.chosen_documents = True
    return loop


def sample_size(campaign: Campaign, budget_mills: int) -> int:
    """Of the random sample that a loop labels to be measured by."""
    paid_for = budget_mills / first_item_mills(campaign)
    return max(LEAST_SAMPLE, math.ceil(SAMPLE_SHARE * paid_for))


def _check_campaign(project: Project, campaign: Campaign) -> None:
    slug = campaign.slug
    if campaign.project_id != project.pk:
        raise CannotLoop("loop.other_project", campaign=slug)
    if campaign.interface not in LOOP_LEARNERS:
        raise CannotLoop(
            "loop.interface", interface=campaign.interface, interfaces=list(LOOP_LEARNERS)
        )
    says = categorical(campaign.interface)
    if says is not None and not says.classes(project.schema, campaign.options):
        raise CannotLoop("loop.scale", campaign=slug)
    if campaign.state != Campaign.State.DRAFT or campaign.tasks.exists():
        raise CannotLoop("loop.campaign_begun", campaign=slug, state=campaign.state)
    if campaign.is_assigned:
        raise CannotLoop("loop.assigned", campaign=slug)
    if campaign.pay_mills <= 0:
        raise CannotLoop("loop.no_pay", campaign=slug)


def _check_components(loop: LabellingLoop) -> None:
    kind = loop.campaign.interface
    for field, value, known in (
        ("start", loop.start, (*STARTS, NONE)),
        ("picker", loop.picker, loop_pickers(kind)),
        ("learner", loop.learner, LOOP_LEARNERS[kind]),
        ("evaluation", loop.evaluation, EVALUATIONS),
        ("metric", loop.metric, LOOP_METRICS[kind]),
    ):
        if value not in known:
            raise CannotLoop("loop.component", field, field=field, value=value, known=list(known))
    if loop.suggests and not traits(kind).suggestions:
        raise CannotLoop("loop.suggests", "suggests", interface=kind)
    for field in ("start_size", "batch_size"):
        if getattr(loop, field) < 1:
            raise CannotLoop("loop.size", field, field=field, value=getattr(loop, field))
    for field in ("goal", "least_gain", "most_changed"):
        share = getattr(loop, field)
        if share is not None and not 0 <= share <= 1:
            raise CannotLoop("loop.share", field, field=field, value=share)
    if loop.goal == 0:
        raise CannotLoop("loop.share", "goal", field="goal", value=0)
    if loop.seed < 0:
        raise CannotLoop("loop.seed", "seed", value=loop.seed)
    settings = PICKER_SETTINGS[loop.picker]
    for name, value in loop.parameters.items():
        if name not in settings:
            raise CannotLoop(
                "loop.parameter_name", "parameters", picker=loop.picker, name=name,
                known=list(settings),
            )  # fmt: skip
        if isinstance(value, str) != isinstance(settings[name], str):
            raise CannotLoop("loop.parameter_value", "parameters", name=name, value=value)


def _check_budget(loop: LabellingLoop, mills: int) -> None:
    """It has to pay for the sample, if there is one, and for one document to learn from."""
    one = first_item_mills(loop.campaign)
    least = math.ceil((loop.sample_size + 1) * one)
    if mills < least:
        money = {"money": mills / 1000, "least": least / 1000, "currency": loop.campaign.currency}
        if loop.sample_size:
            raise CannotLoop("loop.budget_sample", "budget", sample=loop.sample_size, **money)
        raise CannotLoop("loop.budget_item", "budget", **money)


def _documents(project: Project, kind: str) -> tuple[int, int]:
    """How many documents there are to label, and how many whose answer is known."""
    known = ImportedAnswer.objects.gold_for(kind).visible().filter(document__project=project)
    visible = Document.objects.visible().filter(project=project)
    gold = known.values("document").distinct().count()
    return visible.count() - gold, gold


# --- Changed ------------------------------------------------------------------------------------

CHANGEABLE = frozenset(
    {
        "name", "picker", "parameters", "batch_size", "learner", "deadline", "goal",
        "least_gain", "most_changed", "suggests", "budget_mills", "campaign",
    }
)  # fmt: skip


def change_loop(loop: LabellingLoop, *, user: Any = None, **changes: Any) -> list[str]:
    """Another picker, learner, campaign, batch, stopping condition or budget, from the next round
    on; the names of what differs now. A new picker has its own settings, unless some are given.
    Raises CannotLoop."""
    if strange := sorted(changes.keys() - CHANGEABLE):
        raise CannotLoop("loop.fixed", fields=strange)
    with transaction.atomic():
        row = _locked(loop)
        if row.is_over:
            raise CannotLoop("loop.over", loop=row.name, state=row.state)
        mills, campaign = changes.pop("budget_mills", None), changes.pop("campaign", None)
        if changes.get("picker", row.picker) != row.picker:
            changes.setdefault("parameters", {})
        before = {name: getattr(row, name) for name in changes}
        for name, value in changes.items():
            setattr(row, name, value)
        after = {name: changes[name] for name in before if before[name] != changes[name]}
        if campaign is not None and campaign.pk != row.campaign_id:
            before["campaign"], after["campaign"] = row.campaign.slug, campaign.slug
            _replace_campaign(row, campaign, user)
        _check_components(row)
        if mills is not None and mills != row.budget.mills:
            before["budget_mills"], after["budget_mills"] = row.budget.mills, mills
            try:
                resize_shared_budget(row.budget, mills, row.campaign, user=user)
            except WrongState as error:
                raise CannotLoop("loop.budget_refused", "budget", why=error) from error
        if after:
            row.problem = ""
            row.save()
            audit.record(
                row.project, "change loop", row.name, user=user,
                before={name: _told(before[name]) for name in after},
                after={name: _told(value) for name, value in after.items()},
            )  # fmt: skip
    loop.refresh_from_db()
    return sorted(after)


def _replace_campaign(row: LabellingLoop, campaign: Campaign, user: Any) -> None:
    """The old one goes on with what it has, to the end of its round; what is not published yet is
    labelled by the new one."""
    _check_campaign(row.project, campaign)
    if campaign.interface != row.campaign.interface:
        raise CannotLoop("loop.other_interface", "campaign", interface=row.campaign.interface)
    try:
        join_shared_budget(campaign, row.budget, user=user)
    except WrongState as error:
        raise CannotLoop("loop.campaign_refused", "campaign", why=error) from error
    Campaign.objects.filter(pk=campaign.pk).update(chosen_documents=True)
    row.campaign = campaign
    row.rounds.filter(step=LoopRound.Step.PICKED).update(campaign=campaign)


def _told(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


# --- Paused and stopped -------------------------------------------------------------------------


def pause_loop(loop: LabellingLoop, *, user: Any = None) -> None:
    """Nothing is picked, and its campaign gives out nothing; what is leased may be submitted and
    is paid. Raises CannotLoop."""
    with transaction.atomic():
        _move(loop, (State.RUNNING,), State.PAUSED, user)
        for campaign in _campaigns(loop, Campaign.State.OPEN):
            pause_campaign(campaign, user=user)


def resume_loop(loop: LabellingLoop, *, user: Any = None) -> None:
    """From where it was. Raises CannotLoop."""
    with transaction.atomic():
        _move(loop, (State.PAUSED,), State.RUNNING, user)
        for campaign in _campaigns(loop, Campaign.State.PAUSED):
            open_campaign(campaign, user=user)


def stop_loop(loop: LabellingLoop, *, user: Any = None) -> None:
    """For good: its campaigns are closed. All labels stay, and so does what was learnt. Raises
    CannotLoop."""
    with transaction.atomic():
        _move(loop, (State.RUNNING, State.PAUSED), State.STOPPED, user)
        for campaign in _campaigns(loop, *(set(Campaign.State) - {Campaign.State.CLOSED})):
            close_campaign(campaign, user=user)


def finish_loop(loop: LabellingLoop, condition: str) -> bool:
    """A stopping condition holds. False where it is not running any more."""
    with transaction.atomic():
        row = _locked(loop)
        if row.state != State.RUNNING:
            return False
        row.state, row.ended_by, row.ended_at = State.FINISHED, condition, timezone.now()
        row.problem = ""
        row.save(update_fields=["state", "ended_by", "ended_at", "problem"])
        audit.record(row.project, "finish loop", row.name, after={"condition": condition})
    loop.refresh_from_db()
    return True


def _move(loop: LabellingLoop, states: tuple[Any, ...], to: Any, user: Any) -> None:
    with transaction.atomic():
        row = _locked(loop)
        if row.state not in states:
            raise CannotLoop("loop.state", loop=row.name, state=row.state)
        before, row.state, row.problem = row.state, to, ""
        if to == State.STOPPED:
            row.ended_at = timezone.now()
        row.save(update_fields=["state", "problem", "ended_at"])
        audit.record(
            row.project, f"{to} loop", row.name, user=user,
            before={"state": before}, after={"state": str(to)},
        )  # fmt: skip
    loop.refresh_from_db()


def _campaigns(loop: LabellingLoop, *states: Any) -> list[Campaign]:
    found = Campaign.objects.filter(shared_budget=loop.budget_id, state__in=states)
    return list(found.select_related("project").order_by("pk"))


def _locked(loop: LabellingLoop) -> LabellingLoop:
    rows = LabellingLoop.objects.select_related("project", "campaign", "budget")
    return rows.select_for_update(of=("self",)).get(pk=loop.pk)
