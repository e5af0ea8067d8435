from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from aggregation.models import AggregationRun
from annotation.actions import jobs, locks
from annotation.actions.night import BROKEN_OFF, begin_night, begin_step
from annotation.management.jobs.kinds import kinds
from annotation.models import Campaign, Enrollment, Job, NightStep, Project
from config.management.commands import night
from config.management.commands.work import ask_for_night, one_round
from tests.aggregation.crowds import choice_campaign, choice_task
from tests.factories import make_campaign, make_enrollment

pytestmark = pytest.mark.django_db


def test_it_works_without_any_campaign(capsys):
    call_command("night")
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in told] == [
        "expire_assignments", "score_gold", "check_gold", "flag_workers", "select_workers",
        "adjust_redundancy --all", "advance_loops", "evaluate_submissions", "prune_runs",
        "clear_models", "clear_log_ins", "clear_jobs", "check_integrity",
    ]  # fmt: skip


def test_only_open_campaigns_with_answers_are_aggregated():
    for slug, fields, submitted in [
        ("answered", {}, 2),
        ("silent", {}, 0),
        ("closed", {"state": "closed"}, 2),
        ("relations", {"interface": "relation"}, 2),
    ]:
        make_enrollment(make_campaign(slug=slug, **fields), submitted=submitted)
    aggregated = [step[1] for step, _ in night.steps("mv-token") if step[0] == "aggregate"]
    assert aggregated == ["--campaign=answered", "--campaign=relations"]


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
    named = [step[0] for step, _ in night.steps("mv-token")]
    assert named.count("aggregate") == 1


def test_failed_step_is_named_at_the_end_and_the_others_are_done(capsys, caplog, monkeypatch):
    make_enrollment(make_campaign(slug="first"), submitted=1)  # a counter that no row bears out
    with pytest.raises(CommandError, match=r"^2 steps of the night failed: aggregate --campaign="):
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


# --- The record -----------------------------------------------------------------------------------


def test_every_step_stands_in_the_record_with_what_failed(monkeypatch):
    def broken() -> int:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr("annotation.management.commands.expire_assignments.expire_overdue", broken)
    campaign = make_campaign(slug="first")
    make_enrollment(campaign, submitted=1)
    with pytest.raises(CommandError, match=r"^3 steps of the night failed"):
        call_command("night", method="no-such-method")
    rows = list(NightStep.objects.all())
    assert {row.night for row in rows} == {rows[0].night}
    assert all(row.started_at <= row.ended_at for row in rows)
    failed = {row.step: (row.campaign, row.error) for row in NightStep.objects.failed()}
    assert failed["expire_assignments"] == (None, night.MISTAKE)  # no word of the program's own
    of, error = failed["aggregate --campaign=first --method no-such-method"]
    assert of == campaign
    assert "no method 'no-such-method'" in error
    assert failed.keys() == {
        "expire_assignments", "aggregate --campaign=first --method no-such-method",
        "check_integrity",
    }  # fmt: skip
    assert "score_gold" in {row.step for row in rows}


def test_only_the_last_night_counts_and_those_of_a_month_ago_are_forgotten():
    with time_machine.travel("2026-10-01 03:00Z", tick=False) as travel:
        call_command("night")
        NightStep.objects.update(error="It rained.")
        assert NightStep.objects.of_last_night().failed().exists()
        travel.shift(timedelta(days=1))
        call_command("night")
        assert not NightStep.objects.of_last_night().failed().exists()
        assert NightStep.objects.failed().exists()
        travel.shift(timedelta(days=30))
        call_command("night")
        assert not NightStep.objects.failed().exists()


def test_two_nights_at_once_are_one():
    with locks.hold("night"), pytest.raises(CommandError, match="'night' is being worked on by"):
        call_command("night")
    assert not NightStep.objects.exists()


# --- By itself ------------------------------------------------------------------------------------


def test_the_loop_asks_for_the_night_once_after_its_hour(settings):
    settings.NIGHT_HOUR, settings.TIME_ZONE = 3, "Europe/Berlin"
    with time_machine.travel("2026-11-21 10:00Z", tick=False) as travel:
        make_campaign()
        Project.objects.update(created_at=timezone.now())
        ask_for_night()
        assert not Job.objects.exists()  # today's hour was over before there was anything to do
        travel.move_to("2026-11-22 01:59Z")
        ask_for_night()
        assert not Job.objects.exists()
        travel.move_to("2026-11-22 02:00Z")  # three in Berlin
        for _ in range(2):
            ask_for_night()
        job = Job.objects.get()
        assert (job.kind, job.project, job.asked_by) == ("night", None, None)
        Job.objects.update(created_at=timezone.now())
        jobs.claim()
        kinds()["night"].run(job)
        jobs.finish(Job.objects.get(), {})
        assert NightStep.objects.filter(step="check_integrity", error="").exists()
        travel.move_to("2026-11-23 01:59Z")
        ask_for_night()
        assert Job.objects.count() == 1
        travel.move_to("2026-11-25 12:00Z")  # the machine was off for two nights
        ask_for_night()
        assert Job.objects.queued().count() == 1


def test_where_cron_does_the_night_the_loop_does_not(settings):
    settings.NIGHT_HOUR = None
    make_campaign()
    Project.objects.update(created_at=timezone.now() - timedelta(days=9))
    ask_for_night()
    assert not Job.objects.exists()
    settings.NIGHT_HOUR = 3
    begin_step(begin_night(), "score_gold")  # by cron, by mistake
    ask_for_night()
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)  # a round drops connections
def test_step_that_ended_its_process_has_failed_and_comes_last_then(monkeypatch, settings):
    settings.NIGHT_STEPS = ["prune_runs", "clear_jobs", "check_integrity"]
    began = []

    def do(*step, **options):
        began.append(step[0])
        if step[0] == "prune_runs":
            raise SystemExit  # as a kill: nothing is written any more

    monkeypatch.setattr(night, "call_command", do)
    for _ in range(2):
        with pytest.raises(SystemExit):
            call_command("night")
    assert began == ["prune_runs", "clear_jobs", "check_integrity", "prune_runs"]
    with locks.hold("night"):
        one_round()
    assert NightStep.objects.filter(ended_at=None).count() == 1
    one_round()
    last = NightStep.objects.of_last_night().failed().get()
    assert (last.step, last.error) == ("prune_runs", BROKEN_OFF)
    assert last.ended_at


def test_campaign_whose_short_name_begins_with_a_dash_is_aggregated():
    campaign = choice_campaign()
    Campaign.objects.filter(pk=campaign.pk).update(slug="-names")
    choice_task(campaign, "yes", "no", "yes")
    Enrollment.objects.update(submitted=1)
    with pytest.raises(CommandError, match=r"^1 step of the night failed: check_integrity\.$"):
        call_command("night")
    assert AggregationRun.objects.get().state == "complete"
