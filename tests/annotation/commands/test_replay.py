"""Recorded answers through a server that really listens."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from annotation.management import replay
from annotation.models import Campaign, Response

pytestmark = pytest.mark.django_db(transaction=True)

DOCUMENTS = [
    {
        "id": "one", "tokens": ["Ada", "met", "Bob", "Lee"], "sent_starts": [0],
        "gold": ["B-PER", "O", "B-PER", "I-PER"],
        "workers": {
            "w1": ["B-PER", "O", "B-PER", "I-PER"],
            "w2": ["B-PER", "O", "I-PER", "?"],
            "w3": ["B-PER", "O", "B-PER", "I-PER"],
        },
    },
    {
        "id": "two", "tokens": ["In", "Oslo", "."], "sent_starts": [0], "gold": None,
        "workers": {"w1": ["O", "B-LOC", "O"], "w3": ["O", "O", "O"]},
    },
    {"id": "three", "tokens": ["Nobody", "came"], "sent_starts": [0], "workers": {}},
]  # fmt: skip


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "crowd.jsonl.gz"
    with gzip.open(path, "wt") as lines:
        lines.writelines(json.dumps(document) + "\n" for document in DOCUMENTS)
    return path


def test_every_recorded_answer_arrives_once_and_as_it_was(file, live_server, capsys):
    call_command("replay", str(file), server=live_server.url, clients=2, project="crowd")

    said = capsys.readouterr().out
    assert "3 documents (3 new), 3 workers, 5 recorded answers" in said
    assert re.search(r"5 submitted in .* cycles a second; latency p50", said)
    stored = {
        (response.assignment.worker.external_id, response.assignment.task.external_id):
            response.answer["tags"]
        for response in Response.objects.select_related("assignment__worker", "assignment__task")
    }  # fmt: skip
    assert stored == {
        (worker, document["id"]): tags
        for document in DOCUMENTS
        for worker, tags in document["workers"].items()
    }
    call_command("check_integrity")


def test_who_is_to_see_it_sees_it(file, live_server, client, capsys):
    User.objects.create_user("demonstration", password="many-words-1")
    User.objects.create_user("anna", password="many-words-2")
    at = {"server": live_server.url, "clients": 2}
    call_command("replay", str(file), project="crowd", **at)
    call_command("replay", str(file), project="hers", manager="anna", **at)
    said = capsys.readouterr().out
    assert "demonstration manages it: http" in said
    assert "anna manages it: http" in said
    for name, password, sees in (
        ("demonstration", "many-words-1", "crowd"),
        ("anna", "many-words-2", "hers"),
    ):
        client.post("/login/", {"username": name, "password": password})
        pages = {slug: client.get(f"/manage/campaigns/{slug}/") for slug in ("crowd", "hers")}
        assert {slug for slug, page in pages.items() if page.status_code == 200} == {sees}
        client.logout()


def test_nobody_is_named_where_nobody_would_see_it(file, live_server, capsys):
    call_command("replay", str(file), server=live_server.url, clients=2, project="crowd")
    assert "Look: No account but a site administrator's sees" in capsys.readouterr().out


def test_run_again_it_goes_on_where_it_stopped(file, live_server, capsys, monkeypatch):
    real = replay._Client.run

    def breaks_off(client):
        for cycle in real(client):
            yield cycle
            raise replay.ReplayError("the line was cut")

    monkeypatch.setattr(replay._Client, "run", breaks_off)
    with pytest.raises(CommandError, match="the line was cut"):
        call_command("replay", str(file), server=live_server.url, clients=1, project="crowd")
    assert Response.objects.count() == 1
    monkeypatch.setattr(replay._Client, "run", real)

    call_command("replay", str(file), server=live_server.url, clients=2, project="crowd")

    assert "1 are there already; 4 are left" in capsys.readouterr().out
    assert Response.objects.count() == 5
    assert Campaign.objects.count() == 1


def test_a_server_that_does_not_answer_is_named_with_what_to_do(file, monkeypatch):
    monkeypatch.setattr(replay, "TRIES", 2)
    monkeypatch.setattr(replay, "FIRST_PAUSE", 0)
    with pytest.raises(CommandError, match=r"did not answer .* Start the server and run the same"):
        call_command("replay", str(file), server="http://127.0.0.1:9", project="crowd")


def test_a_server_with_another_secret_key_is_found_out(file, live_server, monkeypatch):
    monkeypatch.setattr(replay.tokens, "token_of", lambda link: "forged")
    with pytest.raises(CommandError, match="the same database and secret key"):
        call_command("replay", str(file), server=live_server.url, project="crowd")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"id": "x", "tokens": ["a"]}, "Line 1: a document needs id, tokens"),
        ({"id": "x", "tokens": ["a"], "workers": {"w": []}}, "Line 1: worker 'w' has 0 tags for 1"),
        ({"id": "x", "tokens": ["a"], "workers": {}}, "holds no answers"),
    ],
)
def test_a_wrong_line_is_named_before_anything_is_made(tmp_path, line, words):
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(line))
    with pytest.raises(CommandError, match=words):
        call_command("replay", str(path))
    assert not Campaign.objects.exists()
