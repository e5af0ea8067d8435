"""A fifth interface is its own files and one line: the toy goes all the way to a consensus.

What it looks like to a worker, tests/browser/test_fifth_interface.py shows.
"""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command

from aggregation.actions import aggregate
from aggregation.actions.scores import score_run
from aggregation.methods.registry import METHODS, methods_for
from aggregation.models import Consensus
from aggregation.queries import latest_run
from annotation.actions.campaigns import NotReady, create_campaign, open_campaign
from annotation.actions.tokens import campaign_link
from annotation.interfaces import AnswerError
from annotation.models import Campaign, GoldQuestion
from tests.factories import make_document, make_member, make_project, make_response, make_worker

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
    for name, own in (("work-stars.js", "class StarsTask"), ("work-stars.css", ".stars-row")):
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
    GoldQuestion.objects.create(task=tasks["A fine book ."], answer={"stars": 3})

    run = aggregate(campaign, "majority")

    assert run.classes == ["1", "3", "unsure"]
    found = Consensus.objects.filter(run=run).values_list("task__document__text", "answer")
    assert {text: answer["stars"] for text, answer in found} == {
        "A fine book .": 3, "A dull book .": 1, "A book .": None,
    }  # fmt: skip
    assert methods_for("stars") == [name for name in METHODS if METHODS[name].takes == "labels"]
    score = score_run(campaign, latest_run(campaign))
    assert [share.value for share in score.shares] == [1.0]
    client.force_login(make_member(campaign.project).user)
    for page in ("", f"runs/{run.key}/"):
        assert client.get(f"/manage/campaigns/stars/{page}").status_code == 200
