"""Money that several campaigns spend together. Their budgets never add up to more than there is:
the table's own constraint holds the sum, which moves in one transaction with each of them."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F, Sum

from annotation.actions import audit
from annotation.actions.campaigns.life import WrongState
from annotation.models import Campaign, Project, SharedBudget


def create_shared_budget(project: Project, mills: int, currency: str) -> SharedBudget:
    return SharedBudget.objects.create(project=project, mills=mills, currency=currency)


def join_shared_budget(campaign: Campaign, budget: SharedBudget, *, user: Any = None) -> None:
    """A draft spends of `budget` from now on, and nothing until it is granted something. Raises
    WrongState where it is no draft, has joined another, or is paid in another currency."""
    with transaction.atomic():
        SharedBudget.objects.select_for_update().get(pk=budget.pk)
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if row.state != Campaign.State.DRAFT:
            raise WrongState("budget.no_draft", campaign=row.slug, state=row.state)
        if row.shared_budget_id not in (None, budget.pk):
            raise WrongState("budget.of_another", campaign=row.slug)
        if row.currency != budget.currency:
            raise WrongState(
                "budget.currency", campaign=row.slug, currency=row.currency, wanted=budget.currency
            )
        if row.shared_budget_id is None:
            Campaign.objects.filter(pk=row.pk).update(
                shared_budget=budget, budget_mills=row.committed_mills
            )
            _granted(budget, row.committed_mills)
            audit.record(
                row.project, "set budget", row.slug, user=user,
                before={"mills": row.budget_mills}, after={"mills": row.committed_mills},
            )  # fmt: skip
    campaign.refresh_from_db(fields=["shared_budget", "budget_mills"])


def grant_rest(campaign: Campaign, *, user: Any = None) -> int:
    """The campaign may spend all that the others of its shared budget don't hold; they keep what
    is spent or promised, and give the rest back. Its budget then, in mills. A second time it
    changes nothing."""
    with transaction.atomic():
        budget = _locked(campaign)
        others = Campaign.objects.select_for_update().filter(shared_budget=budget)
        for row in others.exclude(pk=campaign.pk).order_by("pk"):
            _set(row, row.committed_mills, budget, user)
        rest = others.exclude(pk=campaign.pk).values_list("budget_mills", flat=True)
        held = sum(mills or 0 for mills in rest)
        row = others.get(pk=campaign.pk)
        _set(row, budget.mills - held, budget, user)
    campaign.refresh_from_db(fields=["budget_mills", "committed_mills"])
    return int(campaign.budget_mills or 0)


def resize_shared_budget(
    budget: SharedBudget, mills: int, campaign: Campaign, *, user: Any = None
) -> None:
    """What all of the campaigns may spend together; `campaign` is granted what the others don't
    hold. Raises WrongState where more is spent or promised already."""
    with transaction.atomic():
        row = _locked(campaign)
        campaigns = Campaign.objects.select_for_update().filter(shared_budget=row).order_by("pk")
        taken = sum(one.committed_mills for one in list(campaigns))
        if mills < taken:
            raise WrongState("budget.spent", money=taken / 1000, currency=row.currency)
        for one in campaigns:
            _set(one, one.committed_mills, row, user=None, told=False)
        SharedBudget.objects.filter(pk=row.pk).update(mills=mills)
        grant_rest(campaign, user=user)
    budget.refresh_from_db()


def spent_together(budget: SharedBudget) -> int:
    """Spent, leased or promised to workers by all of its campaigns, in mills. One query."""
    found = Campaign.objects.filter(shared_budget=budget).aggregate(sum=Sum("committed_mills"))
    return int(found["sum"] or 0)


def _locked(campaign: Campaign) -> SharedBudget:
    return SharedBudget.objects.select_for_update().get(campaigns=campaign.pk)


def _set(row: Campaign, mills: int, budget: SharedBudget, user: Any, *, told: bool = True) -> None:
    if mills == row.budget_mills:
        return
    Campaign.objects.filter(pk=row.pk).update(budget_mills=mills)
    _granted(budget, mills - (row.budget_mills or 0))
    if told:
        audit.record(
            row.project, "set budget", row.slug, user=user,
            before={"mills": row.budget_mills}, after={"mills": mills},
        )  # fmt: skip


def _granted(budget: SharedBudget, more: int) -> None:
    SharedBudget.objects.filter(pk=budget.pk).update(granted_mills=F("granted_mills") + more)
