"""The ledger: what was paid and promised, line by line."""

from __future__ import annotations

from typing import Any

from django.db import models


class LedgerQuerySet(models.QuerySet):
    """The ledger is append-only: what became of a line may change, its amount may not."""

    MUTABLE = frozenset({"state", "platform_ref"})

    def beside_earned(self) -> LedgerQuerySet:
        """Paid, sent, rejected, beyond the budget: all that an index of its own finds."""
        return self.exclude(state="earned")

    def update(self, **kwargs: Any) -> int:
        if frozen := kwargs.keys() - self.MUTABLE:
            raise ValueError(
                f"The ledger is append-only: {', '.join(sorted(frozen))} can't be changed. "
                "Write a correcting payment."
            )
        return super().update(**kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValueError("The ledger is append-only. Write a correcting payment.")
