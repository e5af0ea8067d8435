"""Evaluation periods, teams and labelling loops, set up and moved on by a program."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import AuditEntry, Job
from evaluation.models import EvaluationPeriod, Submission
from selection.actions.loops import life
from selection.models import LabellingLoop, LoopItem, LoopRound
from tests.dashboard.api.program import Program, fields
from tests.evaluation.made import SCHEMA, make_submission, make_submitter, make_system, make_team
from tests.factories import make_campaign, make_document, make_import, make_member

pytestmark = pytest.mark.django_db
P = "/api/projects/letters/"
LOOP = {"campaign": "rounds", "budget_mills": 0.5, "start_size": 1, "batch_size": 1}


@pytest.fixture
def evaluated(project):
    project.schema = SCHEMA
    project.save()
    return project


def test_period_is_set_up_changed_scored_and_released(asks, evaluated):
    run = make_import(evaluated, state="complete")
    document = make_document(evaluated, import_run=run)
    make_document(evaluated, import_run=make_import(evaluated))
    made = asks.send(
        f"{P}periods/", name="Spring", metrics=["instance"], imports=[str(run.key)]
    )  # fmt: skip
    assert made.status_code == 201, made.content
    period = EvaluationPeriod.objects.get()
    assert list(period.documents.all()) == [document]
    assert (made.json()["state"], made.json()["match"]) == ("open", "exact")
    assert fields(asks.send(f"{P}periods/")) == {"name"}
    assert fields(asks.send(f"{P}periods/", name="S", imports=["x"])) == {"imports"}
    assert fields(asks.send(f"{P}periods/", name="S", metrics=["x"])) == {"metrics"}

    path = f"{P}periods/{period.key}/"
    verify = make_campaign(evaluated, slug="verify", interface="relation", state="draft")
    changed = asks.send(path, "patch", campaign=verify.slug, is_public=True).json()
    assert sorted(changed["changed"]) == ["campaign", "is_public"]
    assert asks.send(path, "patch").json() == {"changed": []}  # what was not sent stays
    early = {"closes_at": "2020-01-01T00:00:00Z"}
    assert fields(asks.send(path, "patch", **early)) == {"closes_at"}
    told = asks.get(path).json()
    assert (told["campaign"], told["is_public"], told["progress"]["tasks"]) == ("verify", True, 0)
    assert asks.send(path, "patch", campaign=None).json() == {"changed": ["campaign"]}

    for act in ("score", "forecast"):
        assert asks.send(f"{path}{act}/").status_code == 202
    kinds = {job.kind for job in Job.objects.queued()}
    assert kinds == {"evaluate_submissions", "forecast_plan"}
    assert fields(asks.send(f"{path}plans/", metrics="instance", width="0.05")) >= {"width"}
    assert fields(asks.send(f"{path}recall/", width="0.1")) >= {"width"}
    assert asks.send(f"{path}recall/links/").status_code == 202
    assert asks.send(f"{path}release/").json()["labels_released_at"] is not None
    assert [row["name"] for row in asks.get(f"{P}periods/").json()["results"]] == ["Spring"]


def test_team_is_made_and_its_people_and_tokens_are_managed(asks, evaluated):
    made = asks.send(f"{P}teams/", name="Falcons").json()
    assert fields(asks.send(f"{P}teams/", name="Falcons")) == {"name"}
    path = f"/api/teams/{made['key']}/"
    invited = asks.send(f"{path}invitations/", note="Bert").json()
    token = asks.send(f"{path}tokens/", name="nightly").json()
    secrets = (invited["link"].split("/")[-2], token["secret"])
    for what, one in (("invitations", invited), ("tokens", token)):
        listed = asks.get(f"{path}{what}/")
        assert [row["key"] for row in listed.json()["results"]] == [one["key"]]
        assert not any(secret in listed.text for secret in secrets)
    header = {"Authorization": f"Token {token['secret']}"}
    assert Client().get("/api/submissions/", headers=header).status_code == 200
    for what, one in (("invitations", invited), ("tokens", token)):
        assert asks.http.delete(f"{path}{what}/{one['key']}/").status_code == 204
        assert asks.http.delete(f"{path}{what}/{one['key']}/").status_code == 404
    assert Client().get("/api/submissions/", headers=header).status_code == 401
    team = evaluated.teams.get()
    make_submitter(team, username="bert")
    assert asks.get(f"{path}people/").json()["results"] == [{"username": "bert"}]
    assert asks.http.delete(f"{path}people/bert/").status_code == 204
    assert asks.http.delete(f"{path}people/bert/").status_code == 404
    assert not any(secret in str(list(AuditEntry.objects.values())) for secret in secrets)


def test_submissions_of_a_period_are_listed_and_another_project_s_are_not(asks, evaluated):
    period = EvaluationPeriod.objects.create(
        project=evaluated, name="Spring", opens_at=timezone.now(), metrics=["instance"]
    )
    system = make_system(make_team(evaluated), name="falcon")
    make_submission(period, system)
    make_submission(period, system, state=Submission.State.REFUSED)
    path = f"{P}periods/{period.key}/submissions/"
    assert [row["version"] for row in asks.get(path).json()["results"]] == [2, 1]
    assert [row["version"] for row in asks.get(path, state="valid").json()["results"]] == [1]
    assert asks.get(path, system="heron").json()["results"] == []
    other = Program(make_member(make_campaign().project).user)
    assert other.get(path).status_code == 404
    assert other.get(f"{P}periods/{period.key}/").status_code == 404


def test_loop_is_set_up_changed_and_moved(asks, project, monkeypatch):
    monkeypatch.setattr(life, "LEAST_SAMPLE", 1)
    for _ in range(9):
        make_document(project)
    make_campaign(project, slug="rounds", state="draft", pay_mills=10, redundancy=1)
    assert fields(asks.send(f"{P}loops/", **LOOP | {"campaign": "none"})) == {"campaign"}
    assert fields(asks.send(f"{P}loops/", **LOOP | {"goal": 7})) == {"goal"}
    made = asks.send(f"{P}loops/", **LOOP)
    assert made.status_code == 201, made.content
    loop = LabellingLoop.objects.get()
    path = f"{P}loops/{loop.key}/"
    assert [job.kind for job in Job.objects.queued()] == ["advance_loops"]
    changed = asks.send(path, "patch", batch_size=2, budget_mills=2).json()
    assert changed == {"changed": ["batch_size", "budget_mills"]}
    told = asks.get(path).json()
    assert (told["batch_size"], told["budget_mills"], told["spent_mills"]) == (2, 2_000, 0)
    assert fields(asks.send(path, "patch", picker="best")) == {"picker"}
    assert asks.send(f"{path}pause/").json()["state"] == "paused"
    assert asks.send(f"{path}resume/").json()["state"] == "running"
    assert asks.send(f"{path}advance/").status_code == 202
    row = LoopRound.objects.create(
        loop=loop, number=1, picker="random", campaign=loop.campaign, picked=1,
        picked_at=timezone.now(), expected_mills=10, code_version="",
    )  # fmt: skip
    for use in LoopItem.Use.values:
        LoopItem.objects.create(
            loop=loop, round=row, external_id=f"a-{use}", use=use, rank=1, expected_mills=10
        )
    assert [one["number"] for one in asks.get(f"{path}rounds/").json()["results"]] == [1]
    picked = asks.get(f"{path}rounds/1/").json()["results"]
    assert [one["document"] for one in picked] == ["a-training"]  # the sample is told to nobody
    assert asks.send(f"{path}stop/").json()["state"] == "stopped"
    assert asks.send(f"{path}resume/").status_code == 409
    assert [one["name"] for one in asks.get(f"{P}loops/", state="stopped").json()["results"]] == [
        loop.name
    ]
