"""Documents whose import is complete, and the gold that came with them."""

from __future__ import annotations

from typing import Any

from django.db import models


class ImportRunQuerySet(models.QuerySet):
    def complete(self) -> ImportRunQuerySet:
        return self.filter(state="complete")


class DocumentQuerySet(models.QuerySet):
    def visible(self) -> DocumentQuerySet:
        """Documents whose import is complete."""
        return self.filter(import_run__state="complete")


class ImportedAnswerQuerySet(models.QuerySet):
    def visible(self) -> ImportedAnswerQuerySet:
        """Those of documents whose import is complete."""
        return self.filter(document__import_run__state="complete")

    def gold(self) -> ImportedAnswerQuerySet:
        """What is known of the truth; the rest are predictions of systems."""
        return self.filter(source="gold")

    def gold_for(self, interface: Any) -> ImportedAnswerQuerySet:
        """Gold that an answer of this interface (its name, or an expression) can be held to."""
        return self.gold().filter(interface=interface)
