"""The start page, and what a campaign's link shows."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation import queries
from annotation.actions import tokens
from annotation.models import Campaign, Project


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The projects that are listed, and those of the person who is logged in."""
    projects = queries.project_rows(Project.objects.shown_to(request.user))
    return render(request, "annotation/start.html", {"projects": projects})


@require_safe
def join(request: HttpRequest, link: str) -> HttpResponse:
    """What stands behind a worker's link. Joining itself is a POST to the API."""
    try:
        campaign_slug = tokens.read_link(link).campaign
    except tokens.BadToken as error:
        return render(request, "annotation/bad_link.html", {"message": str(error)}, status=404)
    campaign = get_object_or_404(
        Campaign.objects.select_related("instructions", "project"), slug=campaign_slug
    )
    context = {
        "campaign": campaign,
        "instructions": campaign.instructions.text if campaign.instructions else "",
        "link": link,
        "open": campaign.state == Campaign.State.OPEN,
    }
    return render(request, "annotation/join.html", context)
