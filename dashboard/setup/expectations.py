"""What a task will take and what an hour of it will pay, told before a campaign opens.

From what workers of this project took for tasks of the same kind, or else from an assumption that
is named as one. Plain Python: a web process imports no numerics.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models.functions import Length

from annotation.interfaces import Product, traits
from annotation.models import Campaign, Document, Enrollment

FEWEST_WORKERS = 3  # who tell what a task takes
FEWEST_TASKS = 5  # of each of them
LOOKED_AT = 500  # workers, and documents
CHARACTERS_A_WORD = 6
# Assumed: reading for meaning at 200 words a minute, a name to mark in each 12 words at 3 s, and
# one answer at 4 s. Workers differ by as much as the range says.
SECONDS_A_WORD, WORDS_A_NAME, SECONDS_A_NAME, SECONDS_AN_ANSWER = 0.3, 12, 3.0, 4.0
FASTER, SLOWER = 0.6, 1.7
USUAL_WORDS = 60  # of a task whose text is not known


@dataclass(frozen=True, slots=True)
class TaskTime:
    """Seconds of active time for a task; the middle 80 % of the workers lie from low to high."""

    seconds: float
    low: float
    high: float
    workers: int  # who were measured; 0: it is assumed
    words: int  # of a document; 0: not known

    def hourly(self, mills: int) -> tuple[int, int, int]:
        """Mills an hour, to a cent, that a task of so many mills comes to: (usual, low, high)."""
        usual, low, high = (
            round(360 * mills / seconds) * 10 for seconds in (self.seconds, self.high, self.low)
        )
        return usual, low, high


def task_time(campaign: Campaign) -> TaskTime:
    """Two queries, neither of which grows with the project."""
    words = _words(campaign)
    measured = _measured(campaign)
    if len(measured) >= FEWEST_WORKERS:
        each = sorted(seconds / number for seconds, number in measured)
        usual = sum(seconds for seconds, _ in measured) / sum(number for _, number in measured)
        low, high = each[len(each) // 10], each[-1 - len(each) // 10]
        return TaskTime(usual, min(low, usual), max(high, usual), len(each), words)
    read = words or USUAL_WORDS
    usual = read * SECONDS_A_WORD
    if traits(campaign.interface).product is Product.MENTIONS:
        usual += read / WORDS_A_NAME * SECONDS_A_NAME
    else:
        usual = min(usual, USUAL_WORDS * SECONDS_A_WORD) + SECONDS_AN_ANSWER
    return TaskTime(usual, usual * FASTER, usual * SLOWER, 0, words)


def _measured(campaign: Campaign) -> list[tuple[float, int]]:
    alike = Campaign.objects.filter(project=campaign.project_id, interface=campaign.interface)
    workers = Enrollment.objects.filter(
        campaign__in=alike.values("pk"), submitted__gte=FEWEST_TASKS, seconds__gt=0
    )
    return list(workers.order_by("-pk").values_list("seconds", "submitted")[:LOOKED_AT])


def _words(campaign: Campaign) -> int:
    if not traits(campaign.interface).on_documents:
        return 0
    first = Document.objects.visible().filter(project=campaign.project_id).order_by("pk")
    sizes = list(first.annotate(size=Length("text")).values_list("size", flat=True)[:LOOKED_AT])
    return round(sum(sizes) / len(sizes) / CHARACTERS_A_WORD) if sizes else 0
