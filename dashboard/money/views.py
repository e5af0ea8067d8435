"""Money: what a campaign costs and owes, and the floor of an hour's pay that a manager sets."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.actions import campaigns
from dashboard.access import Permissions, managed_campaign
from dashboard.campaigns.forms import FloorForm
from dashboard.forms import in_units
from dashboard.money.queries import money_page
from dashboard.templatetags.figures import money as amount


@login_required
def money(request: HttpRequest, slug: str) -> HttpResponse:
    """GET; POST `floor`: what an hour is to pay at least, empty for no floor."""
    campaign = managed_campaign(request.user, slug)
    form = FloorForm(initial={"floor": in_units(campaign.floor_mills)})
    if request.method == "POST":
        form = FloorForm(request.POST)
        if form.is_valid():
            campaigns.set_floor(campaign, form.cleaned_data["floor"], user=request.user)
            mills = campaign.floor_mills
            messages.success(
                request,
                "The campaign has no floor for an hour any more."
                if mills is None
                else f"An hour is to pay {amount(mills)} {campaign.currency} at least.",
            )
            return redirect("manage:money", slug)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": Permissions("manager"),
        "page": money_page(campaign),
        "form": form,
    }
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/money/money.html", context, status=status)
