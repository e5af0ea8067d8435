"""Projects, their labels, documents and imports, over HTTP. The look-up is the permission check."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError as ModelError
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions.jobs import enqueue
from annotation.actions.projects import SchemaChanged, SlugTaken, create_project, schema_digest
from annotation.actions.projects import set_schema as save_schema
from annotation.api.fields import StorableJSONField
from annotation.api.serializers import ErrorSerializer
from annotation.interfaces import AnswerError
from annotation.interfaces.schema import check_schema, entity_type_names
from annotation.models import Campaign, Document, Project
from annotation.queries import work
from dashboard.access import managed_project, visible_project
from dashboard.api import shapes
from dashboard.api.bodies import check_size, filled, kept_files, refuse, sent, serializer_of
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.forms import ProjectForm, UploadForm, add_refusals
from dashboard.keeping import REFUSED, deleted
from dashboard.schema.views import gone_in_use

CONFLICT = {409: ErrorSerializer}
DELETED = {202: shapes.AskedSerializer, 204: None} | CONFLICT | REFUSALS
ASKED = {202: shapes.AskedSerializer, 413: ErrorSerializer} | REFUSALS


def asked(kind: str, parameters: dict[str, Any] | None = None, **owner: Any) -> Response:
    """A job is asked for; the reply names it."""
    job = enqueue(kind, parameters, **owner)
    return Response(shapes.AskedSerializer({"job": job.key}).data, status=202)


def gone(row: Campaign | Project, user: Any) -> Response:
    """Deleted, or to be deleted by a job."""
    try:
        job = deleted(row, user)
    except REFUSED as error:
        return conflict(error)
    return Response(status=204) if job is None else Response({"job": job.key}, status=202)


def conflict(error: Exception) -> Response:
    """What is there stands in the way."""
    return Response({"detail": str(error), "errors": []}, status=409)


class ProjectsView(APIView):
    @listing(
        shapes.ProjectRowSerializer, "Projects", archived="Those that are archived: true or false."
    )
    def get(self, request: Request) -> Response:
        """The projects that you are a member of, with their campaigns, by their slugs; none that is
        archived, if that is not asked for."""
        wanted = chosen(request, {"archived": serializers.BooleanField(default=False)})
        rows = Project.objects.visible_to(request.user).filter(
            archived_at__isnull=not wanted["archived"]
        )
        told = lambda found: shapes.ProjectRowSerializer(work.project_rows(found), many=True).data  # noqa: E731
        return page(request, rows, told, name="slug")

    @extend_schema(
        operation_id="projects_create",
        request=serializer_of(ProjectForm),
        responses={201: shapes.ProjectSerializer} | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        """A new project, whose first manager you are. `types` are lines such as `PER = A person`;
        more of labels is set at its `labels/`."""
        form = filled(request, ProjectForm)
        try:
            made = create_project(owner=request.user, **form.settings())
        except SlugTaken as error:
            form.add_error("slug", str(error))
        except AnswerError as error:
            form.add_type_errors(error)
        except ModelError as error:
            add_refusals(form, error.message_dict)
        else:
            return Response(shapes.ProjectSerializer(made).data, status=201)
        raise refuse(form)


class ProjectView(APIView):
    @extend_schema(
        operation_id="project_retrieve", responses={200: shapes.ProjectSerializer} | REFUSALS
    )
    def get(self, request: Request, slug: str) -> Response:
        """What a project is."""
        found, _ = visible_project(request.user, slug)
        return Response(shapes.ProjectSerializer(found).data)

    @extend_schema(operation_id="project_delete", responses=DELETED)
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a project in which nobody has worked (409 otherwise): one of more than 500
        documents by a job (202), after which it is not found."""
        return gone(managed_project(request.user, slug), request.user)


class NewLabelsSerializer(serializers.Serializer):
    digest = serializers.CharField(
        max_length=64, help_text="Of the labels that you have read, so that nobody's are lost."
    )
    labels = StorableJSONField()
    confirmed = serializers.BooleanField(
        default=False, help_text="Types that answers use may go, or take another's name."
    )


class LabelsView(APIView):
    @extend_schema(
        operation_id="labels_retrieve", responses={200: shapes.LabelsSerializer} | REFUSALS
    )
    def get(self, request: Request, slug: str) -> Response:
        """The types of entities and relations, and whether names may nest."""
        found, _ = visible_project(request.user, slug)
        return Response(_labels(found))

    @extend_schema(
        operation_id="labels_replace",
        request=NewLabelsSerializer,
        responses={200: shapes.LabelsSerializer} | CONFLICT | REFUSALS,
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the labels. 409 where somebody else has changed them meanwhile, or where types
        that answers use would go and that is not `confirmed`."""
        project = managed_project(request.user, slug)
        given = sent(request, NewLabelsSerializer)
        wanted = given["labels"]
        try:
            check_schema(wanted)
            if not given["confirmed"]:
                names = {name: name for name in entity_type_names(wanted)}
                gone, _ = gone_in_use(project, names)
                if gone:
                    told = f"Answers use {', '.join(gone)}. Send 'confirmed': true to let them go."
                    return Response({"detail": told, "errors": []}, status=409)
            save_schema(project, wanted, user=request.user, replacing=given["digest"])
        except SchemaChanged as error:
            return conflict(error)
        project.refresh_from_db()
        return Response(_labels(project))


def _labels(project: Project) -> dict[str, Any]:
    return {"digest": schema_digest(project.schema), "labels": project.schema}


class DocumentsView(APIView):
    parser_classes = (MultiPartParser,)

    @listing(shapes.DocumentSerializer, "Documents", q="Those with this in their id or title.")
    def get(self, request: Request, slug: str) -> Response:
        """The documents of a project, by their ids."""
        project, _ = visible_project(request.user, slug)
        query = {"q": serializers.CharField(max_length=200, required=False)}
        rows = Document.objects.visible().filter(project=project).defer("text", "sentences")
        if q := chosen(request, query).get("q"):
            rows = rows.filter(external_id__icontains=q) | rows.filter(title__icontains=q)
        return page(request, rows, shapes.DocumentSerializer, name="external_id")

    @extend_schema(
        operation_id="documents_import",
        request={"multipart/form-data": serializer_of(UploadForm)},
        responses=ASKED,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import a file of documents, in any format that the page takes, by a job. The same file
        once more changes nothing."""
        project = managed_project(request.user, slug)
        check_size(request)
        given = sent(request, serializer_of(UploadForm))
        format = given.get("format") or "auto"
        form = UploadForm({"format": format}, request.FILES)
        if not form.is_valid():
            raise refuse(form)
        parameters = kept_files([given["file"]]) | {"format": format}
        return asked("import_documents", parameters, project=project, user=request.user)


class ImportsView(APIView):
    @listing(shapes.ImportSerializer, "Imports")
    def get(self, request: Request, slug: str) -> Response:
        """The imports of a project, the newest first."""
        project, _ = visible_project(request.user, slug)
        told = lambda found: shapes.ImportSerializer(found, many=True).data  # noqa: E731
        return page(request, project.imports.all(), told, name="key", newest_first=True)
