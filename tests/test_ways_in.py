"""Nothing that is exported, shown to a manager or logged lets anybody act as one of the workers.

A campaign is worked on, everything that leaves it is read, and every string in it is tried.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.actions import completion, links, recovery, tokens, workers
from annotation.actions.campaigns import create_campaign, open_campaign
from annotation.models import Campaign, Demand, Enrollment, GoldQuestion, Worker
from tests.annotation.api.worker import Worker as Browser
from tests.factories import SCHEMA, make_document, make_member, make_project, make_task

pytestmark = pytest.mark.django_db

ADA = {
    "mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER", "entity": None}],
    "entities": [],
    "unlabelled": [],
}
DEVICES = [str(uuid.UUID(int=n)) for n in (0xA1B2 << 100, 0xC3D4 << 100)]
WORD = re.compile(r"[\w:.@-]+")
NUMBER = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
LETTERS = re.compile(r"[a-z]+")
PHRASE_WORDS = frozenset(recovery.WORDS)


@dataclass
class Ran:
    campaign: Campaign
    browsers: dict[str, Browser]
    log: io.StringIO
    said: dict[str, str]  # by commands, and in the files that they wrote


@pytest.fixture
def ran(tmp_path, caplog) -> Iterator[Ran]:
    log = io.StringIO()
    [console] = [h for h in logging.getLogger().handlers if getattr(h, "filters", None)]
    before = console.setStream(log)
    caplog.set_level(logging.DEBUG)
    yield _run(tmp_path, log)
    console.setStream(before)


def _run(folder: Any, log: io.StringIO) -> Ran:
    project = make_project(schema=SCHEMA)
    campaign = create_campaign(
        project, slug="names", name="Names", interface="entity", pay_mills=20, redundancy=3,
        gold_every=3,
    )  # fmt: skip
    for number in range(3):
        kind = Demand.Kind.HIDDEN if number == 2 else Demand.Kind.PLAIN
        task = make_task(campaign, make_document(project), kind=kind)
        if kind == Demand.Kind.HIDDEN:
            GoldQuestion.objects.create(task=task, answer=ADA)
    open_campaign(campaign)
    public = tokens.token_of(campaign.links.get())
    personal = tokens.token_of(links.create_link(campaign, worker="anna"))
    links.create_link(campaign, worker="anna", note="another")
    browsers = {
        "one": Browser(public, device=DEVICES[0]),
        "two": Browser(public, device=DEVICES[1]),
        "anna": Browser(personal),
    }
    for browser in browsers.values():
        Client().get(f"/join/{personal}/")
        while (lease := browser.next()["assignment"]) is not None:
            browser.act(lease["key"], "draft", {"answer": ADA}, method="put")
            assert browser.act(lease["key"], "submit", {"answer": ADA}).status_code == 200
        browser.call("post", "phrase/")
        browser.call("post", "finish/")
    Client(enforce_csrf_checks=True).post(f"/join/{personal}/")
    browsers["two"].call("post", "assignments/nothing/submit/", {})
    aggregate(campaign, "mv-token")
    manager = make_member(project).user
    paused = Enrollment.objects.exclude(worker__external_id="anna").first()
    workers.set_state(paused, "paused", "Too fast.", user=manager)
    browsers["one"].call("post", "appeal/", {"text": "I am as fast as that."})
    said = {}
    for what in ("responses", "consensus", "gold"):
        for form in ("jsonl", "conll"):
            out = folder / f"{what}.{form}"
            command = ["export_annotations", "--campaign", "names", "--what", what]
            said[f"{what}.{form}"] = _said(*command, "--format", form, "--out", str(out))
            said[f"{what}.{form}"] += out.read_text()
    for form in ("jsonl", "tsv"):
        out = folder / f"knowledge.{form}"
        said[out.name] = _said(
            "export_knowledge_base", "--project", project.slug, "--out", str(out)
        )
        said[out.name] += out.read_text()
    said["status"] = _said("campaign", "names", "check")
    said["flags"] = _said("flag_workers", "--campaign", "names")
    said["selection"] = _said("select_workers", "--campaign", "names", "--keep", "1", "--dry-run")
    said["selection.json"] = _said(
        "select_workers", "--campaign", "names", "--keep", "1", "--dry-run", "--json"
    )
    Enrollment.objects.filter(campaign=campaign).update(submitted=7)
    said["integrity"] = _said("check_integrity", "--repair")
    said["night"] = _said("night")
    return Ran(campaign, browsers, log, said)


def _said(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out, stderr=out)
    return out.getvalue()


# --- Ways in ------------------------------------------------------------------------------------


def strings(text: str) -> set[str]:
    """Words, and every string that stands in a line of JSON."""
    found = set(WORD.findall(text))
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            found |= set(_strings_of(json.loads(line)))
    return found


def _strings_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in [*value, *(value.values() if isinstance(value, dict) else [])]:
            yield from _strings_of(part)


def ways_in(text: str, campaign: Campaign) -> dict[str, set[str]]:
    """What in the text works as which credential of a worker who is there. No try is kept."""
    with transaction.atomic():
        found = _ways_in(text, campaign)
        transaction.set_rollback(True)
    return found


def _ways_in(text: str, campaign: Campaign) -> dict[str, set[str]]:
    known = set(Enrollment.objects.values_list("pk", flat=True))
    words = strings(text)
    found: dict[str, set[str]] = {}

    def works(kind: str, secret: str) -> None:
        found.setdefault(kind, set()).add(secret)

    link = tokens.Link(campaign.slug, None)
    for number in {hit.replace("-", "") for hit in NUMBER.findall(text.lower())} | {
        hit for word in words for hit in re.findall(r"[0-9a-f]{32}", word)
    }:
        if workers.join(link, uuid.UUID(number)).pk in known:
            works("device", number)
    for word in words:
        try:
            read = tokens.read_link(word)
        except tokens.BadToken:
            pass
        else:
            if workers.join(read).pk in known:
                works("link", word)
        try:
            if Enrollment.objects.filter(key=tokens.read_worker_token(word)).exists():
                works("token", word)
        except tokens.BadToken:
            pass
        if len(word.replace("-", "")) == completion.LENGTH and completion.enrollment_of(
            campaign, word
        ):
            works("code", word)
    letters = LETTERS.findall(text.lower())
    for first in range(len(letters) - recovery.LENGTH + 1):
        five = letters[first : first + recovery.LENGTH]
        if PHRASE_WORDS.issuperset(five) and recovery.worker_of_phrase("link", " ".join(five)):
            works("phrase", " ".join(five))
    return found


def test_each_credential_is_found_where_it_stands(ran):
    """The control: a search that finds nothing anywhere would prove nothing."""
    one = ran.browsers["one"]
    secrets = {
        "device": DEVICES[0].replace("-", ""),
        "link": tokens.campaign_link(ran.campaign, "anna"),
        "token": one.joined.json()["token"],
        "code": one.call("post", "finish/").json()["completion_code"],
        "phrase": one.call("post", "phrase/").json()["phrase"],
    }
    text = json.dumps({"some": [f"words {DEVICES[0]}", *secrets.values()]})
    assert ways_in(text, ran.campaign) == {kind: {secret} for kind, secret in secrets.items()}


def test_no_export_and_no_word_of_a_command_is_a_way_in(ran):
    assert len(ran.said["responses.jsonl"].splitlines()) > 6
    assert "anna" in ran.said["responses.jsonl"]
    found = {name: ways_in(text, ran.campaign) for name, text in ran.said.items()}
    assert {name: ways for name, ways in found.items() if ways} == {}


def test_no_line_of_the_log_is_a_way_in(ran):
    text = ran.log.getvalue()
    assert "/join/…/" in text
    assert ways_in(text, ran.campaign) == {}
    for row in Enrollment.objects.prefetch_related("assignments"):
        assert str(row.key) not in text.replace("/", " ").split()


def pages(ran: Ran, role: str) -> dict[str, str]:
    """Every page under /manage/ that a member is shown, with its address."""
    browser = Client()
    browser.force_login(make_member(ran.campaign.project, role).user)
    found = {}
    for path in sorted(set(_addresses(ran.campaign))):
        answer = browser.get(path)
        if answer.status_code == 200:
            found[path] = b"".join(answer).decode()
    return found


def _addresses(campaign: Campaign) -> Iterator[str]:
    run = AggregationRun.objects.filter(campaign=campaign).first()
    documents = list(campaign.project.documents.values_list("external_id", flat=True))
    for pattern in get_resolver().url_patterns:
        if getattr(pattern, "namespace", None) != "manage":
            continue
        for route in (str(one.pattern) for one in pattern.url_patterns):
            if route.endswith("knowledge.<slug:form>"):  # the command's file, by another process
                continue
            slug = campaign.project.slug if route.startswith("projects/") else campaign.slug
            keys = Enrollment.objects.values_list("key", flat=True)
            for key in [run.key, *keys]:
                for document in documents:
                    filled = (
                        route.replace("<slug:slug>", slug)
                        .replace("<uuid:key>", str(key))
                        .replace("<path:document>", document)
                        .replace("<path:task>", document)
                        .replace("<slug:interface>", "relation")
                    )
                    if "<" not in filled:
                        yield f"/manage/{filled}"


@pytest.mark.parametrize("role", ["manager", "reviewer", "viewer"])
def test_no_page_is_a_way_in_but_where_it_is_the_page_s_purpose(ran, role):
    shown = pages(ran, role)
    assert len(shown) > 8
    found = {path: ways_in(text, ran.campaign) for path, text in shown.items()}
    # A manager compares completion codes with what workers hand in, and sends personal links out.
    allowed = {"code"} if role == "manager" else set()
    settings = found.pop(f"/manage/campaigns/{ran.campaign.slug}/settings/")
    assert settings.keys() == ({"link"} if role == "manager" else set())
    assert role != "manager" or len(settings["link"]) == 2
    for path, ways in found.items():
        assert ways.keys() <= allowed, path


def test_exports_of_two_campaigns_can_not_be_put_together(ran):
    other = create_campaign(ran.campaign.project, slug="again", name="Again", interface="entity")
    open_campaign(other)
    for device in DEVICES:
        browser = Browser(tokens.campaign_link(other), device=device)
        lease = browser.next()["assignment"]
        browser.act(lease["key"], "submit", {"answer": ADA})
    assert Worker.objects.count() == 3
    export = ("export_annotations", "--what", "responses", "--campaign")
    here, there = (
        {json.loads(line)["worker"] for line in _said(*export, slug).splitlines() if line[0] == "{"}
        for slug in ("names", "again")
    )
    assert (len(here), len(there)) == (3, 2)
    assert not here & there
