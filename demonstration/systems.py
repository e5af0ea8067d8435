"""Three made systems on the papers of the chain: submitted, drawn from, judged and scored.

What they claim is made of what the papers say, so that their true scores are known: each knows a
share of it, and claims so much that is wrong. Recall comes from the papers that the crowd of the
chain has annotated in full.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from annotation.actions import workers
from annotation.actions.campaigns import create_campaign
from annotation.actions.tokens import Link
from annotation.formats.directions import Directions
from annotation.interfaces.answers import Answer
from annotation.interfaces.schema import NONE, relations_between
from annotation.models import Campaign, Project, Task
from demonstration import chain, register, shift
from demonstration.register import Name, Paper
from evaluation.actions.periods import INSTRUCTIONS, create_period
from evaluation.actions.submissions import submit
from evaluation.actions.teams import create_team
from evaluation.models import EvaluationPeriod, SamplingPlan, Submission, Team

CLAIMS = "demonstration-claims"
PERIOD = "Autumn"
SEED = 1919
HALF_WIDTH = 0.1
RECALL_WIDTH = 0.15  # twenty papers, as many as there have to be
JUDGES = ("careful-1", "careful-2", "careful-3")
ERRS = 0.03  # the share of claims that each of them gets wrong, and the others then right
NEAR = 3  # so many names further on at most is what a made-up claim is about
PAUSE_SECONDS = 2.0
BEGAN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class MadeSystem:
    """It knows so large a share of the facts, and of its claims so many are right."""

    name: str
    team: str
    knows: float
    right: float


SYSTEMS = (
    MadeSystem("Lantern", "Team Skarv", knows=0.7, right=0.7),
    MadeSystem("Dragnet", "Team Falk", knows=0.85, right=0.6),
    MadeSystem("Almanac", "Team Ostby", knows=0.35, right=0.95),
)


def true_scores(project: Project) -> dict[str, tuple[float, float]]:
    """Precision and recall of each by the papers themselves; a claim and its inverse are one."""
    fact = _fact_of(project)
    known = _facts(fact)
    found = {}
    for system in SYSTEMS:
        claims = {
            fact(one["document"], one["subject"]["start"], one["relation"], one["object"]["start"])
            for one in claims_of(system, project)
        }
        found[system.name] = len(claims & known) / len(claims), len(claims & known) / len(known)
    return found


def run_systems(manager: Any, report: Callable[[str], Any], now: datetime | None = None) -> None:
    """What is still lacking; a start that was broken off is made up for. Without the chain, or
    where a manager took the period away, nothing."""
    now = now or timezone.now()
    project = Project.objects.filter(slug=chain.PROJECT).first()
    if project is None:
        return
    period = EvaluationPeriod.objects.filter(project=project, name=PERIOD).first()
    if period is None:
        if Campaign.objects.filter(slug=CLAIMS).exists():
            return
        period = _set_up(project, manager, now)
    if period.snapshots.exists():
        return
    from evaluation.actions.asking import ask, forecast  # with numerics
    from evaluation.actions.plans import start_plan
    from evaluation.actions.recall import sample_documents
    from evaluation.actions.scoring import evaluate_period
    from evaluation.actions.validation import validate

    for system in SYSTEMS:
        validate(_submitted(period, system))
    plan = SamplingPlan.objects.filter(period=period).first()
    if plan is None:
        forecast(period)
        plan = start_plan(period, metrics="instance", width=HALF_WIDTH, user=manager)
    ask(plan)
    names, relations = (
        Campaign.objects.filter(slug=slug).first() for slug in (chain.ENTITIES, chain.RELATIONS)
    )
    if names is not None and relations is not None:
        sample_documents(
            period, half_width=RECALL_WIDTH, names=names, relations=relations, largest=20,
            user=manager,
        )  # fmt: skip
    answers = _judge(now)
    found = evaluate_period(period).snapshot
    if found is not None:
        report(
            f"\n{len(SYSTEMS)} made systems: {answers:,} answers, {found.judged:,} of "
            f"{found.claims:,} claims judged, {found.exhaustive_documents} papers annotated in "
            "full."
        )


def _set_up(project: Project, manager: Any, now: datetime) -> EvaluationPeriod:
    campaign = create_campaign(
        project, slug=CLAIMS, name="What systems claim", interface="relation",
        instructions=INSTRUCTIONS, redundancy=3, pay_mills=50, budget_mills=30_000,
        created_at=now - BEGAN, user=manager,
    )  # fmt: skip
    return create_period(
        project, name=PERIOD, opens_at=now - BEGAN, closes_at=now + timedelta(days=14),
        campaign=campaign, is_public=True, user=manager,
    )  # fmt: skip


def _submitted(period: EvaluationPeriod, system: MadeSystem) -> Submission:
    team = Team.objects.filter(project=period.project, name=system.team).first()
    team = team or create_team(period.project, system.team)
    lines = (f"{json.dumps(claim)}\n".encode() for claim in claims_of(system, period.project))
    return submit(period, team, system.name, f"{system.name.lower()}.jsonl", lines)


def claims_of(system: MadeSystem, project: Project) -> Iterator[dict[str, Any]]:
    """Facts that it knows, and what it makes up: relations of names that stand near each other, of
    whom no paper says anything. Else the next sentence might tell what is called wrong here."""
    draw = random.Random(f"{SEED} {system.name}")
    papers = list(register.papers())
    related = {
        frozenset((paper.names[fact.subject].key, paper.names[fact.object].key))
        for paper in papers
        for fact in paper.facts
    }
    for paper in papers:
        names = paper.names
        pairs = [
            (i, j) for i in range(len(names)) for j in range(len(names))
            if abs(i - j) <= NEAR and names[i].key != names[j].key
            and frozenset((names[i].key, names[j].key)) not in related
            and relations_between(project.schema, names[i].type, names[j].type)
        ]  # fmt: skip
        for fact in paper.facts:
            if draw.random() >= system.knows:
                continue
            yield _claim(paper, fact.subject, fact.relation, fact.object)
            while draw.random() > system.right and pairs:
                i, j = pairs.pop(draw.randrange(len(pairs)))
                held = relations_between(project.schema, names[i].type, names[j].type)
                yield _claim(paper, i, draw.choice(held)["name"], j)


def _claim(paper: Paper, subject: int, relation: str, object_: int) -> dict[str, Any]:
    sides = (paper.names[subject], paper.names[object_])
    first, last = min(one.start for one in sides), max(one.end for one in sides)
    return {
        "document": paper.name, "relation": relation, "subject": _side(sides[0]),
        "object": _side(sides[1]), "provenance": [[first, last]],
    }  # fmt: skip


def _side(name: Name) -> dict[str, Any]:
    return {"start": name.start, "end": name.end, "type": name.type}


# --- The judges -----------------------------------------------------------------------------------


def _judge(now: datetime) -> int:
    """Careful workers say of all that is asked whether it holds; how many answers these are."""
    answers = 0
    for number, name in enumerate(JUDGES, start=1):
        start = now - BEGAN + timedelta(hours=3 * number)
        key = workers.join(Link(campaign=CLAIMS, worker=name), now=start).key
        answers += shift.work(key, start, None, _answers(name), pause=PAUSE_SECONDS)
    return answers


def _answers(worker: str) -> Callable[[int], tuple[Answer, float]]:
    fact = _fact_of(Project.objects.get(slug=chain.PROJECT))
    known = _facts(fact)
    rows = Task.objects.filter(campaign__slug=CLAIMS).values_list(
        "pk", "external_id", "document__external_id", "payload"
    )
    tasks = {pk: (name, document, payload) for pk, name, document, payload in rows}

    def answer_of(task: int) -> tuple[Answer, float]:
        name, document, payload = tasks[task]
        draw, predicted = random.Random(f"{SEED} {worker} {name}"), payload["predicted"]
        errs = random.Random(f"{SEED} {name}").random() // ERRS == JUDGES.index(worker)
        subject, object_ = (payload[side]["start"] for side in ("subject", "object"))
        holds = fact(document, subject, predicted, object_) in known
        answer: dict[str, Any] = dict.fromkeys(payload["asks"], True)
        if "relation" in answer:
            answer["relation"] = predicted if holds != errs else NONE
        return answer, round(draw.uniform(4, 14), 1)

    return answer_of


Fact = Callable[[str, int, str, int], tuple[str, str, str]]


def _fact_of(project: Project) -> Fact:
    """A claim of two beginnings in a document, the one way round."""
    directions = Directions(project.schema["relation_types"])

    def fact(document: str, subject: int, relation: str, object_: int) -> tuple[str, str, str]:
        return directions.fact(f"{document}:{subject}", relation, f"{document}:{object_}")

    return fact


def _facts(fact: Fact) -> set[tuple[str, str, str]]:
    return {
        fact(paper.name, paper.names[one.subject].start, one.relation,
             paper.names[one.object].start)
        for paper in register.papers()
        for one in paper.facts
    }  # fmt: skip
