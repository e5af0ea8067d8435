"""A campaign is opened, paused and closed, over HTTP."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import campaigns, keeping
from annotation.actions.jobs import enqueue
from annotation.api.serializers import ErrorSerializer
from annotation.models import Campaign
from dashboard.api import shapes
from dashboard.campaigns.opening import is_large

REFUSALS = dict.fromkeys((403, 404), ErrorSerializer)


class CampaignStateView(APIView):
    """Managers alone; a reviewer or a viewer is told 404, like a stranger."""

    @extend_schema(
        operation_id="campaign_change_state",
        request=None,
        responses={
            200: shapes.OpenedSerializer,
            202: shapes.OpeningSerializer,
            409: ErrorSerializer,
        }
        | REFUSALS,
    )
    def post(self, request: Request, slug: str, verb: str) -> Response:
        """Open, pause or close a campaign, `archive` it out of the lists, or `restore` it. One with
        many tasks is opened by a job (202): ask for its state until it is open."""
        campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
        made = 0
        if verb == "open" and is_large(campaign):
            job = enqueue("open_campaign", campaign=campaign, user=request.user)
            return Response({"state": campaign.state, "job": job.key}, status=202)
        if verb == "open":
            made = campaigns.open_campaign(campaign, user=request.user)
        elif verb == "pause":
            campaigns.pause_campaign(campaign, user=request.user)
        elif verb == "close":
            campaigns.close_campaign(campaign, user=request.user)
        else:
            (keeping.archive if verb == "archive" else keeping.restore)(campaign, user=request.user)
        return Response({"state": campaign.state, "tasks_made": made})
