"""Webhooks and what became of their events, over HTTP."""

from __future__ import annotations

import uuid

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import webhooks as actions
from annotation.actions.outside import CannotReach
from annotation.models import Webhook, WebhookDelivery
from dashboard.access import managed_project
from dashboard.api.bodies import filled, serializer_of
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.webhooks.views import WebhookForm


class WebhookSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()


class GivenWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="With which events are signed; shown this once.")


class DeliverySerializer(serializers.Serializer):
    key = serializers.UUIDField()
    event = serializers.CharField()
    body = serializers.JSONField()
    state = serializers.CharField()
    attempts = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="Of the last reply.")
    problem = serializers.CharField()
    created_at = serializers.DateTimeField()
    tried_at = serializers.DateTimeField(allow_null=True)


class WebhooksView(APIView):
    @listing(WebhookSerializer, "Webhooks")
    def get(self, request: Request, slug: str) -> Response:
        """The webhooks of a project, the newest first."""
        rows = Webhook.objects.filter(project=managed_project(request.user, slug))
        return page(request, rows, WebhookSerializer, name="key", newest_first=True)

    @extend_schema(
        operation_id="webhooks_create",
        request=serializer_of(WebhookForm),
        responses={201: GivenWebhookSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Have events sent to an address. The reply holds the secret, this once."""
        project = managed_project(request.user, slug)
        form = filled(request, WebhookForm)
        try:
            made, secret = actions.create_webhook(project, **form.cleaned_data, user=request.user)
        except (CannotReach, actions.WebhookRefused) as error:
            raise serializers.ValidationError({error.path or "": [str(error)]}) from error
        made.refresh_from_db()
        return Response(WebhookSerializer(made).data | {"secret": secret}, status=201)


class WebhookView(APIView):
    @extend_schema(operation_id="webhook_delete", responses={204: None} | REFUSALS)
    def delete(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Nothing more is sent there."""
        project = managed_project(request.user, slug)
        rows = Webhook.objects.filter(project=project).select_related("project")
        actions.delete_webhook(get_object_or_404(rows, key=key), user=request.user)
        return Response(status=204)


class DeliveriesView(APIView):
    @listing(DeliverySerializer, "Deliveries", state="waiting, sent or failed.")
    def get(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """What was sent, or is to be, the newest first."""
        project = managed_project(request.user, slug)
        hook = get_object_or_404(Webhook, project=project, key=key)
        kind = {"state": serializers.ChoiceField(WebhookDelivery.State.choices, required=False)}
        rows = WebhookDelivery.objects.filter(webhook=hook, **chosen(request, kind))
        return page(request, rows, DeliverySerializer, name="key", newest_first=True)


class SendAgainView(APIView):
    @extend_schema(
        operation_id="delivery_send_again",
        request=None,
        responses={202: DeliverySerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID, delivery: uuid.UUID) -> Response:
        """The same event once more, with the same key."""
        found = actions.find_delivery(managed_project(request.user, slug), key, delivery)
        if found is None:
            raise Http404
        actions.send_again(found)
        found.refresh_from_db()
        return Response(DeliverySerializer(found).data, status=202)
