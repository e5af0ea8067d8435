"""Campaigns over HTTP: made, changed, joined by links, and fed with files."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError as ModelError
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import links
from annotation.actions.campaigns import create_campaign
from annotation.interfaces import REGISTRY, AnswerError
from annotation.models import Campaign, CampaignLink
from annotation.queries import work
from dashboard.access import managed_campaign, managed_project, visible_project
from dashboard.api import shapes
from dashboard.api.bodies import check_size, kept_files, refuse, sent, serializer_of, with_defaults
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.api.projects import ASKED, CONFLICT, DELETED, asked, conflict, gone
from dashboard.campaigns.campaign_form import FIELDS
from dashboard.campaigns.edit_form import edit_form
from dashboard.campaigns.forms import LinkForm
from dashboard.campaigns.links import link_row
from dashboard.campaigns.saving import add_refused_options, changed_by
from dashboard.forms import add_refusals
from dashboard.interfaces import offers, pages_of
from dashboard.jobs.files import GoldForm, SuggestionsForm, imports_of
from dashboard.jobs.views import STARTED
from dashboard.results.downloads import DownloadForm


def _fields_of_all(kinds: Any, *, partial: bool) -> dict[str, serializers.Field]:
    """Of the forms of several interfaces: one that only some have may be left out."""
    forms = [serializer_of(pages_of(kind).form, partial)().fields for kind in kinds]
    found: dict[str, serializers.Field] = {}
    for fields in forms:
        for name, field in fields.items():
            one = serializer_field(field)
            if not all(name in others for others in forms):
                one.required = False
            found.setdefault(name, one)
    return found


def serializer_field(bound: Any) -> Any:
    """A copy that no serializer has taken yet."""
    return type(bound)(*bound._args, **bound._kwargs)


NewCampaignSerializer: Any = type(
    "NewCampaignSerializer",
    (serializers.Serializer,),
    {"interface": serializers.ChoiceField(sorted(offers()), default="entity")}
    | _fields_of_all(offers(), partial=False),
)
CampaignChangeSerializer: Any = type(
    "CampaignChangeSerializer", (serializers.Serializer,), _fields_of_all(REGISTRY, partial=True)
)


class CampaignsView(APIView):
    @listing(
        shapes.MadeCampaignSerializer, "Campaigns", state="draft, open, paused or closed.",
        interface="Those of one interface.", archived="Those that are archived: true or false.",
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """The campaigns of a project, by their slugs."""
        project, _ = visible_project(request.user, slug)
        wanted = chosen(
            request,
            {
                "state": serializers.ChoiceField(Campaign.State.choices, required=False),
                "interface": serializers.ChoiceField(sorted(REGISTRY), required=False),
                "archived": serializers.BooleanField(default=False),
            },
        )
        same = {name: wanted[name] for name in ("state", "interface") if name in wanted}
        rows = Campaign.objects.filter(
            project=project, archived_at__isnull=not wanted["archived"], **same
        )
        return page(request, rows, shapes.MadeCampaignSerializer, name="slug")

    @extend_schema(
        operation_id="campaigns_create",
        request=NewCampaignSerializer,
        responses={201: shapes.MadeCampaignSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """A draft. What is not said is as the page offers it."""
        project = managed_project(request.user, slug)
        given = sent(request, NewCampaignSerializer)
        kind = pages_of(given.pop("interface")).form
        unknown = given.keys() - kind.base_fields.keys()
        if unknown:
            told = f"Campaigns of the interface {kind.interface} have no such field."
            raise serializers.ValidationError({name: [told] for name in sorted(unknown)})
        form = kind(with_defaults(kind, given))
        if not form.is_valid():
            raise refuse(form)
        try:
            made = create_campaign(project, **form.settings(), user=request.user)
        except ModelError as error:
            add_refusals(form, error.message_dict, FIELDS)
        except AnswerError as error:
            add_refused_options(form, error)
        else:
            return Response(shapes.MadeCampaignSerializer(made).data, status=201)
        raise refuse(form)


class CampaignView(APIView):
    @extend_schema(
        operation_id="campaigns_retrieve", responses={200: shapes.CampaignSerializer} | REFUSALS
    )
    def get(self, request: Request, slug: str) -> Response:
        """State, progress and spend of a campaign."""
        visible = Campaign.objects.visible_to(request.user).select_related("project", "tally")
        campaign = get_object_or_404(visible, slug=slug)
        return Response(shapes.CampaignSerializer(work.campaign_status(campaign)).data)

    @extend_schema(
        operation_id="campaign_change",
        request=CampaignChangeSerializer,
        responses={200: shapes.ChangedSerializer} | CONFLICT | REFUSALS,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what is sent, and nothing else. Of a campaign that was opened, only what workers
        and answers do not suffer by can be changed."""
        campaign = managed_campaign(request.user, slug)
        given = sent(request, CampaignChangeSerializer)
        form = edit_form(campaign, {k: v for k, v in given.items() if v is not None}, only=given)
        fixed = sorted(given.keys() - form.fields.keys())
        if fixed:
            told = f"It can't be changed in a campaign that is {campaign.state}."
            raise serializers.ValidationError({name: [told] for name in fixed})
        changed = changed_by(form, campaign, request.user) if form.is_valid() else None
        if changed is None:
            raise refuse(form)
        return Response({"changed": changed})

    @extend_schema(operation_id="campaign_delete", responses=DELETED)
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a campaign that nobody has worked on (409 otherwise); one of more than 500 tasks
        by a job (202)."""
        return gone(managed_campaign(request.user, slug), request.user)


class LinksView(APIView):
    @listing(shapes.LinkSerializer, "Links")
    def get(self, request: Request, slug: str) -> Response:
        """The links by which workers join, the oldest first."""
        campaign = managed_campaign(request.user, slug)
        rows = CampaignLink.objects.filter(campaign=campaign).select_related("worker", "ended_by")
        now = timezone.now()
        told = lambda found: [_link(row, campaign, now) for row in found]  # noqa: E731
        return page(request, rows, told, name="number", kind=int)

    @extend_schema(
        operation_id="links_create",
        request=serializer_of(LinkForm),
        responses={201: shapes.LinkSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """A link for everybody, or for one worker whom you name."""
        campaign = managed_campaign(request.user, slug)
        given = sent(request, serializer_of(LinkForm))
        form = LinkForm(campaign, {k: v for k, v in given.items() if v is not None})
        if not form.is_valid():
            raise refuse(form)
        try:
            made = links.create_link(campaign, **form.cleaned_data, user=request.user)
        except links.WrongLink as error:
            return conflict(error)
        return Response(_link(made, campaign, timezone.now()), status=201)


def _link(row: CampaignLink, campaign: Campaign, now: Any) -> dict[str, Any]:
    shown = link_row(row, campaign, now)
    worker = row.worker.external_id if row.worker else None
    return {
        "number": row.number, "worker": worker, "note": row.note, "ends_at": row.ends_at,
        "ended_at": shown.ended_at, "address": shown.address,
    }  # fmt: skip


class EndLinkView(APIView):
    @extend_schema(
        operation_id="link_end",
        request=None,
        responses={200: shapes.LinkSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Nobody new joins by it from now on."""
        campaign = managed_campaign(request.user, slug)
        try:
            ended = links.end_link(campaign, number, user=request.user)
        except links.WrongLink as error:
            return conflict(error)
        return Response(_link(ended, campaign, timezone.now()))


class CampaignFileSerializer(serializers.Serializer):
    file = serializers.FileField(required=False)
    pictures = serializers.ListField(
        child=serializers.FileField(), required=False, help_text="Of choices: all that lines name."
    )
    drawn = serializers.ChoiceField(
        GoldForm.DRAWN, required=False, help_text="Of gold: how its tasks were chosen."
    )
    source = serializers.ChoiceField(  # type: ignore[assignment]
        SuggestionsForm.SOURCES, required=False, help_text="Of suggestions: where they come from."
    )


class CampaignFilesView(APIView):
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="campaign_import",
        request={"multipart/form-data": CampaignFileSerializer},
        responses=ASKED,
    )
    def post(self, request: Request, slug: str, what: str) -> Response:
        """Import a file into a campaign by a job: `gold`, `choices`, `suggestions` or `claims`, as
        its interface takes them, while it is not closed, and `consensus` at any time."""
        campaign = managed_campaign(request.user, slug)
        wanted = imports_of(campaign).get(what)
        if wanted is None:
            raise Http404
        check_size(request)
        form = wanted.form(request._request.POST, request.FILES)
        if not form.is_valid():
            raise refuse(form)
        parameters = form.parameters() | kept_files(form.files_sent())
        return asked(wanted.job, parameters, campaign=campaign, user=request.user)


class CampaignJobSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(sorted(STARTED))


class CampaignJobsView(APIView):
    @extend_schema(
        operation_id="campaign_start_job", request=CampaignJobSerializer, responses=ASKED
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask for one of the campaign's jobs, such as `aggregate`."""
        campaign = managed_campaign(request.user, slug)
        kind = sent(request, CampaignJobSerializer)["kind"]
        return asked(kind, STARTED[kind], campaign=campaign, user=request.user)


class DownloadSerializer(serializers.Serializer):
    what = serializers.CharField(max_length=40)
    format = serializers.CharField(max_length=40)
    at_least = serializers.CharField(max_length=10, required=False, allow_blank=True)


class DownloadView(APIView):
    @extend_schema(operation_id="campaign_download", request=DownloadSerializer, responses=ASKED)
    def post(self, request: Request, slug: str) -> Response:
        """Have labels, responses, gold or workers written to a file, which the job then has."""
        campaign = managed_campaign(request.user, slug)
        form = DownloadForm(campaign, sent(request, DownloadSerializer))
        if not form.is_valid():
            raise refuse(form)
        return asked("export_annotations", form.cleaned_data, campaign=campaign, user=request.user)
