"""Rows that are written once."""

from __future__ import annotations

from typing import Any

from django.db import models


class ImmutableRow(Exception):
    """A row that is history was about to be changed or deleted."""


class ImmutableQuerySet(models.QuerySet):
    """Rows that are written once: no update and no delete goes through the model."""

    def _refuse(self) -> None:
        raise ImmutableRow(
            f"{str(self.model._meta.verbose_name).capitalize()} rows are never changed or deleted."
        )

    def update(self, **kwargs: Any) -> int:
        self._refuse()
        return 0

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        self._refuse()
        return 0

    def delete(self) -> tuple[int, dict[str, int]]:
        self._refuse()
        return 0, {}
