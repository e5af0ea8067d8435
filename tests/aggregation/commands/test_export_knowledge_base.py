"""From mentions to a knowledge base: entity, linking and relation campaigns of one project, out to
a file and in again."""

from __future__ import annotations

import csv
import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions.runs import aggregate
from aggregation.knowledge.graph import key_of_place
from annotation.interfaces.relation import VERDICTS
from annotation.models import Document, Entity, Project
from tests.factories import (
    make_campaign,
    make_document,
    make_project,
    make_response,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

SCHEMA = {
    "entity_types": [{"name": "PER"}, {"name": "ORG"}, {"name": "DATE"}],
    "relation_types": [
        {
            "name": "works_for", "subject": ["PER"], "object": ["ORG"], "inverse": "employs",
            "symmetric": False,
        },
        {
            "name": "employs", "subject": ["ORG"], "object": ["PER"], "inverse": "works_for",
            "symmetric": False,
        },
    ],
    "nested": False,
}  # fmt: skip
TEXTS = {
    "a": "Ada works for ACME since 1842 .",
    "b": "Miss Lovelace left ACME Ltd .",
}
ADA, ACME, SINCE = (0, 3), (14, 18), (25, 29)
LOVELACE, LTD = (0, 13), (19, 27)
NOBODY = dict.fromkeys(VERDICTS)


def entities(*rows: tuple[tuple[int, int], str, str | None, str | None]) -> dict[str, Any]:
    """Each mention an entity of its own: (span, type, link, value)."""
    return {
        "mentions": [
            {"id": f"m{n}", "start": s[0], "end": s[1], "type": kind, "entity": f"e{n}"}
            for n, (s, kind, _, _) in enumerate(rows)
        ],
        "entities": [
            {"id": f"e{n}", "canonical": f"m{n}", "link": link, "value": value}
            for n, (_, _, link, value) in enumerate(rows)
        ],
        "unlabelled": [],
    }


def card(document: str, span: tuple[int, int], kind: str) -> dict[str, Any]:
    return {
        "id": f"{document}:{span[0]}-{span[1]}",
        "name": TEXTS[document][span[0] : span[1]],
        "sentence": TEXTS[document],
        "document_title": document,
        "type": kind,
        "document": document,
        "start": span[0],
        "end": span[1],
    }


@pytest.fixture
def project() -> Project:
    """ACME is in the knowledge base; the two names of Ada are joined by a linking campaign."""
    project = make_project(slug="kb", schema=SCHEMA)
    Entity.objects.create(
        project=project, key="Q1", name="Acme Corporation", aliases=["Acme"], type="ORG",
        description="maker of anvils", url="https://example.org/acme",
    )  # fmt: skip
    documents = {
        name: make_document(project, text, external_id=name) for name, text in TEXTS.items()
    }
    workers = [make_worker() for _ in range(3)]

    found = make_campaign(project, slug="names")
    answers = {
        "a": entities(
            (ADA, "PER", None, None), (ACME, "ORG", "Q1", None), (SINCE, "DATE", None, "1842-XX-XX")
        ),
        "b": entities((LOVELACE, "PER", None, None), (LTD, "ORG", "Q1", None)),
    }
    for name, answer in answers.items():
        task = make_task(found, documents[name])
        for worker in workers:
            make_response(task, worker, answer)
    aggregate(found, "mv-token")

    same = make_campaign(project, slug="same", interface="linking")
    cards = [card("a", ADA, "PER"), card("b", LOVELACE, "PER")]
    task = make_task(same, external_id="block", payload={"mentions": cards})
    for worker in workers:
        pile = {"link": None, "mentions": [one["id"] for one in cards]}
        make_response(task, worker, {"clusters": [pile], "unsure": []})
    aggregate(same, "correlation-clustering")

    how = make_campaign(project, slug="how", interface="relation")
    related(how, documents["a"], workers, ADA, ACME, "works_for")
    related(how, documents["b"], workers, LTD, LOVELACE, "employs", kinds=("ORG", "PER"))
    related(how, documents["b"], workers, LOVELACE, LTD, "none")
    aggregate(how, "majority")
    return project


def related(
    campaign: Any,
    document: Document,
    workers: Any,
    subject: tuple[int, int],
    object_: tuple[int, int],
    name: str,
    kinds: tuple[str, str] = ("PER", "ORG"),
    **verdicts: Any,
) -> None:
    sides = {
        side: {"start": span[0], "end": span[1], "type": kind}
        for side, span, kind in zip(("subject", "object"), (subject, object_), kinds, strict=True)
    }
    task = make_task(
        campaign, document, external_id=f"{document.external_id}-{campaign.tasks.count()}",
        payload=sides,
    )  # fmt: skip
    answer = {"relation": name, **NOBODY, **verdicts, "evidence": []}
    for worker in workers:
        make_response(task, worker, answer)


def export(path: Path, *arguments: str) -> str:
    out = StringIO()
    call_command(
        "export_knowledge_base", "--project", "kb", "--out", str(path), *arguments,
        stdout=out, stderr=StringIO(),
    )  # fmt: skip
    return out.getvalue()


def read(path: Path) -> dict[str, list[dict[str, Any]]]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    kinds: dict[str, list[dict[str, Any]]] = {}
    for line in text.decode().splitlines():
        record = json.loads(line)
        kinds.setdefault(record["kind"], []).append(record)
    return kinds


def test_it_works(project, tmp_path):
    said = export(tmp_path / "kb.jsonl")
    found = read(tmp_path / "kb.jsonl")

    assert said.startswith("3 entities, 5 mentions, 2 links, 1 relation were written to")
    by_key = {one["key"]: one for one in found["entity"]}
    assert by_key.keys() == {"Q1", "a:0-3", "DATE:1842-XX-XX"}
    assert by_key["Q1"]["name"] == "Acme Corporation"
    assert by_key["Q1"]["seen_as"] == ["ACME", "ACME Ltd"]
    assert (by_key["Q1"]["mentions"], by_key["Q1"]["documents"]) == (2, 2)
    ada = by_key["a:0-3"]
    assert (ada["name"], ada["aliases"], ada["type"]) == ("Ada", ["Miss Lovelace"], "PER")
    assert 0 < ada["confidence"] <= 1

    lovelace = next(one for one in found["mention"] if one["id"] == "b:0-13")
    assert (lovelace["entity"], lovelace["text"]) == ("a:0-3", "Miss Lovelace")
    assert 0 < lovelace["confidence"] <= 1
    assert 0 < lovelace["membership"] <= 1
    assert lovelace["provenance"]["campaign"] == "names"
    assert lovelace["provenance"]["answers"] == 3
    assert {one["target"] for one in found["link"]} == {"Q1"}
    assert all(0 < one["confidence"] <= 1 for one in found["link"])


def test_both_directions_of_a_relation_are_one_with_two_pieces_of_evidence(project, tmp_path):
    export(tmp_path / "kb.jsonl")
    relation = read(tmp_path / "kb.jsonl")["relation"][0]
    assert (relation["subject"], relation["relation"], relation["object"]) == (
        "a:0-3",
        "works_for",
        "Q1",
    )
    assert {(one["subject"], one["object"]) for one in relation["evidence"]} == {
        ("a:0-3", "a:14-18"),
        ("b:0-13", "b:19-27"),
    }
    assert relation["confidence"] == 1.0
    assert {one["provenance"]["campaign"] for one in relation["evidence"]} == {"how"}


@pytest.mark.parametrize("name", ["kb.jsonl", "kb.jsonl.gz", "kb.tsv", "kb.tsv.gz"])
def test_entities_come_in_again_and_what_was_there_stays(project, tmp_path, name):
    export(tmp_path / name)
    before = Entity.objects.get(key="Q1")
    other = make_project(slug="other", schema=SCHEMA)

    for target in (project, other):
        call_command(
            "import_knowledge_base", str(tmp_path / name), "--project", target.slug,
            stdout=StringIO(), stderr=StringIO(),
        )  # fmt: skip

    for target in (project, other):
        ada = Entity.objects.get(project=target, key="a:0-3")
        assert (ada.name, ada.aliases, ada.type) == ("Ada", ["Miss Lovelace"], "PER")
        acme = Entity.objects.get(project=target, key="Q1")
        for field in ("name", "aliases", "description", "url", "type"):
            assert getattr(acme, field) == getattr(before, field)
        assert Entity.objects.filter(project=target).count() == 3


def test_out_and_in_and_out_again_is_the_same(project, tmp_path):
    export(tmp_path / "one.jsonl")
    call_command(
        "import_knowledge_base", str(tmp_path / "one.jsonl"), "--project", "kb",
        stdout=(out := StringIO()), stderr=StringIO(),
    )  # fmt: skip
    export(tmp_path / "two.jsonl")
    assert "2 entries added, 0 changed, 1 unchanged, 0 rejected" in out.getvalue()
    assert (tmp_path / "one.jsonl").read_text() == (tmp_path / "two.jsonl").read_text()


def test_the_table_has_a_row_for_each_record(project, tmp_path):
    export(tmp_path / "kb.tsv")
    with (tmp_path / "kb.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    kinds = [row["kind"] for row in rows]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "entity": 3,
        "mention": 5,
        "link": 2,
        "relation": 1,
    }
    assert None not in rows[0]
    relation = rows[-1]
    assert (relation["subject"], relation["count"], relation["campaign"]) == ("a:0-3", "2", "how")
    mention = next(row for row in rows if row["key"] == "b:0-13")
    assert (mention["start"], mention["end"], mention["entity"]) == ("0", "13", "a:0-3")


def test_what_workers_deny_is_no_relation_and_a_wrong_link_is_not_used(project, tmp_path):
    campaign = make_campaign(project, slug="verify", interface="relation")
    worker, document = [make_worker()], Document.objects.get(project=project, external_id="a")
    related(campaign, document, worker, ADA, ACME, "works_for", subject_type_ok=False)
    aggregate(campaign, "majority")
    export(tmp_path / "kb.jsonl", "--campaign", "verify", "--campaign", "names")
    assert "relation" not in read(tmp_path / "kb.jsonl")


def test_links_of_claims_are_used_where_workers_say_they_are_right(project, tmp_path):
    campaign = make_campaign(project, slug="verify", interface="relation")
    document = Document.objects.get(project=project, external_id="a")
    for right in (True, False):
        side = {"start": 0, "end": 3, "type": "PER", "link": {"key": f"Q{right:d}8"}}
        payload = {"subject": side, "object": {"start": 14, "end": 18, "type": "ORG"}}
        task = make_task(campaign, document, external_id=f"claim-{right}", payload=payload)
        answer = {"relation": "works_for", **NOBODY, "subject_link_ok": right, "evidence": []}
        make_response(task, None, answer)
    aggregate(campaign, "majority")
    export(tmp_path / "kb.jsonl", "--campaign", "verify")
    found = read(tmp_path / "kb.jsonl")
    assert {one["key"] for one in found["entity"]} == {"Q18", "a:14-18"}
    assert [one["text"] for one in found["mention"]] == ["Ada", "ACME"]


def test_what_is_said_of_a_part_holds_for_every_claim_that_has_it(project, tmp_path):
    campaign = make_campaign(project, slug="verify", interface="relation")
    document = Document.objects.get(project=project, external_id="a")
    ada = {"start": 0, "end": 3, "type": "PER", "link": {"key": "Q18"}}
    claim = {
        "subject": ada, "object": {"start": 14, "end": 18, "type": "ORG"}, "predicted": "works_for"
    }  # fmt: skip
    base = make_task(campaign, document, external_id="base", payload=claim | {"asks": ["relation"]})
    make_response(base, None, {"relation": "works_for", **NOBODY, "evidence": []})
    link = make_task(
        campaign, document, external_id="link", payload=claim | {"asks": ["subject_link_ok"]}
    )
    said = {"relation": None, **NOBODY, "subject_link_ok": True, "evidence": []}
    make_response(link, None, said)
    aggregate(campaign, "majority")
    rows = {row.task.external_id: row for row in campaign.aggregation_runs.get().consensus.all()}
    assert rows["base"].answer["relation"] == "works_for"
    assert (rows["link"].answer["relation"], rows["link"].confidence) == (None, None)
    export(tmp_path / "kb.jsonl", "--campaign", "verify")
    found = read(tmp_path / "kb.jsonl")
    assert [one["subject"] for one in found["relation"]] == ["Q18"]

    kind = make_task(
        campaign, document, external_id="type", payload=claim | {"asks": ["subject_type_ok"]}
    )
    make_response(kind, None, {**said, "subject_link_ok": None, "subject_type_ok": False})
    aggregate(campaign, "majority")
    export(tmp_path / "kb.jsonl", "--campaign", "verify")
    assert "relation" not in read(tmp_path / "kb.jsonl")


def test_symmetric_relations_are_told_once_and_nothing_is_related_to_itself(project, tmp_path):
    knows = {"name": "knows", "subject": ["PER"], "object": ["PER"], "symmetric": True}
    project.schema["relation_types"].append(knows)
    project.schema["relation_types"][0]["subject"].append("ORG")
    project.save()
    document = Document.objects.get(project=project, external_id="b")
    campaign, people = make_campaign(project, slug="who", interface="relation"), ("PER", "PER")
    words = [(0, 4), (5, 13), (14, 18)]
    related(campaign, document, [make_worker()], words[1], words[0], "knows", kinds=people)
    related(campaign, document, [make_worker()], words[0], words[1], "knows", kinds=people)
    related(campaign, document, [make_worker()], words[2], words[2], "knows", kinds=people)
    aggregate(campaign, "majority")
    export(tmp_path / "kb.jsonl", "--campaign", "who")
    found = read(tmp_path / "kb.jsonl")["relation"]
    assert [(one["subject"], one["object"], len(one["evidence"])) for one in found] == [
        ("b:0-4", "b:5-13", 2)
    ]


def test_cards_without_documents_are_mentions_too(tmp_path):
    project = make_project(slug="kb")
    campaign = make_campaign(project, interface="linking", slug="cards")
    cards = [{"id": name, "name": name.title(), "sentence": ""} for name in ("x", "y", "z")]
    task = make_task(campaign, payload={"mentions": cards})
    answer = {
        "clusters": [{"link": "Q5", "mentions": ["x", "y"]}, {"link": None, "mentions": ["z"]}],
        "unsure": [],
    }
    for _ in range(2):
        make_response(task, None, answer)
    aggregate(campaign, "correlation-clustering")
    export(tmp_path / "kb.jsonl")
    found = read(tmp_path / "kb.jsonl")
    assert {one["key"]: one["seen_as"] for one in found["entity"]} == {
        "Q5": ["X", "Y"],
        "z": ["Z"],
    }
    assert [one["start"] for one in found["mention"]] == [None] * 3


def test_the_number_of_queries_does_not_grow_with_documents(
    project, tmp_path, django_assert_max_num_queries
):
    with django_assert_max_num_queries(16):
        export(tmp_path / "kb.jsonl")


def test_standard_output_is_json_lines(project, capsys):
    call_command("export_knowledge_base", "--project", "kb")
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[0])["kind"] == "entity"
    assert len(lines) == 11


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--project", "none"], "There is no project 'none'."),
        (["--project", "kb", "--out", "kb.csv"], "has to end in .jsonl or .tsv"),
        (["--project", "kb", "--campaign", "nowhere"], "has no campaign 'nowhere'"),
        (["--project", "kb", "--campaign", "empty"], "Campaign 'empty' has no complete run"),
        (["--project", "kb", "--out", "/nowhere/kb.tsv"], "can't be written"),
        (["--project", "bare"], "has no complete run of a campaign for entities"),
    ],
)
def test_wrong_arguments_are_named(project, arguments, message):
    make_campaign(project, slug="empty")
    make_project(slug="bare")
    with pytest.raises(CommandError, match=message):
        call_command("export_knowledge_base", *arguments, stdout=StringIO(), stderr=StringIO())


def test_keys_that_could_not_come_in_again_are_replaced():
    assert key_of_place(("a", 0, 3)) == "a:0-3"
    assert key_of_place(("x" * 250, 0, 3)).startswith("mention:")
    assert key_of_place(("tab\there", 0, 3)).startswith("mention:")
    assert key_of_place(("none", -1, -1)).startswith("mention:")
