"""Tasks, what they still want, and the gold among them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models

PLAIN = 0  # Demand.Kind.PLAIN
HIDDEN = 2
MEASURING = (2, 3)  # HIDDEN and EXAM: gold whose first answers tell how good a worker is


class TaskQuerySet(models.QuerySet):
    def plain(self) -> TaskQuerySet:
        """Those that want a consensus: no gold questions."""
        return self.filter(demand__kind=PLAIN)

    def gold_for(self, interface: Any) -> TaskQuerySet:
        """Those whose document came with gold for this interface. One row for each such gold."""
        return self.filter(
            document__imported_answers__interface=interface,
            document__imported_answers__source="gold",
        )

    def all_have_gold_for(self, interface: Any) -> bool:
        """Whether the document of each came with gold for this interface: then nobody has chosen
        which did. One query."""
        return not self.exclude(pk__in=self.gold_for(interface).values("pk")).exists()

    def predicted_for(self, interface: Any) -> TaskQuerySet:
        """Those whose document came with what a system predicts for this interface."""
        return self.filter(
            document__imported_answers__interface=interface,
            document__imported_answers__source="prediction",
        )

    def submitted(self, until: datetime | None = None) -> TaskQuerySet:
        """A row for each answer that came in time, and was received by `until`."""
        answered: dict[str, Any] = {"assignments__state": "submitted"}
        if until is not None:
            answered["assignments__response__received_at__lte"] = until
        return self.filter(**answered)


class DemandQuerySet(models.QuerySet):
    def plain(self) -> DemandQuerySet:
        return self.filter(kind=PLAIN)

    def gold(self) -> DemandQuerySet:
        """Of gold questions, practice among them."""
        return self.filter(kind__gt=PLAIN)

    def measuring(self) -> DemandQuerySet:
        """Of hidden gold and exam questions."""
        return self.filter(kind__in=MEASURING)

    def ready(self) -> DemandQuerySet:
        return self.filter(ready=True)


class GoldQuestionQuerySet(models.QuerySet):
    def standing(self) -> GoldQuestionQuerySet:
        """Those that hold: not retired."""
        return self.filter(retired_at=None)

    def sampled(self) -> GoldQuestionQuerySet:
        """Those that stand for all tasks: drawn at random from them."""
        return self.standing().filter(drawn="random")

    def measuring(self) -> GoldQuestionQuerySet:
        """Hidden gold and exam questions: no practice."""
        return self.filter(task__demand__kind__in=MEASURING)
