"""From names to questions about pairs, and from claims to questions whether they hold."""

from __future__ import annotations

import json
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregation.models import AggregationRun, Consensus
from annotation.actions import locks
from annotation.actions.campaigns import create_campaign, open_campaign
from annotation.interfaces import Material
from annotation.interfaces import relation as interface
from annotation.interfaces.schema import check_schema
from annotation.models import Campaign, Demand, Entity
from tests.factories import make_campaign, make_document, make_project, make_task

pytestmark = pytest.mark.django_db

SCHEMA = check_schema(
    {
        "entity_types": [{"name": name} for name in ("PER", "ORG", "GPE", "DATE")],
        "relation_types": [
            {"name": "born_in", "subject": ["PER"], "object": ["GPE"]},
            {"name": "works_for", "subject": ["PER"], "object": ["ORG"], "inverse": "employs"},
            {"name": "founded", "subject": ["PER"], "object": ["ORG"], "inverse": "founded_by"},
            {"name": "founded_by", "subject": ["ORG"], "object": ["PER", "ORG"],
             "inverse": "founded"},
            {"name": "parent_of", "subject": ["PER"], "object": ["PER"], "inverse": "child_of"},
            {"name": "child_of", "subject": ["PER"], "object": ["PER"], "inverse": "parent_of"},
            {"name": "married_to", "subject": ["PER"], "object": ["PER"], "symmetric": True},
        ],
    }
)  # fmt: skip
TEXT = "Ada met Bob in Rome . Acme paid Ada ."
ENDS = [[0, 6], [6, 10]]


def found(text, *names):
    """An answer: ("Ada", "PER") or ("Ada", "PER", "e1"), each the next one of that name."""
    mentions, at = [], 0
    for i, (name, kind, *entity) in enumerate(names):
        at = text.index(name, at)
        mentions.append(
            {"id": f"m{i}", "start": at, "end": at + len(name), "type": kind,
             "entity": entity[0] if entity else None}
        )  # fmt: skip
        at += 1
    return {"mentions": mentions, "entities": [], "unlabelled": []}


ANSWER = found(
    TEXT, ("Ada", "PER"), ("Bob", "PER"), ("Rome", "GPE"), ("Acme", "ORG"), ("Ada", "PER")
)


def make_entities(project, *answers, text=TEXT, sentences=ENDS):
    """An entity campaign with one complete run, a document for each answer."""
    campaign = make_campaign(project)
    run = AggregationRun.objects.create(
        campaign=campaign, method="mv-token", code_version="1", input_digest="",
        state="complete", finished_at=timezone.now(), diagnostics={"tasks": len(answers)},
    )  # fmt: skip
    for answer in answers:
        task = make_task(campaign, make_document(project, text, sentences=sentences))
        Consensus.objects.create(run=run, task=task, answer=answer, probabilities=b"")
    return campaign


@pytest.fixture
def project():
    return make_project(schema=SCHEMA)


@pytest.fixture
def into(project):
    return make_campaign(project, slug="relations", interface="relation", redundancy=2)


def build(into, **source):
    told, complaints = StringIO(), StringIO()
    call_command(
        "build_relation_tasks", into=into.slug, stdout=told, stderr=complaints, **source
    )  # fmt: skip
    return told.getvalue(), complaints.getvalue()


def questions(into, text=TEXT):
    """(subject, object, what else) of each task, in the order in which they are given out."""
    tasks = into.tasks.order_by("demand__rank")
    return [
        (*(text[p[side]["start"] : p[side]["end"]] for side in ("subject", "object")),
         p.get("predicted") or p.get("only"))
        for p in tasks.values_list("payload", flat=True)
    ]  # fmt: skip


def material(task):
    document = task.document
    return Material(
        schema=SCHEMA, payload=task.payload, text=document.text, tokens=document.tokens,
        sentences=document.sentences,
    )  # fmt: skip


# --- Pairs --------------------------------------------------------------------------------------


def test_it_asks_about_every_pair_of_a_sentence_that_a_relation_takes(project, into):
    entities = make_entities(project, ANSWER)

    told, _ = build(into, campaign=entities.slug)

    # Not Bob and Acme: another sentence. Acme and Ada: from the side that has more relations.
    assert questions(into) == [
        ("Ada", "Bob", None), ("Ada", "Rome", None), ("Bob", "Rome", None), ("Ada", "Acme", None)
    ]  # fmt: skip
    assert told == "'relations' has 4 new tasks from 1 document.\n"
    demands = Demand.objects.filter(campaign=into)
    assert {(demand.wanted, demand.open, demand.ready) for demand in demands} == {(2, 2, True)}
    page = interface.page_data(material(into.tasks.first()))
    assert [one["name"] for one in page["relations"]] == [
        "parent_of", "child_of", "married_to", "none", "unsure"
    ]  # fmt: skip


def test_done_again_it_adds_only_what_is_new(project, into):
    entities = make_entities(project, ANSWER)
    build(into, campaign=entities.slug)
    epoch = Campaign.objects.get(pk=into.pk).epoch
    told, _ = build(into, campaign=entities.slug)
    assert told == "'relations' has 0 new tasks from 1 document; 4 pairs of 4 had one already.\n"

    # A later run that sees other types asks about no pair a second time.
    Consensus.objects.update(answer=found(TEXT, ("Ada", "ORG"), ("Bob", "PER"), ("Rome", "GPE")))
    told, _ = build(into, campaign=entities.slug)
    assert into.tasks.count() == 4
    assert Campaign.objects.get(pk=into.pk).epoch == epoch
    Consensus.objects.update(answer=found(TEXT, ("Bob", "PER"), ("Acme", "ORG"), ("Ada", "PER")))
    assert "0 new" in build(into, campaign=entities.slug)[0]


def test_a_draft_is_filled_and_opens_with_its_pairs(project):
    into = create_campaign(project, slug="draft", name="Draft", interface="relation", redundancy=3)
    told, _ = build(into, campaign=make_entities(project, ANSWER).slug)
    assert told.endswith("Open it: ./run manage campaign draft open\n")
    open_campaign(into)
    assert [demand.open for demand in Demand.objects.filter(campaign=into)] == [3] * 4


def test_two_names_of_one_entity_are_no_pair(project, into):
    answer = found(TEXT, ("Ada", "PER", "e1"), ("Bob", "PER", "e1"), ("Rome", "GPE", "e2"))
    build(into, campaign=make_entities(project, answer).slug)
    assert questions(into) == [("Ada", "Rome", None), ("Bob", "Rome", None)]


def test_an_inverse_spares_the_second_question(project, into):
    """Of two firms either may have founded the other; the schema's inverse says the one way."""
    text = "Acme met Zeta ."
    entities = make_entities(
        project, found(text, ("Acme", "ORG"), ("Zeta", "ORG")), text=text, sentences=[[0, 4]]
    )
    build(into, campaign=entities.slug)
    assert questions(into, text) == [("Acme", "Zeta", None)]
    page = interface.page_data(material(into.tasks.get()))
    assert [one["name"] for one in page["relations"]] == [
        "founded_by", "founded", "none", "unsure"
    ]  # fmt: skip


def test_a_relation_without_inverse_is_asked_about_both_ways_and_told(project, into):
    project.schema = check_schema(
        {
            "entity_types": [{"name": "PER"}],
            "relation_types": [
                {"name": "taught", "subject": ["PER"], "object": ["PER"]},
                {"name": "married_to", "subject": ["PER"], "object": ["PER"], "symmetric": True},
            ],
        }
    )
    project.save()
    entities = make_entities(project, found(TEXT, ("Ada", "PER"), ("Bob", "PER")))
    told, _ = build(into, campaign=entities.slug)
    assert questions(into) == [("Ada", "Bob", None), ("Bob", "Ada", ["taught"])]
    assert "'taught' has no inverse: 1 pair are asked about both ways." in told
    assert "0 new tasks" in build(into, campaign=entities.slug)[0]


def test_names_that_cross_a_sentence_are_told(project, into):
    answer = found(TEXT, ("Ada", "PER"), ("Rome . Acme", "ORG"))
    told, _ = build(into, campaign=make_entities(project, answer).slug)
    assert "1 name cross the end of a sentence" in told
    assert questions(into) == []


def test_pairs_of_one_document_are_given_out_together(project, into):
    build(into, campaign=make_entities(project, *[ANSWER] * 20).slug)
    documents = list(into.tasks.order_by("demand__rank").values_list("document", flat=True))
    changes = sum(one != other for one, other in pairwise(documents))
    assert changes == 19
    assert documents != sorted(documents)


def test_queries_grow_with_batches_alone(project, into):
    few = make_entities(project, ANSWER)
    many = make_entities(project, *[ANSWER] * 40)
    with CaptureQueriesContext(
        connection,
    ) as one:
        build(into, campaign=few.slug)
    with CaptureQueriesContext(connection) as forty:
        build(into, campaign=many.slug)
    assert len(forty) <= len(one) + 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"interface": "choice", "options": {"choices": ["A", "B"]}}, "asks for choice"),
        ({"state": "closed"}, "is closed"),
    ],
)
def test_a_campaign_that_does_not_fit_is_refused(project, into, change, says):
    entities = make_entities(project, ANSWER)
    Campaign.objects.filter(pk=into.pk).update(**change)
    with pytest.raises(CommandError, match=says):
        build(into, campaign=entities.slug)
    assert not into.tasks.exists()


def test_what_is_missing_is_named(project, into):
    entities = make_entities(project, ANSWER)
    with pytest.raises(CommandError, match="There is no campaign 'x'"):
        build(into, campaign="x")
    with pytest.raises(CommandError, match=r"has no complete run\. Make one first: aggregate"):
        build(into, campaign=make_campaign(project).slug)
    with pytest.raises(CommandError, match="different projects"):
        build(into, campaign=make_entities(make_project(schema=SCHEMA), ANSWER).slug)
    AggregationRun.objects.create(
        campaign=into, method="x", code_version="1", input_digest="", state="complete",
        finished_at=timezone.now(),
    )  # fmt: skip
    with pytest.raises(CommandError, match=r"asks for relation\. Pairs are made from"):
        build(into, campaign=into.slug)
    with locks.hold(f"campaign:{into.slug}"), pytest.raises(CommandError, match="worked on by"):
        build(into, campaign=entities.slug)
    project.schema = SCHEMA | {"relation_types": []}
    project.save()
    with pytest.raises(CommandError, match=r"has no relation types.*import_relation_types"):
        build(into, campaign=entities.slug)


# --- Claims -------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    def written(*claims):
        path = tmp_path / "claims.jsonl"
        lines = [one if isinstance(one, str) else json.dumps(one) for one in claims]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return written


def claim(relation, subject, object_, document="d1", **links):
    """Each side as (words, type)."""
    sides = {}
    for what, (words, kind) in (("subject", subject), ("object", object_)):
        start = TEXT.index(words)
        sides[what] = {"start": start, "end": start + len(words), "type": kind}
        if what in links:
            sides[what]["link"] = links[what]
    return {"document": document, "relation": relation, **sides}


ADA, BOB, ROME = ("Ada", "PER"), ("Bob", "PER"), ("Rome", "GPE")


def test_a_claim_is_asked_about_once_whoever_makes_it(project, into, file):
    make_document(project, TEXT, sentences=ENDS, external_id="d1")
    Entity.objects.create(
        project=project, key="Q220", name="Rome", description="Capital of Italy", type="GPE"
    )
    path = file(
        claim("born_in", ADA, ROME, object="Q220"),
        claim("child_of", ADA, BOB),
        claim("parent_of", BOB, ADA),  # the same, said the other way round
        claim("married_to", BOB, ADA),
        claim("married_to", ADA, BOB),
        claim("born_in", ADA, ROME, object="Q1"),  # another link: that alone is asked
        claim("born_in", ADA, ROME, object="Q220") | {"provenance": [[0, 3]]},
    )

    told, complaints = build(into, predictions=path)

    assert complaints == ""
    assert told.startswith("'relations' has 4 new tasks from 1 document")
    assert questions(into) == [
        ("Ada", "Rome", "born_in"),
        ("Bob", "Ada", "parent_of"),
        ("Ada", "Bob", "married_to"),
        ("Ada", "Rome", "born_in"),
    ]
    names = ["subject_ok", "subject_type_ok", "object_ok", "object_type_ok"]
    assert [p["asks"] for p in into.tasks.order_by("pk").values_list("payload", flat=True)] == [
        ["relation", *names, "object_link_ok"],
        ["relation", "subject_ok", "subject_type_ok"],  # of Ada all is asked
        ["relation"],
        ["object_link_ok"],
    ]
    page = interface.page_data(material(into.tasks.order_by("pk").first()))
    assert page["predicted"] == "born_in"
    assert page["subject"]["link"] is None
    assert page["object"]["link"] == {
        "key": "Q220", "name": "Rome", "description": "Capital of Italy"
    }  # fmt: skip
    assert "0 new tasks" in build(into, predictions=path)[0]


def test_a_later_file_asks_only_for_what_is_new_and_shows_where_it_was_read(project, into, file):
    make_document(project, TEXT, sentences=ENDS, external_id="d1")
    build(into, predictions=file(claim("born_in", ADA, ROME, object="Q220")))
    later = claim("born_in", BOB, ROME, object="Q1") | {"provenance": [[0, 9]], "confidence": 0.5}
    told, _ = build(into, predictions=file(claim("born_in", ADA, ROME, object="Q220"), later))
    assert told.endswith("1 claim of 2 had one already.\n")
    task = into.tasks.order_by("pk").last()
    assert task.payload["asks"] == ["relation", "subject_ok", "subject_type_ok", "object_link_ok"]
    assert interface.page_data(material(task))["provenance"] == [[0, 3]]
    _, complaints = build(into, predictions=file(later, later | {"provenance": [[3, 1]]}))
    assert "line 2:" in complaints


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("{", "This is no JSON"),
        ("[1]", "This is no object"),
        ({"document": "d1", "relation": "born_in"}, "This is missing"),
        (claim("born_in", ADA, ROME, document="d9"), "There is no document 'd9'"),
        (claim("loves", ADA, ROME), "has no relation 'loves'"),
        (claim("born_in", ("Ad", "PER"), ROME), "The subject 0–2 does not begin and end with"),
        (claim("born_in", ROME, ADA), "'born_in' does not hold between GPE and PER"),
        (claim("married_to", ADA, ADA), "Subject and object are the same words"),
        (claim("born_in", ADA, ROME) | {"object": 3}, "This is the number 3"),
        (claim("born_in", ADA, ROME) | {"subject": {"start": "a"}}, "the text 'a'"),
    ],
)
def test_a_line_that_cannot_be_asked_about_is_told_and_the_rest_taken(
    project, into, file, wrong, reason
):
    make_document(project, TEXT, sentences=ENDS, external_id="d1")
    _, complaints = build(into, predictions=file(wrong, claim("born_in", ADA, ROME)))
    assert complaints.startswith("line 1: ")
    assert reason in complaints
    assert questions(into) == [("Ada", "Rome", "born_in")]


def test_a_file_without_a_claim_that_can_be_taken_fails(project, into, file, tmp_path):
    with pytest.raises(CommandError, match="No line of the file could be taken"):
        build(into, predictions=file(*["{}"] * 12))
    with pytest.raises(CommandError, match="nowhere"):
        build(into, predictions=tmp_path / "nowhere.jsonl")
