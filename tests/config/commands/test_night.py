import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from aggregation.models import AggregationRun
from annotation.actions import locks
from annotation.models import Enrollment
from config.management.commands import night
from tests.aggregation.crowds import choice_campaign, choice_task
from tests.factories import make_campaign, make_enrollment

pytestmark = pytest.mark.django_db


def test_it_works_without_any_campaign(capsys):
    call_command("night")
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in told] == [
        "expire_assignments", "score_gold", "check_gold", "flag_workers", "select_workers",
        "adjust_redundancy --all", "prune_runs", "clear_log_ins", "clear_jobs", "check_integrity",
    ]  # fmt: skip


def test_only_open_campaigns_with_answers_are_aggregated():
    for slug, fields, submitted in [
        ("answered", {}, 2),
        ("silent", {}, 0),
        ("closed", {"state": "closed"}, 2),
        ("relations", {"interface": "relation"}, 2),
    ]:
        make_enrollment(make_campaign(slug=slug, **fields), submitted=submitted)
    aggregated = [step[2] for step in night.steps("mv-token") if step[0] == "aggregate"]
    assert aggregated == ["answered", "relations"]


def test_a_campaign_that_somebody_aggregates_is_no_failure(capsys):
    campaign = choice_campaign()
    choice_task(campaign, "yes", "no", "yes")
    Enrollment.objects.update(submitted=1)
    with locks.hold(f"aggregate:{campaign.slug}"), pytest.raises(CommandError) as error:
        call_command("night")
    assert str(error.value) == "1 step of the night failed: check_integrity."  # made-up counters
    assert f"'aggregate:{campaign.slug}' is being worked on by" in capsys.readouterr().out


def test_the_second_night_stores_nothing_where_nothing_came_in(capsys):
    campaign = choice_campaign()
    choice_task(campaign, "yes", "no", "yes")
    Enrollment.objects.update(submitted=1)
    for _ in range(3):
        with pytest.raises(CommandError, match="failed: check_integrity"):
            call_command("night")
    assert AggregationRun.objects.count() == 1
    assert capsys.readouterr().out.count("Nothing has changed since run") == 2


def test_campaign_with_several_workers_is_aggregated_once():
    campaign = make_campaign()
    for _ in range(3):
        make_enrollment(campaign, submitted=1)
    named = [step[0] for step in night.steps("mv-token")]
    assert named.count("aggregate") == 1


def test_failed_step_is_named_at_the_end_and_the_others_are_done(capsys, caplog, monkeypatch):
    make_enrollment(make_campaign(slug="first"), submitted=1)  # a counter that no row bears out
    with pytest.raises(CommandError, match=r"^2 steps of the night failed: aggregate --campaign "):
        call_command("night", method="no-such-method")
    told = capsys.readouterr()
    assert told.out.startswith("expire_assignments: 0 leases ended;")
    assert "no method 'no-such-method'" in told.err
    assert "numbers are not what their rows say" in told.err


def test_step_that_breaks_unexpectedly_does_not_keep_the_others_back(capsys, caplog, monkeypatch):
    def broken() -> int:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr("annotation.management.commands.expire_assignments.expire_overdue", broken)
    with pytest.raises(CommandError, match="1 step of the night failed: expire_assignments"):
        call_command("night")
    assert "the disk is on fire" in caplog.text
    assert "Every counter is what its rows say." in capsys.readouterr().out
