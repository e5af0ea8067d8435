"""Lists a page at a time: `limit` rows after the one that `after` names, so that the last page of a
million costs what the first one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from django.core.exceptions import ValidationError as ModelError
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.serializers import ErrorSerializer

ROWS, MOST_ROWS = 100, 500
REFUSALS = dict.fromkeys((400, 401, 403, 404), ErrorSerializer)
PAGING = [
    OpenApiParameter("limit", int, description=f"Rows, {ROWS} if not given, {MOST_ROWS} at most."),
    OpenApiParameter("after", str, description="Rows after the one of this name."),
]


class PageQuerySerializer(serializers.Serializer):
    limit = serializers.IntegerField(min_value=1, max_value=MOST_ROWS, default=ROWS)
    after = serializers.CharField(max_length=300, required=False, trim_whitespace=False)


def page(
    request: Request,
    rows: QuerySet[Any],
    told: type[serializers.Serializer] | Callable[[list[Any]], Any],
    *,
    name: str,
    newest_first: bool = False,
    kind: type = str,
) -> Response:
    """`name` is the field by which a row is named, unique among `rows`, and the order of those that
    are not newest first."""
    given = PageQuerySerializer(data=request.query_params.dict())
    given.is_valid(raise_exception=True)
    limit, after = given.validated_data["limit"], given.validated_data.get("after")
    if after is not None:
        rows = _after(rows, name, after, newest_first, kind)
    found = list(rows.order_by("-pk" if newest_first else name)[: limit + 1])
    following = None
    if len(found) > limit:
        query = request.query_params.copy()
        query["after"] = str(reduce(getattr, name.split("__"), found[limit - 1]))
        following = f"{request.path}?{query.urlencode()}"
    shown = told(found[:limit], many=True).data if isinstance(told, type) else told(found[:limit])
    return Response({"results": shown, "next": following})


def _after(
    rows: QuerySet[Any], name: str, after: str, newest_first: bool, kind: type
) -> QuerySet[Any]:
    try:
        if not newest_first:
            return rows.filter(**{f"{name}__gt": _number(after) if kind is int else after})
        row = rows.filter(**{name: after}).values("pk").first()
    except (ModelError, ValueError):
        row = None
    if row is None:
        raise serializers.ValidationError({"after": ["There is no such row in this list."]})
    return rows.filter(pk__lt=row["pk"])


def _number(after: str) -> int:
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        raise ValueError
    return int(after)


def chosen(request: Request, filters: Mapping[str, serializers.Field]) -> dict[str, Any]:
    """The filters of a list that were given. Raises ValidationError."""
    kind = type("Filters", (serializers.Serializer,), dict(filters))
    given = kind(data=request.query_params.dict())
    given.is_valid(raise_exception=True)
    found: dict[str, Any] = given.validated_data
    return found


def listing(row: type[serializers.Serializer], name: str, **filters: str) -> Any:
    """How the OpenAPI document tells of a list; `filters`: their names and what each picks out."""
    shape = inline_serializer(
        f"{name}Page",
        {
            "results": row(many=True),
            "next": serializers.CharField(
                allow_null=True, help_text="The address of the next page; null: it is the last."
            ),
        },
    )
    more = [OpenApiParameter(one, str, description=words) for one, words in filters.items()]
    return extend_schema(
        operation_id=f"{name.lower()}_list",
        responses={200: shape} | REFUSALS,
        parameters=[*PAGING, *more],
    )
