"""One job in its process: how it ends is in its row, in words."""

from __future__ import annotations

import io
import json

import pytest
from django.conf import settings
from django.core.management.base import CommandError
from django.db import OperationalError
from django.utils import timezone

from annotation.actions import jobs, locks
from annotation.actions.progress import Progress, listening
from annotation.management.jobs import child, kinds, runner
from annotation.management.jobs.child import INTERRUPTED, OVER, WITHOUT_RESULT, read_progress
from annotation.management.jobs.kinds import Kind, UnknownKind, kind_of
from annotation.models import Job
from tests.factories import make_campaign, make_response, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kinds(settings, monkeypatch):
    settings.JOB_KINDS = [*settings.JOB_KINDS, "tests.job_kinds"]
    monkeypatch.setattr(child, "_end_with_the_runner", lambda: None)
    monkeypatch.setattr(child.signal, "signal", lambda *_: None)


def done(kind, parameters=None, **about):
    jobs.enqueue(kind, parameters, **about)
    job = jobs.claim()
    code = child.do(job.pk, job.token)
    return code, Job.objects.get(pk=job.pk)


def of(kind, run, monkeypatch):
    """A job of a kind that is there for one test."""
    made = {**kinds.kinds(), kind: Kind(kind, kind, run)}
    monkeypatch.setattr(kinds, "_kinds", lambda modules: made)
    return done(kind)


def test_lines_that_a_command_prints_are_the_result():
    code, job = done("check_gold", campaign=make_campaign(slug="names"))
    assert (code, job.state) == (OVER, "done")
    assert job.result == {"lines": ["names: 0 gold questions, none suspicious."]}
    assert job.ended_at
    assert job.token is None


def test_what_a_command_refuses_is_said_in_its_words():
    code, job = done("refuse")
    assert (code, job.state) == (OVER, "failed")
    assert job.error == "Line 3: expected an object; found a list."


def test_what_no_database_can_keep_is_replaced_in_what_a_job_says(monkeypatch):
    def refuse(job):
        raise CommandError("Line 3: 'a\0b\ud800'.")

    _, job = of("refuse", refuse, monkeypatch)
    assert (job.state, job.error) == ("failed", "Line 3: 'a\ufffdb\ufffd'.")
    _, job = of("tell", lambda job: {"lines": ["a\0b\ud800"], "table": {"\0": 1}}, monkeypatch)
    assert job.result == {"lines": ["a\ufffdb\ufffd"], "table": {"\ufffd": 1}}


def test_mistake_of_the_program_is_in_the_log_and_nothing_of_it_in_the_row(caplog):
    code, job = done("break off")
    assert (code, job.state) == (OVER, "failed")
    assert "RuntimeError: the key is sesame" in caplog.text
    assert "sesame" not in json.dumps([job.error, job.result, job.sentence])
    assert job.error.endswith(f"tells more, under job {job.pk}.")


def test_kind_that_this_version_does_not_have_fails_with_words():
    _, job = done("make coffee")
    assert job.error == "There are no jobs of the kind 'make coffee' in this version."


def test_job_that_meets_another_at_the_same_work_waits_and_has_not_failed():
    with locks.hold("x"):
        _, job = done("meet another")
    assert (job.state, job.attempts) == ("queued", 0)
    assert job.due_at > timezone.now()
    Job.objects.update(due_at=timezone.now())
    again = jobs.claim()
    child.do(again.pk, again.token)
    assert Job.objects.get().result == {"lines": ["Nobody was there."]}


def test_campaign_that_somebody_works_on_is_no_failure_of_the_commands():
    for kind, lock, parameters in (
        ("check_gold", "check gold", {}),
        ("flag_workers", "flag", {}),
        ("aggregate", "aggregate", {"method": "mv-token"}),
    ):
        campaign = make_campaign()
        make_response(make_task(campaign), None, {"tags": ["O"] * 7})
        with locks.hold(f"{lock}:{campaign.slug}"):
            _, job = done(kind, parameters, campaign=campaign)
        assert (kind, job.state, job.error) == (kind, "queued", "")


def test_database_that_goes_away_and_memory_that_runs_out(monkeypatch):
    def lose(job):
        raise OperationalError("the server has gone away")

    def overflow(job):
        raise MemoryError

    code, job = of("lose", lose, monkeypatch)
    assert (code, job.state) == (WITHOUT_RESULT, "running")  # whoever started it takes it again
    _, job = of("overflow", overflow, monkeypatch)
    assert job.error == child.NO_MEMORY


def test_process_that_can_not_be_started_keeps_the_job_for_later(monkeypatch):
    def refuse(*args, **options):
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(runner.subprocess, "Popen", refuse)
    job = jobs.enqueue("refuse")
    runner.Runner(2).look()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 0)
    assert job.due_at > timezone.now()


@pytest.mark.parametrize(("wanted", "threads"), [(None, "1"), ("4", "4")])
def test_job_has_one_thread_for_numbers_unless_somebody_wants_more(wanted, threads, monkeypatch):
    seen = {}

    def note(*args, env, **options):
        seen.update(env)
        raise BlockingIOError("Enough is known.")

    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if wanted:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", wanted)
    monkeypatch.setattr(runner.subprocess, "Popen", note)
    jobs.enqueue("refuse")
    runner.Runner(1).look()
    assert seen["OPENBLAS_NUM_THREADS"] == threads
    assert seen["PATH"]


def test_interrupted_job_writes_nothing(monkeypatch):
    def press(job):
        raise KeyboardInterrupt

    code, job = of("press", press, monkeypatch)
    assert (code, job.state) == (INTERRUPTED, "running")


def test_process_that_comes_too_late_does_nothing():
    jobs.enqueue("break off")
    lost = jobs.claim()
    jobs.take_again(lost, "Its process has gone.", most=3)
    assert child.do(lost.pk, lost.token) == OVER
    assert Job.objects.get().state == "queued"


def test_progress_of_a_command_is_told_and_read_again(capsys, monkeypatch):
    monkeypatch.setattr(child, "TELL_EVERY", 0)
    told = []
    with listening(lambda *step: told.append(step)), Progress(io.StringIO(), 9, "answers") as bar:
        bar.advance(2)
        bar.advance()
    with Progress(io.StringIO(), 9, "answers") as bar:
        bar.advance()
    assert told == [(2, 9, "answers"), (3, 9, "answers")]

    child._reporter()(3, None, "“Namen”")
    assert read_progress(capsys.readouterr().out.encode()) == (3, None, "“Namen”")


@pytest.mark.parametrize("line", [b"", b"hello", b"3", b"[1, 2]", b'["x", 1, "y"]', b"\xff"])
def test_other_lines_than_progress_are_passed_over(line):
    assert read_progress(line) is None


def test_every_kind_has_a_title_and_web_servers_can_read_them():
    for name, kind in kinds.kinds().items():
        assert kind.name == name
        assert kind.title[:1].isupper()
    assert set(settings.WORK_JOBS) <= set(kinds.kinds())
    with pytest.raises(UnknownKind):
        kind_of("make coffee")
