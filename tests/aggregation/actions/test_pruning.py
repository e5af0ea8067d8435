"""Which runs are kept, rule by rule, and how the others go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions import pruning
from aggregation.actions.pruning import KEPT, pin, prune_runs, unpin
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from aggregation.queries.runs import last_runs
from annotation.actions import locks
from annotation.models import Campaign, CommandLock
from selection.models import RedundancyRound, TrainedModel
from tests.aggregation.crowds import choice_campaign, choice_task
from tests.factories import make_worker

pytestmark = pytest.mark.django_db

BEGAN = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def campaign():
    return choice_campaign()


def make_runs(campaign: Campaign, number: int, **fields: Any) -> list[AggregationRun]:
    """The oldest first, each a minute later than all before."""
    begin = AggregationRun.objects.count()
    fields = {"method": "majority", "state": "complete", **fields}
    rows = [
        AggregationRun.objects.create(
            campaign=campaign, finished_at=BEGAN + timedelta(minutes=begin + i), **fields
        )
        for i in range(number)
    ]
    return rows


def kept() -> set[int]:
    return set(AggregationRun.objects.values_list("pk", flat=True))


def keys(runs: list[AggregationRun]) -> set[int]:
    return {run.pk for run in runs}


def test_the_newest_ten_of_each_campaign_and_method_are_kept(campaign):
    runs = make_runs(campaign, KEPT + 2)
    others = [
        *make_runs(choice_campaign(), KEPT),
        *make_runs(campaign, KEPT, method="mace"),
    ]
    assert prune_runs().runs == 2
    assert kept() == keys(runs[2:] + others)


def test_pinned_runs_are_kept_until_they_are_unpinned(campaign):
    first, second, *others = make_runs(campaign, KEPT + 2)
    assert pin(first)
    assert prune_runs().runs == 1
    assert kept() == keys([first, *others])
    assert unpin(first)
    assert prune_runs().runs == 1
    assert kept() == keys(others)
    assert not pin(second)  # it has gone


def test_what_is_served_to_those_who_see_no_gold_is_kept(campaign):
    gold = {"diagnostics": {"clamped": True}}
    _, plain = make_runs(campaign, 2, diagnostics={"clamped": False})
    told = make_runs(campaign, KEPT, **gold)
    assert prune_runs().runs == 1
    assert kept() == keys([plain, *told])


def test_what_is_served_is_kept_where_runs_were_made_again_since(campaign):
    """Those count as old as what they were made of."""
    (latest,) = make_runs(campaign, 1)
    again = make_runs(campaign, KEPT + 1, as_of=BEGAN - timedelta(days=1))
    assert prune_runs().runs == 2
    assert latest.pk in kept()
    assert len(kept() & keys(again)) == KEPT - 1


def test_what_another_row_names_is_kept(campaign):
    named, _, *rest = make_runs(campaign, KEPT + 2)
    model = TrainedModel.objects.create(
        project=campaign.project, interface="choice", wanted="best", learner="logistic",
        code_version="1", input_digest="", items=9, digest="", bytes=1,
    )  # fmt: skip
    model.runs.add(named)
    assert prune_runs().runs == 1
    assert kept() == keys([named, *rest])
    assert list(model.runs.all()) == [named]
    model.delete()
    assert prune_runs().runs == 1
    assert kept() == keys(rest)


def test_a_round_of_redundancy_keeps_its_run_s_name_and_no_results(campaign):
    old, new = with_results(campaign)
    AggregationRun.objects.update(fitted=b"weights")
    row = RedundancyRound.objects.create(
        campaign=campaign, run=old, rule="confidence", code_version="1",
        **dict.fromkeys(("asked", "closed", "waiting", "certain", "full", "received", "saved"), 0),
    )  # fmt: skip
    assert prune_runs().runs == 1
    row.refresh_from_db()
    assert (row.run, row.run.method, row.run.state) == (old, "majority", "pruned")
    assert (row.run.consensus.count(), row.run.fitted) == (0, None)
    assert new.consensus.count() == 2
    assert old.key not in {run.key for run in last_runs(campaign, 100)}
    assert prune_runs() == pruning.Pruned(0, 0)
    row.delete()
    assert prune_runs().runs == 1
    assert not AggregationRun.objects.filter(pk=old.pk).exists()


def test_what_is_at_work_is_kept_and_of_what_failed_the_newest_ten(campaign):
    work = make_runs(campaign, KEPT + 1, state="running", method="mace")
    failed = make_runs(campaign, KEPT + 1, state="failed", error="No answers.")
    complete = make_runs(campaign, KEPT)
    assert prune_runs().runs == 1
    assert kept() == keys(work + failed[1:] + complete)


# --- How they go ----------------------------------------------------------------------------------


def with_results(campaign: Campaign) -> tuple[AggregationRun, AggregationRun]:
    """One that goes and one that stays, each with two tasks and two workers."""
    for _ in range(2):
        choice_task(campaign, "yes", "yes", workers=(make_worker(), make_worker()))
    old = aggregate(campaign, "majority")
    new = aggregate(campaign, "majority", seed=1)
    AggregationRun.objects.filter(pk=old.pk).update(finished_at=BEGAN)
    make_runs(campaign, KEPT - 1)
    return old, new


def test_results_go_in_small_transactions_and_others_stay(campaign, monkeypatch):
    old, new = with_results(campaign)
    monkeypatch.setattr(pruning, "BATCH", 1)
    told: list[int] = []
    done = prune_runs(advance=told.append)
    assert (done.runs, done.rows, told) == (1, 6, [1] * 6)
    assert not AggregationRun.objects.filter(pk=old.pk).exists()
    assert new.consensus.count() == 2
    assert new.reliabilities.count() == 4
    assert (Consensus.objects.count(), WorkerReliability.objects.count()) == (2, 4)


def test_one_that_was_killed_is_gone_on_with(campaign, monkeypatch):
    old, _ = with_results(campaign)
    monkeypatch.setattr(pruning, "BATCH", 1)

    def killed(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prune_runs(advance=killed)
    old.refresh_from_db()
    assert (old.state, old.consensus.count()) == ("pruned", 1)
    assert not pin(old)
    assert prune_runs().runs == 1
    assert Consensus.objects.filter(run=old.pk).count() == 0


def test_two_at_once_are_one(campaign):
    with locks.hold("prune runs"), pytest.raises(locks.Held):
        prune_runs()
    assert not CommandLock.objects.exists()


def call(*arguments: str) -> str:
    out = StringIO()
    call_command("prune_runs", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_pins_names_and_deletes(campaign):
    first, second, *_ = make_runs(campaign, KEPT + 2)
    assert call("--pin", str(first.key)) == f"Run {first.key} is pinned.\n"
    assert call("--dry-run") == f"{campaign.slug}: majority, run {second.key}\n"
    assert AggregationRun.objects.count() == KEPT + 2
    assert call() == "Deleted 1 run with 0 rows of results.\n"
    assert call("--unpin", str(first.key)) == f"Run {first.key} is pinned no more.\n"
    assert call() == "Deleted 1 run with 0 rows of results.\n"
    with pytest.raises(CommandError, match="There is no run"):
        call("--pin", str(second.key))
