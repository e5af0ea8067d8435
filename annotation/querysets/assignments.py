"""Which answers count, and which gold score of an answer does."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Case, F, Q, When

from annotation.querysets.immutable import ImmutableQuerySet
from annotation.querysets.tasks import MEASURING, PLAIN

HANDED_IN = ("submitted", "late")  # Assignment.State


# The gold score that counts: the one written later, else the response's own.
GOLD_SCORE = Case(
    When(rescored__isnull=False, then=F("rescored__score")), default=F("response__gold_score")
)


def standing(column: str, until: datetime | None = None, through: str = "") -> Case:
    """What an answer says: a response's `column` ("answer" or "judgments") as it was corrected,
    by `until` where that is given, else as it was first. `through`: the way to the response."""
    way = f"{through}correction__"
    is_corrected = Q(**{f"{way}at__isnull": False} if until is None else {f"{way}at__lte": until})
    return Case(When(is_corrected, then=F(way + column)), default=F(through + column))


class AssignmentQuerySet(models.QuerySet):
    def live(self) -> AssignmentQuerySet:
        """Under a lease."""
        return self.filter(state="leased")

    def expired(self) -> AssignmentQuerySet:
        """The lease ran out before there was an answer."""
        return self.filter(state="expired")

    def submitted(self) -> AssignmentQuerySet:
        """Answered in time: the answer fills a place of its task."""
        return self.filter(state="submitted")

    def handed_in(self) -> AssignmentQuerySet:
        """Answered, in time or too late."""
        return self.filter(state__in=HANDED_IN)

    def reported(self) -> AssignmentQuerySet:
        """Given back as broken. They are few, so they are found first, by their own index:
        whichever campaigns are asked about, SQLite would else begin with all assignments of
        these."""
        reported = self.model._default_manager.filter(reported_at__isnull=False)
        return self.filter(pk__in=reported.values("pk"))

    def on_plain(self) -> AssignmentQuerySet:
        """To tasks that are no gold questions."""
        return self.filter(task__demand__kind=PLAIN)

    def on_measuring_gold(self) -> AssignmentQuerySet:
        """To hidden gold and exam questions."""
        return self.filter(task__demand__kind__in=MEASURING)

    def counted(self) -> AssignmentQuerySet:
        """What a consensus is made of: submitted answers to plain tasks."""
        return self.submitted().on_plain()


MOST_DOUBTED = 5_000  # answers in which doubts are looked for, of all campaigns


class HasDoubts(models.Func):
    """Whether an answer holds doubts (interfaces.doubts). Without parameters, so that both
    databases see that a partial index with this very condition answers it."""

    output_field = models.BooleanField()
    template = "JSON_TYPE(%(expressions)s, '$.doubts') IS NOT NULL"

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "(%(expressions)s -> 'doubts') IS NOT NULL"
        return self.as_sql(compiler, connection, template=template, **context)


class ResponseQuerySet(ImmutableQuerySet):
    def doubted(self) -> ResponseQuerySet:
        """The latest whose worker was unsure of something, as first given. They are few, and are
        found first, by their own index. A planner that has no figures for an answer's members takes
        nearly all answers for such ones; the slice tells it how many there can be."""
        latest = self.model._default_manager.filter(HasDoubts("answer")).order_by("-pk")
        return self.filter(pk__in=latest.values("pk")[:MOST_DOUBTED])

    def perhaps_doubted(self) -> ResponseQuerySet:
        """All whose worker was unsure of something as first given, found by their own index, and
        those that were corrected: what such an answer says now, has to be looked at."""
        return self.filter(self._doubted_at_first() | Q(correction__isnull=False))

    def doubted_at_first(self) -> ResponseQuerySet:
        """As `doubted`, of whatever age."""
        return self.filter(self._doubted_at_first())

    def _doubted_at_first(self) -> Q:
        first = self.model._default_manager.filter(HasDoubts("answer"))
        return Q(pk__in=first.values("pk"))

    def submitted(self) -> ResponseQuerySet:
        return self.filter(assignment__state="submitted")

    def on_plain(self) -> ResponseQuerySet:
        return self.filter(assignment__task__demand__kind=PLAIN)

    def counted(self) -> ResponseQuerySet:
        """As `AssignmentQuerySet.counted`."""
        return self.submitted().on_plain()

    def counted_or_to(self, tasks: Collection[int]) -> ResponseQuerySet:
        """Those that count, and submitted ones to these tasks."""
        if not tasks:
            return self.counted()
        plain = Q(assignment__task__demand__kind=PLAIN)
        return self.submitted().filter(plain | Q(assignment__task__in=tasks))

    def received_by(self, until: datetime | None) -> ResponseQuerySet:
        """None: all that there are."""
        return self.filter(received_at__lte=until) if until is not None else self


class RejectionQuerySet(models.QuerySet):
    def standing(self) -> RejectionQuerySet:
        """Those that nobody has taken back."""
        return self.filter(overturned_at=None)

    def standing_of(self, enrollment: Any) -> RejectionQuerySet:
        return self.standing().filter(assignment__enrollment=enrollment)
