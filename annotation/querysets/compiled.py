"""Statements whose SQL is made once: for the few that every answer of every worker runs.

To build the SQL of a queryset takes Django five to ten times as long as SQLite takes to run it. A
`Select` or an `Update` is built once a process and database, by the ORM, out of stand-ins in the
places of its values; from then on the values alone are put in. `insert` and `insert_all` do the
same with the rows of a model. Nothing here writes SQL of its own, and a test holds each statement
that is made here against what the ORM makes of the same values.

Not for statements whose SQL depends on their values: `None` in a filter, an empty list.
"""

from __future__ import annotations

import datetime as dt
import functools
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models import sql
from django.db.models.constants import OnConflict
from django.db.models.query import get_related_populators

FIRST_DAY = dt.datetime(1950, 1, 1, tzinfo=dt.UTC)

ROWS_AT_A_TIME = 20  # of prepared rows on SQLite: a statement of one takes half as long again

# What stands in for a value of a field, by the field's type: something that no statement holds of
# itself, another one for each number.
STAND_INS: dict[str, Callable[[int], Any]] = {
    "BigAutoField": lambda number: 2_000_000_000 + number,
    "BigIntegerField": lambda number: 2_000_000_000 + number,
    "CharField": "stand-in {}".format,
    "DateTimeField": lambda number: FIRST_DAY + dt.timedelta(days=number),
    "FloatField": lambda number: -number - 0.0625,
    "IntegerField": lambda number: 2_000_000_000 + number,
    "JSONField": lambda number: {"stand-in": number},
    "PositiveBigIntegerField": lambda number: 2_000_000_000 + number,
    "PositiveIntegerField": lambda number: 2_000_000_000 + number,
    "PositiveSmallIntegerField": lambda number: 32_000 + number,
    "SmallIntegerField": lambda number: 32_000 + number,
    "TextField": "stand-in {}".format,
    "UUIDField": lambda number: uuid.UUID(int=number),
}


@dataclass(frozen=True, slots=True)
class _Made:
    """A statement as the ORM made it: `places` names the value that each parameter stands for, and
    is None where it is always the same."""

    sql: str
    parameters: tuple[Any, ...]
    places: tuple[str | None, ...]
    compiler: Any
    converters: Any  # of the columns of a Select


class _Statement(ABC):
    """`fields` are what `build` takes: the name of each value, and the field that it is for."""

    def __init__(self, build: Callable[..., Any], **fields: Any):
        self.build = build
        self.fields = {name: _own(field) for name, field in fields.items()}
        self._of_vendor: dict[str, Any] = {}

    @abstractmethod
    def compiled(self, own: Any, **values: Any) -> tuple[str, tuple[Any, ...], Any]:
        """SQL, parameters and compiler as the ORM makes them anew of these values."""

    def made(self, own: Any) -> Any:
        """Made at the first call for this kind of database."""
        made = self._of_vendor.get(own.vendor)
        if made is None:
            made = self._of_vendor[own.vendor] = self._make(own)
        return made

    def _make(self, own: Any) -> _Made:
        stand_ins = {
            name: STAND_INS[field.get_internal_type()](number)
            for number, (name, field) in enumerate(self.fields.items(), 1)
        }
        statement, parameters, compiler = self.compiled(own, **stand_ins)
        names = {
            repr(_bare(self.fields[name].get_db_prep_save(value, own))): name
            for name, value in stand_ins.items()
        }
        places = tuple(names.get(repr(_bare(parameter))) for parameter in parameters)
        if missing := self.fields.keys() - set(places):
            raise TypeError(f"{sorted(missing)} not found among the parameters of {statement}")
        converters = compiler.get_converters([column[0] for column in compiler.select or ()])
        return _Made(statement, parameters, places, compiler, converters)

    def parameters(self, own: Any, values: dict[str, Any]) -> list[Any]:
        made = self.made(own)
        given = {
            name: field.get_db_prep_save(values[name], own) for name, field in self.fields.items()
        }
        return [
            given[name] if name else parameter
            for name, parameter in zip(made.places, made.parameters, strict=True)
        ]


class Select(_Statement):
    """A queryset: `build(**values)` returns it."""

    def compiled(self, own: Any, **values: Any) -> tuple[str, tuple[Any, ...], Any]:
        compiler = self.build(**values).query.get_compiler(connection=own)
        statement, parameters = compiler.as_sql()
        return statement, tuple(parameters), compiler

    def statement(self, **values: Any) -> tuple[str, list[Any]]:
        """SQL and parameters, for a statement around it."""
        own = connections[DEFAULT_DB_ALIAS]
        return self.made(own).sql, self.parameters(own, values)

    def dicts(self, **values: Any) -> list[dict[str, Any]]:
        """The rows of a queryset that ends with `values(…)`."""
        own = connections[DEFAULT_DB_ALIAS]
        query = self.made(own).compiler.query
        names = list(query.selected or [*query.values_select, *query.annotation_select])
        return [dict(zip(names, row, strict=True)) for row in self._rows(own, values)]

    def first(self, **values: Any) -> Any:
        """The first row of a queryset that ends with `values_list(…)`, or None."""
        return next(iter(self._rows(connections[DEFAULT_DB_ALIAS], values)), None)

    def instances(self, **values: Any) -> list[Any]:
        """The rows as the models that the queryset makes of them (as its ModelIterable does)."""
        own = connections[DEFAULT_DB_ALIAS]
        rows = self._rows(own, values)
        if not rows:
            return []
        compiler = self.made(own).compiler
        info = compiler.klass_info
        start, end = info["select_fields"][0], info["select_fields"][-1] + 1
        names = [column[0].target.attname for column in compiler.select[start:end]]
        # (The stubs are of a later Django, whose function takes one argument more.)
        populators = get_related_populators(info, compiler.select, own.alias)  # type: ignore[call-arg]
        found = []
        for row in rows:
            instance = info["model"].from_db(own.alias, names, row[start:end])
            for populator in populators:
                populator.populate(row, instance)
            for name, place in (compiler.annotation_col_map or {}).items():
                setattr(instance, name, row[place])
            found.append(instance)
        return found

    def _rows(self, own: Any, values: dict[str, Any]) -> list[Sequence[Any]]:
        made = self.made(own)
        with own.cursor() as cursor:
            cursor.execute(made.sql, self.parameters(own, values))
            rows = cursor.fetchall()
        return list(made.compiler.apply_converters(rows, made.converters))


class Update(_Statement):
    """An update: `build(**values)` returns the queryset, and what its columns are set to."""

    def compiled(self, own: Any, **values: Any) -> tuple[str, tuple[Any, ...], Any]:
        rows, columns = self.build(**values)
        query = rows.query.chain(sql.UpdateQuery)
        query.add_update_values(columns)
        compiler = query.get_compiler(connection=own)
        statement, parameters = compiler.as_sql()
        return statement, tuple(parameters), compiler

    def run(self, **values: Any) -> int:
        """How many rows it met."""
        own = connections[DEFAULT_DB_ALIAS]
        with own.cursor() as cursor:
            cursor.execute(self.made(own).sql, self.parameters(own, values))
            return cursor.rowcount


def insert(row: models.Model) -> None:
    """`row.save(force_insert=True)` of a row that is new; columns with a default in the database
    are left to it."""
    own = connections[DEFAULT_DB_ALIAS]
    made = _insert(type(row), own.vendor)
    parameters = [
        field.get_db_prep_save(field.pre_save(row, add=True), own) for field in made.fields
    ]
    with own.cursor() as cursor:
        cursor.execute(made.sql, parameters)
        if made.returned:
            (given,) = made.compiler.apply_converters([cursor.fetchone()], made.converters)
            for name, value in zip(made.returned, given, strict=True):
                setattr(row, name, value)
    row._state.adding, row._state.db = False, own.alias


def insert_all(model: type[models.Model], rows: Sequence[dict[str, Any]]) -> None:
    """`bulk_create(…, ignore_conflicts=True)` in one statement, of rows that name every column by
    its attribute."""
    if not rows:
        return
    own = connections[DEFAULT_DB_ALIAS]
    statement, fields, by_column = _insert_all(model, own.vendor, len(rows))
    columns = [
        [field.get_db_prep_save(row[field.attname], own) for row in rows] for field in fields
    ]
    parameters = columns if by_column else list(chain(*zip(*columns, strict=True)))
    with own.cursor() as cursor:
        cursor.execute(statement, parameters)


def insert_prepared(model: type[models.Model], columns: Sequence[Sequence[Any]]) -> int:
    """Rows by columns: every one but the key, in the order of the model's fields, each value as the
    database takes it (JSON as text). How many rows there were not yet; those that were stay."""
    number = len(columns[0])
    if not number:
        return 0
    own = connections[DEFAULT_DB_ALIAS]
    with own.cursor() as cursor:
        if own.vendor == "sqlite":
            return _insert_few_at_a_time(cursor, model, columns)
        statement, _, by_column = _insert_all(model, own.vendor, number)
        given = list(map(list, columns)) if by_column else [column[0] for column in columns]
        cursor.execute(statement, given)
        return cursor.rowcount


def _insert_few_at_a_time(
    cursor: Any, model: type[models.Model], columns: Sequence[Sequence[Any]]
) -> int:
    """As many as ROWS_AT_A_TIME by one statement, and the few that are left by one each."""
    width, number = len(columns), len(columns[0])
    values = list(chain.from_iterable(zip(*columns, strict=True)))
    whole = number - number % ROWS_AT_A_TIME
    inserted = 0
    # A column of JSON reads each value anew to see that it is: these were written as JSON.
    cursor.execute("PRAGMA ignore_check_constraints = ON")
    try:
        for rows, start, end in ((ROWS_AT_A_TIME, 0, whole), (1, whole, number)):
            if start < end:
                places = range(start * width, end * width, rows * width)
                given = [values[at : at + rows * width] for at in places]
                cursor.executemany(_insert_all(model, "sqlite", rows)[0], given)
                inserted += cursor.rowcount
    finally:
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    return inserted


@dataclass(frozen=True, slots=True)
class _Insert:
    """`fields`: whose values the statement takes. `returned`: the attributes that it gives back."""

    sql: str
    fields: tuple[models.Field, ...]
    returned: tuple[str, ...]
    compiler: Any
    converters: Any


@functools.cache
def _insert(model: type[models.Model], vendor: str) -> _Insert:
    fields = _written(model)
    query = sql.InsertQuery(model)
    query.insert_values(fields, [model()])
    compiler = query.get_compiler(using=DEFAULT_DB_ALIAS)
    compiler.returning_fields = model._meta.db_returning_fields
    ((statement, _),) = compiler.as_sql()
    columns = [field.get_col(model._meta.db_table) for field in compiler.returning_fields]
    return _Insert(
        sql=statement,
        fields=_taken(fields),
        returned=tuple(field.attname for field in compiler.returning_fields),
        compiler=compiler,
        converters=compiler.get_converters(columns),
    )


@functools.lru_cache(maxsize=512)  # as many as events come with an answer
def _insert_all(
    model: type[models.Model], vendor: str, number: int
) -> tuple[str, tuple[models.Field, ...], bool]:
    """The statement for so many rows, the fields whose values it takes, and whether it takes them
    a column at a time."""
    fields = _written(model)
    query = sql.InsertQuery(model, on_conflict=OnConflict.IGNORE)
    query.insert_values(fields, [model() for _ in range(number)])
    ((statement, parameters),) = query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
    taken = _taken(fields)
    return statement, taken, len(parameters) < len(taken) * number


def _written(model: type[models.Model]) -> list[models.Field]:
    key: Any = model._meta.auto_field
    return [field for field in model._meta.local_concrete_fields if field is not key]


def _taken(fields: list[models.Field]) -> tuple[models.Field, ...]:
    return tuple(field for field in fields if not field.has_db_default())


def _own(attribute: Any) -> Any:
    """The field that tells a value's type: of a relation, the one that it refers to."""
    field = attribute.field
    return field.target_field if field.is_relation else field


def _bare(parameter: Any) -> Any:
    """What psycopg2's wrapper of JSON holds; any other parameter as it is."""
    return getattr(parameter, "adapted", parameter)
