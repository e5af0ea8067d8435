"""Jobs wait, are taken by one, and end once."""

from __future__ import annotations

import os
import socket
import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.actions import jobs
from annotation.models import Campaign, Job
from tests.annotation.actions.test_locks import ended_process
from tests.factories import make_campaign, make_member, make_project

pytestmark = pytest.mark.django_db


def states():
    return list(Job.objects.order_by("id").values_list("state", flat=True))


def test_equal_jobs_that_wait_are_one_and_others_are_not():
    campaign, other = make_campaign(), make_campaign()
    manager = make_member(campaign.project).user
    first = jobs.enqueue("check_gold", campaign=campaign)
    assert jobs.enqueue("check_gold", campaign=campaign, user=manager).pk == first.pk
    assert jobs.enqueue("check_gold", campaign=other).pk != first.pk
    assert jobs.enqueue("check_gold", {"a": 1}, campaign=campaign).pk != first.pk
    assert jobs.enqueue("score_gold", campaign=campaign).pk != first.pk
    assert first.project == campaign.project
    jobs.claim()
    assert jobs.enqueue("check_gold", campaign=campaign).pk != first.pk  # that one is at work


def test_database_itself_holds_equal_jobs_and_tokens_together():
    job = jobs.enqueue("check_gold")
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="check_gold", digest=job.digest)
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.update(state="running")


def test_projects_take_turns():
    busy, quiet = make_project(), make_project()
    for number in range(3):
        jobs.enqueue("aggregate", {"seed": number}, project=busy)
    jobs.enqueue("aggregate", project=quiet)
    jobs.enqueue("refresh_consensus")
    order = []
    for _ in range(5):
        job = jobs.claim()
        order.append(job.project)
        jobs.finish(job, {})
    assert order == [busy, quiet, None, busy, busy]


def test_project_with_fewer_jobs_at_work_comes_first():
    busy, quiet = make_project(), make_project()
    jobs.enqueue("aggregate", {"seed": 1}, project=quiet)
    jobs.finish(jobs.claim(), {})
    jobs.enqueue("aggregate", {"seed": 1}, project=busy)
    assert jobs.claim().project == busy
    jobs.enqueue("aggregate", {"seed": 2}, project=busy)
    jobs.enqueue("aggregate", {"seed": 2}, project=quiet)
    assert jobs.claim().project == quiet


def test_job_that_is_not_due_waits():
    job = jobs.enqueue("aggregate")
    jobs.give_back(jobs.claim(), wait=timedelta(minutes=1))
    assert jobs.claim() is None
    Job.objects.update(due_at=timezone.now())
    again = jobs.claim()
    assert (again.pk, again.attempts) == (job.pk, 1)  # that time did not count


def test_it_is_alive_while_it_beats_and_tells_its_progress():
    jobs.enqueue("aggregate")
    job = jobs.claim()
    Job.objects.update(process="elsewhere:1", beat_at=timezone.now() - jobs.STALE)
    assert jobs.abandoned() == [job]
    assert jobs.heartbeat(job, done=3, total=9, sentence="answers").pk == job.pk
    assert jobs.abandoned() == []
    job.refresh_from_db()
    assert (job.done, job.total, job.sentence) == (3, 9, "answers")


def test_job_of_a_process_that_is_gone_from_this_machine_is_abandoned_at_once():
    jobs.enqueue("aggregate")
    job = jobs.claim()
    assert job.process == f"{socket.gethostname()}:{os.getpid()}"
    assert jobs.abandoned() == []
    Job.objects.update(process=ended_process())
    assert jobs.abandoned() == [job]


def test_whoever_lost_the_job_writes_nothing_any_more():
    jobs.enqueue("aggregate")
    lost = jobs.claim()
    assert jobs.take_again(lost, "Its process has gone.", most=3)
    mine = jobs.claim()
    assert mine.pk == lost.pk
    assert jobs.begin(lost.pk, lost.token) is None
    assert jobs.heartbeat(lost, done=1, total=None, sentence="") is None
    assert not jobs.finish(lost, {"lines": ["old"]})
    assert not jobs.fail(lost, "It broke off.")
    assert not jobs.take_again(lost, "Its process has gone.", most=3)
    assert jobs.finish(mine, {"lines": ["new"]})
    mine.refresh_from_db()
    assert (mine.state, mine.result, mine.attempts) == ("done", {"lines": ["new"]}, 2)


def test_job_that_ends_its_process_each_time_fails_with_words_in_the_end():
    jobs.enqueue("aggregate")
    for _ in range(3):
        jobs.take_again(jobs.claim(), "Its process was killed.", most=3)
    job = Job.objects.get()
    assert job.state == "failed"
    assert job.error == "Its process was killed. It was tried 3 times."


def test_interrupted_job_gives_way_to_an_equal_one_that_waits():
    jobs.enqueue("aggregate")
    job = jobs.claim()
    jobs.enqueue("aggregate")
    jobs.take_again(job, "Its process has gone.", most=3)
    assert states() == ["stopped", "queued"]
    job.refresh_from_db()
    assert job.error == jobs.REPLACED


def test_stop_ends_what_waits_and_tells_what_is_at_work():
    waiting, working = jobs.enqueue("aggregate"), jobs.enqueue("check_gold")
    jobs.stop(waiting)
    assert jobs.claim().pk == working.pk
    jobs.stop(working)
    assert states() == ["stopped", "running"]
    working.refresh_from_db()
    assert working.stop_asked_at
    jobs.end_stopped(working)
    with pytest.raises(jobs.Stopping, match="has ended already"):
        jobs.stop(working)


def test_stop_that_comes_while_a_job_goes_back_into_the_queue_is_heeded():
    for back in (jobs.give_back, lambda job: jobs.take_again(job, "It was killed.", most=3)):
        jobs.enqueue("aggregate")
        job = jobs.claim()
        jobs.stop(Job.objects.get(pk=job.pk))  # after its runner read the row
        assert back(job)
        assert jobs.claim() is None
    assert states() == ["stopped", "stopped"]


def test_many_that_wait_cost_no_more_to_take_than_few(django_assert_max_num_queries):
    project, now = make_project(), timezone.now()
    Job.objects.bulk_create(
        Job(kind="a", digest=f"{state} {number}", project=project, state=state, started_at=now)
        for state, many in (("done", 2000), ("queued", 500))
        for number in range(many)
    )
    with django_assert_max_num_queries(3):
        assert jobs.claim().digest == "queued 0"
    assert len(Job.objects.by_turn(now + timedelta(minutes=1))) == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_that_take_at_once_each_gets_another_job():
    for number in range(6):
        jobs.enqueue("aggregate", {"seed": number})
    got, start = [], threading.Barrier(6)

    def take():
        start.wait()
        try:
            got.append(jobs.claim().pk)
        finally:
            connection.close()

    takers = [threading.Thread(target=take) for _ in range(6)]
    for taker in takers:
        taker.start()
    for taker in takers:
        taker.join()
    assert sorted(got) == list(Job.objects.order_by("id").values_list("id", flat=True))


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(20)
def test_job_of_a_campaign_that_has_just_been_deleted_is_refused():
    campaign = make_campaign()
    gone = Campaign.objects.get(pk=campaign.pk)
    campaign.delete()
    with pytest.raises(IntegrityError):
        jobs.enqueue("aggregate", campaign=gone)


@pytest.mark.django_db(transaction=True)
def test_of_many_that_ask_for_the_same_at_once_all_get_one_job():
    got, start = [], threading.Barrier(6)

    def ask():
        start.wait()
        try:
            got.append(jobs.enqueue("aggregate").pk)
        finally:
            connection.close()

    askers = [threading.Thread(target=ask) for _ in range(6)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(got) == 6
    assert len(set(got)) == 1
