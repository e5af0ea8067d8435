"""Where a project's events are sent, what became of them, and *Send again*."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from annotation.actions import webhooks as actions
from annotation.actions.outside import CannotReach
from annotation.models import Project, Webhook, WebhookDelivery
from dashboard.access import Permissions, managed_project
from dashboard.newest_first import before_of, newest_first

SHOWN = 50  # deliveries of a page


class WebhookForm(forms.Form):
    url = forms.CharField(
        max_length=500,
        label="Address",
        help_text="Begins with https://. Each event is sent there as JSON.",
        error_messages={"required": "Write the address that events are sent to."},
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    events = forms.MultipleChoiceField(
        choices=Webhook.Event.choices,
        initial=Webhook.Event.values,
        label="Tell it when",
        error_messages={"required": "Choose at least one event."},
        widget=forms.CheckboxSelectMultiple,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """POST makes one, whose secret this page shows once."""
    project = managed_project(request.user, slug)
    if request.method != "POST":
        return _page(request, project)
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            _, secret = actions.create_webhook(project, **form.cleaned_data, user=request.user)
        except (CannotReach, actions.WebhookRefused) as error:
            form.add_error(error.path or None, str(error))
        else:
            return _page(request, project, secret=secret)
    return _page(request, project, form=form, status=422)


@login_required
def delete(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST. What was to be sent goes with it."""
    project = managed_project(request.user, slug)
    if request.method == "POST":
        found = get_object_or_404(
            Webhook.objects.select_related("project"), project=project, key=key
        )
        actions.delete_webhook(found, user=request.user)
        messages.success(request, "The webhook is deleted: nothing more is sent there.")
    return redirect("manage:webhooks", slug)


@login_required
def again(request: HttpRequest, slug: str, key: uuid.UUID, delivery: uuid.UUID) -> HttpResponse:
    """POST: the same event once more."""
    project = managed_project(request.user, slug)
    found = actions.find_delivery(project, key, delivery)
    if found is None:
        raise Http404
    if request.method == "POST":
        actions.send_again(found)
        messages.success(request, "The event is sent again within seconds.")
    return redirect("manage:webhooks", slug)


def _page(
    request: HttpRequest, project: Project, *, status: int = 200, **more: Any
) -> HttpResponse:
    deliveries = WebhookDelivery.objects.filter(webhook__project=project)
    log = newest_first(deliveries.select_related("webhook"), before_of(request), SHOWN)
    context = {
        "project": project,
        "permissions": Permissions("manager"),
        "webhooks": Webhook.objects.filter(project=project),
        "log": log,
        "form": WebhookForm(),
    }
    return render(request, "dashboard/webhooks/webhooks.html", context | more, status=status)
