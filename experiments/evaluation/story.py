"""The whole way of three systems through rows: submitted, planned, judged by simulated workers,
documents annotated in full, scored; beside what is true of them.

Everything goes through the actions that pages and jobs call.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.actions import assignments, workers
from annotation.actions.campaigns import create_campaign
from annotation.actions.documents import import_documents
from annotation.actions.projects import create_project
from annotation.actions.tokens import Link
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from annotation.interfaces.schema import NONE
from annotation.models import Campaign, Enrollment, Task
from evaluation.actions.periods import create_period
from evaluation.actions.submissions import submit
from evaluation.actions.teams import create_team
from evaluation.models import ScoreSnapshot

BORN = "per:place_of_birth"
DOCUMENTS, SENTENCES = 60, 4
TYPES = ("PER", "ORG", "GPE", "DATE", "TITLE")
WORDS = ("was", "born", "in")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two names of a sentence: offsets in the document, and whether it says that one was born in
    the other."""

    document: str
    person: tuple[int, int]
    town: tuple[int, int]
    is_true: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """A score beside the truth."""

    system: str
    measure: str
    truth: float
    value: float | None
    low: float | None
    high: float | None

    @property
    def holds(self) -> bool | None:
        """Whether the interval does; None where nothing is estimable."""
        if self.low is None or self.high is None:
            return None
        return self.low <= self.truth <= self.high


class World:
    """Documents whose truth is known, three systems, and workers who know it."""

    # name → (share of the true pairs that it claims, share of the false ones)
    SYSTEMS = {"falcon": (0.8, 0.2), "heron": (0.55, 0.1), "owl": (0.3, 0.4)}

    def __init__(
        self, seed: int, manager: Any, folder: Any, *, name: str = "story",
        documents: int = DOCUMENTS, sentences: int = SENTENCES, answers: int = 2, workers: int = 2,
    ):  # fmt: skip
        self.name, self.size = f"{name}-{seed}", (documents, sentences)
        self.answers, self.workers = answers, workers  # to each task, and of how many people
        self.draw = random.Random(seed)
        self.seed = seed
        self.pairs: list[Pair] = []
        self.project = create_project(
            slug=self.name, name=self.name, owner=manager,
            schema={
                "entity_types": [{"name": name} for name in TYPES],
                "relation_types": read_relation_types(RELATION_TYPES), "nested": False,
            },
        )  # fmt: skip
        path = folder / f"{self.name}.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in self._documents()))
        import_documents(self.project, path)
        self.by_place = {(one.document, one.person[0], one.town[0]): one for one in self.pairs}
        self.claims = {
            name: [one for one in self.pairs if self.draw.random() < shares[not one.is_true]]
            for name, shares in self.SYSTEMS.items()
        }
        campaign = create_campaign(
            self.project, slug=f"{self.name}-claims", name="Claims", interface="relation",
            redundancy=answers, pay_mills=37,
        )  # fmt: skip
        self.period = create_period(
            self.project, name="Story", opens_at=self.project.created_at, campaign=campaign,
            seed=seed,
        )  # fmt: skip

    def _documents(self) -> Iterator[dict[str, str]]:
        for d in range(self.size[0]):
            name, text = f"d{d:03}", ""
            for k in range(self.size[1]):
                person, town = f"Person{d:03}{k}", f"Town{d:03}{k}"
                is_true = self.draw.random() < 0.5
                start = len(text)
                middle = "was born in" if is_true else "came through"
                at = start + len(person) + len(middle) + 2
                self.pairs.append(
                    Pair(name, (start, start + len(person)), (at, at + len(town)), is_true)
                )
                text += f"{person} {middle} {town}. "
            yield {"id": name, "text": text.strip()}

    # --- Steps, each of which can be done again ---------------------------------------------------

    def submit(self) -> None:
        from evaluation.actions.validation import validate

        for name in self.SYSTEMS:
            team = self.project.teams.filter(name=name).first() or create_team(self.project, name)
            validate(submit(self.period, team, name, f"{name}.jsonl", [self.file(name)]))

    def file(self, name: str) -> bytes:
        """What a system submits."""
        return b"".join(f"{json.dumps(_line(one))}\n".encode() for one in self.claims[name])

    def plan(self, width: float) -> None:
        from evaluation.actions.asking import ask, forecast
        from evaluation.actions.plans import start_plan

        plan = self.period.plans.first()
        if plan is None:
            forecast(self.period)
            plan = start_plan(self.period, metrics="instance", width=width)
        ask(plan)

    def judge(self, errs: float = 0.0) -> int:
        """All answers to claims, by workers of whom each errs so often; how many."""
        campaign = Campaign.objects.get(slug=f"{self.name}-claims")

        def answer(task: Task, draw: random.Random) -> dict[str, Any]:
            payload = task.payload
            said: dict[str, Any] = dict.fromkeys(payload["asks"], True)
            if "relation" in said:
                one = self._pair(task)
                holds = payload["predicted"] == BORN and one is not None and one.is_true
                said["relation"] = payload["predicted"] if holds != (draw.random() < errs) else NONE
            return said

        return self._work(campaign, answer)

    def annotate(self, width: float, errs: float = 0.0) -> None:
        """Documents in full: their names, then how these are related, in which workers err so
        often."""
        from evaluation.actions.recall import advance_recall, make_campaigns, sample_documents

        names, relations = make_campaigns(self.period, pay_mills=100, redundancy=self.answers)
        sample_documents(self.period, half_width=width, names=names, relations=relations, largest=0)
        self._work(Campaign.objects.get(pk=names.pk), self._names)
        advance_recall(self.period)
        self._work(
            Campaign.objects.get(pk=relations.pk),
            lambda task, draw: self._relation(task, draw.random() < errs),
        )
        advance_recall(self.period)

    def score(self) -> ScoreSnapshot | None:
        from evaluation.actions.scoring import evaluate_period

        return evaluate_period(self.period).snapshot

    # --- Workers ----------------------------------------------------------------------------------

    def _pair(self, task: Task) -> Pair | None:
        payload, document = task.payload, task.document
        sides = (payload["subject"]["start"], payload["object"]["start"])
        name = document.external_id if document else ""
        return self.by_place.get((name, *sides))

    def _names(self, task: Task, draw: random.Random) -> dict[str, Any]:
        assert task.document is not None  # by the campaign
        first = {start: i for i, (start, _) in enumerate(task.document.tokens)}
        mine = [one for one in self.pairs if one.document == task.document.external_id]
        spans = [(one.person, "PER") for one in mine] + [(one.town, "GPE") for one in mine]
        return {
            "mentions": [
                {"id": f"m{i}", "start": first[span[0]], "end": first[span[0]] + 1, "type": kind}
                for i, (span, kind) in enumerate(spans)
            ]
        }

    def _relation(self, task: Task, errs: bool) -> dict[str, Any]:
        one = self._pair(task)
        holds = one is not None and one.is_true
        return {"relation": BORN if holds != errs else NONE}

    def _work(
        self, campaign: Campaign, answer: Callable[[Task, random.Random], dict[str, Any]]
    ) -> int:
        """Each of the workers does as much as the others, and then whoever can what is left."""
        given, tasks = 0, campaign.tasks.count()
        share = -(-tasks * self.answers // self.workers)
        for turn in range(2 * self.workers):
            name = f"worker-{turn % self.workers}"
            enrollment = workers.join(Link(campaign=campaign.slug, worker=name))
            given += self.shift(
                enrollment,
                lambda task, name=name: answer(  # type: ignore[misc]
                    task, random.Random(f"{self.seed} {name} {task.external_id}")
                ),
                share if turn < self.workers else tasks,
            )
        return given

    def shift(
        self, enrollment: Enrollment, answer: Callable[[Task], dict[str, Any]], most: int
    ) -> int:
        """What one worker does; how many answers they gave."""
        given = 0
        while given < most and (lease := assignments.claim_next(enrollment.key).assignment):
            task = Task.objects.select_related("document").get(pk=lease.task_id)
            assignments.submit(enrollment.key, lease.key, answer(task))
            given += 1
        return given

    # --- The truth --------------------------------------------------------------------------------

    def outcomes(self, snapshot: ScoreSnapshot) -> list[Outcome]:
        true = {id(one) for one in self.pairs if one.is_true}
        found = []
        for one in snapshot.scores.select_related("submission__system"):
            name = one.submission.system.name
            mine = {id(pair) for pair in self.claims[name]}
            precision, recall = len(mine & true) / len(mine), len(mine & true) / len(true)
            f1 = 2 * precision * recall / (precision + recall)
            for measure, truth in (("precision", precision), ("recall", recall), ("f1", f1)):
                value, low, high = (
                    getattr(one, f"{measure}{end}") for end in ("", "_low", "_high")
                )
                found.append(Outcome(name, measure, truth, value, low, high))
        return found


def tell(
    seed: int, manager: Any, folder: Any, *, width: float = 0.1, recall_width: float = 0.1,
    errs: float = 0.0, pair_errs: float = 0.0, answers: int = 2, workers: int = 2,
) -> list[Outcome]:  # fmt: skip
    """One repetition, from the files to the scores."""
    world = World(seed, manager, folder, answers=answers, workers=workers)
    world.submit()
    world.plan(width)
    world.judge(errs)
    world.annotate(recall_width, pair_errs)
    snapshot = world.score()
    return [] if snapshot is None else world.outcomes(snapshot)


def _line(pair: Pair) -> dict[str, Any]:
    (a, b), (c, d) = pair.person, pair.town
    return {
        "document": pair.document, "relation": BORN,
        "subject": {"start": a, "end": b, "type": "PER"},
        "object": {"start": c, "end": d, "type": "GPE"}, "provenance": [[a, d]],
    }  # fmt: skip
