"""A choice campaign gets its tasks from a file: texts, pairs and pictures."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.actions.assignments import claim_next
from annotation.actions.campaigns import open_campaign
from annotation.interfaces import interface
from annotation.models import AuditEntry, Campaign, Demand, GoldQuestion, Task
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from tests.factories import make_campaign, make_document, make_enrollment, make_project

pytestmark = pytest.mark.django_db


def png(width: int = 4, height: int = 3) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes(3 * width)) * height)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@pytest.fixture(autouse=True)
def data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def campaign():
    return make_campaign(
        make_project(slug="news"),
        slug="moods",
        interface="choice",
        state="draft",
        options={"choices": ["Yes", "No"]},
    )


@pytest.fixture
def bring_in(tmp_path, capsys):
    def bring_in(*lines, campaign="moods", **options) -> str:
        path = tmp_path / "tasks.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        call_command("import_choices", path, campaign=campaign, **options)
        return capsys.readouterr().out

    return bring_in


def page_of(task):
    row = Task.objects.filter(pk=task.pk).values(*MATERIAL_COLUMNS).get()
    return interface("choice").page_data(material_of(row))


def test_texts_pairs_and_pictures_become_tasks_that_open(campaign, bring_in, tmp_path, client):
    (tmp_path / "street.png").write_bytes(png())
    make_document(campaign.project)
    told = bring_in(
        {"id": "t", "text": "The room smelled of paint.", "question": "Is it praise?"},
        {"id": "p", "pair": ["A man works.", {"title": "Claim", "text": "It is outdoors."}]},
        {"id": 7, "image": {"file": "street.png", "alt": "A street"}},
    )
    assert (
        "3 tasks were made (1 with a picture, 0 hidden gold, 0 for practice, 0 for the exam)"
        in told
    )
    assert open_campaign(campaign) == 0  # and none of the document
    pages = {task.external_id: page_of(task) for task in campaign.tasks.all()}
    assert pages["t"]["text"] == "The room smelled of paint."
    assert pages["t"]["question"] == "Is it praise?"
    assert [side["title"] for side in pages["p"]["pair"]] == ["A", "Claim"]
    image = pages["7"]["image"]
    assert (image["alt"], image["width"], image["height"]) == ("A street", 4, 3)
    reply = client.get(image["src"])
    assert b"".join(reply.streaming_content) == png()
    assert reply.headers["Content-Type"] == "image/png"
    assert "immutable" in reply.headers["Cache-Control"]
    assert claim_next(make_enrollment(campaign).key).assignment is not None
    assert AuditEntry.objects.filter(action="import choices").count() == 1


def test_a_second_import_changes_nothing_and_a_longer_one_adds(campaign, bring_in):
    one, two = {"id": "a", "text": "One."}, {"id": "b", "text": "Two.", "gold": "No"}
    bring_in(one)
    assert "0 tasks were made" in bring_in(one)
    Campaign.objects.update(state="open")
    told = bring_in(one | {"text": "Other."}, two)
    assert "1 tasks were made" in told
    assert "1 were there" in told
    assert campaign.tasks.get(external_id="a").payload == {"text": "One."}


def test_gold_is_hidden_or_for_practice(campaign, bring_in):
    told = bring_in(
        {"id": "a", "text": "One.", "gold": "Yes"},
        {"id": "b", "text": "Two.", "gold": {"unsure": True}, "practice": True,
         "explanation": "Nothing in it tells."},
        {"id": "c", "text": "Three."},
        {"id": "d", "text": "Four.", "gold": "No", "exam": True},
    )  # fmt: skip
    assert "1 hidden gold, 1 for practice, 1 for the exam" in told
    kinds = dict(Demand.objects.values_list("task__external_id", "kind"))
    assert kinds == {
        "a": Demand.Kind.HIDDEN, "b": Demand.Kind.TRAINING, "c": Demand.Kind.PLAIN,
        "d": Demand.Kind.EXAM,
    }  # fmt: skip
    assert GoldQuestion.objects.get(task__external_id="a").answer["choice"] == "Yes"
    assert GoldQuestion.objects.get(task__external_id="b").explanation == "Nothing in it tells."
    assert "gold" not in json.dumps(page_of(Task.objects.get(external_id="a")))


@pytest.mark.parametrize(
    ("line", "where", "reason"),
    [
        ({"id": "a"}, "text", "Give a text, a pair or an image."),
        ({"text": "One."}, "id", "There is no id."),
        ({"id": "a", "text": ""}, "text", "0 characters"),
        ({"id": "a", "text": "x", "txt": "x"}, "txt", "not known here"),
        ({"id": "a", "pair": ["one"]}, "pair", "holds 1. Give two texts."),
        ({"id": "a", "pair": ["one", {"text": "x"}]}, "pair[1].title", "missing"),
        ({"id": "a", "text": "x", "gold": "Maybe"}, "gold.choice", "Use one of Yes, No."),
        ({"id": "a", "text": "x", "gold": 5}, "gold.answer", "Send an object"),
        ({"id": "a", "text": "x", "practice": True}, "gold", "need a known answer"),
        ({"id": "a", "text": "x", "exam": True}, "gold", "need a known answer"),
        (
            {"id": "a", "text": "x", "gold": "Yes", "practice": True, "exam": True},
            "exam",
            "can't be for the exam too",
        ),
        ({"id": "a", "image": "gone.png"}, "image", "no picture of this name"),
        ({"id": "a", "image": "../x.png"}, "image", "is not in"),
        ({"id": "a", "image": "/etc/passwd"}, "image", "is not in"),
        ({"id": "a", "image": "https://example.org/x.png"}, "image", "this host alone"),
        ({"id": "a", "image": "note.txt"}, "image", "no picture that browsers show"),
        ({"id": "a", "image": {"alt": "x"}}, "image.file", "missing"),
    ],
)
def test_a_wrong_line_is_told_and_nothing_is_made(
    campaign, bring_in, tmp_path, capsys, line, where, reason
):
    (tmp_path / "note.txt").write_text("No picture.")
    with pytest.raises(CommandError, match=r"1 mistake in tasks\.jsonl; nothing was imported"):
        bring_in({"id": "good", "text": "Fine."}, line)
    told = capsys.readouterr().err
    assert "line 2" in told
    assert f" {where}: " in told
    assert reason in told
    assert not Task.objects.exists()


def test_what_is_no_list_of_tasks_is_said(campaign, bring_in, capsys):
    with pytest.raises(CommandError, match="holds no task"):
        bring_in()
    with pytest.raises(CommandError, match="no campaign 'gone'"):
        bring_in(campaign="gone")
    with pytest.raises(CommandError, match="can't be opened"):
        call_command("import_choices", "/nowhere.jsonl", campaign="moods")
    with pytest.raises(CommandError, match="is no folder"):
        bring_in({"id": "a", "text": "x"}, images=Path("/nowhere"))
    with pytest.raises(CommandError, match="2 mistakes"):
        bring_in({"id": "a", "text": "x"}, {"id": "a", "text": "y"}, {"id": "b"})
    assert "The id stands in line 1 too." in capsys.readouterr().err
    Campaign.objects.update(state="closed")
    with pytest.raises(CommandError, match="is closed"):
        bring_in({"id": "a", "text": "x"})
    Campaign.objects.update(state="draft", assignment="assigned")
    with pytest.raises(CommandError, match="1 mistake"):
        bring_in({"id": "a", "text": "x", "gold": "Yes"})
    make_campaign(slug="names")
    with pytest.raises(CommandError, match="is of the kind 'entity'"):
        bring_in({"id": "a", "text": "x"}, campaign="names")
    assert not Task.objects.exists()


def test_pictures_without_words_and_too_large_ones_are_told(campaign, bring_in, tmp_path, capsys):
    (tmp_path / "a.png").write_bytes(png())
    assert "1 pictures have no 'alt'" in bring_in({"id": "a", "image": "a.png"})
    (tmp_path / "b.png").write_bytes(png() + bytes(9 * 1024 * 1024))
    with pytest.raises(CommandError, match="1 mistake"):
        bring_in({"id": "b", "image": "b.png"})
    assert "larger than 8 MB" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x.png", "..%2Fsecret_key", f"{'0' * 32}.png", f"{'0' * 32}.svg"])
def test_no_other_file_is_served(client, tmp_path, name):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/secret_key").write_text("secret")
    assert client.get(f"/pictures/{name}").status_code == 404
