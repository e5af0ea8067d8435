"""Relation and linking campaigns against a file of what is known."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions.runs import aggregate
from aggregation.actions.scores import NoGold
from aggregation.knowledge.files import Knowledge, read_knowledge
from aggregation.knowledge.scores import RelationScore, score_against
from aggregation.queries import latest_run
from annotation.formats.directions import Directions
from annotation.formats.records import FormatError
from annotation.interfaces.relation import VERDICTS
from annotation.interfaces.schema import check_schema
from annotation.models import Campaign, Document
from tests.factories import make_campaign, make_document, make_project, make_response, make_task

SCHEMA: dict[str, Any] = {
    "entity_types": [{"name": "PER"}, {"name": "ORG"}],
    "relation_types": [
        {"name": "works_for", "subject": ["PER"], "object": ["ORG"], "inverse": "employs"},
        {"name": "employs", "subject": ["ORG"], "object": ["PER"], "inverse": "works_for"},
        {"name": "founded", "subject": ["PER"], "object": ["ORG"]},
        {"name": "spouse", "subject": ["PER"], "object": ["PER"], "symmetric": True},
    ],
}
TEXT = "Ada and Bob Ray work for ACME ."
ADA, BOB, ACME = (0, 3), (8, 15), (25, 29)
TYPES = {ADA: "PER", BOB: "PER", ACME: "ORG"}


def mention(document: str, span: tuple[int, int], entity: str) -> dict[str, Any]:
    name = f"{document}:{span[0]}-{span[1]}"
    place = {"document": document, "start": span[0], "end": span[1]}
    return {"kind": "mention", "id": name, **place, "entity": entity}


def relation(
    document: str, subject: tuple[int, int], name: str, object_: tuple[int, int]
) -> dict[str, Any]:
    sides = {
        side: f"{document}:{span[0]}-{span[1]}"
        for side, span in (("subject", subject), ("object", object_))
    }
    return {"kind": "relation", "relation": name, "evidence": [{"document": document, **sides}]}


def written(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


@pytest.fixture
def gold(tmp_path) -> Path:
    """Of document a: Ada works for ACME, Ada and Bob are a couple, ACME employs Bob."""
    return written(
        tmp_path,
        {"kind": "entity", "key": "ada", "name": "Ada"},
        *(mention(d, s, e) for d in "ab" for s, e in ((ADA, "ada"), (BOB, "bob"), (ACME, "acme"))),
        relation("a", ADA, "works_for", ACME),
        relation("a", BOB, "spouse", ADA),
        relation("a", ACME, "employs", BOB),
    )


@pytest.fixture
def how(db) -> Campaign:
    return make_campaign(make_project(schema=SCHEMA), interface="relation")


def asked(
    campaign: Campaign,
    subject: tuple[int, int],
    object_: tuple[int, int],
    said: str,
    document: str = "a",
    **more: Any,
) -> None:
    found = Document.objects.filter(project=campaign.project, external_id=document).first()
    found = found or make_document(campaign.project, TEXT, external_id=document)
    sides = {
        side: {"start": span[0], "end": span[1], "type": TYPES.get(span, "PER")}
        for side, span in (("subject", subject), ("object", object_))
    }
    verdicts = {name: more.pop(name, None) for name in VERDICTS}
    name = f"{document}-{campaign.tasks.count()}"
    task = make_task(campaign, found, external_id=name, payload=sides | more)
    make_response(task, answer={"relation": said, **verdicts, "evidence": []})


def score(campaign: Campaign, path: Path, **options: Any) -> tuple[Any, RelationScore]:
    aggregate(campaign, "majority")
    run = latest_run(campaign)
    assert run is not None
    answers, relations = score_against(campaign, run, read_knowledge(path), **options)
    assert relations is not None
    return answers, relations


def numbers(found: RelationScore) -> tuple[int, int, int, int]:
    return found.counts.right, found.counts.predicted, found.counts.gold, found.unasked


def test_a_relation_counts_in_one_direction_however_it_was_asked(how, gold):
    asked(how, ADA, ACME, "works_for")
    asked(how, ADA, BOB, "spouse")
    asked(how, BOB, ACME, "works_for")  # the file says that ACME employs BOB
    answers, found = score(how, gold)
    assert numbers(found) == (3, 3, 3, 0)
    assert [share.value for share in found.shares] == [1, 1, 1]
    assert answers.shares[0].value == 1


def test_what_is_wrong_missed_or_never_asked_counts_against_it(how, gold):
    asked(how, ADA, ACME, "founded")
    asked(how, ADA, BOB, "none")
    answers, found = score(how, gold)
    assert numbers(found) == (0, 1, 3, 1)
    assert [share.value for share in found.shares] == [0, 0, 0]
    assert (answers.shares[0].value, answers.units) == (0, 2)


def test_names_have_to_be_cut_alike_unless_half_in_common_is_enough(how, gold):
    asked(how, (8, 20), ACME, "works_for")  # "Bob Ray work"
    asked(how, ADA, (27, 28), "none")
    answers, found = score(how, gold)
    assert numbers(found) == (0, 1, 3, 3)
    assert answers.shares[0].value == 0.5
    answers, found = score(how, gold, overlap=True)
    assert numbers(found) == (1, 1, 3, 2)
    assert answers.shares[0].value == 1


def test_what_workers_deny_is_no_relation(how, gold):
    asked(how, ADA, ACME, "works_for", subject_ok=False)
    _, found = score(how, gold)
    assert numbers(found) == (0, 0, 3, 2)


def test_of_a_predicted_relation_only_that_one_is_known(how, gold):
    asked(how, ADA, ACME, "none", predicted="founded")
    asked(how, BOB, ACME, "founded", document="b", predicted="founded")
    answers, found = score(how, gold)
    assert numbers(found) == (0, 1, 3, 2)
    assert answers.shares[0].value == 0.5


def test_documents_that_the_file_does_not_know_are_left_out(how, gold):
    asked(how, ADA, ACME, "works_for")
    asked(how, ADA, ACME, "works_for", document="c")
    answers, found = score(how, gold)
    assert numbers(found)[:3] == (1, 1, 3)
    assert (found.documents, answers.without_gold) == (1, ["c"])


# --- Piles ----------------------------------------------------------------------------------------


def linked(project: Any, *piles: list[tuple[str, tuple[int, int]]]) -> Campaign:
    same = make_campaign(project, interface="linking")
    cards = [
        {
            "id": f"card-{document}-{span[0]}", "name": "x", "document": document,
            "start": span[0], "end": span[1],
        }
        for pile in piles
        for document, span in pile
    ]  # fmt: skip
    task = make_task(same, payload={"mentions": [*cards, {"id": "from elsewhere"}]})
    ids = [[f"card-{document}-{span[0]}" for document, span in pile] for pile in piles]
    clusters = [{"link": None, "mentions": pile} for pile in [*ids, ["from elsewhere"]]]
    make_response(task, answer={"clusters": clusters, "unsure": []})
    aggregate(same, "correlation-clustering")
    return same


def test_piles_are_scored_as_one_whole_over_documents(how, gold):
    same = linked(how.project, [("a", ADA), ("b", ADA)], [("a", BOB), ("b", ACME)])
    run = latest_run(same)
    assert run is not None
    found, relations = score_against(same, run, read_knowledge(gold))
    assert relations is None
    pairs, b_cubed = found.shares[:2]
    assert pairs.value == pytest.approx(2 / 3)  # 1 of 2 pairs is right, and the only one known
    assert b_cubed.value == pytest.approx(2 * 0.75 / 1.75)
    assert (found.units, found.documents) == (4, 1)
    assert found.without_gold == ["from elsewhere"]


def test_piles_of_unknown_mentions_are_told(how, gold):
    same = linked(how.project, [("c", ADA)])
    run = latest_run(same)
    assert run is not None
    with pytest.raises(NoGold, match="knows none of the mentions"):
        score_against(same, run, read_knowledge(gold))


# --- The command ----------------------------------------------------------------------------------


def said(campaign: Campaign, *options: str) -> list[str]:
    call_command(
        "score_consensus", "--campaign", campaign.slug, *options, stdout=(out := StringIO())
    )
    return out.getvalue().splitlines()


def test_the_command_tells_relations_first_and_then_answers(how, gold):
    asked(how, ADA, ACME, "works_for")
    asked(how, ADA, BOB, "none")
    aggregate(how, "majority")
    lines = said(how, "--gold", str(gold))
    assert lines[1:4] == [
        "P 100.00 R 33.33 F1 50.00 of relations in 1 document",
        "relations: 1 right, 1 in the consensus, 3 in the file, 1 of them about names that no "
        "task asks about",
        "95 % interval: none, it takes 2 documents with gold",
    ]
    assert lines[4] == "accuracy 50.00 over 2 tasks"


def test_the_command_tells_every_score_of_piles(how, gold):
    same = linked(how.project, [("a", ADA), ("b", ADA)], [("a", BOB)])
    lines = said(same, "--gold", str(gold))
    assert lines[1] == (
        "F1 of pairs 100.00 B³ F1 100.00 CEAF-e F1 100.00 CEAF-m F1 100.00 MUC F1 100.00 "
        "BLANC F1 100.00 CoNLL F1 100.00 LEA F1 100.00 over 3 mentions"
    )
    assert lines[-1] == "left out, no gold: 1 mention: from elsewhere"
    assert not any("interval" in line for line in lines)


def test_gold_of_other_campaigns_comes_with_documents(db, gold):
    campaign = make_campaign()
    make_response(make_task(campaign), answer={"tags": ["O"] * 7})
    aggregate(campaign, "mv-token")
    with pytest.raises(CommandError, match="gold for others comes with documents"):
        said(campaign, "--gold", str(gold))


# --- The file -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "line 1: This is no object"),
        ('{"kind": "mention", "document": "a"}', "line 1, id: "),
        ('{"kind": "relation", "relation": "r", "evidence": [1]}', r"evidence\[0\]: This is no ob"),
        (json.dumps(relation("a", ADA, "r", BOB)), "no line tells where mention 'a:0-3' stands"),
    ],
)
def test_a_file_that_can_not_be_read_whole_is_not_read(tmp_path, line, message):
    path = tmp_path / "gold.jsonl"
    path.write_text(f"{line}\n")
    with pytest.raises(FormatError, match=message):
        read_knowledge(path)


def test_what_is_no_mention_or_relation_is_passed_over(tmp_path):
    card = {"kind": "mention", "id": "x", "entity": "x", "document": None, "start": None}
    path = written(tmp_path, {"kind": "link"}, {"kind": "entity"}, card)
    with path.open("a") as file:
        file.write("\n")
    assert read_knowledge(path) == Knowledge()


def test_a_relation_is_told_in_the_direction_that_the_schema_names_first():
    directions = Directions(check_schema(SCHEMA)["relation_types"])
    assert directions.canonical("a", "works_for", "b") == ("works_for", False)
    assert directions.canonical("a", "employs", "b") == ("works_for", True)
    assert directions.canonical("a", "founded", "b") == ("founded", False)
    assert directions.canonical("b", "spouse", "a") == ("spouse", True)
    assert directions.canonical("a", "unheard of", "b") == ("unheard of", False)
    assert directions.fact("x", "employs", "y") == ("y", "works_for", "x")
