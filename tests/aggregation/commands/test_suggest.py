"""suggest: what a campaign's consensus teaches, shown to the workers of its other tasks."""

from __future__ import annotations

import json
import uuid
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aggregation.actions.runs import aggregate
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.models import AggregationRun, Consensus
from annotation.actions import locks
from annotation.interfaces import interface
from annotation.models import AuditEntry, Campaign, Demand, Task
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from tests.aggregation.crowds import choice_campaign, make_workers, read, tagged_task
from tests.factories import make_campaign, make_document, make_response, make_task, make_worker

pytestmark = pytest.mark.django_db

NAMES = ["Ada", "Bea", "Cem", "Dan", "Eva", "Fay"]
TAGS = "O B-PER I-PER O O O O O"
SENTENCES = [[0, 5], [5, 8]]


def text(name):
    return f"Then {name} Byron slept . It rained ."


@pytest.fixture
def campaign():
    """Six documents that two workers labelled, and two that nobody has seen."""
    campaign, workers = make_campaign(slug="names"), make_workers(2)
    for name in NAMES:
        tagged_task(campaign, TAGS, TAGS, workers=workers, text=text(name), sentences=SENTENCES)
    for number, name in enumerate(["Gil", "Hoa"]):
        fresh(campaign, f"new{number}", text(name))
    aggregate(campaign, "mv-token")
    return campaign


def fresh(campaign, name, words, **fields):
    document = make_document(
        campaign.project, words, external_id=name, sentences=[[0, len(words.split())]]
    )
    return make_task(campaign, document, **fields)


def run(*arguments):
    out = StringIO()
    call_command("suggest", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def payloads():
    return dict(Task.objects.order_by("pk").values_list("external_id", "payload"))


def suggested(task):
    """(words, type) of what a task suggests; None where it suggests nothing."""
    task = Task.objects.select_related("document").get(external_id=task)
    if (answer := task.payload.get("suggestions")) is None:
        return None
    words = task.document.text
    return [(words[m["start"] : m["end"]], m["type"]) for m in answer["mentions"]]


def test_it_works(campaign):
    said = run("--campaign", "names").splitlines()
    made = AggregationRun.objects.get()
    assert said[0] == f"From mv-token {made.key}, learnt from 48 words."
    assert said[1].startswith("2 suggestions for 2 tasks, none for 0, in ")
    assert said[2] == "6 tasks stay as they are: somebody has seen or answered them."
    assert suggested("new0") == [("Gil Byron", "PER")]
    assert suggested("new1") == [("Hoa Byron", "PER")]
    by = payloads()["new0"]["suggested_by"]
    assert by["source"] == f"mv-token {made.key}"
    assert [0.5 <= sure <= 1 for sure in by["confidences"]] == [True]
    entry = AuditEntry.objects.get(action="import suggestions")
    assert entry.after == {"from": by["source"], "tasks": 2, "suggestions": 2}


def test_workers_do_not_see_whence_it_comes(campaign):
    run("--campaign", "names")
    row = campaign.tasks.values(*MATERIAL_COLUMNS).get(external_id="new0")
    page = interface("entity").page_data(material_of(row))
    assert page["suggestions"]["mentions"]
    assert not any(word in json.dumps(page) for word in ("suggested_by", "mv-token", "confidence"))


def test_again_it_changes_nothing(campaign):
    run("--campaign", "names")
    before = payloads()
    run("--campaign", "names")
    assert payloads() == before


def test_a_newer_consensus_takes_the_place_of_an_older_one(campaign):
    run("--campaign", "names")
    before = payloads()["new0"]
    newer = aggregate(campaign, "mv-seq")
    assert f"From mv-seq {newer.key}" in run("--campaign", "names")
    after = payloads()["new0"]
    assert after["suggested_by"]["source"] != before["suggested_by"]["source"]
    assert after["suggestions"] == before["suggestions"]
    assert after["suggested_at"] == before["suggested_at"]  # what is shown is the same
    older = AggregationRun.objects.exclude(pk=newer.pk).get()
    assert f"From mv-token {older.key}" in run("--campaign", "names", "--run", older.key)


def test_what_is_less_sure_is_left_out(campaign):
    said = run("--campaign", "names", "--least", "1")
    assert "0 suggestions for 0 tasks, none for 2" in said
    assert suggested("new0") is None
    run("--campaign", "names", "--least", "0")
    assert suggested("new0") == [("Gil Byron", "PER")]
    run("--campaign", "names", "--least", "1")
    assert suggested("new0") is None
    assert "suggested_by" not in payloads()["new0"]


def test_a_dry_run_writes_nothing(campaign):
    before = payloads()
    said = run("--campaign", "names", "--dry-run")
    assert "2 suggestions for 2 tasks" in said
    assert said.endswith("Nothing was written.\n")
    assert payloads() == before
    assert not AuditEntry.objects.filter(action="import suggestions").exists()


def test_what_somebody_has_seen_stays_as_it_was(campaign):
    make_response(campaign.tasks.get(external_id="new0"), make_worker(), read("O " * 8))
    said = run("--campaign", "names")
    assert "1 suggestions for 1 tasks" not in said  # in words, of one
    assert "1 suggestion for 1 task, none for 0" in said
    assert suggested("new0") is None
    assert suggested("new1") == [("Hoa Byron", "PER")]


def test_hidden_gold_is_given_what_others_are_and_teaches_nothing(campaign):
    """Answered by everybody, it would be the one kind of task without; and learnt from, the one
    whose suggestions are always right."""
    gold = fresh(campaign, "gold", text("Ida"), kind=Demand.Kind.HIDDEN)
    make_response(gold, make_worker(), read("O " * 8))
    aggregate(campaign, "mv-token")
    assert not Consensus.objects.filter(task=gold).exists()
    said = run("--campaign", "names")
    assert "learnt from 48 words" in said
    assert suggested("gold") == [("Ida Byron", "PER")]
    shown = {name: payload.keys() for name, payload in payloads().items()}
    assert shown["gold"] == shown["new0"] == shown["new1"]


def test_a_run_that_learnt_from_hidden_gold_is_refused(campaign):
    clamped = aggregate(campaign, "dawid-skene", clamp_gold=True)
    assert f"From dawid-skene {clamped.key}" in run("--campaign", "names")  # nothing is hidden
    fresh(campaign, "gold", text("Ida"), kind=Demand.Kind.HIDDEN)
    before = payloads()
    with pytest.raises(CommandError, match=r"Run first, without --clamp-gold: aggregate --camp"):
        run("--campaign", "names")
    with pytest.raises(CommandError, match=rf"Run {clamped.key} learnt from the answers to hidd"):
        run("--campaign", "names", "--run", clamped.key)
    assert payloads() == before
    aggregate(campaign, "dawid-skene")
    assert "From dawid-skene" in run("--campaign", "names")


def test_sentences_that_were_not_labelled_to_the_end_teach_nothing(campaign):
    tagged_task(
        campaign, "O B-PER I-PER O O O O ?", text=text("Kim"), sentences=SENTENCES,
        workers=make_workers(1),
    )  # fmt: skip
    aggregate(campaign, "mv-token")
    assert "learnt from 53 words" in run("--campaign", "names")


def test_types_that_the_schema_has_lost_are_not_suggested(campaign):
    project = campaign.project
    kept = [kind for kind in project.schema["entity_types"] if kind["name"] != "PER"]
    project.schema = project.schema | {"entity_types": kept}
    project.save(update_fields=["schema"])
    said = run("--campaign", "names")
    assert "The schema does not have PER: such spans are left out." in said
    assert suggested("new0") is None


def test_a_model_from_a_file_needs_no_consensus(campaign, tmp_path):
    path, model = tmp_path / "in.jsonl", tmp_path / "model.npz"
    documents = (
        {"id": name, "tokens": text(name).split(), "workers": {"w": TAGS.split()}} for name in NAMES
    )
    path.write_text("\n".join(map(json.dumps, documents)))
    call_command(
        "aggregate_file", str(path), "--method", "crf-conc", "--out", str(tmp_path / "out.jsonl"),
        "--model", str(model), stdout=StringIO(), stderr=StringIO(),
    )  # fmt: skip
    AggregationRun.objects.all().delete()
    assert run("--campaign", "names", "--model", model).startswith("From model.npz.\n")
    assert suggested("new0") == [("Gil Byron", "PER")]
    assert Tagger.load(model).tags == ("B-PER", "I-PER", "O")

    path.write_text(path.read_text().replace("PER", "FOOD"))
    call_command(
        "aggregate_file", str(path), "--method", "crf-conc", "--out", str(tmp_path / "out.jsonl"),
        "--model", str(model), stdout=StringIO(), stderr=StringIO(),
    )  # fmt: skip
    with pytest.raises(CommandError, match=r"model\.npz finds FOOD, and the schema has PER, LOC"):
        run("--campaign", "names", "--model", model)
    with pytest.raises(CommandError, match=r"nothing\.npz"):
        run("--campaign", "names", "--model", tmp_path / "nothing.npz")


def test_queries_do_not_grow_with_documents(campaign):
    def queries():
        with CaptureQueriesContext(
            connection,
        ) as found:
            run("--campaign", "names")
        return len(found)

    few = queries()
    for number in range(6):
        fresh(campaign, f"more{number}", text("Kim"))
    assert queries() == few


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--campaign", "x"], "There is no campaign 'x'"),
        (["--campaign", "names", "--least", "2"], r"The least confidence is 2\. Give a share"),
        (["--campaign", "names", "--run", uuid.UUID(int=5)], "'names' has no complete run 00000"),
        (["--campaign", "names", "--run", uuid.UUID(int=5), "--model", "m.npz"], "not allowed"),
    ],
)
def test_wrong_arguments_end_in_one_sentence(campaign, arguments, message):
    with pytest.raises(CommandError, match=message):
        run(*arguments)


def test_campaigns_that_can_have_none_are_told(campaign):
    choices = choice_campaign()
    with pytest.raises(CommandError, match=r"is of the kind 'choice'\. Suggestions are for"):
        run("--campaign", choices.slug)
    with pytest.raises(CommandError, match=r"has no consensus yet\. Run: aggregate --campaign"):
        run("--campaign", make_campaign().slug)
    with locks.hold("campaign:names"), pytest.raises(CommandError):
        run("--campaign", "names")
    Campaign.objects.update(state="closed")
    with pytest.raises(CommandError, match="is closed: it shows no task"):
        run("--campaign", "names")


def test_a_consensus_without_spans_teaches_nothing():
    campaign = make_campaign(slug="empty")
    tagged_task(campaign, "O O O O O O O O O")
    aggregate(campaign, "mv-token")
    with pytest.raises(CommandError, match=r"has no span in a sentence .* nothing to learn from"):
        run("--campaign", "empty")
