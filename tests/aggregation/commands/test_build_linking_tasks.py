"""Linking tasks from the consensus of an entity campaign."""

from __future__ import annotations

import io
import re
from itertools import accumulate, pairwise

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions.runs import aggregate
from aggregation.knowledge.linking_tasks import (
    LONGEST_BESIDE,
    Sentences,
    build_linking_tasks,
    canonical_mentions,
)
from aggregation.models import AggregationRun, Consensus
from annotation.actions import locks
from annotation.actions.campaigns import open_campaign
from annotation.actions.projects import set_schema
from annotation.interfaces import Material, linking
from annotation.models import Demand, Document
from tests.factories import make_campaign, make_document, make_project, make_response, make_task

pytestmark = pytest.mark.django_db

TEXTS = {
    "a": "Freddie Gray died . Gray was 25 .",
    "b": "The van held Mr Gray and Ruth Okafor filmed .",
    "c": "Okafor wrote to London .",
}


@pytest.fixture
def entity():
    """A campaign whose consensus names what is marked; nothing is grouped."""
    campaign = make_campaign(make_project())
    marked(campaign, "a", (0, 12), (20, 24))
    marked(campaign, "b", (13, 20), (25, 36))
    marked(campaign, "c", (0, 6), (16, 22, "LOC"))
    aggregate(campaign, "mv-token")
    return campaign


@pytest.fixture
def into(entity):
    return make_campaign(entity.project, interface="linking", state="draft")


def marked(campaign, name, *spans):
    document = make_document(
        campaign.project, TEXTS[name], external_id=name, title=f"Letter {name}"
    )
    mentions = [
        {"id": f"m{i}", "start": span[0], "end": span[1], "type": [*span, "PER"][2], "entity": None}
        for i, span in enumerate(spans)
    ]
    task = make_task(campaign, document)
    make_response(task, answer={"mentions": mentions, "entities": [], "unlabelled": []})


def build(entity, into, *options):
    out = io.StringIO()
    call_command(
        "build_linking_tasks", "--campaign", entity.slug, "--into", into.slug, *options,
        stdout=out, stderr=io.StringIO(),
    )  # fmt: skip
    return out.getvalue().splitlines()


def cards(into):
    return [card for task in into.tasks.order_by("pk") for card in task.payload["mentions"]]


def test_it_works(entity, into):
    lines = build(entity, into)

    [task] = into.tasks.all()
    names = [card["name"] for card in task.payload["mentions"]]
    assert sorted(names) == ["Freddie Gray", "Gray", "Mr Gray", "Okafor", "Ruth Okafor"]
    assert {"Ruth Okafor", "Okafor"} in ({*names[:2]}, {*names[-2:]})  # similar ones together
    run = AggregationRun.objects.get()
    assert lines == [
        f"run {run.key}: 3 documents, 6 entities, 0 of them linked already, 1 with a name like no "
        "other (left out; --alone takes them in)",
        "1 task made with 5 cards",
    ]
    assert Demand.objects.get(task=task).wanted == into.redundancy


def test_a_card_holds_what_the_page_shows_and_where_it_comes_from(entity, into):
    build(entity, into)
    card = next(card for card in cards(into) if card["name"] == "Mr Gray")
    assert card == {
        "id": "b:13-20", "name": "Mr Gray", "sentence": TEXTS["b"], "document_title": "Letter b",
        "type": "PER", "document": "b", "start": 13, "end": 20,
    }  # fmt: skip
    [task] = into.tasks.all()
    shown = linking.page_data(Material(payload=task.payload))["mentions"]
    assert set(shown[0]) == {"id", "name", "sentence", "document_title", "type"}
    beside = {"before": "The van stopped.", "after": "Ruth Okafor filmed."}
    assert linking.page_data(Material(payload={"mentions": [card | beside]}))["mentions"] == [
        {name: card[name] for name in ("name", "sentence", "document_title", "type")}
        | beside
        | {"id": shown[cards(into).index(card)]["id"]}
    ]


def test_run_again_it_makes_nothing_new(entity, into):
    build(entity, into)
    assert build(entity, into)[1] == "0 tasks made with 0 cards, 1 were there already"
    assert into.tasks.count() == 1


def test_a_newer_run_adds_the_blocks_that_no_task_holds(entity, into):
    build(entity, into)
    open_campaign(into)
    epoch = type(into).objects.get(pk=into.pk).epoch
    text = "Fred Gray sang ."
    TEXTS["d"] = text
    marked(entity, "d", (0, 9))
    aggregate(entity, "mv-token")

    build(entity, into)

    assert into.tasks.count() == 2
    assert "d:0-9" in {card["id"] for card in into.tasks.latest("pk").payload["mentions"]}
    # Workers look from the head again.
    assert type(into).objects.get(pk=into.pk).epoch == epoch + 1


def test_blocks_are_bounded_and_overlap():
    campaign = make_campaign()
    TEXTS["e"] = " ".join(f"Gray{letter}" for letter in "abcdefghijkl")
    marked(campaign, "e", *((i * 6, i * 6 + 5) for i in range(12)))
    aggregate(campaign, "mv-token")
    into = make_campaign(campaign.project, interface="linking", state="draft")

    # Names of five letters that differ in one.
    lines = build(campaign, into, "--block-size", "4", "--threshold", "0.1", "--most-blocks", "2")

    blocks = [{card["id"] for card in task.payload["mentions"]} for task in into.tasks.all()]
    assert all(len(block) <= 4 for block in blocks)
    assert sum(map(len, blocks)) > 12
    assert "pairs of similar names share no task" in lines[-1]


def test_alone_takes_in_names_like_no_other(entity, into):
    build(entity, into, "--alone")
    assert "London" in {card["name"] for card in cards(into)}


def test_entities_with_a_link_are_left_out(entity, into):
    row = Consensus.objects.get(task__document__external_id="c")
    row.answer["mentions"][0]["entity"] = "e1"
    row.answer["entities"] = [
        {"id": "e1", "canonical": row.answer["mentions"][0]["id"], "link": "Q1", "value": None}
    ]
    Consensus.objects.filter(pk=row.pk).update(answer=row.answer)

    lines = build(entity, into)

    assert "1 of them linked already" in lines[0]
    assert "Okafor" not in {card["name"] for card in cards(into)}


def test_where_there_are_groups_the_canonical_mention_stands_for_all():
    text = "Gray . Mr Gray . Gray . gray"
    spans = [(0, 4, "e1"), (7, 14, "e1"), (17, 21, None), (24, 28, None)]
    answer = {
        "mentions": [
            {"id": f"m{i}", "start": start, "end": end, "type": "PER", "entity": entity}
            for i, (start, end, entity) in enumerate(spans)
        ],
        "entities": [{"id": "e1", "canonical": "m1", "link": None, "value": None}],
    }
    found = [(mention["id"], is_linked) for mention, is_linked in canonical_mentions(answer, text)]
    assert found == [("m1", False), ("m2", False)]


def test_a_long_sentence_is_cut_around_its_name():
    campaign = make_campaign()
    TEXTS["f"] = "word " * 400 + "Gray Gray " + "word " * 400
    marked(campaign, "f", (2000, 2004), (2005, 2009, "LOC"))
    TEXTS["g"] = "Gray"
    marked(campaign, "g", (0, 4))
    aggregate(campaign, "mv-token")
    into = make_campaign(campaign.project, interface="linking", state="draft")

    build_linking_tasks(campaign, into)

    sentence = cards(into)[0]["sentence"]
    assert sentence.startswith("… ")
    assert sentence.endswith(" …")
    assert "Gray" in sentence
    assert len(sentence) <= 610


def test_sentences_beside_a_cards_own_are_cut_at_words():
    texts = ["First word .", "word " * 40 + "ends here .", "Gray was 25 .", "He " + "word " * 40]
    text = " ".join(texts)
    tokens = [found.span() for found in re.finditer(r"\S+", text)]
    edges = [0, *accumulate(len(one.split()) for one in texts)]
    sentence_of = Sentences(Document(text=text, tokens=tokens, sentences=list(pairwise(edges))))

    before, after = sentence_of.beside(text.index("Gray"))
    assert re.fullmatch(r"… (word )+ends here \.", before)
    assert re.fullmatch(r"He (word )+…", after)
    assert LONGEST_BESIDE - 5 < len(before) <= LONGEST_BESIDE + 2
    assert LONGEST_BESIDE - 5 < len(after) <= LONGEST_BESIDE + 2
    assert sentence_of.beside(0)[0] == ""
    assert sentence_of.beside(len(text) - 5)[1] == ""
    assert sentence_of.beside(text.index("word word"))[0] == "First word ."


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"interface": "choice"}, [], "is a choice campaign; give a linking campaign"),
        ({"state": "closed"}, [], "is closed: it takes no more tasks"),
        ({}, ["--block-size", "61"], "A block of 61 cards does not work: give 4 to 60"),
        ({}, ["--most-blocks", "0"], "give --most-blocks 1 or more"),
        ({}, ["--threshold", "2"], r"threshold must be above 0 and at most 1, but is 2\.0"),
        ({}, ["--threshold", "1"], "No two of the 6 entities have similar names"),
    ],
)
def test_what_does_not_fit_is_told(entity, into, change, options, message):
    type(into).objects.filter(pk=into.pk).update(**change)
    with pytest.raises(CommandError, match=message):
        build(entity, into, *options)
    assert not into.tasks.exists()


def test_campaigns_that_do_not_fit_are_told(entity, into):
    other = make_campaign(interface="linking")
    with pytest.raises(CommandError, match="belong to different projects"):
        build(entity, other)
    with pytest.raises(CommandError, match="mentions come from an entity campaign"):
        build(into, into)
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'"):
        call_command("build_linking_tasks", "--campaign", "nowhere", "--into", into.slug)


def test_missing_run_and_missing_names_are_told(entity, into):
    empty = make_campaign(entity.project)
    with pytest.raises(CommandError, match="has not got a complete run"):
        build(empty, into)
    TEXTS["h"] = "Nobody is here ."
    marked(empty, "h")
    aggregate(empty, "mv-token")
    with pytest.raises(CommandError, match="found no entity without a link in 1 document:"):
        build(empty, into)


def test_two_at_once_are_held_apart(entity, into):
    with locks.hold(f"campaign:{into.slug}"), pytest.raises(CommandError, match="worked on by"):
        build(entity, into)


def test_entities_of_other_types_are_no_cards_where_types_are_named(entity, into):
    build(entity, into, "--alone", "--type", "LOC")
    assert [card["name"] for card in cards(into)] == ["London"]


@pytest.mark.parametrize("never", [{"link": False}, {"value": "date"}])
def test_names_of_types_that_are_never_linked_are_no_cards_but_where_they_are_named(
    entity, into, never
):
    types = [{"name": "PER"}, {"name": "LOC"} | never]
    set_schema(entity.project, {"entity_types": types})
    into.refresh_from_db()
    [told, _] = build(entity, into, "--alone")
    assert "London" not in {card["name"] for card in cards(into)}
    assert told.endswith(
        "6 entities, 0 of them linked already, 0 with a name like no other, 1 of types that are "
        "never linked (left out; --type takes them in)"
    )
    assert build(entity, into, "--alone", "--type", "LOC")[1] == "1 task made with 1 card"


def test_unknown_type_is_told(entity, into):
    with pytest.raises(CommandError, match="has no entity type 'GOD'"):
        build(entity, into, "--type", "GOD")
