"""What members of a project read and do, over HTTP. The look-up is the permission check."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import campaigns
from annotation.actions.jobs import enqueue
from annotation.api import serializers
from annotation.models import Campaign, Project
from annotation.queries import work
from dashboard.campaigns.opening import is_large

REFUSALS = dict.fromkeys((403, 404), serializers.ErrorSerializer)


class ProjectsView(APIView):
    @extend_schema(responses={200: serializers.ProjectRowSerializer(many=True)} | REFUSALS)
    def get(self, request: Request) -> Response:
        """The projects that you are a member of, with their campaigns."""
        rows = work.project_rows(Project.objects.visible_to(request.user))
        return Response(serializers.ProjectRowSerializer(rows, many=True).data)


class CampaignView(APIView):
    @extend_schema(responses={200: serializers.CampaignSerializer} | REFUSALS)
    def get(self, request: Request, slug: str) -> Response:
        """State, progress and spend of a campaign."""
        visible = Campaign.objects.visible_to(request.user).select_related("project", "tally")
        campaign = get_object_or_404(visible, slug=slug)
        return Response(serializers.CampaignSerializer(work.campaign_status(campaign)).data)


class CampaignStateView(APIView):
    """Managers alone; a reviewer or a viewer is told 404, like a stranger."""

    @extend_schema(
        operation_id="campaign_change_state",
        request=None,
        responses={
            200: serializers.OpenedSerializer,
            202: serializers.OpeningSerializer,
            409: serializers.ErrorSerializer,
        }
        | REFUSALS,
    )
    def post(self, request: Request, slug: str, verb: str) -> Response:
        """Open, pause or close a campaign. One with many tasks is opened by a job (202): ask for
        its state until it is open."""
        campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
        made = 0
        if verb == "open" and is_large(campaign):
            job = enqueue("open_campaign", campaign=campaign, user=request.user)
            return Response({"state": campaign.state, "job": job.key}, status=202)
        if verb == "open":
            made = campaigns.open_campaign(campaign, user=request.user)
        elif verb == "pause":
            campaigns.pause_campaign(campaign, user=request.user)
        else:
            campaigns.close_campaign(campaign, user=request.user)
        return Response({"state": campaign.state, "tasks_made": made})
