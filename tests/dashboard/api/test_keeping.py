"""Money, copies, archives, deletion and undoing, by a program."""

from __future__ import annotations

import pytest

from annotation.models import AuditEntry, Campaign, Document, Project
from dashboard import keeping
from dashboard.documents import imports
from tests.dashboard.api.program import fields
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_response,
    make_task,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db
P, C = "/api/projects/letters/", "/api/campaigns/names/"


def test_budget_and_floor_are_set_and_money_is_told(asks, campaign):
    worker = make_enrollment(campaign)
    make_response(make_task(campaign), worker.worker, {"mentions": []})
    worker.earned_mills, worker.submitted, worker.seconds = 60, 1, 36.0
    worker.save()
    assert asks.send(f"{C}budget/", "put", budget=12.5).json()["budget_mills"] == 12_500
    assert fields(asks.send(f"{C}budget/", "put", budget=-1)) == {"budget"}
    assert fields(asks.send(f"{C}budget/", "put")) == {"budget"}
    Campaign.objects.update(committed_mills=2_000)
    assert fields(asks.send(f"{C}budget/", "put", budget=1)) == {"budget"}  # it is promised
    told = asks.send(f"{C}floor/", "put", floor=9).json()
    assert (told["floor_mills"], told["below_floor"]) == (9_000, 1)
    assert told["workers"][0] == {
        "worker": str(worker.key), "earned_mills": 60, "accepted": None, "is_below_floor": True,
    }  # fmt: skip
    assert asks.send(f"{C}floor/", "put", floor=None).json()["floor_mills"] is None
    told = asks.get(f"{C}money/").json()
    assert (told["earned_mills"], told["owed_mills"], told["left_mills"]) == (60, 60, 10_500)
    assert {"budget", "floor"} <= {
        word for row in AuditEntry.objects.all() for word in row.action.split()
    }


def test_campaign_is_copied_archived_and_deleted(asks, campaign, monkeypatch):
    made = asks.send(f"{C}copy/", name="Names again").json()
    assert (made["slug"], made["state"]) == ("names-again", "draft")
    assert fields(asks.send(f"{C}copy/")) == {"name"}
    assert asks.send(f"{C}archive/").status_code == 409  # it is open
    archived = asks.send("/api/campaigns/names-again/archive/")
    assert archived.status_code == 200, archived.content
    listed = asks.get(f"{P}campaigns/", archived="true").json()["results"]
    assert [row["slug"] for row in listed] == ["names-again"]
    asks.send("/api/campaigns/names-again/restore/")
    assert asks.get(f"{P}campaigns/", archived="true").json()["results"] == []
    assert asks.http.delete("/api/campaigns/names-again/").status_code == 204

    make_response(make_task(campaign), answer={"mentions": []})
    assert asks.http.delete(C).status_code == 409  # answers are kept for good
    large = make_campaign(campaign.project, slug="large", state="draft")
    make_task(large)
    monkeypatch.setattr(keeping, "DELETED_HERE", 0)
    asked = asks.http.delete("/api/campaigns/large/")
    assert asked.status_code == 202
    do_jobs()
    assert asks.get(f"{P}jobs/{asked.json()['job']}/").json()["state"] == "done"
    assert [row.slug for row in Campaign.objects.all()] == ["names"]


def test_project_is_copied_archived_and_deleted(asks, campaign):
    assert asks.send(f"{P}copy/", name="Letters again").json()["slug"] == "letters-again"
    assert asks.send(f"{P}archive/").status_code == 409
    again = "/api/projects/letters-again/"
    assert asks.send(f"{again}archive/").json()["archived_at"] is not None
    rows = asks.get("/api/projects/", archived="true").json()["results"]
    assert [row["slug"] for row in rows] == ["letters-again"]
    assert asks.send(f"{again}restore/").json()["archived_at"] is None
    assert asks.http.delete(again).status_code == 204
    assert [row.slug for row in Project.objects.all()] == ["letters"]


def test_import_is_undone(asks, project, campaign, monkeypatch):
    used, unused, many = (make_import(project, added=1) for _ in range(3))
    for run in (used, unused, many):
        document = make_document(project, import_run=run)
        if run is used:
            make_task(campaign, document)
    assert asks.send(f"{P}imports/{used.key}/undo/").status_code == 409
    assert asks.send(f"{P}imports/{unused.key}/undo/").json() == {"removed": 1}
    monkeypatch.setattr(imports, "MOST_TO_UNDO", 0)
    asked = asks.send(f"{P}imports/{many.key}/undo/")
    assert (asked.status_code, [job.kind for job in do_jobs()]) == (202, ["undo_import"])
    assert Document.objects.visible().count() == 1
