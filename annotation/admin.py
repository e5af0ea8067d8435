"""Django's admin as the raw view of the tables, for reading: what changes a row is an action."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest

UNLISTED = (models.BinaryField, models.JSONField, models.TextField)  # shown on the row's own page


class RawTable(admin.ModelAdmin):
    actions = None
    list_per_page = 50
    ordering = ["-pk"]
    show_full_result_count = False

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        """Every short column; other rows by their number, which costs no query for each."""
        columns = self.model._meta.concrete_fields
        return tuple(column.attname for column in columns if not isinstance(column, UNLISTED))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def register_tables(app: str) -> None:
    for model in apps.get_app_config(app).get_models():
        if not isinstance(model._meta.pk, models.CompositePrimaryKey):  # the admin can't show it
            admin.site.register(model, RawTable)


register_tables("annotation")
register_tables("axes")  # failed log-ins, and log-ins
