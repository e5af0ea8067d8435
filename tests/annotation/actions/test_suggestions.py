"""Suggestions for the tasks of a campaign: whence they come, and which tasks get them."""

from __future__ import annotations

import json

import pytest

from annotation.actions import campaigns, suggestions
from annotation.actions.suggestions import SuggestionsRefused
from annotation.models import Campaign, Demand, Entity, ImportedAnswer
from tests.factories import (
    make_campaign,
    make_document,
    make_project,
    make_response,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

TEXT = "Ada Lovelace was born in London ."
ADA = {"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": None}
ONE = {"mentions": [ADA], "entities": [], "unlabelled": []}


@pytest.fixture
def campaign():
    campaign = make_campaign(make_project())
    make_task(campaign, make_document(campaign.project, TEXT, external_id="d1"))
    make_task(campaign, make_document(campaign.project, "Nothing here .", external_id="d2"))
    return campaign


def suggested(campaign, name="d1"):
    """(words, type) of what is suggested for a task; None where nothing is."""
    task = campaign.tasks.select_related("document").get(external_id=name)
    answer = task.payload.get("suggestions")
    if answer is None or "tags" in answer:
        return answer
    text = task.document.text
    return [(text[m["start"] : m["end"]], m["type"]) for m in answer["mentions"]]


def write(path, *lines):
    path.write_text(
        "".join(f"{line if type(line) is str else json.dumps(line)}\n" for line in lines)
    )
    return path


# --- A system's file ----------------------------------------------------------------------------


def test_mentions_and_tags_of_a_file_become_suggestions(campaign, tmp_path):
    path = write(
        tmp_path / "model.jsonl",
        {"id": "d1", "mentions": [{"start": 0, "end": 12, "type": "PER", "score": 0.9}]},
        {"id": "d2", "tags": ["O", "B-LOC", "O"]},
    )
    tally = suggestions.suggest_from_file(campaign, path)
    assert (tally.tasks, tally.suggestions, tally.rejected) == (2, 2, 0)
    assert suggested(campaign) == [("Ada Lovelace", "PER")]
    assert suggested(campaign, "d2") == {"tags": ["O", "B-LOC", "O"]}


def test_a_file_of_documents_gives_its_predictions_if_the_texts_agree(campaign, tmp_path):
    prediction = {"mentions": [{"start": 0, "end": 12, "type": "PER"}]}
    path = write(
        tmp_path / "model.jsonl",
        {"id": "d1", "text": TEXT, "predictions": prediction},
        {"id": "d2", "text": "Another text .", "predictions": ["O", "O", "O"]},
    )
    tally = suggestions.suggest_from_file(campaign, path)
    assert suggested(campaign) == [("Ada Lovelace", "PER")]
    assert [(one.line, one.field) for one in tally.reasons] == [(2, "text")]


def test_conll_is_taken_where_its_words_are_the_documents(campaign, tmp_path):
    words = ["Ada\tB-PER", "Lovelace\tI-PER", *(f"{word}\tO" for word in TEXT.split()[2:])]
    path = write(
        tmp_path / "model.conll",
        "# id = d1",
        *words,
        "",
        "# id = d2",
        "Nothing\tO",
        "there\tO",
        ".\tO",
    )
    tally = suggestions.suggest_from_file(campaign, path)
    assert suggested(campaign)["tags"][:3] == ["B-PER", "I-PER", "O"]
    assert [one.reason for one in tally.reasons] == ["Word 2 is 'there', in the document 'here'."]


def test_lines_of_which_nothing_can_be_read_are_told(campaign, tmp_path, settings):
    settings.MAX_IMPORT_LINE_BYTES = 200
    path = write(
        tmp_path / "model.jsonl",
        {"id": "d1", "predictions": ["O", "O", "O", "O", "O", "B-LOC", "O"]},
        {"id": "d2", "mentions": [ADA] * 9},
    )
    tally = suggestions.suggest_from_file(campaign, path)
    assert suggested(campaign)["tags"][5] == "B-LOC"
    assert [one.reason for one in tally.reasons] == ["The line is longer than 200 bytes."]
    words = [f"{word}\t{tag}" for word, tag in zip(TEXT.split(), ["O"] * 7, strict=True)]
    path = write(tmp_path / "model.conll", "# id = d1", *words[:-1], "", "# id = d2", "Nothing")
    told = [one.reason for one in suggestions.suggest_from_file(campaign, path).reasons]
    assert sorted(told) == [
        "It has 6 words, the document has 7.", "There are no tags in it.",
    ]  # fmt: skip
    broken = write(tmp_path / "broken.conll", "# id = d1", "Ada\tX")
    (wrong,) = suggestions.suggest_from_file(campaign, broken).reasons
    assert (wrong.line, wrong.external_id) == (2, "d1")


def test_mentions_are_widened_to_whole_words(campaign, tmp_path):
    mentions = [{"start": 1, "end": 13, "type": "PER"}, {"start": 24, "end": 30, "type": "LOC"}]
    path = write(tmp_path / "model.jsonl", {"id": "d1", "mentions": mentions})
    assert suggestions.suggest_from_file(campaign, path).moved == 2
    assert suggested(campaign) == [("Ada Lovelace", "PER"), ("London", "LOC")]


@pytest.mark.parametrize(
    ("line", "where", "reason"),
    [
        ("{", "", "This is no JSON"),
        ({"mentions": []}, "id", "There is no id"),
        ({"id": "d1"}, "", "neither mentions nor tags"),
        ({"id": "d9", "mentions": []}, "id", "has no document of this name"),
        ({"id": "d1", "tags": ["O"]}, "tags", "the document has 7 words"),
        ({"id": "d1", "mentions": [ADA | {"type": "FOOD"}]}, "mentions[0].type", "FOOD"),
        ({"id": "d1", "mentions": [ADA | {"end": 99}]}, "mentions[0].end", "outside the text"),
        ({"id": "d1", "mentions": [ADA, ADA | {"id": "m2"}]}, "mentions[1]", "overlaps"),
        ({"id": "d1", "mentions": 3}, "mentions", ""),
        ({"id": "d1", "mentions": [3, {"start": 12, "end": 13}]}, "mentions[0]", ""),
    ],
)
def test_a_wrong_line_is_told_with_its_number_and_others_are_taken(
    campaign, tmp_path, line, where, reason
):
    path = write(tmp_path / "model.jsonl", {"id": "d2", "tags": ["O", "B-LOC", "O"]}, "", line)
    tally = suggestions.suggest_from_file(campaign, path)
    (told,) = tally.reasons
    assert (told.line, told.field) == (3, where)
    assert reason in told.reason
    assert tally.tasks == 1


def test_a_file_that_cannot_be_read_changes_nothing(campaign, tmp_path):
    with pytest.raises(SuggestionsRefused, match="can't be opened"):
        suggestions.suggest_from_file(campaign, tmp_path / "none.jsonl")


# --- Which tasks --------------------------------------------------------------------------------


def test_a_task_that_somebody_has_seen_keeps_what_it_had(campaign, tmp_path):
    make_response(campaign.tasks.get(external_id="d1"), make_worker(), ONE)
    path = write(tmp_path / "names", "Ada Lovelace\tPER", "here\tLOC")
    tally = suggestions.suggest_names(campaign, path)
    assert (tally.skipped, tally.tasks) == (1, 1)
    assert suggested(campaign) is None


def test_hidden_gold_has_what_the_tasks_of_today_have(campaign, tmp_path):
    """Answered by everybody, it would be the one kind of task without."""
    Demand.objects.filter(task__external_id="d1").update(kind=Demand.Kind.HIDDEN)
    make_response(campaign.tasks.get(external_id="d1"), make_worker(), ONE)
    path = write(tmp_path / "names", "Ada Lovelace\tPER", "here\tLOC")
    tally = suggestions.suggest_names(campaign, path)
    assert (tally.skipped, tally.tasks) == (0, 2)
    assert suggested(campaign) == [("Ada Lovelace", "PER")]


def test_later_suggestions_take_the_place_of_earlier_ones(campaign, tmp_path):
    suggestions.suggest_names(campaign, write(tmp_path / "names", "Ada Lovelace\tPER"))
    tally = suggestions.suggest_names(campaign, write(tmp_path / "names", "here\tLOC"))
    assert (tally.tasks, tally.without) == (1, 1)
    assert suggested(campaign) is None
    assert suggested(campaign, "d2") == [("here", "LOC")]


def test_a_draft_gets_its_tasks_and_is_opened_with_them_and_its_gold(tmp_path):
    project = make_project()
    for _ in range(3):
        document = make_document(project, TEXT)
        for source in ("gold", "prediction"):
            ImportedAnswer.objects.create(
                document=document, interface="entity", source=source, answer=ONE
            )
    draft = make_campaign(
        project, state="draft", gold_every=3, options={"hidden_gold": 2, "suggestions": True}
    )
    suggestions.suggest_names(draft, write(tmp_path / "names", "London\tLOC"))
    assert (draft.tasks.count(), draft.demands.count()) == (3, 0)
    assert "redundancy" in campaigns.editable(draft)
    campaigns.open_campaign(draft)
    kinds = sorted(draft.demands.values_list("kind", flat=True))
    assert kinds == [Demand.Kind.PLAIN, Demand.Kind.HIDDEN, Demand.Kind.HIDDEN]
    # The campaign's own suggestions are not overwritten by the file's predictions.
    for task in draft.tasks.all():
        assert [one["type"] for one in task.payload["suggestions"]["mentions"]] == ["LOC"]


def test_predictions_of_the_documents_file_can_be_shown_later_too(campaign):
    document = campaign.tasks.get(external_id="d1").document
    ImportedAnswer.objects.create(
        document=document, interface="entity", source="prediction", answer=ONE
    )
    assert suggestions.suggest_predictions(campaign).tasks == 1
    assert suggested(campaign) == [("Ada Lovelace", "PER")]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"state": "closed"}, "is closed"), ({"interface": "relation"}, "of the kind 'relation'")],
)
def test_other_campaigns_take_no_suggestions(campaign, tmp_path, fields, reason):
    Campaign.objects.filter(pk=campaign.pk).update(**fields)
    campaign.refresh_from_db()
    with pytest.raises(SuggestionsRefused, match=reason):
        suggestions.suggest_names(campaign, write(tmp_path / "names", "London\tLOC"))


# --- Names --------------------------------------------------------------------------------------


def test_names_of_the_knowledge_base_bring_their_links(campaign):
    for key, name, kind in [
        ("Q1", "Ada Lovelace", "PER"), ("Q2", "London", "LOC"), ("Q3", "London", "ORG"),
        ("Q4", "born", "VERB"), ("Q5", ".", "LOC"),
    ]:  # fmt: skip
        Entity.objects.create(project=campaign.project, key=key, name=name, type=kind)
    tally = suggestions.suggest_names(campaign)
    assert (tally.names, tally.ambiguous, tally.strange) == (3, 2, 1)  # London, LONDON
    assert suggested(campaign) == [("Ada Lovelace", "PER")]
    payload = campaign.tasks.get(external_id="d1").payload
    assert payload["suggestions"]["entities"][0]["link"] == "Q1"


def test_without_a_name_to_look_for_nothing_is_done(campaign, tmp_path):
    with pytest.raises(SuggestionsRefused, match="no entry of a type of the schema"):
        suggestions.suggest_names(campaign)
    with pytest.raises(SuggestionsRefused, match="holds no name"):
        suggestions.suggest_names(campaign, write(tmp_path / "names", "# only a note"))


def test_a_wrong_line_of_names_refuses_the_file(campaign, tmp_path):
    path = write(
        tmp_path / "names", "Ada\tPER", "London", "Paris\tCITY", "\tPER", "Ada\tLOC",
        "x\tPER\ty\tz", f"x\tPER\t{'k' * 300}", "y" * 5000,
    )  # fmt: skip
    with pytest.raises(SuggestionsRefused, match="7 mistakes in names") as caught:
        suggestions.suggest_names(campaign, path)
    told = [(one.line, one.field) for one in caught.value.lines]
    assert told == [(2, ""), (3, "type"), (4, "name"), (5, "type"), (6, ""), (7, "key"), (8, "")]
    assert caught.value.lines[3].reason == "'Ada' is PER in line 1. Give it one type."
    assert suggested(campaign) is None
