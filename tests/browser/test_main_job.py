"""The main job in the browser alone: from an empty installation to a file with labels."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import httpx
import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from annotation.models import Job
from tests.browser.accessible import violations
from tests.browser.manage_page import PHONE, at, go_to_section, log_in_at_once
from tests.jobs import do_jobs

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LINES = [
    {"id": "d1", "text": "Ruth Okafor opened the ferry."},
    {"id": "d2", "text": "The Sound Ferry Company paid for it."},
]
NAMES = {"Ruth": (0, 2, "PER"), "The": (1, 4, "ORG")}  # first word → what is marked there


@pytest.fixture
def file(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    path = tmp_path / "ferry.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return path


def work(server: str, link: str, worker: int) -> None:
    """Both tasks, as the page sends them; the last worker overlooks the company."""
    with httpx.Client(base_url=server, timeout=300) as http:
        device = str(UUID(int=worker + 1))
        joined = http.post("/api/work/join/", json={"link": link, "device": device}).json()
        headers = {"Authorization": f"Worker {joined['token']}"}
        task = http.post("/api/work/next/", json={}, headers=headers).json()
        while task.get("assignment"):
            words = json.dumps(task)
            start, end, kind = NAMES["Ruth" if "Ruth" in words else "The"]
            mentions = [{"id": "m1", "start": start, "end": end, "type": kind}]
            answer = {"mentions": [] if worker == 2 and kind == "ORG" else mentions}
            key = task["assignment"]["key"]
            reply = http.post(
                f"/api/work/assignments/{key}/submit/",
                json={"answer": answer, "seconds": 9.0, "events": []},
                headers=headers,
            )
            task = reply.raise_for_status().json()["next"]


@contextmanager
def scripts_on_their_way(page: Page) -> Iterator[None]:
    """Pages that are gone to meanwhile get their scripts at the end alone."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/*.js", hold)
    yield
    for one in held:
        one.continue_()
    page.unroute("**/*.js", hold)
    assert held


def ended(page: Page) -> None:
    """The page of a job, which finds out by itself that the job is done."""
    expect(page.locator("#job-state")).to_have_text("waiting")
    do_jobs()
    expect(page.locator("#job-state")).to_have_text("done")


def test_from_nothing_to_labels_in_a_file(page, live_server, file):
    log_in_at_once(page, User.objects.create_user("anna"))
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.goto("/")

    page.get_by_role("link", name="Set up the first campaign").click()
    page.get_by_label("Name of the project").fill("The ferry")
    at(page, "Set up a campaign")
    page.get_by_role("button", name="Begin set-up").click()
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Preview import").click()
    page.get_by_role("button", name="Import 2 documents").click()
    at(page, "Gold")  # labels and instructions came with the template
    with scripts_on_their_way(page):  # what is typed meanwhile counts as well
        page.get_by_role("link", name="3. Instructions").click()
        box = page.get_by_role("textbox", name="Instructions")
        box.fill("## Mark each boat\n\nWith its name.")
    expect(page.locator("#worker-preview")).to_contain_text("Mark each boat")  # as it is typed
    at(page, "Instructions")
    page.get_by_role("button", name="Next: gold").click()
    page.get_by_role("button", name="Next: answers and pay").click()
    page.get_by_label("Pay for an answer").fill("0.05")
    expect(page.locator("#expected")).to_contain_text("0.05 USD a task")
    at(page, "Answers and pay")
    page.get_by_role("button", name="Next: check and open").click()
    at(page, "Check and open")
    page.get_by_role("button", name="Open campaign").click()
    at(page, "The campaign is open")
    address = page.get_by_label("Link for workers").input_value()
    page.get_by_role("link", name="Show overview").click()

    for worker in range(3):
        work(live_server.url, address.rstrip("/").rpartition("/")[2], worker)

    go_to_section(page, "Results")
    page.get_by_role("button", name="Run aggregation").click()
    assert violations(page) == []
    ended(page)
    assert violations(page) == []
    page.get_by_role("link", name="See the results").click()
    runs = page.get_by_role("region", name="Runs").get_by_role("table")
    expect(runs.locator("tbody tr")).to_have_count(1)

    page.get_by_label("Format", exact=True).select_option("csv")
    page.get_by_role("button", name="Download labels").click()
    ended(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download ").click()
    text = download.value.path().read_text(encoding="utf-8")
    names = {row["text"] for row in csv.DictReader(text.splitlines()) if row["label"]}
    assert names == {"Ruth Okafor", "Sound Ferry Company"}
    assert Job.objects.filter(state="done").count() == 2
