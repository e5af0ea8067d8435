"""Files that a page takes and a job reads."""

import html
import json
import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from aggregation.models import AggregationRun
from annotation.actions import job_inputs
from annotation.interfaces import REGISTRY
from annotation.models import AuditEntry, Entity, GoldQuestion, Job, Project, Task
from tests.factories import (
    make_campaign,
    make_document,
    make_member,
    make_project,
    make_task,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

CAMPAIGN = "/manage/campaigns/letters/import/"
PROJECT = "/manage/projects/letters/"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


@pytest.fixture
def project(client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_project(slug="letters")
    client.force_login(make_member(project, user=User.objects.create_user("ada")).user)
    return project


def file(content: str | bytes, name: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def lines(*rows: dict) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def done(client, address: str, **fields) -> Job:
    """The job that the page asked for, when it is over."""
    reply = client.post(address, fields)
    assert reply.status_code == 302, reply.context["form"].errors
    do_jobs()
    key = reply.url.rstrip("/").rpartition("/")[2]
    return Job.objects.get(key=key)


def words(reply) -> str:
    return " ".join(reply.content.decode().replace("&#x27;", "'").split())


def test_gold_comes_by_a_page(client, project):
    campaign = make_campaign(project, slug="letters")
    task = make_task(campaign, make_document(project, "Ada was here.", external_id="d1"))
    known = {"mentions": [{"id": "m1", "start": 0, "end": 3, "type": "PER"}]}
    content = lines({"task": task.external_id, "answer": known, "gold": "hidden"})

    job = done(client, f"{CAMPAIGN}gold/", file=file(content, "gold.jsonl"))

    assert job.error == ""
    assert job.result["lines"][0].startswith("1 hidden, 0 practice and 0 exam questions were made")
    assert GoldQuestion.objects.get().task == task
    assert set(AuditEntry.objects.values_list("user__username", flat=True)) == {"ada"}
    page = words(client.get(f"{PROJECT}jobs/{job.key}/"))
    assert 'href="/manage/campaigns/letters/gold/"' in page


def test_a_wrong_line_of_gold_is_named_on_the_page_of_the_job(client, project):
    campaign = make_campaign(project, slug="letters")
    task = make_task(campaign, make_document(project, "Ada was here."))
    content = lines({"task": task.external_id, "answer": 1}, {"task": "none"})

    job = done(client, f"{CAMPAIGN}gold/", file=file(content, "gold.jsonl"))

    assert job.error.startswith("2 mistakes in gold.jsonl")
    page = words(client.get(f"{PROJECT}jobs/{job.key}/"))
    assert "gold.jsonl" in page
    assert "line 1" in page
    assert "line 2" in page
    need = words(client.get(CAMPAIGN.replace("import/", ""))).split("What needs you?")[1]
    assert 'has failed.<span class="sub" dir="auto">2 mistakes in gold.jsonl; nothing' in need
    assert f'href="{CAMPAIGN}gold/">Choose another file</a>' in page
    assert not GoldQuestion.objects.exists()


def test_tasks_with_their_pictures_come_by_a_page(client, project):
    make_campaign(
        project, slug="letters", interface="choice",
        options={"question": "Wet?", "choices": [{"name": "Yes"}, {"name": "No"}]}, state="draft",
    )  # fmt: skip
    rows = [
        {"id": "t1", "text": "Rain."},
        {"id": "p1", "image": {"file": "street.png", "alt": "A street"}},
    ]

    job = done(
        client,
        f"{CAMPAIGN}choices/",
        file=file(lines(*rows), "tasks.jsonl"),
        pictures=[file(PIXEL, "street.png")],
    )

    assert job.error == ""
    assert set(Task.objects.values_list("external_id", flat=True)) == {"t1", "p1"}


def test_suggestions_come_from_a_file_or_the_knowledge_base(client, project):
    campaign = make_campaign(project, slug="letters")
    make_task(campaign, make_document(project, "Ada was here.", external_id="d1"))
    mention = {"start": 0, "end": 3, "type": "PER"}
    content = lines({"id": "d1", "mentions": [mention]}, {"id": "unknown", "mentions": []})

    job = done(client, f"{CAMPAIGN}suggestions/", source="file", file=file(content, "system.jsonl"))
    assert job.result["lines"][0].startswith("1 suggestion for 1 task, ")
    assert any("line 2" in line for line in job.result["lines"])

    entry = lines({"key": "Q1", "name": "Ada", "type": "PER"})
    done(client, f"{PROJECT}knowledge/import/", file=file(entry, "kb.jsonl"))
    job = done(client, f"{CAMPAIGN}suggestions/", source="knowledge")
    assert job.error == ""

    reply = client.post(f"{CAMPAIGN}suggestions/", {"source": "dictionary"})
    assert reply.status_code == 422
    assert "Choose a file first." in words(reply)


def test_a_knowledge_base_comes_by_a_page_with_its_rejected_lines(client, project):
    content = lines({"key": "Q90", "name": "Paris"}, {"key": "Q91"})

    job = done(client, f"{PROJECT}knowledge/import/", file=file(content, "kb.jsonl"))

    assert Entity.objects.get().name == "Paris"
    assert job.result["file"] == "kb.jsonl.rejected.jsonl"
    report = client.get(f"{PROJECT}jobs/{job.key}/file/")
    assert b"".join(report.streaming_content).count(b"\n") == 1
    assert str(job_inputs._root()) not in json.dumps(job.result)


def test_relation_types_are_read_at_once(client, project):
    table = "name,subject,object\nworks_for,PER,ORG\n"
    reply = client.post(f"{PROJECT}labels/relations/", {"file": file(table, "relations.csv")})
    page = words(client.get(reply.url))
    assert "Project 'letters' has 1 relation type now." in page
    assert [one["name"] for one in Project.objects.get().schema["relation_types"]] == ["works_for"]

    reply = client.post(f"{PROJECT}labels/relations/", {"file": file("name\nx\n", "r.csv")})
    assert reply.status_code == 422
    assert "r.csv" in words(reply)
    table = "name,subject,object\nworks_for,PER,XYZ\nowns,,ORG\n"
    reply = client.post(f"{PROJECT}labels/relations/", {"file": file(table, "relations.csv")})
    assert "Line 2, object: 'XYZ' is not known." in words(reply)
    assert "Line 3, subject: The list is empty." in words(reply)
    assert [one["name"] for one in Project.objects.get().schema["relation_types"]] == ["works_for"]


def test_labels_come_by_a_page_and_a_wrong_line_leaves_all_out(client, project):
    campaign = make_campaign(project, slug="letters", state="closed")  # labels come at the end
    for name in ("a", "b"):
        make_task(campaign, external_id=name)
    address = f"{CAMPAIGN}consensus/"
    page = words(client.get(address))
    (example,) = re.findall(r"<pre>(.*?)</pre>", page)
    right = [json.loads(html.unescape(example)) | {"task": name} for name in ("a", "b")]
    wrong = right[1] | {"confidence": 2}
    refused = done(client, address, file=file(lines(right[0], wrong), "labels.jsonl"))
    assert refused.state == "failed"
    assert "line 2" in refused.error
    assert not AggregationRun.objects.exists()
    job = done(client, address, file=file(lines(*right), "labels.jsonl"))
    run = AggregationRun.objects.get()
    assert (job.state, run.method, run.consensus.count()) == ("done", "imported", 2)
    assert AuditEntry.objects.get(action="import consensus").user.username == "ada"
    results = words(client.get("/manage/campaigns/letters/results/"))
    assert f'href="{address}"' in results
    assert client.get(f"{CAMPAIGN}gold/").status_code == 404
    assert address not in words(client.get("/manage/campaigns/letters/tasks/"))


def test_a_page_offers_what_its_campaign_can_take(client, project):
    make_campaign(project, slug="letters")
    page = words(client.get("/manage/campaigns/letters/tasks/"))
    assert f'href="{CAMPAIGN}gold/"' in page
    assert f'href="{CAMPAIGN}suggestions/"' in page
    assert f'href="{CAMPAIGN}choices/"' not in page
    assert client.get(f"{CAMPAIGN}choices/").status_code == 404
    assert client.get(f"{CAMPAIGN}claims/").status_code == 404
    sections = {"gold": "Quality", "suggestions": "Tasks", "consensus": "Results"}
    for what, section in sections.items():
        page = client.get(f"{CAMPAIGN}{what}/")
        assert page.status_code == 200
        assert f'aria-current="page">{section}' in words(page)


def test_each_interface_has_a_page_for_gold(client, project):
    for kind in REGISTRY:
        make_campaign(project, slug=f"c-{kind}", interface=kind)
        assert client.get(f"/manage/campaigns/c-{kind}/import/gold/").status_code == 200


def test_the_same_file_twice_is_one_job(client, project):
    make_campaign(project, slug="letters")
    first, second = (
        client.post(f"{CAMPAIGN}gold/", {"file": file("{}", "gold.jsonl")}).url for _ in range(2)
    )
    assert first == second
    assert Job.objects.count() == 1


def test_files_that_can_not_be_kept_are_refused_with_the_reason(client, project, monkeypatch):
    make_campaign(project, slug="letters", interface="choice")
    two = [file(PIXEL, "a.png"), file(PIXEL + b"x", "a.png")]
    reply = client.post(f"{CAMPAIGN}choices/", {"file": file("{}", "t.jsonl"), "pictures": two})
    assert reply.status_code == 422
    assert "Two of the files are called “a.png”." in words(reply)

    def fill(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(job_inputs, "_store", fill)
    for address in (f"{CAMPAIGN}choices/", f"{PROJECT}labels/relations/"):
        reply = client.post(address, {"file": file("{}", "t.jsonl")})
        assert reply.status_code == 422
        assert "The server can't keep the file: No space left on device." in words(reply)
    assert not Job.objects.exists()


def test_a_file_that_is_too_large_is_refused_with_the_command(client, project, settings):
    make_campaign(project, slug="letters")
    settings.MAX_UPLOAD_BYTES = 10
    reply = client.post(f"{CAMPAIGN}gold/", {"file": file("x" * 70_000, "gold.jsonl")})
    assert reply.status_code == 422
    assert "./run manage import_gold FILE --campaign" in words(reply)
    assert not Job.objects.exists()


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "a\x00b", "é" * 200 + ".jsonl.gz", ""])
def test_a_name_leads_nowhere_else(name, settings, tmp_path):
    safe = job_inputs.safe_name(name)
    assert "/" not in safe
    assert safe.strip(".")
    assert len(safe.encode()) <= 255
    settings.DATA_DIR = tmp_path
    sent = SimpleUploadedFile("x", b"1")
    sent._name = name
    folder = job_inputs.store([sent])
    path = job_inputs.stored(folder, safe)
    assert path.read_bytes() == b"1"
    assert path.resolve().is_relative_to(tmp_path)


def test_files_go_when_no_job_wants_them_any_more(project, settings):
    kept = job_inputs.store([file("1", "a")])
    wanted = job_inputs.store([file("2", "a")])
    Job.objects.create(kind="import_gold", digest="x", parameters={"folder": wanted, "file": "a"})
    assert job_inputs.drop_old() == 0

    settings.JOB_FILE_DAYS = -1
    call_command("clear_jobs", stdout=StringIO())
    assert job_inputs.stored(kept, "a") is None
    assert job_inputs.stored(wanted, "a") is not None


def test_short_name_that_begins_with_a_dash_is_no_option(client, project):
    campaign = make_campaign(project, slug="-letters")
    make_task(campaign, make_document(project, "Ada was here.", external_id="d1"))
    address = "/manage/campaigns/-letters/import/suggestions/"
    assert done(client, address, source="import").state == "done"
