"""The raw view of a table under /admin/, for reading: what changes a row is an action.

Every column is there but secrets and what is only bytes. Another row is a link to its own page, and
a row's page leads to the rows that point at it and to the dashboard's page of the same thing.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db import models
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html

# Not in a list of rows.
LONG = (models.BinaryField, models.JSONField, models.TextField, models.UUIDField)
# Columns that nobody is shown, whatever table they stand in: with them a person could pass for
# somebody else, or work out which tasks are gold.
SECRETS = frozenset(
    {
        "device_digest", "get_data", "password", "phrase_digest", "post_data", "secret",
        "secret_digest", "session_hash", "token",
    }
)  # fmt: skip
NAMED = {  # a link to such a row says this of it; others are told by their number
    "annotation.Project": "slug",
    "annotation.Campaign": "slug",
    "annotation.Document": "external_id",
    "annotation.Task": "external_id",
    "annotation.Worker": "external_id",
    "auth.User": "username",
}
FILTERED = ("annotation.Project", "annotation.Campaign")  # there are few enough to list them
MOST_COUNTED = 10_000  # rows; to count a table of a million takes longer than to show a page
LONGEST_NUMBER = 18  # digits that fit the column of a row's number

PageOf = Callable[[Any], tuple[str, tuple[Any, ...]]]  # a row → name of a page, its arguments


class RowsCountedToALimit(Paginator):
    object_list: QuerySet

    @cached_property
    def count(self) -> int:
        return self.object_list.order_by()[: MOST_COUNTED + 1].count()


class RowList(ChangeList):
    """Reads no column that it doesn't show."""

    model_admin: RawTable

    @property
    def more_than(self) -> int | None:
        return MOST_COUNTED if self.result_count > MOST_COUNTED else None

    def get_queryset(self, request: HttpRequest, *args: Any) -> QuerySet:
        return super().get_queryset(request, *args).only(*self.model_admin.listed)


class RawTable(admin.ModelAdmin):
    actions = None
    change_form_template = "admin/raw_row.html"
    list_per_page = 50
    ordering = ("-pk",)
    paginator = RowsCountedToALimit
    show_facets = ShowFacets.NEVER  # each would count the table
    show_full_result_count = False

    # A table that grows with the answers is sorted by its rows' numbers alone, and searched for
    # what an index finds.
    grows = False
    more_filters: ClassVar[tuple[Any, ...]] = ()
    # Columns that are searched beside the row's number and key: for a part of them, or, where the
    # table grows, for the whole.
    searched: ClassVar[tuple[str, ...]] = ()
    page_of: PageOf | None = None
    page_needs: ClassVar[tuple[str, ...]] = ()  # rows that its address is made of

    def __init__(self, model: type[models.Model], site: admin.AdminSite):
        super().__init__(model, site)
        shown = [
            field
            for field in model._meta.concrete_fields
            if field.name not in SECRETS and not isinstance(field, models.BinaryField)
        ]
        short = [field for field in shown if not isinstance(field, LONG)]
        self.links = {field.name: _link(field) for field in shown if field.is_relation}
        self.listed = [
            name for field in short for name in (field.attname, _named(field)) if name is not None
        ]
        first = () if not model._meta.pk.is_relation else (model._meta.pk.attname,)
        self.columns = first + tuple(self.links.get(field.name, field.attname) for field in short)
        self.fields_of_a_row = tuple(self.links.get(field.name, field.attname) for field in shown)
        self.related = tuple(field.name for field in shown if _named(field))
        self.search_help_text = _help(  # type: ignore[misc]
            model, self.searched, whole=self.grows
        )
        if self.page_of is not None:
            self.view_on_site = self.page

    def page(self, row: Any) -> str | None:
        assert self.page_of is not None
        try:
            name, arguments = self.page_of(row)
            return reverse(f"manage:{name}", args=arguments)
        except (AttributeError, NoReverseMatch):  # a row that belongs to no project, or campaign
            return None

    # --- A list of rows -------------------------------------------------------------------------

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return RowList

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        return self.columns

    def get_sortable_by(self, request: HttpRequest) -> tuple[Any, ...]:
        return () if self.grows else self.columns

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return self.searched or ("pk",)  # `get_search_results` says how

    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...] | bool:
        return self.related or False

    def get_list_filter(self, request: HttpRequest) -> tuple[Any, ...]:
        found = [
            field.name
            for field in self.model._meta.concrete_fields
            if field.choices
            or isinstance(field, models.BooleanField)
            or (field.is_relation and field.related_model._meta.label in FILTERED)
        ]
        return (*found, *self.more_filters)

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        return SECRETS.isdisjoint(lookup.split("__")) and super().lookup_allowed(
            lookup, value, request
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        if not (term := search_term.strip()):
            return queryset, False
        way = "exact" if self.grows else "icontains"
        found = Q(*((f"{name}__{way}", term) for name in self.searched), _connector=Q.OR)
        fields = self.model._meta
        if isinstance(fields.pk, models.CharField):
            found |= Q(pk=term)
        elif term.isascii() and term.isdigit() and len(term) <= LONGEST_NUMBER:
            found |= Q(pk=int(term))
        if (key := _uuid(term)) and any(field.name == "key" for field in fields.fields):
            found |= Q(key=key)
        return (queryset.filter(found) if found else queryset.none()), False

    # --- A row ----------------------------------------------------------------------------------

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[Any, ...]:
        return self.fields_of_a_row

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[Any, ...]:
        return self.fields_of_a_row

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        found = super().get_queryset(request)
        is_row = request.resolver_match and "object_id" in request.resolver_match.kwargs
        if is_row and (related := {*self.related, *self.page_needs}):
            return found.select_related(*related)
        return found

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        context["pointing"] = list(_pointing(context["original"]))
        return super().render_change_form(request, context, *args, **options)

    # --- For reading ----------------------------------------------------------------------------

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def register_tables(app: str, tables: dict[str, type[RawTable]] | None = None) -> None:
    """All tables of an app; `tables` are those of which there is more to say."""
    for model in apps.get_app_config(app).get_models():
        if not isinstance(model._meta.pk, models.CompositePrimaryKey):  # the admin can't show it
            admin.site.register(model, (tables or {}).get(model.__name__, RawTable))


def _link(field: Any) -> Callable[[Any], Any]:
    """A column that leads to the row that the field points at."""
    target = field.related_model._meta
    address = f"admin:{target.app_label}_{target.model_name}_change"
    name = NAMED.get(target.label)

    @admin.display(description=field.verbose_name, ordering=field.attname)
    def column(row: Any) -> Any:
        number = getattr(row, field.attname)
        if number is None:
            return None
        words = getattr(getattr(row, field.name), name) if name else number
        return format_html('<a href="{}">{}</a>', reverse(address, args=[number]), words)

    column.__name__ = field.name
    return column


def _named(field: Any) -> str | None:
    """The column of another row that a link to it says."""
    name = field.is_relation and NAMED.get(field.related_model._meta.label)
    return f"{field.name}__{name}" if name else None


def _pointing(row: models.Model) -> Iterator[tuple[str, str]]:
    """Lists of the rows that point at this one, where an index finds them: words, address."""
    for relation in row._meta.related_objects:
        field, there = relation.field, relation.related_model._meta
        table = f"admin:{there.app_label}_{there.model_name}_changelist"
        if admin.site.is_registered(relation.related_model) and field.column and _is_found(field):
            target = field.target_field  # the name under which a filter at the side has it, too
            lookup = field.name if target.is_relation else f"{field.name}__{target.name}"
            address = f"{reverse(table)}?{lookup}__exact={row.pk}"
            yield str(there.verbose_name_plural), address


def _is_found(field: Any) -> bool:
    """Whether an index, or a constraint, begins with the field."""
    of_several = (*field.model._meta.indexes, *field.model._meta.constraints)
    return (
        field.db_index
        or field.unique
        or any(one.fields[0] == field.name for one in of_several if getattr(one, "fields", ()))
    )


def _help(model: type[models.Model], searched: tuple[str, ...], *, whole: bool) -> str:
    keyed = ["key"] if any(field.name == "key" for field in model._meta.fields) else []
    number = "name" if isinstance(model._meta.pk, models.CharField) else "number"
    words = [name.replace("__", "'s ").replace("_", " ") for name in searched]
    listed = ", ".join(f"whole {word}" if whole else f"part of its {word}" for word in words)
    return f"A row's {' or '.join([number, *keyed])}{', or ' if listed else ''}{listed}."


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
