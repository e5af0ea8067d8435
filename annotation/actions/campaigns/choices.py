"""Tasks of a choice campaign out of a file: texts, pairs of texts, pictures, and gold."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.actions import audit, locks
from annotation.actions.assignments import create_gold_demands
from annotation.actions.assignments.demand import start_over
from annotation.actions.bulk import batches
from annotation.actions.campaigns.tasks import create_tasks
from annotation.actions.pictures import keep_picture, looked_at
from annotation.formats.choices import ChoiceRecord, read_choices
from annotation.formats.records import FormatError, Rejected
from annotation.formats.source import Source
from annotation.interfaces import traits
from annotation.models import Campaign, Demand, GoldQuestion, Task
from annotation.sentences import CodedError, Problem, problem_of, shown

MOST_TOLD = 20


class ChoicesRefused(CodedError):
    """Something in the file is wrong; nothing was made of it. `lines` tells the first mistakes."""

    def __init__(self, code: str, *, lines: list[Rejected] | None = None, **params: Any):
        self.lines = lines or []
        super().__init__(code, **params)


@dataclass(slots=True)
class ChoiceTally:
    tasks: int = 0  # new ones, gold among them
    unchanged: int = 0  # ids that were there; their tasks stay as they are
    gold: int = 0
    practice: int = 0
    exam: int = 0
    pictures: int = 0
    without_alt: list[str] = field(default_factory=list)  # ids


def import_choices(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    images: str | os.PathLike[str] | None = None,
    user: Any = None,
) -> ChoiceTally:
    """The tasks of a file, all or none; ids that the campaign has are left as they are.

    Pictures are files in `images`, or beside the file. From then on the campaign's tasks are those
    of its files: documents of the project make none. Raises ChoicesRefused, locks.Held.
    """
    if not traits(campaign.interface).own_tasks:
        raise ChoicesRefused("choices.kind", campaign=campaign.slug, interface=campaign.interface)
    folder = Path(images) if images is not None else Path(path).parent
    with locks.hold(f"campaign:{campaign.slug}"):
        campaign.refresh_from_db(fields=["state"])
        if campaign.state == Campaign.State.CLOSED:
            raise ChoicesRefused("choices.closed", campaign=campaign.slug)
        try:
            tally = _looked_through(campaign, path, folder)
            _import(campaign, path, folder, tally)
        except (FormatError, OSError) as error:
            raise ChoicesRefused("import.nothing", why=problem_of(error)) from error
        if tally.tasks:
            if tally.gold and campaign.state != Campaign.State.DRAFT:
                start_over(campaign)
            audit.record(
                campaign.project, "import choices", campaign.slug, user=user,
                after={"file": Path(path).name, "tasks": tally.tasks},
            )  # fmt: skip
    return tally


def _records(campaign: Campaign, path: str | os.PathLike[str]) -> Iterator[ChoiceRecord | Rejected]:
    with Source(path) as source:
        lines = source.lines(settings.MAX_IMPORT_LINE_BYTES)
        yield from read_choices(lines, campaign.options)


# --- Before anything is made --------------------------------------------------------------------


def _looked_through(campaign: Campaign, path: str | os.PathLike[str], folder: Path) -> ChoiceTally:
    """What can be told beforehand. Raises ChoicesRefused where a line is wrong."""
    tally, wrong = ChoiceTally(), 0
    told: list[Rejected] = []
    lines: dict[str, int] = {}  # id → line
    for record in _records(campaign, path):
        if isinstance(record, Rejected):
            reason: Rejected | None = record
        else:
            reason = _problem(record, campaign, lines, folder)
            if record.picture and not record.payload["image"]["alt"]:
                tally.without_alt.append(record.external_id)
        if reason is not None:
            wrong += 1
            told += [reason][: MOST_TOLD - len(told)]
    if wrong:
        counts = {"number": wrong, "file": Path(path).name}
        raise ChoicesRefused("import.mistakes", lines=told, **counts)
    if not lines:
        raise ChoicesRefused("choices.no_task", file=Path(path).name)
    return tally


def _problem(
    record: ChoiceRecord, campaign: Campaign, lines: dict[str, int], folder: Path
) -> Rejected | None:
    before = lines.setdefault(record.external_id, record.line)
    if before != record.line:
        return _of(record, "id", Problem("choices.id_double", line=before))
    if record.gold is not None and campaign.is_assigned:
        return _of(record, "gold", Problem("choices.assigned_gold"))
    if not record.picture:
        return None
    try:
        looked_at(_picture(record.picture, folder))
    except FormatError as error:
        picture = shown(record.picture)
        return _of(record, "image", Problem("choices.picture", picture=picture, why=error))
    return None


def _of(record: ChoiceRecord, path: str, problem: Problem) -> Rejected:
    return Rejected(record.line, problem.at(path), record.external_id)


def _picture(name: str, folder: Path) -> Path:
    """The file that a line names. Raises FormatError where that leads out of the folder."""
    if "://" in name or name.startswith(("//", "data:")):
        raise FormatError("picture.elsewhere")
    path = (folder / name).resolve()
    if "\0" in name or not path.is_relative_to(folder.resolve()):
        raise FormatError("picture.outside", folder=folder)
    if not path.is_file():
        raise FormatError("picture.missing")
    return path


# --- Making them --------------------------------------------------------------------------------


def _import(
    campaign: Campaign, path: str | os.PathLike[str], folder: Path, tally: ChoiceTally
) -> None:
    """Gold first: whatever has no demand after that is a plain task."""
    for batch in batches(_wanted(campaign, path, gold=True)):
        _make_gold(campaign, batch, folder, tally)
    plain = 0

    def pairs() -> Iterator[tuple[str, dict[str, Any]]]:
        nonlocal plain
        for record in _wanted(campaign, path, gold=False):
            plain += 1
            tally.pictures += bool(record.picture)
            yield record.external_id, _payload(record, folder)

    made = create_tasks(campaign, pairs())
    tally.tasks += made
    tally.unchanged += plain - made


def _wanted(
    campaign: Campaign, path: str | os.PathLike[str], *, gold: bool
) -> Iterator[ChoiceRecord]:
    for record in _records(campaign, path):
        if isinstance(record, ChoiceRecord) and (record.gold is not None) == gold:
            yield record


def _payload(record: ChoiceRecord, folder: Path) -> dict[str, Any]:
    if not record.picture:
        return record.payload
    kept = keep_picture(_picture(record.picture, folder))
    return record.payload | {"image": record.payload["image"] | kept}


def _make_gold(
    campaign: Campaign, batch: list[ChoiceRecord], folder: Path, tally: ChoiceTally
) -> None:
    names = [record.external_id for record in batch]
    there = set(campaign.tasks.filter(external_id__in=names).values_list("external_id", flat=True))
    new = [record for record in batch if record.external_id not in there]
    payloads = [_payload(record, folder) for record in new]
    with transaction.atomic():
        tasks = Task.objects.bulk_create(
            Task(campaign=campaign, external_id=record.external_id, payload=payload)
            for record, payload in zip(new, payloads, strict=True)
        )
        made = list(zip(tasks, new, strict=True))
        GoldQuestion.objects.bulk_create(
            GoldQuestion(task=task, answer=record.gold, explanation=record.explanation)
            for task, record in made
        )
        create_gold_demands(campaign, {task.pk: _kind(record) for task, record in made})
    tally.tasks += len(new)
    tally.unchanged += len(batch) - len(new)
    tally.gold += len(new)
    tally.practice += sum(record.practice for record in new)
    tally.exam += sum(record.exam for record in new)
    tally.pictures += sum(bool(record.picture) for record in new)


def _kind(record: ChoiceRecord) -> int:
    if record.practice:
        return Demand.Kind.TRAINING
    return Demand.Kind.EXAM if record.exam else Demand.Kind.HIDDEN
