"""Tasks where a run and a plain vote differ: named, and what known answers to them decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import MajorityVote
from aggregation.algorithms.categorical.disputed import Verdict, accuracy_of, disputed, to_ask
from aggregation.arrays import Crowd
from aggregation.interfaces.entries import unit_entry
from aggregation.models import Consensus, DifferingFacts, Share
from aggregation.queries import RunSummary
from aggregation.sentences import CATALOGUE
from annotation.actions.pace import NORMAL
from annotation.interfaces import categorical
from annotation.models import Campaign, GoldQuestion, Task
from annotation.sentences import CodedError


class CannotCompare(CodedError, ValueError):
    """The run is not one that a vote could replace, or what is known is of other tasks."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class Differing:
    """A task, and what the two say of it."""

    task: str  # external id
    document: str  # external id, or nothing
    method: str
    vote: str


def differing(campaign: Campaign, run: RunSummary) -> list[Differing]:
    """At most thirty, drawn at random; the same whenever it is asked for with the same run."""
    units, chosen, vote, names, classes = _compared(campaign, run)
    asked = to_ask(units, seed=run.seed)
    rows = {
        pk: (task, document or "")
        for pk, task, document in Task.objects.filter(pk__in=names[asked].tolist()).values_list(
            "pk", "external_id", "document__external_id"
        )
    }
    return [
        Differing(*rows[int(names[unit])], classes[chosen[unit]], classes[vote[unit]])
        for unit in asked
    ]


def verdict_of(campaign: Campaign, run: RunSummary, known: Mapping[str, str]) -> Verdict:
    """By the classes of `known`, by the names of tasks; those where the two agree don't count.
    Raises CannotCompare for tasks that the campaign has not."""
    units, chosen, vote, names, classes = _compared(campaign, run)
    place = {pk: unit for unit, pk in enumerate(names.tolist())}
    tasks = campaign.tasks.filter(external_id__in=known)
    found = dict(tasks.values_list("external_id", "pk"))
    missing = next((name for name in known if name not in found), None)
    if missing is not None:
        raise CannotCompare("differing.task", task=missing, campaign=campaign.slug)
    number = {name: i for i, name in enumerate(classes)}
    truth = np.full(len(names), -1)
    for name, pk in found.items():
        if pk in place:
            truth[place[pk]] = number.get(known[name], len(number))  # which nobody has said
    units = units[truth[units] >= 0]
    return Verdict.of(chosen[units], vote[units], truth[units], seed=run.seed)


def facts_of_differing(
    campaign: Campaign, crowd: Crowd, chosen: NDArray[np.int64], *, seed: int
) -> DifferingFacts | None:
    """What known answers to tasks where `chosen`, the class of each unit, and a vote differ say of
    the two; None where none was asked for, or where the two do not differ."""
    if crowd.sequences is not None or not crowd.differing.any():
        return None
    vote = MajorityVote().fit(crowd.labels).predict()
    judged = crowd.labels.labelled() & crowd.plain
    differs = np.zeros(len(judged), dtype=bool)
    differs[disputed(crowd.labels, chosen)] = True
    differs &= judged
    known = crowd.gold >= 0
    # Random gold of these tasks is a random sample of them, too.
    there = np.flatnonzero(differs & known & (crowd.differing | crowd.sampled))
    if not len(there):
        return None
    truth = crowd.gold[there]
    verdict = Verdict.of(chosen[there], vote[there], truth, seed=seed)
    share = float(differs.sum() / max(judged.sum(), 1))
    agreed = np.flatnonzero(judged & ~differs & known & crowd.sampled)
    accuracy = None
    if len(agreed):
        right = int((chosen[agreed] == crowd.gold[agreed]).sum())
        told = accuracy_of(share, (right, len(agreed)), verdict.differing)
        accuracy = _share("accuracy", *told, low=0.0)
    gap = (chosen[there] == truth).astype(float) - (vote[there] == truth)
    spread = float(gap.var() + 1.0 / (len(gap) + 2)) / len(gap)
    return DifferingFacts(
        tasks=int(differs.sum()),
        share=share,
        asked=GoldQuestion.objects.standing()
        .filter(task__campaign=campaign, drawn=GoldQuestion.Drawn.DIFFERING)
        .count(),
        known=verdict.known,
        method_right=verdict.method_right,
        vote_right=verdict.vote_right,
        right=verdict.right,
        vote_taken=verdict.vote_taken,
        accuracy=accuracy,
        difference=_share("difference", share * float(gap.mean()), share**2 * spread, low=-share),
    )


def _share(name: str, value: float, variance: float, *, low: float) -> Share:
    """With its 95 % interval, by the normal distribution; none goes below `low`."""
    half = NORMAL * variance**0.5
    return Share(name, value, (max(value - half, low), min(value + half, 1.0)))


def _compared(
    campaign: Campaign, run: RunSummary
) -> tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], tuple[str, ...]
]:
    """The units where they differ, what the run and the vote chose, each task's row id, and the
    names of the classes. Answers that came after the run are not heeded."""
    says = categorical(campaign.interface)
    if says is None:
        raise CannotCompare("differing.interface", interface=campaign.interface)
    if run.facts.clamped:
        raise CannotCompare("differing.clamped")
    until = run.facts.live.until if run.facts.live is not None else None
    crowd = unit_entry(campaign.interface).load(campaign, until=until)
    number = {name: i for i, name in enumerate(crowd.classes)}
    place = {pk: unit for unit, pk in enumerate(crowd.tasks.tolist())}
    vote = MajorityVote().fit(crowd.labels).predict()
    chosen = vote.copy()  # of what the run does not know they do not differ
    rows = Consensus.objects.filter(run__key=run.key, confidence__isnull=False)
    for task, answer in rows.values_list("task", "answer").iterator():
        unit, name = place.get(task), says.class_of(answer)
        if unit is not None and name in number:
            chosen[unit] = number[name]
    return disputed(crowd.labels, chosen), chosen, vote, crowd.tasks, crowd.classes
