"""A campaign's money over HTTP: what it costs and owes, its budget, and the floor of an hour."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import campaigns as actions
from annotation.models import Campaign
from dashboard.access import managed_campaign
from dashboard.api.bodies import filled, serializer_of
from dashboard.api.lists import REFUSALS
from dashboard.campaigns.forms import BudgetForm, FloorForm
from dashboard.money.queries import money_page


class CostStageSerializer(serializers.Serializer):
    name = serializers.CharField()
    answers = serializers.IntegerField()
    mills = serializers.FloatField(help_text="Of what was earned, by the number of answers.")


class PromiseSerializer(serializers.Serializer):
    worker = serializers.UUIDField(source="enrollment.key")
    name = serializers.CharField()
    mills = serializers.IntegerField()


class WorkerCostSerializer(serializers.Serializer):
    worker = serializers.UUIDField(source="row.enrollment.key")
    earned_mills = serializers.IntegerField(source="row.enrollment.earned_mills")
    accepted = serializers.FloatField(
        allow_null=True, help_text="Judgments that agree with the consensus, as the run expects."
    )
    is_below_floor = serializers.BooleanField(source="is_below")


class MoneySerializer(serializers.Serializer):
    """Thousandths of the currency's unit. Null where nobody can tell, or there is none."""

    currency = serializers.CharField()
    budget_mills = serializers.IntegerField(allow_null=True)
    floor_mills = serializers.IntegerField(allow_null=True, help_text="Of an hour's pay.")
    earned_mills = serializers.IntegerField(source="earned")
    paid_mills = serializers.IntegerField(source="paid")
    owed_mills = serializers.IntegerField(source="owed")
    promised_mills = serializers.IntegerField(source="promised")
    rejected_mills = serializers.IntegerField(source="rejected")
    unfunded_mills = serializers.IntegerField(source="unfunded")
    left_mills = serializers.IntegerField(source="left", allow_null=True)
    hour_mills = serializers.IntegerField(source="an_hour", allow_null=True)
    accepted = serializers.IntegerField(allow_null=True)
    label_mills = serializers.FloatField(source="a_label", allow_null=True)
    stages = CostStageSerializer(many=True)
    promises = PromiseSerializer(many=True)
    workers = WorkerCostSerializer(many=True, help_text="Who have earned most: 50 at most.")
    worker_count = serializers.IntegerField()
    below_floor = serializers.IntegerField(source="below")


class MoneyView(APIView):
    @extend_schema(operation_id="campaign_money", responses={200: MoneySerializer} | REFUSALS)
    def get(self, request: Request, slug: str) -> Response:
        """What a campaign costs and owes, by stage and worker. To managers alone."""
        return Response(_told(managed_campaign(request.user, slug)))


class BudgetView(APIView):
    @extend_schema(
        operation_id="campaign_set_budget",
        request=serializer_of(BudgetForm),
        responses={200: MoneySerializer} | REFUSALS,
    )
    def put(self, request: Request, slug: str) -> Response:
        """What may be spent in all; not less than what is spent and promised, and of a campaign
        that shares a budget, as in a loop, none of its own."""
        campaign = managed_campaign(request.user, slug)
        form = filled(request, BudgetForm)
        try:
            actions.set_budget(campaign, form.mills, user=request.user)
        except actions.WrongState as error:
            raise serializers.ValidationError({"budget": [str(error)]}) from error
        return Response(_told(managed_campaign(request.user, slug)))


class FloorView(APIView):
    @extend_schema(
        operation_id="campaign_set_floor",
        request=serializer_of(FloorForm),
        responses={200: MoneySerializer} | REFUSALS,
    )
    def put(self, request: Request, slug: str) -> Response:
        """What an hour is to pay at least; null for no floor."""
        campaign = managed_campaign(request.user, slug)
        floor = filled(request, FloorForm).cleaned_data["floor"]
        actions.set_floor(campaign, floor, user=request.user)
        return Response(_told(campaign))


def _told(campaign: Campaign) -> Any:
    found = money_page(campaign)
    amounts = MoneySerializer(_Both(campaign, found)).data
    return amounts


class _Both:
    """A campaign's own amounts, and what its page of money tells."""

    def __init__(self, campaign: Campaign, page: Any):
        self._page = page
        self.currency, self.budget_mills = campaign.currency, campaign.budget_mills
        self.floor_mills = campaign.floor_mills

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)
