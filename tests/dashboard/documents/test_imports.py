import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.actions import locks
from annotation.actions.documents import uploads
from annotation.models import Document, ImportRun, Job
from dashboard.documents import imports
from tests.dashboard import PROJECT_BAR
from tests.factories import (
    make_campaign,
    make_document,
    make_import,
    make_member,
    make_project,
    make_task,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

PAGE = "/manage/projects/letters/import/"


@pytest.fixture
def project(client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_project(slug="letters")
    client.force_login(make_member(project).user)
    return project


def send(client, content: bytes | str, name="a.jsonl", **fields):
    content = content.encode() if isinstance(content, str) else content
    return client.post(PAGE, {"file": SimpleUploadedFile(name, content), "format": "auto"} | fields)


def line(**fields) -> str:
    return json.dumps({"id": "d1", "text": "Ada was here."} | fields) + "\n"


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def test_it_works(client, project):
    preview = send(client, line() + line(id="d2", text=None) + line(id="d3")).url
    page = words(client.get(preview))
    assert "Read as JSON lines." in page
    assert "Import 2 documents" in page
    assert "There is neither text nor tokens" in page
    assert not Document.objects.exists()

    assert client.post(preview, {"import": ""}).url == "/manage/projects/letters/"
    assert Document.objects.count() == 2
    assert "2 documents of a.jsonl imported." in words(client.get("/manage/projects/letters/"))
    run = ImportRun.objects.get()
    report = client.get(f"/manage/projects/letters/imports/{run.key}/rejected.jsonl")
    assert json.loads(report.getvalue())["line"] == 2


def test_known_names_are_painted_with_type_and_colour(client, project):
    gold = {"mentions": [{"start": 0, "end": 3, "type": "LOC"}]}
    page = words(client.get(send(client, line(gold=gold)).url))
    assert '<mark class="mention type-2">Ada<span class="import-type">LOC</span></mark>' in page


def test_field_that_nobody_reads_is_named_whatever_its_name(client, project):
    page = words(client.get(send(client, line(items=1)).url))
    assert "Fields that are not used: <code>items</code> (1)." in page


def test_file_without_news_can_not_be_imported(client, project):
    client.post(send(client, line()).url, {"import": ""})
    page = words(client.get(send(client, line()).url))
    assert "There is nothing new in it." in page
    assert 'name="import"' not in page


def test_file_of_rejected_lines_alone_can_not_be_imported(client, project):
    page = words(client.get(send(client, "no\n").url))
    assert "No document can be read from it." in page
    assert 'name="import"' not in page


def test_cancelled_upload_is_thrown_away(client, project, tmp_path):
    preview = send(client, line()).url
    assert client.post(preview, {"cancel": ""}).url == PAGE
    assert list(tmp_path.glob("uploads/*/*")) == []
    assert client.get(preview).url == PAGE
    assert "This upload is not kept any more" in words(client.get(PAGE))


def test_second_press_of_import_says_that_it_is_done(client, project):
    preview = send(client, line()).url
    client.post(preview, {"import": ""})
    assert client.post(preview, {"import": ""}).url == PAGE
    assert ImportRun.objects.count() == 1


def test_upload_of_another_manager_is_not_found(client, project):
    preview = send(client, line()).url
    client.force_login(make_member(project).user)
    assert client.get(preview).url == PAGE
    assert client.post(preview, {"import": ""}).url == PAGE
    assert client.get(f"{preview}rejected.jsonl").status_code == 404
    assert not Document.objects.exists()


def test_import_that_goes_on_is_told_and_the_upload_stays(client, project):
    preview = send(client, line()).url
    with locks.hold("import:letters"):
        assert client.post(preview, {"import": ""}).url == preview
    assert "is being worked on by" in words(client.get(preview))
    assert client.post(preview, {"import": ""}).url == "/manage/projects/letters/"


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        ("", "a.jsonl", "a.jsonl is empty"),
        (b"PK\x03\x04", "a.zip", "a.zip is no zip archive that can be read"),
        ("{}".encode("utf-16"), "a.jsonl", "a.jsonl is written in UTF-16."),
    ],
)
def test_what_is_wrong_with_a_file_is_told_beside_it(client, project, content, name, sentence):
    answer = send(client, content, name)
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert 'aria-describedby="id_file_helptext id_file_error"' in words(answer)


def test_form_without_a_file_says_so(client, project):
    assert "Choose a file first." in words(client.post(PAGE, {}))
    assert "Choose a file first." in words(client.post(PAGE, {"file": "just words"}))


def test_format_that_does_not_exist_is_refused(client, project):
    assert send(client, line(), format="xml").status_code == 422


def test_file_that_is_too_large_is_read_past_and_the_command_named(client, project, settings):
    settings.MAX_UPLOAD_BYTES = 1024 * 1024
    answer = send(client, b"x" * 2 * 1024 * 1024)
    assert answer.status_code == 422
    assert not answer.wsgi_request.FILES
    assert "The file is larger than 1 MB." in words(answer)
    assert "./run manage import_documents FILE --project letters" in words(answer)
    assert "Choose a file first." not in words(answer)


@pytest.mark.parametrize("large", ["by its size", "by what it holds"])
def test_large_file_is_read_and_imported_by_jobs(client, project, monkeypatch, large):
    if large == "by its size":
        monkeypatch.setattr(uploads, "READ_AT_ONCE", 0)
    else:
        monkeypatch.setattr(imports, "SECONDS", -1)
    monkeypatch.setattr(uploads, "TOKENS_AT_ONCE", 0)
    asked = send(client, line() + "no\n").url
    assert Job.objects.get().state == "queued"
    assert "It begins when the jobs before it are done" in words(client.get(asked))
    do_jobs()
    page = words(client.get(asked))
    assert "1 new document, 0 there already, 1 rejected. Nothing is imported yet." in page
    preview = f"{PAGE}{Job.objects.get().parameters['upload']}/"
    assert f'href="{preview}"' in page
    assert "Import 1 document" in words(client.get(preview))

    asked = client.post(preview, {"import": ""}).url
    assert not Document.objects.exists()
    do_jobs()
    assert "1 document of a.jsonl imported; 1 rejected." in words(client.get(asked))
    assert Document.objects.count() == 1
    assert client.get(preview).url == PAGE  # the file is not kept any more


def test_file_that_a_job_finds_nothing_in_is_told_and_not_kept(
    client, project, tmp_path, monkeypatch
):
    monkeypatch.setattr(uploads, "READ_AT_ONCE", -1)
    asked = send(client, "").url
    do_jobs()
    assert "a.jsonl is empty: there is no document in it." in words(client.get(asked))
    assert list(tmp_path.glob("uploads/*/*")) == []
    client.post(f"{asked}again/")
    assert do_jobs()[0].error.startswith("The file is not kept any more")


def test_rejected_lines_come_by_pages_and_as_a_file(client, project):
    preview = send(client, "no\n" * 120).url
    assert "1 to 50 of 120" in words(client.get(preview))
    assert "101 to 120 of 120" in words(client.get(preview, {"page": "3"}))
    assert "101 to 120 of 120" in words(client.get(preview, {"page": "99"}))
    assert "1 to 50 of 120" in words(client.get(preview, {"page": "x"}))
    report = client.get(f"{preview}rejected.jsonl")
    assert report.headers["Content-Disposition"] == 'attachment; filename="a.jsonl.rejected.jsonl"'
    assert len(report.getvalue().splitlines()) == 120


def test_preview_escapes_what_the_file_says(client, project):
    evil = "<script>alert(1)</script>"
    page = words(
        client.get(send(client, line(id=evil, title=evil, text=evil), f"{evil}.jsonl").url)
    )
    assert "<script>alert" not in page


def test_number_of_queries_does_not_grow_with_the_file(client, project, django_assert_num_queries):
    preview = send(client, "".join(line(id=f"d{number}") for number in range(40))).url
    with django_assert_num_queries(3 + PROJECT_BAR):
        client.get(preview)


# --- Undo ---------------------------------------------------------------------------------------


@pytest.fixture
def run(project):
    run = make_import(project, file_name="old.jsonl", added=2)
    for _ in range(2):
        make_document(project, import_run=run)
    return run


def undo(run) -> str:
    return f"/manage/projects/letters/imports/{run.key}/undo/"


def test_import_is_undone_by_a_post_after_a_question(client, run):
    assert "Remove 2 documents" in words(client.get(undo(run)))
    assert Document.objects.count() == 2
    assert client.post(undo(run)).url == "/manage/projects/letters/"
    assert not Document.objects.exists()
    assert "2 documents of old.jsonl removed." in words(client.get("/"))


def test_import_in_use_stays_and_the_campaign_is_named(client, run):
    campaign = make_campaign(run.project, slug="first")
    make_task(campaign, run.documents.first())
    client.post(undo(run))
    assert Document.objects.count() == 2
    assert "are used by 'first' (1 task)" in words(client.get("/"))


def test_import_that_is_undone_offers_nothing(client, run):
    client.post(undo(run))
    page = words(client.get(undo(run)))
    assert "there is nothing to undo" in page
    assert "<form" not in page.partition("<main")[2]
    assert client.post(undo(run)).status_code == 302


def test_large_import_is_undone_by_a_job(client, run, monkeypatch):
    monkeypatch.setattr(imports, "MOST_TO_UNDO", 1)
    asked = client.post(undo(run)).url
    assert Document.objects.count() == 2
    do_jobs()
    assert not Document.objects.exists()
    assert "2 documents of old.jsonl removed." in words(client.get(asked))


def test_large_import_in_use_stays_and_the_job_says_so(client, run, monkeypatch):
    monkeypatch.setattr(imports, "MOST_TO_UNDO", 1)
    make_task(make_campaign(run.project, slug="first"), run.documents.first())
    asked = client.post(undo(run)).url
    do_jobs()
    assert "are used by 'first' (1 task)" in words(client.get(asked))


def test_import_of_another_project_is_not_found(client, project):
    other = make_import(make_project())
    assert client.get(undo(other)).status_code == 404
    assert client.post(undo(other)).status_code == 404


def test_report_that_is_gone_is_not_found(client, run):
    assert (
        client.get(f"/manage/projects/letters/imports/{run.key}/rejected.jsonl").status_code == 404
    )
