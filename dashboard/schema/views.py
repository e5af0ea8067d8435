"""The schema: entity types with key and colour, and whether names may nest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from annotation.actions.projects import SchemaChanged, schema_digest, set_schema
from annotation.interfaces import AnswerError
from annotation.interfaces.schema import check_schema, entity_type_names
from annotation.models import Project
from dashboard.access import managed_project, visible_project
from dashboard.projects.queries import TypeUse, types_in_use
from dashboard.schema.forms import MORE_ROWS, TypesForm, initial_rows, renamed_relations

MORE = "more"  # the button that adds rows


@dataclass
class _Refused:
    """Why the schema was not saved, beside what stands in the rows themselves."""

    problems: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # types in use that would go, to be confirmed
    taken: list[str] = field(default_factory=list)  # those of them whose name another type gets
    use: TypeUse | None = None


@login_required
def schema(request: HttpRequest, slug: str) -> HttpResponse:
    if request.method != "POST":
        project, permissions = visible_project(request.user, slug)
        rows = TypesForm(initial=initial_rows(project.schema))
        return _page(request, project, rows, permissions.can_manage)
    project = managed_project(request.user, slug)
    if MORE in request.POST:
        return _page(request, project, with_more_rows(request.POST, project))
    types = TypesForm(request.POST, initial=initial_rows(project.schema))
    refused = save_types(request, project, types)
    if refused is None:
        messages.success(request, "The schema is saved.")
        return redirect("manage:schema", project.slug)
    return _page(request, project, types, refused=refused, status=422)


def save_types(request: HttpRequest, project: Project, types: Any) -> _Refused | None:
    """None where it is saved."""
    if not types.is_valid():
        return _Refused()
    digest = request.POST.get("digest", "")
    wanted = {
        "entity_types": [form.entity_type() for form in types.kept()],
        "relation_types": renamed_relations(
            project.schema.get("relation_types", []), types.names()
        ),
        "nested": "nested" in request.POST,
    }
    try:
        check_schema(wanted)  # before a question that would be asked in vain
        if digest == schema_digest(project.schema):
            gone, use = gone_in_use(project, types.names())
            if gone and request.POST.get("confirmed") != " ".join(gone):
                taken = [name for name in gone if name in entity_type_names(wanted)]
                return _Refused(gone=gone, taken=taken, use=use)
        set_schema(project, wanted, user=request.user, replacing=digest)
    except SchemaChanged as error:
        return _Refused(problems=[str(error)])
    except AnswerError as error:
        return _Refused(problems=types.add_errors(error, wanted["relation_types"]))
    return None


def gone_in_use(project: Project, names: Mapping[str, str]) -> tuple[list[str], TypeUse | None]:
    """The types that answers use, or may use, and that do not stay under their name.

    `names` (old → new) and not the new names alone: of two types that change places both stay
    in the schema, and yet each answer would read as the other.
    """
    gone = [name for name in entity_type_names(project.schema) if names.get(name) != name]
    if not gone:
        return [], None
    use = types_in_use(project, gone)
    return (gone if not use.is_all else [name for name in gone if name in use.counts]), use


def with_more_rows(data: QueryDict, project: Project) -> Any:
    """What was typed, and empty rows below it. Nothing is checked or saved."""
    data = data.copy()
    total = data.get("form-TOTAL_FORMS", "")
    if total.isascii() and total.isdigit() and len(total) < 4:
        data["form-TOTAL_FORMS"] = str(int(total) + MORE_ROWS)
    return TypesForm(data, initial=initial_rows(project.schema))


def types_context(
    request: HttpRequest, project: Project, types: Any, refused: _Refused | None = None
) -> dict[str, Any]:
    """What the form of the types shows (dashboard/schema/_types_form.html)."""
    posted = request.method == "POST"
    return {
        "types": types,
        "refused": refused,
        "nested": "nested" in request.POST if posted else project.schema.get("nested", False),
        # What a page was made from stays with it: it must not grow younger by being sent.
        "digest": request.POST.get("digest", "") if posted else schema_digest(project.schema),
    }


def _page(
    request: HttpRequest,
    project: Project,
    types: Any,
    manages: bool = True,
    *,
    refused: _Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": project,
        "manages": manages,
        **types_context(request, project, types, refused),
    }
    return render(request, "dashboard/schema/schema.html", context, status=status)
