"""Three systems of known precision and recall, from the upload to the leaderboard; and killed."""

from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import Sum
from django.test import Client

from annotation.actions.tokens import worker_token
from annotation.models import Assignment, Demand, Payment
from evaluation.actions.teams import create_team, create_token
from evaluation.models import Claim, ClaimPart, Draw, RecallDocument, ScoreSnapshot
from experiments.evaluation.story import World
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db
SMALL = {"documents": 6, "sentences": 3}


@pytest.fixture
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


class OverHttp(World):
    """Its workers speak HTTP."""

    def shift(self, enrollment, answer, most):
        client = Client(headers={"Authorization": f"Worker {worker_token(enrollment)}"})
        given, now = 0, "application/json"
        told = client.post("/api/work/next/", {}, now).json()
        while given < most and (lease := told["assignment"]):
            task = Assignment.objects.select_related("task__document").get(key=lease["key"]).task
            body = {"answer": answer(task), "seconds": 7}
            reply = client.post(f"/api/work/assignments/{lease['key']}/submit/", body, now)
            assert reply.status_code == 200, reply.text
            told, given = reply.json()["next"], given + 1
        return given


def test_from_upload_to_leaderboard_over_http(folder):
    root = User.objects.create_superuser("root")
    world = OverHttp(5, root, folder, **SMALL)
    manager = Client()
    manager.force_login(root)
    for name in world.SYSTEMS:
        _, secret = create_token(create_team(world.project, name), "nightly")
        program = Client(headers={"Authorization": f"Token {secret}"})
        file = SimpleUploadedFile(f"{name}.jsonl", world.file(name))
        given = {"period": world.period.key, "system": name, "file": file}
        made = program.post("/api/submissions/", given)
        assert made.status_code == 201
        do_jobs()
        told = program.get(f"/api/submissions/{made.json()['key']}/").json()
        assert (told["state"], told["claims"]) == ("valid", len(world.claims[name]))
    address = f"/manage/projects/{world.project.slug}/evaluation/{world.period.key}/"
    asked = manager.post(
        f"{address}plan/", {"metrics": "instance", "width": "0.02", "case": "most"}
    )
    assert asked.status_code == 302, asked.text
    do_jobs()
    answers = world.judge()
    world.annotate(0.1)
    manager.post(f"{address}score/")
    do_jobs()

    page = manager.get(f"{address}board/")
    [snapshot] = ScoreSnapshot.objects.filter(period=world.period)
    places = [
        page.text.index(f"<bdi>{one.submission.system.name}<")
        for one in snapshot.scores.select_related("submission__system").order_by("-f1")
    ]
    assert places == sorted(places)
    # All claims and all documents were looked at, so only who errs is left to chance.
    assert snapshot.theta_low > 0.9
    for one in world.outcomes(snapshot):
        assert one.value == pytest.approx(one.truth, abs=0.02), one
    told = manager.get(f"/api/evaluations/{world.period.key}/").json()["metrics"][0]["systems"]
    paid = Payment.objects.filter(campaign=world.period.campaign).aggregate(sum=Sum("mills"))
    assert sum(one["cost_mills"] for one in told) == snapshot.cost_mills == paid["sum"]
    assert paid["sum"] == answers * 37
    reply = manager.get(f"{address}systems/{told[0]['submission']}/")
    assert "judged claims are wrong" in reply.text


class Killed(BaseException):
    """As when a process ends: nothing of ours catches it."""


@contextmanager
def killed_at(number):
    """At this statement that writes."""
    left = [number]

    def execute(run, sql, params, many, context):
        if sql.split(None, 1)[0] in ("INSERT", "UPDATE", "DELETE"):
            left[0] -= 1
            if not left[0]:
                raise Killed
        return run(sql, params, many, context)

    with connection.execute_wrapper(execute):
        yield


def rows(world):
    """What there is of everything that a step makes, and what it says."""
    of = {"period": world.period}
    [snapshot] = ScoreSnapshot.objects.filter(**of)
    return {
        "claims": sorted(Claim.objects.filter(**of).values_list("code", "number")),
        "draws": sorted(
            Draw.objects.filter(plan__period=world.period).values_list(
                "claim__code", "probability", "submission__system__name"
            )
        ),
        "parts": ClaimPart.objects.filter(claim__period=world.period).count(),
        "demands": sorted(
            Demand.objects.filter(campaign__project=world.project).values_list(
                "wanted", "received", "open", "leased"
            )
        ),
        "documents": sorted(
            RecallDocument.objects.filter(sample__period=world.period).values_list(
                "document__external_id", "kind"
            )
        ),
        "paid": Payment.objects.filter(campaign__project=world.project).aggregate(
            sum=Sum("mills")
        ),
        "scores": sorted((one.system, one.measure, one.value, one.low, one.high)
                         for one in world.outcomes(snapshot)),
        "cost": snapshot.cost_mills,
    }  # fmt: skip


def test_killed_at_any_step_nothing_is_lost_or_done_twice(folder):
    manager = User.objects.create_user("manager")
    whole, broken = (World(3, manager, folder, name=name, **SMALL) for name in ("whole", "broken"))
    killed = 0
    for world in (whole, broken):
        steps = (
            (world.submit, (2, 5)),
            (lambda world=world: world.plan(0.1), (1, 3, 8, 14)),
            (world.judge, ()),
            (lambda world=world: world.annotate(0.1), (2, 6, 11)),
            (world.score, (1, 4, 7)),
        )
        for step, places in steps:
            for number in places if world is broken else ():
                try:
                    with killed_at(number):
                        step()
                except Killed:
                    killed += 1
            step()
    assert killed >= 8
    assert rows(broken) == rows(whole)
