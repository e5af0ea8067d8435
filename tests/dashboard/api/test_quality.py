"""What managers decide of single answers, questions, tasks and runs, done by a program."""

from __future__ import annotations

import pytest

from aggregation.models import AggregationRun
from annotation.actions import appeals, assignments
from annotation.actions.workers import set_state
from annotation.models import Demand, GoldQuestion, Job
from tests.dashboard.api.program import fields
from tests.factories import make_enrollment, make_task

pytestmark = pytest.mark.django_db
P, C = "/api/projects/letters/", "/api/campaigns/names/"
NONE = {"mentions": []}


def test_answer_is_rejected_and_the_rejection_taken_back(asks, campaign):
    make_task(campaign)
    worker = make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, NONE)
    path = f"{C}workers/{worker.key}/answers/"
    assert asks.get(path).json()["results"][0]["rejected"] == ""
    rejection = f"{path}{lease.key}/rejection/"
    assert asks.http.delete(rejection).status_code == 409
    assert fields(asks.send(rejection)) == {"reason"}
    assert asks.send(rejection, reason="It names nobody.").json()["key"] == str(lease.key)
    assert asks.get(path).json()["results"][0]["rejected"] == "It names nobody."
    assert asks.http.delete(rejection).json()["overturned_at"]
    assert asks.get(path).json()["results"][0]["rejected"] == ""
    done = [row["action"] for row in asks.get(f"{P}record/").json()["results"]]
    assert len(done) == len(asks.get(f"{P}record/", limit=1).json()["results"]) + 1
    assert asks.get(f"{P}record/", action=done[0]).json()["results"][0]["action"] == done[0]
    assert fields(asks.get(f"{P}record/", since="yesterday")) == {"since"}


def test_request_is_answered_once(asks, campaign):
    worker = make_enrollment(campaign)
    set_state(worker, "paused", "Answers came in seconds.")
    key = appeals.appeal(worker.key, "I read fast.").key
    assert asks.get(f"{C}requests/", open="false").json()["results"] == []
    waits = asks.get(f"{C}requests/", open="true").json()["results"]
    assert [(row["key"], row["text"]) for row in waits] == [(str(key), "I read fast.")]
    given = {"verb": "grant", "answer": "You do."}
    assert fields(asks.send(f"{C}requests/{key}/", verb="grant")) == {"answer"}
    assert asks.send(f"{C}requests/{key}/", **given).json()["granted"] is True
    assert asks.send(f"{C}requests/{key}/", **given).status_code == 409


def test_gold_question_is_corrected_retired_and_restored(asks, campaign):
    task = make_task(campaign, kind=Demand.Kind.HIDDEN, external_id="known")
    GoldQuestion.objects.create(task=task, answer={"mentions": [], "entities": []})
    path = f"{C}gold/question/"
    for verb in ("correct", "retire", "restore"):
        told = {"task": "known", "verb": verb, "reason": "It is cut.", "explanation": "Nobody."}
        assert asks.send(path, **told).json()["answers"] == 0, verb
    assert asks.send(path, task="known", verb="restore").status_code == 409
    assert asks.send(path, task="t\0", verb="restore").status_code in (400, 404)
    wrong = asks.send(path, task="known", verb="correct", answer={"mentions": 1})
    assert next(iter(fields(wrong))).startswith("answer")


def test_tasks_are_ordered_runs_kept_and_jobs_repeated(asks, campaign):
    make_task(campaign, external_id="t1")
    assert asks.send(f"{C}tasks/order/", verb="first", tasks=["t1", "t2"]).json() == {"changed": 1}
    assert fields(asks.send(f"{C}tasks/order/", verb="first", tasks=["t2"])) == {"tasks"}
    assert Demand.objects.get().priority > 0
    run = AggregationRun.objects.create(campaign=campaign, method="mv-token", state="done", seed=1)
    assert asks.send(f"{C}runs/{run.key}/", "put", pinned=True).status_code == 200
    run.refresh_from_db()
    assert run.pinned_at
    served = asks.http.put(f"{C}served-method/", {"method": "x"}, content_type="application/json")
    assert fields(served) == {"method"}
    assert asks.get(f"{C}plan/").json()["ways"] == []
    assert asks.send(f"{C}plan/", wanted=0.9).status_code == 202
    assert fields(asks.send(f"{C}plan/", mix="half", workers=9, tasks=9, wanted=0.9)) >= {"mix"}
    job = Job.objects.get()
    assert asks.send(f"{P}jobs/{job.key}/again/").status_code == 409  # it waits
    Job.objects.update(state="failed", error="x")
    assert asks.send(f"{P}jobs/{job.key}/again/").status_code == 202
    nowhere = f"{P}loops/{'-' * 36}/pause/"  # as long as a key
    assert asks.send(nowhere).status_code == 404
