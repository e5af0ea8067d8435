"""The crowd's answers as files that `aggregate_file` and `replay` read."""

from __future__ import annotations

import csv
import json

import pytest
from django.contrib.auth.models import User

from annotation.models import Campaign, Response
from demonstration import choices, labels, load

pytestmark = pytest.mark.django_db


@pytest.fixture
def _loaded(monkeypatch):
    monkeypatch.setattr(load, "ANSWERS", 15)
    load.load(User.objects.create_user("anna"))


@pytest.mark.usefixtures("_loaded")
def test_every_answer_is_there_with_what_is_known(tmp_path):
    labels.write_labels(tmp_path)
    lines = [json.loads(line) for line in (tmp_path / labels.NAMES).read_text().splitlines()]
    answers = Response.objects.filter(assignment__task__campaign__slug=load.CAMPAIGN)
    assert sum(len(line["workers"]) for line in lines) == answers.count() == 15
    for line in lines:
        for tags in (line["gold"], *line["workers"].values()):
            assert len(tags) == len(line["tokens"])
    assert {"B-PER", "I-ORG", "O"} <= {tag for line in lines for tag in line["gold"]}
    with (tmp_path / labels.CHOICES).open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == choices.ANSWERS // 4 * 4
    assert {row["worker"] for row in rows} == set(choices.RIGHT[choices.CAMPAIGN])
    assert 0.6 < sum(row["label"] == row["gold"] for row in rows) / len(rows) < 1


@pytest.mark.usefixtures("_loaded")
def test_what_is_there_stays_and_what_was_taken_away_is_not_missed(tmp_path):
    (tmp_path / labels.NAMES).write_text("mine")
    Campaign.objects.filter(slug=choices.CAMPAIGN).update(slug="taken")
    labels.write_labels(tmp_path)
    assert (tmp_path / labels.NAMES).read_text() == "mine"
    assert not (tmp_path / labels.CHOICES).exists()
