"""A labelling loop whose process ends between any two steps goes on where it was."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from annotation.actions.campaigns import spent_together
from annotation.actions.integrity import check_campaign
from annotation.models import Campaign, SharedBudget, Task
from selection.actions.loops import measuring
from selection.actions.loops.advance import advance
from selection.models import LabellingLoop
from tests.selection.loops import label, make_loop, small

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(small.__name__)]

__all__ = ["small"]


class Killed(BaseException):
    """As if the process had ended: what was not committed is gone."""


class Killer:
    """Ends it before the statement of this number that begins a transaction."""

    def __init__(self, at: int):
        self.at, self.seen, self.depth = at, 0, 0

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith("SAVEPOINT"):
            self.depth += 1
            self.seen += self.depth == 1  # those inside end with it
            if self.seen == self.at:
                raise Killed
        elif sql.startswith(("RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")):
            self.depth -= sql.startswith("RELEASE")
        return execute(sql, params, many, context)


@contextmanager
def undone():
    """What happens inside leaves no trace."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)


def state_of(loop):
    """All that a loop has decided, but for times and the engine's lots."""
    rounds = loop.rounds.order_by("number").values_list(
        "number", "step", "picker", "picked", "expected_mills", "spent_mills", "labelled",
        "metric", "low", "always_low", "changed", "next_metric", "next_low",
    )  # fmt: skip
    items = loop.items.order_by("round", "use", "rank").values_list(
        "round__number", "external_id", "gain", "uncertainty", "spent_mills", "answers"
    )
    tasks = Task.objects.filter(campaign=loop.campaign).order_by("external_id")
    named = tasks.values_list("external_id", "demand__wanted", "demand__priority")
    return list(rounds), list(items), list(named), LabellingLoop.objects.get(pk=loop.pk).state


def check_money(loop):
    budget = SharedBudget.objects.get(pk=loop.budget_id)
    campaigns = Campaign.objects.filter(shared_budget=budget)
    granted = sum(campaigns.values_list("budget_mills", flat=True))
    assert spent_together(budget) <= granted == budget.granted_mills <= budget.mills


def survives(loop):
    """Kill it at each step of one advance, once each; every time it ends as if nothing had been."""
    with undone():
        counter = Killer(at=0)
        with connection.execute_wrapper(counter):
            advance(loop)
        whole = state_of(loop)
    for at in range(1, counter.seen + 1):
        with undone():
            with connection.execute_wrapper(Killer(at)), pytest.raises(Killed):
                advance(loop)
            check_money(loop)
            advance(loop)
            assert state_of(loop) == whole, at
            again = advance(loop)
            assert (again.steps, again.problem) == ([], "")
            assert state_of(loop) == whole, at
            check_money(loop)
    return counter.seen


def test_killed_at_each_step_it_goes_on_where_it_was(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(measuring, "REHEARSALS", 2)
    loop = make_loop(24, start_size=4, batch_size=2)
    steps = survives(loop)  # picks, publishes, opens the campaign
    advance(loop)
    label(loop.campaign)
    steps += survives(loop)  # aggregates, trains, measures, picks, publishes
    assert steps > 20
    advance(loop)
    assert check_campaign(Campaign.objects.get(pk=loop.campaign_id)) == []
