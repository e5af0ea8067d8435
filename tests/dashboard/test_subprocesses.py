"""Commands in processes of their own, as pages start them."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.db import connection

from aggregation.actions import aggregate
from dashboard import subprocesses
from tests.aggregation.crowds import tagged_task
from tests.factories import make_campaign, make_project

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"


@pytest.fixture
def same_database(monkeypatch, transactional_db):
    """The process sees what this one has written."""
    about = connection.settings_dict
    url = f"sqlite:///{about['NAME']}"
    if connection.vendor == "postgresql":
        user = quote(f"{about['USER']}", safe="")
        secret = quote(f"{about['PASSWORD']}", safe="")
        place = f"{quote(about['HOST'] or '', safe='')}:{about['PORT'] or 5432}"
        url = f"postgres://{user}:{secret}@{place}/{about['NAME']}"
    monkeypatch.setenv("DATABASE_URL", url)


def test_command_does_its_work_and_what_it_wrote_comes_back(same_database, tmp_path):
    campaign = make_campaign(make_project(slug="letters"), slug="names")
    tagged_task(campaign, NAMES, NAMES)
    aggregate(campaign, "mv-token")
    out = tmp_path / "knowledge.jsonl"
    options = [("project", "letters"), ("out", str(out))]
    ended = subprocesses.run("export_knowledge_base", options, seconds=60)
    assert ended.is_done
    assert ended.lines[-1].startswith("3 entities, 3 mentions")
    assert out.read_text().count("\n") == 6


def test_refusal_is_the_sentence_of_the_command(same_database):
    with pytest.raises(subprocesses.Failed, match=r"^There is no project 'letters'\.$"):
        subprocesses.run("export_knowledge_base", [("project", "letters")], seconds=60)


def test_command_that_breaks_off_is_told_as_that_and_its_words_are_logged(caplog):
    with pytest.raises(
        subprocesses.Failed, match=r"^night broke off\. The server's log tells why\.$"
    ):
        subprocesses.run("night", [("nonsense", "x")], seconds=60)
    assert "--nonsense=x" in caplog.text


def test_command_that_takes_too_long_is_ended():
    assert not subprocesses.run("work", [], seconds=0.2).is_done


def test_the_same_for_a_shell():
    options = [("campaign", "a"), ("alone", "")]
    told = subprocesses.command_line("build_linking_tasks", options)
    assert told == "./run manage build_linking_tasks --campaign a --alone"
