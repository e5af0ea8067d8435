"""A fifth interface is its own files and one line: the toy goes all the way to a consensus.

What it looks like to a worker, tests/browser/test_fifth_interface.py shows.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import CommandError, call_command

from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.actions.scores import score_run
from aggregation.methods.registry import METHODS, methods_for
from aggregation.models import Consensus
from aggregation.queries import latest_run
from annotation.actions.campaigns import NotReady, create_campaign, open_campaign
from annotation.actions.tokens import campaign_link
from annotation.interfaces import AnswerError
from annotation.models import Campaign, GoldQuestion
from tests.factories import make_document, make_member, make_project, make_response, make_worker

TEXTS = [f"Book {number} ." for number in range(9)]

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(stars) -> Campaign:
    """Open, with three documents."""
    project = make_project()
    for text in ("A fine book .", "A dull book .", "A book ."):
        make_document(project, text)
    made = create_campaign(
        project, slug="stars", name="Stars", interface="stars", redundancy=3,
        options={"question": "How good is it?", "most": 3},
    )  # fmt: skip
    assert open_campaign(made) == 3
    return made


def test_its_options_and_what_it_lacks_are_told_by_itself(stars):
    project = make_project()
    make_document(project)
    with pytest.raises(AnswerError, match="most: 9 stars can't be given"):
        create_campaign(project, slug="a", name="A", interface="stars", options={"most": 9})
    call_command("create_campaign", "b", project=project.slug, interface="stars", stdout=StringIO())
    with pytest.raises(NotReady, match=r"^A stars campaign needs a question\.$"):
        open_campaign(Campaign.objects.get())


def test_it_needs_no_migration(stars):
    call_command("makemigrations", check=True, dry_run=True, stdout=StringIO())


def test_its_page_has_its_own_script_and_styles(campaign, client):
    page = client.get(f"/join/{campaign_link(campaign)}/").content.decode()
    for name, own in (("work-stars.js", "data-stars"), ("work-stars.css", ".stars-row")):
        assert f"bundles/{name}" in page
        bundle = Path(finders.find(f"bundles/{name}")).read_text()
        assert own in bundle
    assert ".work-bar" in bundle  # with what it imports


def test_its_answers_are_judged_by_the_categorical_methods(campaign, client):
    tasks = {task.document.text: task for task in campaign.tasks.select_related("document")}
    workers = [make_worker() for _ in range(3)]
    for text, given in (
        ("A fine book .", (3, 3, 1)), ("A dull book .", (1, 1, None)), ("A book .", (None,) * 3),
    ):  # fmt: skip
        for worker, stars in zip(workers, given, strict=True):
            make_response(tasks[text], worker, {"stars": stars})
    GoldQuestion.objects.create(task=tasks["A fine book ."], answer={"stars": 3}, drawn="random")

    run = aggregate(campaign, "majority")

    assert run.classes == ["1", "3", "unsure"]
    found = Consensus.objects.filter(run=run).values_list("task__document__text", "answer")
    assert {text: answer["stars"] for text, answer in found} == {
        "A fine book .": 3, "A dull book .": 1, "A book .": None,
    }  # fmt: skip
    assert methods_for("stars") == [name for name in METHODS if METHODS[name].takes == "labels"]
    score = score_run(campaign, latest_run(campaign))
    assert [share.value for share in score.shares] == [1.0]


def fields_of(page: str) -> dict[str, str]:
    """What a browser sends of a form whose fields nobody has touched."""
    found = {}
    for tag in re.findall(r"<(?:input|textarea)[^>]*>", page):
        given = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        if "name" in given:
            found[given["name"]] = given.get("value", "")
    return found | {"spread": "complete", "doubts": "counted"}


def test_from_a_draft_to_a_consensus_its_pages_and_its_export(stars, client, tmp_path, capsys):
    project = make_project(slug="books")
    names = {make_document(project, text).external_id: text for text in TEXTS}
    asked, unclear, *others, after = names
    client.force_login(make_member(project).user)

    # A manager makes the draft on a page, gives it gold, changes it, and opens it.
    new = "/manage/projects/books/campaigns/new/"
    assert (
        'href="?interface=stars">Have them give stars instead' in client.get(new).content.decode()
    )
    page = client.get(f"{new}?interface=stars").content.decode()
    assert "Workers give each document stars." in page
    form = fields_of(page)
    assert form["most"] == "5"
    form |= {"name": "Stars", "redundancy": "2", "pay": "0"}
    refused = client.post(f"{new}?interface=stars", form | {"most": "9"})
    assert refused.status_code == 422
    assert "9 stars can&#x27;t be given" in refused.content.decode()
    made = client.post(f"{new}?interface=stars", form | {"most": "3"})
    assert made.status_code == 302, made.content.decode()
    campaign = Campaign.objects.get()
    home = f"/manage/campaigns/{campaign.slug}/"
    assert made["Location"] == home
    file = tmp_path / "gold.jsonl"
    file.write_text(json.dumps({"task": asked, "answer": {"stars": 3}}))
    call_command("import_gold", file, campaign=campaign.slug, drawn="random")
    assert [task.external_id for task in campaign.tasks.all()] == [asked]
    assert "needs a question" in client.get(home).content.decode()
    form = fields_of(client.get(f"{home}edit/").content.decode())
    assert form["most"] == "3"
    least = client.post(f"{home}edit/", form | {"most": "2", "question": "How good?"})
    assert "which could not be given any more" in least.content.decode()
    assert client.post(f"{home}edit/", form | {"question": "How good?"}).status_code == 302
    client.post(f"{home}state/", {"verb": "open"})
    campaign.refresh_from_db()
    assert (campaign.state, campaign.options) == ("open", {"question": "How good?", "most": 3})

    # Workers answer; one is late, and follows the run that there is by then.
    tasks = {task.external_id: task for task in campaign.tasks.all()}
    workers = [make_worker() for _ in range(2)]
    for number, worker in enumerate(workers):
        make_response(tasks[asked], worker, {"stars": 3 - number})
        make_response(tasks[unclear], worker, {"stars": None})
        for name in others:
            make_response(tasks[name], worker, {"stars": 1})
    call_command("aggregate", campaign=campaign.slug, method="dawid-skene")
    call_command("aggregate", campaign=campaign.slug, compare="all")
    make_response(tasks[after], workers[0], {"stars": 1})
    assert refresh(campaign).outcome == "refreshed"

    # All that a manager looks at.
    run = latest_run(campaign)
    worker = campaign.enrollments.get(worker=workers[0]).key
    for path, words in {
        home: "stars",
        f"{home}runs/{run.key}/": "Tasks judged",
        f"{home}gold/": "3 stars",
        f"{home}gold/questions/{asked}/": "3 stars",
        f"{home}workers/": "",
        f"{home}workers/{worker}/": "can’t tell",
        f"{home}selection/": "",
        "/manage/projects/books/": "Stars",
        "/manage/projects/books/knowledge/": "",
        f"/manage/projects/books/documents/?campaign={campaign.slug}&order=uncertain": others[0],
        f"/manage/projects/books/documents/{others[0]}/?campaign={campaign.slug}": "1 star",
        f"/manage/projects/books/documents/{asked}/?campaign={campaign.slug}": "<strong>3 stars",
    }.items():
        page = client.get(path)
        assert page.status_code == 200, path
        assert words in page.content.decode(), path

    # What leaves: JSON lines of all three; tags there are none.
    def exported(what: str) -> list:
        capsys.readouterr()
        call_command("export_annotations", campaign=campaign.slug, what=what)
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [(row["task"], row["gold"]) for row in exported("gold")] == [(asked, {"stars": 3})]
    given = Counter((row["task"], row["answer"]["stars"]) for row in exported("responses"))
    assert given == {
        (asked, 3): 1, (asked, 2): 1, (unclear, None): 2, (after, 1): 1,
        **dict.fromkeys([(name, 1) for name in others], 2),
    }  # fmt: skip
    rows = {row["task"]: row for row in exported("consensus")}
    assert {name: row["consensus"]["stars"] for name, row in rows.items()} == {
        **dict.fromkeys([*others, after], 1), unclear: None,
    }  # fmt: skip
    assert rows[others[0]]["text"] == names[others[0]]
    assert rows[others[0]]["method"] == "dawid-skene"
    with pytest.raises(CommandError, match="CoNLL holds entities"):
        call_command("export_annotations", campaign=campaign.slug, what="consensus", format="conll")
