"""What workers did with the suggestions of a campaign: whether these help, and whether they anchor.

The page tells, with the event of the submit, what became of each suggestion by its number in the
order of the text. What a page says is not trusted: what has another form is left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

from django.db.models import F, QuerySet

from annotation.actions.bulk import batches
from annotation.interfaces import Material, interface
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.schema import NOT_LABELLED
from annotation.interfaces.tags import spans_of, tags_of
from annotation.models import Campaign, Event, Task
from annotation.queries import exports
from annotation.querysets.assignments import HANDED_IN

FATES = ("accepted", "changed", "dismissed", "left")
HIGHEST = 1_000_000  # number of a suggestion

Fates = Counter[tuple[int, str]]  # (number of a suggestion, what became of it) → answers


@dataclass(frozen=True, slots=True)
class SuggestionReport:
    """What became of the suggestions that were shown; and of those, where the answer is known."""

    answers: int
    suggested: Counter[str]
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)


def suggestion_report(campaign: Campaign) -> SuggestionReport:
    """A query for the events, and a few for each hundred tasks."""
    answers, by_task = 0, defaultdict[str, Fates](Counter)
    for task, fates in _fates_of_answers(campaign):
        answers += 1
        by_task[task].update(fates)
    suggested: Counter[str] = Counter()
    for counts in by_task.values():
        for (_, fate), count in counts.items():
            suggested[fate] += count
    report = SuggestionReport(answers, suggested)
    if by_task:
        _compare(campaign, by_task, report)
    return report


def tasks_with_taken(tasks: QuerySet[Task], source: str) -> set[int]:
    """Row ids of those tasks to which somebody has handed in an answer with a suggestion that they
    took as it was, from a source whose name begins like this. One query."""
    suggested = tasks.filter(payload__suggested_by__source__startswith=source)
    told = _told(assignment__task__in=suggested.values("pk"))
    rows = told.annotate(name=F("assignment__task__pk"))
    return {
        task for task, fates in _last_told(rows) if any(fate == "accepted" for _, fate in fates)
    }


def _fates_of_answers(campaign: Campaign) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """(task, (number, fate) pairs) of each answer."""
    told = _told(assignment__task__campaign=campaign)
    return _last_told(told.annotate(name=F("assignment__task__external_id")))


def _told(**of: Any) -> QuerySet[Any]:
    return Event.objects.filter(
        assignment__state__in=HANDED_IN, kind="submitted", data__has_key="suggestions", **of
    )


def _last_told(events: QuerySet[Any]) -> Iterator[tuple[Any, list[tuple[int, str]]]]:
    """(`name`, (number, fate) pairs) of each answer: what its page told last. Of hidden gold that
    was given others since, the answers before are left out: their numbers are of others."""
    rows = (
        events.order_by("assignment", "number")
        .values_list(
            "assignment", "name", "data__suggestions", "assignment__leased_at",
            "assignment__task__payload__suggested_at",
        )
    )  # fmt: skip
    for _, of_one in groupby(rows.iterator(), key=itemgetter(0)):
        *_, (_, name, data, leased_at, suggested_at) = of_one
        if suggested_at is None or datetime.fromisoformat(suggested_at) <= leased_at:
            yield name, _read(data)


def _read(data: Any) -> list[tuple[int, str]]:
    if not isinstance(data, dict):
        return []
    lists = ((fate, data.get(fate)) for fate in FATES)
    fates = {
        number: fate
        for fate, numbers in lists
        if isinstance(numbers, list)
        for number in numbers
        if type(number) is int and 0 <= number < HIGHEST
    }
    return list(fates.items())


def _compare(campaign: Campaign, by_task: dict[str, Fates], report: SuggestionReport) -> None:
    """Add to `right` and `wrong` what became of the suggestions that a known answer speaks of."""
    known = (one for one in exports.gold(campaign) if one.task in by_task and one.document)
    for batch in batches(known, exports.TASKS_AT_ONCE):
        payloads = dict(
            campaign.tasks.filter(external_id__in=[one.task for one in batch]).values_list(
                "external_id", "payload"
            )
        )
        for one in batch:
            verdicts = _verdicts(campaign, one, payloads[one.task])
            for (number, fate), count in by_task[one.task].items():
                if number in verdicts:
                    side = report.right if verdicts[number] else report.wrong
                    side[fate] += count


def _verdicts(
    campaign: Campaign, known: exports.Exported, payload: dict[str, Any]
) -> dict[int, bool]:
    """Whether each suggestion is right, by its number; none where the known answer is silent."""
    document: Any = known.document
    material = Material(
        schema=campaign.project.schema,
        payload=payload,
        text=document.text,
        tokens=document.tokens,
        sentences=document.sentences,
    )
    page = interface("entity").page_data(material)
    answer = cast(EntityAnswer, known.answer)
    tags, right = tags_of(answer, material), set(spans_of(answer, material))
    return {
        number: (one["start"], one["end"], one["type"]) in right
        for number, one in enumerate(page.get("suggestions", {}).get("mentions", ()))
        if NOT_LABELLED not in tags[one["start"] : one["end"]]
    }
