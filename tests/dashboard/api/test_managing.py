"""What managers do on pages, done by a program; the whole way is docs/api.md's example."""

from __future__ import annotations

import io

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.actions.invitations import invite
from annotation.models import AuditEntry, Campaign, Document, Job, Project
from tests.dashboard.api.program import Program, fields
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
    make_task,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db
P, C = "/api/projects/letters/", "/api/campaigns/names/"


def test_project_is_made_with_what_the_page_would_offer():
    asks = Program(User.objects.create_user("bo"))
    made = asks.send("/api/projects/", name="Quay", types="PER = A person")
    assert made.status_code == 201
    assert Project.objects.get().schema["entity_types"][0]["name"] == "PER"
    assert (made.json()["slug"], made.json()["tokeniser"]) == ("quay", "words")
    assert asks.get("/api/projects/quay/").json()["name"] == "Quay"
    again = asks.send("/api/projects/", name="Quay", slug="quay")
    assert fields(again) == {"slug"}
    assert fields(asks.send("/api/projects/", nam="Quay")) == {"nam"}
    assert fields(asks.send("/api/projects/", name=["Quay"])) == {"name"}
    assert fields(asks.send("/api/projects/")) == {"name"}
    for body in ("[]", '"x"', "null", "7"):
        reply = asks.http.post("/api/projects/", body, content_type="application/json")
        assert reply.status_code == 400, body


def test_lists_come_a_page_at_a_time_and_each_row_once(asks, project, campaign):
    for number in range(5):
        make_task(campaign, external_id=f"t{number}")
    for path, name in ((f"{C}tasks/", "id"), (f"{P}documents/", "id")):
        found, where = [], f"{path}?limit=2"
        while where:
            shown = asks.http.get(where).json()
            assert len(shown["results"]) <= 2
            found += [row[name] for row in shown["results"]]
            where = shown["next"]
        assert len(found) == len(set(found)) == 5, path
    for name in ("b1", "b2", "b3"):
        asks.send(f"{P}invitations/", role="viewer", note=name)
    first = asks.get(f"{P}invitations/", limit=2).json()
    second = asks.http.get(first["next"]).json()
    told = [row["note"] for row in first["results"] + second["results"]]
    assert (told, second["next"]) == (["b3", "b2", "b1"], None)
    members = asks.get(f"{P}members/", limit=1).json()
    assert members["next"] is None


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        (f"{P}jobs/", {"limit": 0}, "limit"),
        (f"{P}jobs/", {"limit": 501}, "limit"),
        (f"{P}jobs/", {"after": "x"}, "after"),
        (f"{P}jobs/", {"state": "lost"}, "state"),
        (f"{C}links/", {"after": "9" * 40}, "after"),
        (f"{C}workers/", {"state": "x"}, "state"),
        (f"{P}campaigns/", {"interface": "x"}, "interface"),
        (f"{P}documents/", {"q": "a\0b"}, "q"),
        (f"{C}review/task/", {}, "task"),
    ],
)
def test_what_is_wrong_with_a_list_is_named(asks, campaign, path, query, field):
    assert fields(asks.get(path, **query)) == {field}


def test_filters_pick_rows(asks, project, campaign):
    make_campaign(project, slug="draft", state="draft")
    make_enrollment(campaign, state="paused")
    make_enrollment(campaign)
    make_task(campaign, demand={"open": 0, "received": 1, "wanted": 1, "ready": False})
    make_task(campaign)
    assert [row["slug"] for row in asks.get(f"{P}campaigns/", state="draft").json()["results"]] == [
        "draft"
    ]
    for path, query in (
        (f"{C}workers/", {"state": "paused"}),
        (f"{C}tasks/", {"complete": "true"}),
        (f"{C}tasks/", {"complete": "false"}),
    ):
        assert len(asks.get(path, **query).json()["results"]) == 1, (path, query)
    assert len(asks.get(f"{C}tasks/").json()["results"]) == 2


def test_labels_are_replaced_by_who_has_read_them(asks, project, campaign):
    read = asks.get(f"{P}labels/").json()
    labels = read["labels"] | {"entity_types": [{"name": "SHIP"}], "relation_types": []}
    make_task(campaign)
    given = {"digest": read["digest"], "labels": labels}
    saved = asks.send(f"{P}labels/", "put", **given, confirmed=True)
    assert saved.status_code == 200
    assert saved.json()["labels"]["entity_types"][0]["name"] == "SHIP"
    assert asks.send(f"{P}labels/", "put", **given, confirmed=True).status_code == 409
    wrong = {"digest": saved.json()["digest"], "labels": {"entity_types": [{"name": ""}]}}
    assert asks.send(f"{P}labels/", "put", **wrong).status_code == 400


def test_documents_are_imported_by_a_job(asks, project):
    file = SimpleUploadedFile("a.jsonl", b'{"id": "d1", "text": "Ada came."}\n{"id": 1}\n')
    asked = asks.http.post(f"{P}documents/", {"file": file})
    assert asked.status_code == 202
    do_jobs()
    job = asks.get(f"{P}jobs/{asked.json()['job']}/").json()
    assert (job["state"], job["kind"]) == ("done", "import_documents")
    assert job["lines"] == ["1 document of a.jsonl imported; 1 rejected."]
    assert Document.objects.get().external_id == "d1"
    assert asks.get(f"{P}imports/").json()["results"][0]["added"] == 1
    assert fields(asks.http.post(f"{P}documents/", {"format": "jsonl"})) == {"file"}
    assert fields(asks.http.post(f"{P}documents/", {"file": "text"})) == {"file"}
    empty = SimpleUploadedFile("b.txt", b"")
    refused = asks.http.post(f"{P}documents/", {"file": empty, "format": "nothing"})
    assert "file" in fields(refused) or "format" in fields(refused)


def test_campaign_is_made_changed_and_taken_away(asks, project):
    make_document(project)
    made = asks.send(f"{P}campaigns/", name="Names", slug="names", pay=0.05)
    assert made.status_code == 201, made.content
    assert Campaign.objects.get().pay_mills == 50
    assert fields(asks.send(f"{P}campaigns/", name="N", pay=0, question="Which?")) == {"question"}
    assert fields(asks.send(f"{P}campaigns/", name="N")) == {"pay"}
    assert fields(asks.send(f"{P}campaigns/", name="N", pay=-1)) == {"pay"}
    changed = asks.send(C, "patch", redundancy=2, coreference=True)
    assert sorted(changed.json()["changed"]) == ["coreference", "redundancy"]
    assert fields(asks.send(C, "patch", redundancy=0)) == {"redundancy"}
    asks.send(f"{C}open/")
    assert fields(asks.send(C, "patch", slug="others")) == {"slug"}
    file = SimpleUploadedFile("gold.jsonl", b"{")
    assert asks.http.post(f"{C}files/gold/", {"file": file}).status_code == 202
    assert asks.http.post(f"{C}files/choices/", {"file": file}).status_code == 404
    file.seek(0)
    assert asks.http.post(f"{C}files/consensus/", {"file": file}).status_code == 202
    assert [job.state for job in do_jobs()][-2:] == ["failed", "failed"]
    asked = asks.send(f"{C}download/", what="responses", format="jsonl")
    do_jobs()
    job = f"{P}jobs/{asked.json()['job']}/"
    assert asks.get(job).json()["file"] is True
    assert b"".join(asks.get(f"{job}file/").streaming_content) == b""
    assert asks.send(f"{job}stop/").status_code == 409
    assert asks.send(f"{C}jobs/", kind="score_gold").status_code == 202
    assert fields(asks.send(f"{C}jobs/", kind="delete_campaign")) == {"kind"}
    assert fields(asks.send(f"{C}download/", what="workers", format="conll")) != set()


def test_links_are_made_and_ended(asks, campaign):
    made = asks.send(f"{C}links/", worker="anna").json()
    assert (made["worker"], "/join/" in made["address"]) == ("anna", True)
    ended = asks.send(f"{C}links/{made['number']}/end/").json()
    assert (ended["address"], ended["ended_at"] is not None) == ("", True)
    assert asks.send(f"{C}links/{made['number']}/end/").status_code == 409
    assert [row["number"] for row in asks.get(f"{C}links/").json()["results"]] == [1, 2]


def test_people_are_invited_changed_and_removed(asks, project):
    User.objects.create_user("bo")
    assert asks.send(f"{P}members/", username="bo", role="viewer").status_code == 201
    assert asks.send(f"{P}members/", username="bo", role="viewer").status_code == 409
    assert fields(asks.send(f"{P}members/", username="nobody")) == {"username"}
    assert asks.send(f"{P}members/bo/", "put", role="reviewer").json()["role"] == "reviewer"
    assert asks.http.delete(f"{P}members/bo/").status_code == 204
    last = project.members.get().user.username
    assert asks.http.delete(f"{P}members/{last}/").status_code == 409

    made = asks.send(f"{P}invitations/", role="viewer", note="Bert", days=2).json()
    secret = made["link"].split("/")[-2]
    assert secret not in asks.get(f"{P}invitations/").content.decode()
    assert Client().get(f"/invitations/{secret}/").status_code == 200
    assert asks.http.delete(f"{P}invitations/{made['key']}/").status_code == 204
    assert Client().get(f"/invitations/{secret}/").status_code == 404
    other, _ = invite(make_project(), "viewer")
    for key in (made["key"], other.key):
        assert asks.http.delete(f"{P}invitations/{key}/").status_code == 404
    assert secret not in str(list(AuditEntry.objects.values()))


def test_worker_is_paused_with_a_reason_and_let_back_in(asks, campaign):
    worker = make_enrollment(campaign)
    path = f"{C}workers/{worker.key}/state/"
    assert fields(asks.send(path, verb="pause")) == {"reason"}
    assert asks.send(path, verb="pause", reason="Look again.").json()["state"] == "paused"
    assert asks.send(path, verb="admit").json()["state"] != "paused"


def test_viewer_reads_neither_gold_nor_jobs_nor_names_of_workers(asks, campaign):
    make_task(campaign, kind=2, external_id="known")
    worker = make_enrollment(campaign)
    name = worker.worker.external_id
    viewer = Program(make_member(campaign.project, "viewer").user)
    for path in (f"{C}gold/", f"{C}review/", f"{P}jobs/", f"{P}invitations/", f"{C}links/"):
        assert viewer.get(path).status_code == 404, path
    assert viewer.get(f"{C}tasks/").json()["results"] == []  # a gold question is told to nobody
    assert name not in viewer.get(f"{C}workers/").content.decode()
    assert Job.objects.count() == 0


def test_file_that_is_too_large_is_refused(asks, project, settings):
    settings.MAX_UPLOAD_BYTES = 10
    file = io.BytesIO(b"x" * 100_000)
    file.name = "a.txt"
    assert asks.http.post(f"{P}documents/", {"file": file}).status_code == 413
