"""Suggestions for the tasks of an entity campaign: from the file of the documents, from a system's
own file, from names, or from whoever calls `suggest`.

Only tasks that nobody has answered, or has in hand, are given other suggestions than they had:
what a worker saw stays what it was. Hidden gold is given them in any case: all workers answer it,
and left as it is it could be told by its suggestions from the tasks of today.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from annotation.actions import audit, locks
from annotation.actions.bulk import batches
from annotation.actions.campaigns.tasks import tasks_from_documents
from annotation.actions.documents.importing import rules_of
from annotation.formats.guesses import Guess, answer_of, read_guesses
from annotation.formats.names import read_names
from annotation.formats.records import FormatError, Refused, Rejected
from annotation.interfaces import Material, traits
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.schema import entity_type_names
from annotation.models import Assignment, Campaign, Entity, Task
from annotation.querysets.tasks import MEASURING, TaskQuerySet
from annotation.sentences import CodedError, Problem, problem_of
from annotation.text.dictionary import Dictionary, answer_of_names

TOGETHER = 500  # tasks in one transaction, with their documents in memory
MOST_TOLD = 20
SHORTEST_NAME = 2  # letters of an entry of a knowledge base that is looked for


class SuggestionsRefused(CodedError):
    """Nothing was changed. `lines` tells the first mistakes."""

    def __init__(self, code: str, *, lines: list[Rejected] | None = None, **params: Any):
        self.lines = lines or []
        super().__init__(code, **params)


@dataclass(slots=True)
class SuggestionTally:
    tasks: int = 0  # that have suggestions now
    suggestions: int = 0
    without: int = 0  # tasks that were looked at and have none
    skipped: int = 0  # tasks left as they are, for somebody has seen them
    moved: int = 0  # mentions widened to whole words
    names: int = 0  # of the dictionary
    ambiguous: int = 0  # names of several types, which are not looked for
    strange: int = 0  # entries of the knowledge base whose type the schema lacks
    rejected: int = 0
    reasons: list[Rejected] = field(default_factory=list)  # the first few

    def reject(self, rejected: Rejected) -> None:
        self.rejected += 1
        if len(self.reasons) < MOST_TOLD:
            self.reasons.append(rejected)


class Suggested(NamedTuple):
    task: Task
    answer: EntityAnswer  # canonical; without mentions: nothing is suggested
    confidences: Sequence[float] = ()  # of its mentions, where the source tells any


Progressed = Callable[[int], None]  # hears how many tasks, or lines, were gone through
Answers = Callable[[TaskQuerySet, SuggestionTally], Iterator[Suggested]]


def suggest_predictions(campaign: Campaign, *, user: Any = None) -> SuggestionTally:
    """What the file of the documents predicted. Raises SuggestionsRefused, locks.Held."""

    def answers(tasks: TaskQuerySet, tally: SuggestionTally) -> Iterator[Suggested]:
        predicted = tasks.predicted_for(campaign.interface)
        found = predicted.annotate(prediction=F("document__imported_answers__answer"))
        for task in found.iterator(chunk_size=TOGETHER):
            yield Suggested(task, task.prediction)

    return suggest(campaign, "import", answers, user=user)


def suggest_from_file(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    progressed: Progressed = lambda _: None,
    user: Any = None,
) -> SuggestionTally:
    """What a system's file says; tasks that it does not name keep what they have. A line that is
    wrong is told and left out. Raises SuggestionsRefused, locks.Held."""

    def answers(tasks: TaskQuerySet, tally: SuggestionTally) -> Iterator[Suggested]:
        for batch in batches(read_guesses(path, rules_of(campaign.project)), TOGETHER):
            yield from _guessed(campaign, tasks, batch, tally)
            progressed(len(batch))

    return suggest(campaign, Path(path).name, answers, user=user)


def suggest_names(
    campaign: Campaign,
    path: str | os.PathLike[str] | None = None,
    *,
    progressed: Progressed = lambda _: None,
    user: Any = None,
) -> SuggestionTally:
    """What a dictionary finds: a file of names, or without one the project's knowledge base.

    A wrong line refuses the whole file, since it concerns every text. Raises SuggestionsRefused,
    locks.Held.
    """

    def answers(tasks: TaskQuerySet, tally: SuggestionTally) -> Iterator[Suggested]:
        names = _listed(campaign, path, tally) if path else _known(campaign, tally)
        tally.names, tally.ambiguous = names.names, names.ambiguous
        for task in tasks.select_related("document").iterator(chunk_size=TOGETHER):
            seen = material_of(campaign, task)
            found = names.find(seen.text, seen.tokens, seen.sentences)
            yield Suggested(task, answer_of_names(found, seen.text, seen.tokens))
            progressed(1)

    return suggest(campaign, Path(path).name if path else "knowledge base", answers, user=user)


# --- Writing them down --------------------------------------------------------------------------


def check_shows_suggestions(campaign: Campaign) -> None:
    if not traits(campaign.interface).suggestions:
        raise SuggestionsRefused(
            "suggestions.kind", campaign=campaign.slug, interface=campaign.interface
        )
    if campaign.state == Campaign.State.CLOSED:
        raise SuggestionsRefused("suggestions.closed", campaign=campaign.slug)


def suggest(
    campaign: Campaign, source: str, answers: Answers, *, user: Any = None, dry_run: bool = False
) -> SuggestionTally:
    """What `answers` makes of the tasks that it is given, in short transactions; broken off, the
    same call does the rest. `source` stands with each task, where no worker sees it. With
    `dry_run` nothing is written. Raises SuggestionsRefused, locks.Held."""
    check_shows_suggestions(campaign)
    tally = SuggestionTally()
    with locks.hold(f"campaign:{campaign.slug}"):
        campaign.refresh_from_db(fields=["state"])
        check_shows_suggestions(campaign)
        if campaign.state == Campaign.State.DRAFT and not dry_run:
            tasks_from_documents(campaign)
        tasks = campaign.tasks.exclude(document=None)
        unseen = tasks.filter(~Exists(_handed_out())).order_by("pk")
        tally.skipped = tasks.count() - unseen.count()
        try:
            for batch in batches(answers(unseen, tally), TOGETHER):
                _keep(campaign, source, batch, tally, dry_run)
        except (FormatError, OSError) as error:
            raise SuggestionsRefused("told.reason", why=problem_of(error)) from error
        if not dry_run:
            audit.record(
                campaign.project, "import suggestions", campaign.slug, user=user,
                after={"from": source, "tasks": tally.tasks, "suggestions": tally.suggestions},
            )  # fmt: skip
    return tally


def _handed_out() -> QuerySet[Assignment]:
    """Assignments of a task, but for hidden gold and the exam, whose worker has it before them, or
    has handed it in."""
    states = Assignment.State
    given = Assignment.objects.exclude(task__demand__kind__in=MEASURING)
    return given.filter(
        task=OuterRef("pk"), state__in=[states.LEASED, states.SUBMITTED, states.LATE]
    )


def _keep(
    campaign: Campaign, source: str, batch: list[Suggested], tally: SuggestionTally, dry_run: bool
) -> None:
    """Unless somebody has taken the task up since it was looked at."""
    now = timezone.now().isoformat()
    with transaction.atomic():
        found = {one.task.pk: one for one in batch}
        tasks = campaign.tasks.filter(~Exists(_handed_out()), pk__in=found)
        # The relation knows the campaign: without its id each row would be asked for it.
        tasks = tasks.only("payload", "campaign")
        for task in tasks:
            _, answer, confidences = found[task.pk]
            number = _number_of(answer)
            tally.tasks += number > 0
            tally.without += number == 0
            tally.suggestions += number
            before = task.payload.pop("suggestions", None)
            task.payload.pop("suggested_by", None)
            if number:
                by = {"source": source, "confidences": list(confidences)}
                task.payload |= {"suggestions": answer, "suggested_by": by}
            if task.payload.get("suggestions") != before:
                task.payload["suggested_at"] = now
        if not dry_run:
            Task.objects.bulk_update(tasks, ["payload"])


def _number_of(answer: EntityAnswer) -> int:
    if "tags" in answer:
        return sum(tag.startswith("B-") for tag in answer["tags"])
    return len(answer["mentions"])


# --- A system's file ----------------------------------------------------------------------------


def _guessed(
    campaign: Campaign,
    tasks: TaskQuerySet,
    batch: Iterable[Guess | Rejected],
    tally: SuggestionTally,
) -> Iterator[Suggested]:
    guesses: dict[str, Guess] = {}
    for item in batch:
        if isinstance(item, Rejected):
            tally.reject(item)
        else:
            guesses[item.document] = item  # the last one counts, as it does over batches
    documents = campaign.tasks.filter(document__external_id__in=guesses)
    known = set(documents.values_list("document__external_id", flat=True))
    named: QuerySet[Any] = tasks.annotate(name=F("document__external_id")).filter(name__in=guesses)
    for task in named.select_related("document"):
        guess = guesses[task.name]
        try:
            answer, moved = answer_of(guess, material_of(campaign, task))
        except Refused as refused:
            tally.reject(Rejected(guess.line, refused.problem, guess.document))
        else:
            tally.moved += moved
            yield Suggested(task, answer)
    for guess in guesses.values():
        if guess.document not in known:
            problem = Problem("suggestions.no_document", "id", campaign=campaign.slug)
            tally.reject(Rejected(guess.line, problem, guess.document))


def material_of(campaign: Campaign, task: Task) -> Material:
    document: Any = task.document
    return Material(
        schema=campaign.project.schema,
        text=document.text,
        tokens=document.tokens,
        sentences=document.sentences,
    )


# --- Names --------------------------------------------------------------------------------------


def _listed(campaign: Campaign, path: str | os.PathLike[str], tally: SuggestionTally) -> Dictionary:
    names = Dictionary(campaign.project.tokeniser)
    for item in read_names(path, entity_type_names(campaign.project.schema)):
        if isinstance(item, Rejected):
            tally.reject(item)
        else:
            names.add(item.name, item.type, item.link)
    if tally.rejected:
        counts = {"number": tally.rejected, "file": Path(path).name}
        raise SuggestionsRefused("suggestions.mistakes", lines=tally.reasons, **counts)
    if not names.names:
        raise SuggestionsRefused("suggestions.no_name", file=Path(path).name)
    return names


def _known(campaign: Campaign, tally: SuggestionTally) -> Dictionary:
    """Names and aliases of the knowledge base, but for figures and single letters."""
    names = Dictionary(campaign.project.tokeniser)
    types = set(entity_type_names(campaign.project.schema))
    rows = Entity.objects.filter(project=campaign.project_id).values_list(
        "key", "name", "aliases", "type"
    )
    for key, name, aliases, kind in rows.iterator():
        if kind not in types:
            tally.strange += 1
            continue
        for one in {name, *aliases}:
            if len(one) >= SHORTEST_NAME and any(map(str.isalpha, one)):
                names.add(one, kind, key)
    if not names.names:
        raise SuggestionsRefused("suggestions.no_entry")
    return names
