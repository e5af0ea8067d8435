"""Setting a project up in the browser, with axe on every page on the way."""

import json
import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from annotation.models import Campaign, Document, Member, Project
from tests.browser.accessible import violations
from tests.browser.manage_page import at, log_in_at_once
from tests.factories import (
    make_campaign,
    make_document,
    make_import,
    make_member,
    make_project,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a long pass word"
LINES = [
    {"id": "d1", "title": "A new ferry", "text": "Ruth Okafor opened the ferry to Harrow Isle."},
    {
        "id": "d2",
        "text": "The Sound Ferry Company paid for it.",
        "gold": {"mentions": [{"start": 4, "end": 23, "type": "ORG"}]},
    },
    {"id": "d3"},
    {"id": "d4", "text": "Ann.", "gold": {"mentions": [{"start": 0, "end": 3, "type": "DOG"}]}},
]


@pytest.fixture
def account():
    return User.objects.create_user("anna", password=PASSWORD)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "ferry.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return path


@pytest.fixture
def refused(browser, live_server):
    """A page that may be refused what it sends: Chromium takes a 422 or 429 for an error."""
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def log_in(page: Page) -> None:
    page.goto("/login/")
    page.get_by_label("Username").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Account of anna")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [({"width": 1280, "height": 800}, "light")],
    ids=["laptop"],
)
def test_ten_minutes_to_a_campaign(page, account, file, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    page.goto("/")
    page.get_by_role("link", name="Log in").first.click()
    at(page, "Log in")
    log_in(page)

    page.get_by_role("link", name="New project").click()
    at(page, "New project")
    page.get_by_label("Name", exact=True).fill("The ferry")
    page.get_by_label("Entity types").fill("PER = A person\nORG = A firm or club")
    page.get_by_role("button", name="Create project").click()
    at(page, "The ferry")

    page.get_by_role("link", name="Import documents").click()
    at(page, "Import documents")
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Preview import").click()
    at(page, "ferry.jsonl")
    expect(
        page.get_by_role("row", name=re.compile(r"3.*d3.*neither text nor tokens"))
    ).to_be_visible()
    expect(page.get_by_role("row", name=re.compile(r"4.*d4.*'DOG' is not known"))).to_be_visible()
    expect(page.locator("mark")).to_have_text("Sound Ferry CompanyORG")
    assert not Document.objects.exists()
    page.get_by_role("button", name="Import 2 documents").click()
    at(page, "The ferry")
    expect(page.get_by_role("status")).to_contain_text("2 documents of ferry.jsonl imported.")

    page.get_by_role("link", name="Labels").click()
    at(page, "Entity types")
    page.get_by_role("button", name="Add rows").click()
    page.locator(":focus").fill("LOC")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("The schema is saved.")
    names = [one["name"] for one in Project.objects.get().schema["entity_types"]]
    assert names == ["PER", "ORG", "LOC"]

    User.objects.create_user("bert")
    page.get_by_role("link", name="People").click()
    at(page, "People")
    page.get_by_label("Account", exact=True).fill("bert")
    page.get_by_role("button", name="Add member").click()
    expect(page.get_by_role("status")).to_have_text("bert is a viewer now.")

    page.get_by_role("link", name="Campaigns").click()
    page.get_by_role("link", name="New campaign").click()
    at(page, "New campaign")
    page.get_by_label("Name", exact=True).fill("First round")
    page.get_by_label("Pay for an answer").fill("0.05")
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("First round")
    assert Campaign.objects.get().slug == "first-round"


def test_what_is_wrong_stands_beside_its_field_and_nothing_typed_is_lost(refused, account):
    make_project(slug="ferry")
    log_in_at_once(refused, account)
    refused.goto("/manage/new-project/")
    refused.get_by_label("Short name").fill("ferry")
    refused.get_by_label("Entity types").fill("PER\nnot a name = with blanks")
    refused.get_by_role("button", name="Create project").click()
    expect(refused.get_by_role("alert")).to_contain_text("1 place needs a look")
    expect(refused.get_by_label("Name", exact=True)).to_have_accessible_description(
        re.compile("Give the project a name.")
    )
    refused.get_by_label("Name", exact=True).fill("The ferry")
    refused.get_by_role("button", name="Create project").click()
    expect(refused.get_by_label("Entity types")).to_have_accessible_description(
        re.compile("Line 2: 'not a name' can't be a name.")
    )
    expect(refused.get_by_label("Entity types")).to_have_value("PER\nnot a name = with blanks")
    assert violations(refused) == []


def test_schema_can_be_changed_without_scripts(browser, live_server, account):
    project = make_project()
    make_member(project, user=account)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.goto(f"/manage/projects/{project.slug}/labels/")
    page.get_by_role("button", name="Add rows").click()
    expect(page.get_by_label("Name", exact=True)).to_have_count(3 + 2 + 5)
    page.get_by_label("Name", exact=True).nth(9).fill("SHIP")
    page.get_by_label("Place", exact=True).nth(9).fill("0")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_be_visible()
    names = [one["name"] for one in Project.objects.get().schema["entity_types"]]
    assert names == ["SHIP", "PER", "LOC", "ORG"]
    context.close()


def test_rows_of_the_schema_move_and_take_a_colour_by_keyboard(page, account):
    project = make_project()
    make_member(project, user=account)
    log_in_at_once(page, account)
    page.goto(f"/manage/projects/{project.slug}/labels/")
    page.get_by_role("button", name="Move PER down").press("Enter")
    expect(page.get_by_role("button", name="Move PER down")).to_be_focused()
    page.get_by_role("radio", name="2").nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_be_visible()
    types = Project.objects.get().schema["entity_types"]
    assert [(one["name"], one["colour"]) for one in types] == [("LOC", 3), ("PER", 1), ("ORG", 3)]


def test_import_is_undone_after_a_question(page, account):
    project = make_project()
    make_member(project, user=account)
    make_document(project, import_run=make_import(project, file_name="old.jsonl", added=1))
    log_in_at_once(page, account)
    page.goto(f"/manage/projects/{project.slug}/")
    page.get_by_role("link", name="Undo").click()
    at(page, "Undo the import of old.jsonl?")
    page.get_by_role("button", name="Remove 1 document").click()
    expect(page.get_by_role("status")).to_have_text("1 document of old.jsonl removed.")
    assert not Document.objects.exists()


def test_viewer_reads_every_page_and_finds_no_form(page, account):
    project = make_project()
    make_member(project, Member.Role.VIEWER, user=account)
    make_document(project)
    log_in_at_once(page, account)
    for path, heading in [("", project.name), ("labels/", "Entity types"), ("people/", "People")]:
        page.goto(f"/manage/projects/{project.slug}/{path}")
        at(page, heading)
        expect(page.locator("main form, main .btn.primary")).to_have_count(0)


def test_too_many_log_ins_are_told_how_long_to_wait(refused, account, settings):
    settings.AXES_FAILURE_LIMIT = 2
    refused.goto("/login/")
    for _ in range(2):
        refused.get_by_label("Username").fill("anna")
        refused.get_by_label("Password").fill("wrong")
        refused.get_by_role("button", name="Log in").click()
    expect(refused.get_by_role("heading", level=1)).to_have_text("Log-in is closed for a while")
    expect(refused.get_by_text("The next one is possible in 60 minutes")).to_be_visible()
    assert violations(refused) == []


def test_sections_of_a_project_fit_a_window_of_320_pixels_in_any_script(page, account):
    """As wide as 1,280 pixels are at 400 %."""
    project = make_project(slug="letters", name="מכתבים ישנים מהנמל")
    make_member(project, user=account)
    make_campaign(project, name="שמות ומקומות")
    log_in_at_once(page, account)
    page.goto("/")
    at(page, "Projects")
    page.set_viewport_size({"width": 320, "height": 640})
    for section in ("", "documents/", "labels/", "knowledge/", "people/", "jobs/"):
        page.goto(f"/manage/projects/letters/{section}")
        expect(page.get_by_role("heading", level=1)).to_have_text(project.name)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), section
    menu = page.get_by_role("navigation", name="Sections").get_by_text("More", exact=True)
    menu.click()
    others = page.get_by_role("navigation", name="Sections").get_by_role("link", name="Knowledge")
    expect(others).to_be_visible()
    menu.press("Escape")
    expect(others).to_be_hidden()
    expect(menu).to_be_focused()
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(others).to_be_visible()
    expect(menu).to_be_hidden()
