"""A campaign's life: draft → open → paused ↔ open → closed. Tasks are made when it opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Count, Sum
from django.utils import timezone

from annotation import interfaces
from annotation.actions import audit, locks, rollups, webhooks
from annotation.actions.campaigns.tasks import (
    GOLD_OPTIONS,
    gold_asked_for,
    gold_counts,
    publish_tasks,
)
from annotation.actions.consent import set_consent
from annotation.actions.links import first_link
from annotation.actions.versions import set_text
from annotation.models import (
    Campaign,
    Demand,
    Document,
    Entity,
    InstructionsVersion,
    Project,
)
from annotation.sentences import CodedError, Problem
from annotation.text.markdown import LONGEST_TEXT


class NotReady(Exception):
    """The campaign can't be opened; `problems` says what is missing."""

    def __init__(self, problems: list[Problem]):
        self.problems = problems
        super().__init__(problems)

    def __str__(self) -> str:
        return " ".join(map(str, self.problems))


class WrongState(CodedError):
    """The campaign is not in a state from which this step leads on."""


@dataclass(frozen=True, slots=True)
class Line:
    """`gold`: it tells what only those may know who see the known answers."""

    problem: Problem
    gold: bool = False

    def __str__(self) -> str:
        return str(self.problem)


@dataclass(frozen=True, slots=True)
class Preflight:
    """What stands in the way of opening, and what only deserves a look."""

    problems: list[Line]
    warnings: list[Line]
    tasks: int
    answers: int
    cost_mills: int


def create_campaign(
    project: Project, *, slug: str, name: str, interface: str, instructions: str = "",
    consent: str = "", user: Any = None, **settings: Any,
) -> Campaign:  # fmt: skip
    """A draft. Raises ValidationError, or AnswerError for the options, naming the field."""
    campaign = Campaign(project=project, slug=slug, name=name, interface=interface, **settings)
    if "max_redundancy" not in settings:
        campaign.max_redundancy = max(campaign.max_redundancy, campaign.redundancy)
    campaign.full_clean()
    check_targets(campaign)
    campaign.options = interfaces.check_options(campaign.interface, campaign.options)
    try:
        with transaction.atomic():
            campaign.save()
            first_link(campaign)
            if instructions:
                set_instructions(campaign, instructions)
            if consent:
                set_consent(campaign, consent)
            audit.record(project, "create campaign", slug, user=user, after={"name": name})
    except IntegrityError:
        campaign.validate_unique()  # somebody took the slug since full_clean: say it as that does
        raise
    return campaign


def check_targets(campaign: Campaign) -> None:
    """Raises ValidationError where a quality and a confidence are named."""
    if campaign.target_quality is not None and campaign.target_confidence is not None:
        raise ValidationError({"target_confidence": Problem("campaign.two_targets")})


def set_instructions(campaign: Campaign, text: str) -> InstructionsVersion | None:
    """A new version; answers to tasks given out before keep the one that was seen. A blank text
    takes the instructions away.

    Raises ValidationError where the text is too long to be shown to each worker who comes.
    """
    if len(text) > LONGEST_TEXT:
        raise ValidationError(
            {"instructions": Problem("instructions.long", number=len(text), most=LONGEST_TEXT)}
        )
    versions = campaign.instructions_versions
    version: InstructionsVersion | None = set_text(campaign, "instructions", versions, text)
    return version


# --- Opening ------------------------------------------------------------------------------------


def preflight(campaign: Campaign) -> Preflight:
    """What is missing before the campaign can open, and what it will cost."""
    documents = 0
    if interfaces.traits(campaign.interface).on_documents and not campaign.chosen_documents:
        documents = Document.objects.visible().filter(project=campaign.project).count()
    gold = gold_counts(campaign)
    plain = Demand.objects.plain().filter(campaign=campaign)
    counts = plain.aggregate(tasks=Count("task"), wanted=Sum("wanted"))
    planned = counts["tasks"] or max(0, documents - sum(gold.values()))
    answers = counts["wanted"] if counts["wanted"] is not None else planned * campaign.redundancy
    if campaign.gold_every > 1:
        answers += answers // (campaign.gold_every - 1)  # hidden gold is paid like any other
    cost = answers * campaign.pay_mills
    problems = [Line(problem) for problem in _problems(campaign, documents)]
    problems += [Line(problem, gold=True) for problem in _gold_problems(campaign, gold)]
    warnings = [Line(problem, gold=True) for problem in _gold_warnings(campaign, gold)]
    warnings += _warnings(campaign, cost)
    return Preflight(problems, warnings, planned, answers, cost)


def _problems(campaign: Campaign, documents: int) -> Iterator[Problem]:
    traits = interfaces.traits(campaign.interface)
    if not (traits.on_documents and documents) and not campaign.tasks.exists():
        if campaign.chosen_documents:
            yield Problem("lacks.chosen_documents")
        elif not traits.on_documents:
            yield Problem("lacks.tasks", interface=campaign.interface)
        elif traits.own_tasks:
            yield Problem("lacks.documents_or_tasks")
        else:
            yield Problem("lacks.documents")
    schema, options = campaign.project.schema, campaign.options
    yield from interfaces.problems(campaign.interface, schema, options)
    if campaign.is_assigned and not campaign.enrollments.filter(allotments__gt=0).exists():
        yield Problem("lacks.allotments")


def _gold_problems(campaign: Campaign, gold: Mapping[int, int]) -> Iterator[Problem]:
    practice, hidden = gold[Demand.Kind.TRAINING], gold[Demand.Kind.HIDDEN]
    exam = gold[campaign.exam_kind]
    if campaign.training_size > practice:
        more = _more_of(campaign, Demand.Kind.TRAINING)
        wanted = Problem("word.practice_tasks", number=campaign.training_size)
        yield Problem("lacks.practice", tasks=wanted, number=practice, more=more)
    if campaign.exam_size > exam:
        more = _more_of(campaign, Demand.Kind.EXAM)
        wanted = Problem("word.exam_tasks", number=campaign.exam_size)
        yield Problem("lacks.exam", tasks=wanted, number=exam, more=more)
    if campaign.gold_every and not hidden:
        more = _more_of(campaign, Demand.Kind.HIDDEN)
        yield Problem("lacks.hidden_gold", every=campaign.gold_every, more=more)


def _more_of(campaign: Campaign, kind: int) -> Problem:
    """How a campaign gets more gold of a kind."""
    traits = interfaces.traits(campaign.interface)
    if traits.gold_of_documents:
        return Problem("word.raise_option", option=GOLD_OPTIONS[kind])
    uses: dict[int, str] = {Demand.Kind.TRAINING: "practice", Demand.Kind.EXAM: "exam"}
    use = uses.get(kind, "hidden")
    if traits.own_tasks:
        return Problem("word.import_tasks", use=use)
    return Problem("word.import_gold", use=use)


def _gold_warnings(campaign: Campaign, gold: Mapping[int, int]) -> Iterator[Problem]:
    wanted, there = sum(gold_asked_for(campaign).values()), sum(gold.values())
    if wanted > there:
        yield Problem("warning.few_gold", documents=wanted, number=there)
    yield from _tries_warnings(campaign, gold)
    before = campaign.training_size + campaign.exam_size
    if campaign.pay_mills and before:
        pay = {"money": before * campaign.pay_mills / 1000, "currency": campaign.currency}
        yield Problem("warning.paid_before", tasks=_tasks_before(campaign), **pay)


def _tries_warnings(campaign: Campaign, gold: Mapping[int, int]) -> Iterator[Problem]:
    """A task is never given to a worker twice, so each try takes tasks of its own."""
    pools = (
        ("practice", campaign.training_size, gold[Demand.Kind.TRAINING]),
        ("exam", campaign.exam_size, gold[campaign.exam_kind]),
    )
    for use, size, there in pools:
        if size <= there < size * campaign.tries:
            yield Problem(
                "warning.tries",
                use=use,
                tries=campaign.tries,
                tasks=size * campaign.tries,
                there=there,
                number=there // size,
            )
    if campaign.exam_size and campaign.exam_is_hidden:
        yield Problem("warning.exam_is_hidden")
    if gold[Demand.Kind.EXAM] and not campaign.exam_size:
        yield Problem("warning.exam_unused", number=gold[Demand.Kind.EXAM])
    sits_hidden = campaign.exam_size and campaign.exam_is_hidden
    if gold[Demand.Kind.HIDDEN] and not campaign.gold_every and not sits_hidden:
        yield Problem("warning.hidden_unused", number=gold[Demand.Kind.HIDDEN])


def _tasks_before(campaign: Campaign) -> Problem:
    """What a worker does before the work that the cost counts."""
    practice, exam = campaign.training_size, campaign.exam_size
    if not exam:
        return Problem("word.practice_tasks", number=practice)
    if not practice:
        return Problem("word.exam_tasks", number=exam)
    return Problem("word.practice_and_exam_tasks", number=practice + exam)


def _warnings(campaign: Campaign, cost: int) -> Iterator[Line]:
    if campaign.options.get("linking") is True and not _has_entries(campaign):
        yield Line(Problem("warning.no_entries"))
    if campaign.is_assigned:
        yield Line(Problem("warning.ids_show"))
    if not campaign.consent_id:
        yield Line(Problem("warning.no_consent"))
    if not campaign.instructions_id:
        yield Line(Problem("warning.no_instructions"))
    if not campaign.pay_mills:
        yield Line(Problem("warning.no_pay"))
    if campaign.pay_mills and campaign.budget_mills is None:
        yield Line(Problem("warning.no_budget"))
    if campaign.budget_mills is not None and cost > campaign.budget_mills:
        money = {"cost": cost / 1000, "budget": campaign.budget_mills / 1000}
        yield Line(
            Problem(
                "warning.short_budget",
                **money,
                currency=campaign.currency,
                share=1 - campaign.budget_mills / cost,
            ),
            gold=campaign.gold_every > 1,  # from the cost, its part could be worked out
        )


def _has_entries(campaign: Campaign) -> bool:
    return Entity.objects.filter(project=campaign.project_id).exists()


def open_campaign(campaign: Campaign, *, user: Any = None, now: datetime | None = None) -> int:
    """Draft or paused → open; how many tasks were made. Raises NotReady, WrongState, Held.

    `now` is for a history that is loaded after it happened.
    """
    if campaign.state == Campaign.State.PAUSED:
        _move(campaign, {Campaign.State.PAUSED}, Campaign.State.OPEN, user=user)
        return 0
    if campaign.state != Campaign.State.DRAFT:
        raise WrongState("campaign.cannot_open", campaign=campaign.slug, state=campaign.state)
    with locks.hold(f"campaign:{campaign.slug}"):
        if problems := preflight(campaign).problems:
            raise NotReady([line.problem for line in problems])
        made = publish_tasks(campaign)
        _move(campaign, {Campaign.State.DRAFT}, Campaign.State.OPEN, user=user, now=now)
        rollups.tally([campaign])
    return made


def pause_campaign(campaign: Campaign, *, user: Any = None) -> None:
    """No new leases; what is leased may be submitted and is paid."""
    _move(campaign, {Campaign.State.OPEN}, Campaign.State.PAUSED, user=user)


def close_campaign(campaign: Campaign, *, user: Any = None) -> None:
    """For good. What is leased may still be submitted and is paid."""
    states = {Campaign.State.OPEN, Campaign.State.PAUSED, Campaign.State.DRAFT}
    _move(campaign, states, Campaign.State.CLOSED, user=user)


def _move(
    campaign: Campaign, states: set[Any], to: str, *, user: Any, now: datetime | None = None
) -> None:
    now = now or timezone.now()
    changes: dict[str, Any] = {"state": to}
    if to == Campaign.State.OPEN and campaign.opened_at is None:
        changes["opened_at"] = now
    if to == Campaign.State.CLOSED:
        changes["closed_at"] = now
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if row.state not in states:
            raise WrongState(
                "campaign.cannot_become",
                campaign=row.slug,
                state=row.state,
                states=" or ".join(sorted(states)),
                to=to,
            )
        Campaign.objects.filter(pk=campaign.pk).update(**changes)
        audit.record(
            row.project, f"{to} campaign", row.slug, user=user,
            before={"state": row.state}, after={"state": to},
        )  # fmt: skip
        event = "opened" if to == Campaign.State.OPEN else to
        webhooks.tell(row.project_id, f"campaign.{event}", campaign=row.slug)
    for name, value in changes.items():
        setattr(campaign, name, value)


def check_budget(campaign: Campaign, mills: int) -> None:
    """Raises WrongState where the campaign is closed, shares its budget with others, or more is
    spent or promised already."""
    if campaign.state == Campaign.State.CLOSED:
        raise WrongState("budget.closed", campaign=campaign.slug)
    if campaign.shared_budget_id is not None:
        raise WrongState("budget.shared", campaign=campaign.slug)
    if mills < campaign.committed_mills:
        raise WrongState(
            "budget.spent", money=campaign.committed_mills / 1000, currency=campaign.currency
        )


def set_budget(campaign: Campaign, mills: int, *, user: Any = None) -> None:
    """What may be spent in all. Raises what `check_budget` raises."""
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        check_budget(row, mills)
        Campaign.objects.filter(pk=row.pk).update(budget_mills=mills)
        audit.record(
            row.project, "set budget", row.slug, user=user,
            before={"mills": row.budget_mills}, after={"mills": mills},
        )  # fmt: skip
    campaign.budget_mills = mills


def set_floor(campaign: Campaign, mills: int | None, *, user: Any = None) -> None:
    """What an hour of active time is to pay at least; None: no floor."""
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        Campaign.objects.filter(pk=row.pk).update(floor_mills=mills)
        audit.record(
            row.project, "set floor", row.slug, user=user,
            before={"mills": row.floor_mills}, after={"mills": mills},
        )  # fmt: skip
    campaign.floor_mills = mills
