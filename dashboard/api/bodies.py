"""What programs send in the place of a page's form: the same fields and checks, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from django import forms
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from annotation.actions import job_inputs
from dashboard.documents.uploads import is_too_large
from dashboard.jobs.files import limit

Form = TypeVar("Form", bound=forms.Form)


class TooLarge(APIException):
    """The body was read past, and its file with it."""

    status_code = 413


@cache
def serializer_of(form: type[forms.Form], partial: bool = False) -> type[serializers.Serializer]:
    """The fields of a form as JSON has them, for types and for the OpenAPI document."""
    fields = {name: _field(field, partial) for name, field in form.base_fields.items()}
    name = form.__name__.removesuffix("Form") + ("Change" if partial else "Body")
    return type(f"{name}Serializer", (serializers.Serializer,), fields)


def _field(field: forms.Field, partial: bool) -> serializers.Field:
    needed = field.required and _offered(field) is None and not partial
    common: dict[str, Any] = {"required": needed, "help_text": str(field.help_text)}
    if isinstance(field, forms.FileField):
        return serializers.FileField(required=field.required)
    if isinstance(field, (forms.MultipleChoiceField, forms.ModelMultipleChoiceField)):
        return serializers.ListField(child=serializers.CharField(max_length=200), **common)
    if isinstance(field, forms.BooleanField):
        return serializers.BooleanField(**common)
    if isinstance(field, forms.DecimalField):  # an IntegerField, too
        return serializers.DecimalField(
            max_digits=field.max_digits, decimal_places=field.decimal_places,
            coerce_to_string=False, allow_null=not field.required, **common,
        )  # fmt: skip
    if isinstance(field, forms.FloatField):  # which is an IntegerField, too
        return serializers.FloatField(
            min_value=field.min_value, max_value=field.max_value,  # type: ignore[arg-type]
            allow_null=not field.required, **common,
        )  # fmt: skip
    if isinstance(field, forms.IntegerField):
        return serializers.IntegerField(
            min_value=field.min_value, max_value=field.max_value,  # type: ignore[arg-type]
            allow_null=not field.required, **common,
        )  # fmt: skip
    if isinstance(field, forms.DateTimeField):
        return serializers.DateTimeField(allow_null=True, **common)
    if isinstance(field, forms.ModelChoiceField):  # by its name, or none
        common["allow_null"] = not field.required
    most = getattr(field, "max_length", None) or 1_000_000
    return serializers.CharField(
        allow_blank=not field.required, trim_whitespace=False, max_length=most, **common
    )


def _offered(field: forms.Field) -> Any:
    """What a browser would send where nobody touches the field."""
    is_list = isinstance(field, forms.ChoiceField) and not isinstance(
        field, forms.MultipleChoiceField
    )
    if field.initial is None and is_list:
        return next((key for key, _ in field.choices), None)  # type: ignore[attr-defined]
    return field.initial() if callable(field.initial) else field.initial


def sent(request: Request, kind: type[serializers.Serializer]) -> dict[str, Any]:
    """The body by its types, with nothing that is not known. Raises ValidationError."""
    body = request.data if isinstance(request.data, Mapping) else None
    if body is None:
        raise serializers.ValidationError({"": ["Send an object with the fields as its members."]})
    given = kind(data=body)
    strange = sorted(str(name) for name in set(body) - set(given.fields))
    if strange:
        known = ", ".join(given.fields)
        raise serializers.ValidationError(
            {name: [f"There is no such field. Known are {known}."] for name in strange}
        )
    given.is_valid(raise_exception=True)
    found: dict[str, Any] = given.validated_data
    return found


def with_defaults(form: type[forms.Form], given: Mapping[str, Any]) -> dict[str, Any]:
    """As a browser would send the form: what was not given is as the form offers it."""
    fields = form.base_fields
    offered = {name: _offered(one) for name, one in fields.items() if _offered(one) is not None}
    return offered | {name: value for name, value in given.items() if value is not None}


def filled(request: Request, kind: type[Form], *about: Any) -> Form:
    """The form with what was sent, and with what it offers where nothing was. Raises
    ValidationError."""
    given = sent(request, serializer_of(kind))
    return _valid(kind(*about, with_defaults(kind, given)))  # type: ignore[call-arg]


def changed_form(request: Request, kind: type[Form], now: Mapping[str, Any], *about: Any) -> Form:
    """The form with what was sent, and with what stands `now` where nothing was; null empties a
    field. Raises ValidationError."""
    given = sent(request, serializer_of(kind, partial=True))
    told = {name: value for name, value in {**now, **given}.items() if value is not None}
    return _valid(kind(*about, told))  # type: ignore[call-arg]


def _valid(form: Form) -> Form:
    if not form.is_valid():
        raise refuse(form)
    return form


def refuse(form: forms.Form) -> serializers.ValidationError:
    """What the form says, in the shape of the API."""
    return serializers.ValidationError(
        {"" if name == "__all__" else name: [*map(str, told)] for name, told in form.errors.items()}
    )


def kept_files(files: Sequence[Any]) -> dict[str, Any]:
    """What a job is told of files, which are kept for it. Raises ValidationError."""
    if not files:
        return {}
    try:
        folder = job_inputs.store(files)
    except job_inputs.CannotStore as error:
        raise serializers.ValidationError({"file": [str(error)]}) from error
    return {"folder": folder, "file": job_inputs.safe_name(files[0].name)}


def check_size(request: Request) -> None:
    if is_too_large(request._request):
        raise TooLarge(f"The file is larger than {limit()} MB. Pack it with gzip.")
