import csv
import gzip
import io
import json
import os
import struct
import uuid
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from annotation.actions.documents import ImportTally, import_documents
from annotation.models import (
    Assignment,
    GoldQuestion,
    GoldScore,
    ImportedAnswer,
    InstructionsVersion,
    Response,
)
from annotation.queries import exports
from config.pipe import Pipe
from tests.aggregation.crowds import choice_campaign, choice_task
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_project,
    make_response,
    make_task,
    make_worker,
)

NOBODY = {"mentions": [], "entities": [], "unlabelled": []}
ADA = NOBODY | {"mentions": [{"id": "m1", "start": 0, "end": 3, "type": "PER", "entity": None}]}


def respond(task, answer=NOBODY, **fields):
    return make_response(task, answer=answer, **fields)


def make_run(campaign, **fields):
    return AggregationRun.objects.create(
        **{
            "campaign": campaign,
            "method": "mv-token",
            "code_version": "1",
            "input_digest": "",
            "classes": ["B-PER", "O"],
            "state": "complete",
            "finished_at": timezone.now(),
        }
        | fields
    )


def make_consensus(run, task, answer=NOBODY, probabilities=(), **fields):
    packed = struct.pack(f"<{len(probabilities)}e", *probabilities)
    return Consensus.objects.create(
        run=run, task=task, answer=answer, probabilities=packed, **fields
    )


def make_texts(campaign, *texts):
    """A task for each text, in the order of their names."""
    return [
        make_task(campaign, make_document(campaign.project, text, external_id=f"d{number}"))
        for number, text in enumerate(texts)
    ]


def export(campaign, what, **options):
    out = StringIO()
    call_command(
        "export_annotations", campaign=campaign.slug, what=what, stdout=out, stderr=StringIO(),
        **options,
    )  # fmt: skip
    return out.getvalue()


def lines(campaign, what, **options):
    return [json.loads(line) for line in export(campaign, what, **options).splitlines()]


# --- What is in it ------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_response_stands_with_its_document_its_worker_and_its_facts():
    campaign = make_campaign()
    campaign.instructions = InstructionsVersion.objects.create(
        campaign=campaign, number=3, text="Mark the names."
    )
    campaign.save()
    document = make_document(
        campaign.project, "Ada left.", external_id="d1", title="One",
        attributes={"a": 1}, metadata={"b": [None]},
    )  # fmt: skip
    enrollment = make_enrollment(campaign, make_worker(external_id="w1"))
    now = timezone.now()
    assignment = Assignment.objects.create(
        task=make_task(campaign, document), worker=enrollment.worker, enrollment=enrollment,
        instructions=campaign.instructions, state="submitted", leased_at=now, expires_at=now,
    )  # fmt: skip
    Response.objects.create(
        assignment=assignment, answer=ADA, judgments=b"", seconds=2.5, received_at=now,
        gold_score=0.5,
    )  # fmt: skip
    assert lines(campaign, "responses") == [
        {
            "id": "d1",
            "title": "One",
            "text": "Ada left.",
            "tokens": [[0, 3], [4, 9]],
            "sentences": [[0, 2]],
            "attributes": {"a": 1},
            "metadata": {"b": [None]},
            "task": "d1",
            "answer": ADA,
            "worker": "w1",
            "state": "submitted",
            "seconds": 2.5,
            "received_at": now.isoformat(),
            "corrected_at": None,
            "gold_score": 0.5,
            "instructions": 3,
        }
    ]


@pytest.mark.django_db
def test_a_gold_score_is_the_one_that_counts_now():
    campaign = make_campaign()
    response = respond(make_task(campaign))
    GoldScore.objects.create(assignment=response.assignment, score=1.0, scored_at=timezone.now())
    assert [line["gold_score"] for line in lines(campaign, "responses")] == [1.0]


@pytest.mark.django_db
def test_every_response_is_there_once_in_the_order_of_the_tasks(monkeypatch):
    monkeypatch.setattr(exports, "TASKS_AT_ONCE", 2)
    campaign = make_campaign()
    tasks = make_texts(campaign, "Ada", "Bob", "Cy", "Di", "Ed")
    made = [respond(task) for task in [*reversed(tasks), *tasks]]
    late = respond(tasks[2], state="late")
    respond(make_texts(make_campaign(), "Other")[0])
    found = lines(campaign, "responses")
    assert [line["id"] for line in found] == [
        "d0", "d0", "d1", "d1", "d2", "d2", "d2", "d3", "d3", "d4", "d4"
    ]  # fmt: skip
    names = sorted(response.assignment.worker.external_id for response in [*made, late])
    assert sorted(line["worker"] for line in found) == names


@pytest.mark.django_db
def test_a_consensus_stands_with_its_confidence_per_token_and_its_run():
    campaign = make_campaign()
    judged, untouched, _ = make_texts(campaign, "Ada left now", "Bob", "never aggregated")
    nan = float("nan")
    run = make_run(campaign)
    make_consensus(run, judged, ADA, (0.75, 0.25, 0.125, 0.875, nan, nan), confidence=0.8125)
    make_consensus(run, untouched, NOBODY, (nan, nan), confidence=None)
    first, second = lines(campaign, "consensus")
    assert first["consensus"] == ADA
    assert (first["confidence"], first["token_confidence"]) == (0.8125, [0.75, 0.875, None])
    assert first["span_confidence"] is None  # of a run that was made before it was kept
    Consensus.objects.filter(task=judged).update(confidences={"spans": [0.625]})
    assert next(iter(lines(campaign, "consensus")))["span_confidence"] == [0.625]
    assert (first["run"], first["method"]) == (str(run.key), "mv-token")
    assert (second["confidence"], second["token_confidence"]) == (None, [None])


@pytest.mark.django_db
def test_a_consensus_of_choices_has_one_confidence():
    campaign = make_campaign(interface="choice", options={"choices": ["A", "B"]})
    (task,) = make_texts(campaign, "Ada")
    make_consensus(
        make_run(campaign), task, {"choice": "A"}, (0.75, 0.25), confidence=0.75,
        expected_errors=0.25,
    )  # fmt: skip
    (line,) = lines(campaign, "consensus")
    assert (line["consensus"], line["confidence"]) == ({"choice": "A"}, 0.75)
    assert line["expected_errors"] == 0.25
    assert "token_confidence" not in line


@pytest.mark.django_db
def test_a_consensus_of_piles_tells_how_sure_mentions_and_links_are():
    campaign = make_campaign(interface="linking")
    task = make_task(campaign, document=None)
    clusters = [{"link": "Q1", "mentions": ["a", "b"]}, {"link": None, "mentions": ["c"]}]
    answer = {"clusters": clusters, "unsure": [], "undecided": []}
    sure = {"mentions": {"a": 0.9, "b": 0.7, "c": None}, "links": [0.8, None]}
    run = make_run(campaign)
    make_consensus(run, task, answer, confidence=0.8, expected_errors=0.4, confidences=sure)
    (line,) = lines(campaign, "consensus")
    assert (line["mention_confidence"], line["link_confidence"]) == (
        sure["mentions"], sure["links"],
    )  # fmt: skip
    columns = ("text", "mention_confidence", "link_confidence", "expected_errors")
    assert [tuple(row[name] for name in columns) for row in table(campaign, "consensus")] == [
        ("a", "0.9", "0.8", "0.4"), ("b", "0.7", "0.8", "0.4"), ("c", "", "", "0.4"),
    ]  # fmt: skip
    Consensus.objects.update(confidences=None)  # as of what a person has decided
    assert [row["mention_confidence"] for row in table(campaign, "consensus")] == [""] * 3


@pytest.mark.django_db
def test_the_latest_complete_run_is_taken_unless_one_is_named():
    campaign = make_campaign()
    (task,) = make_texts(campaign, "Ada")
    older, newer = make_run(campaign, method="older"), make_run(campaign, method="newer")
    make_run(campaign, state="failed")
    for run in (older, newer):
        make_consensus(run, task, NOBODY, (0.5, 0.5))
    assert [line["method"] for line in lines(campaign, "consensus")] == ["newer"]
    assert [line["method"] for line in lines(campaign, "consensus", run=str(older.key))] == [
        "older"
    ]


@pytest.mark.django_db
def test_gold_is_the_gold_question_else_what_came_with_the_document():
    campaign = make_campaign()
    question, imported, both, retired, none = make_texts(campaign, *"abcde")
    for task in (imported, both, retired):
        ImportedAnswer.objects.create(
            document=task.document, interface="entity", source="gold", answer={"tags": ["O"]}
        )
    ImportedAnswer.objects.create(
        document=none.document, interface="entity", source="prediction", answer=NOBODY
    )
    GoldQuestion.objects.create(task=question, answer=NOBODY, explanation="Because.")
    GoldQuestion.objects.create(task=both, answer=NOBODY)
    GoldQuestion.objects.create(task=retired, answer=NOBODY, retired_at=timezone.now())
    found = lines(campaign, "gold")
    assert [(line["id"], line["gold"]) for line in found] == [
        ("d0", NOBODY), ("d1", {"tags": ["O"]}), ("d2", NOBODY)
    ]  # fmt: skip
    assert found[0]["explanation"] == "Because."


@pytest.mark.django_db
def test_documents_that_are_not_visible_are_left_out():
    campaign = make_campaign()
    hidden = make_document(
        campaign.project, import_run=make_import(campaign.project, state="undone")
    )
    respond(make_task(campaign, hidden))
    assert lines(campaign, "responses") == []


@pytest.mark.django_db
def test_a_task_without_a_document_has_its_answer_alone():
    campaign = make_campaign(interface="choice", options={"choices": ["A", "B"]})
    task = make_task(campaign, external_id="t1")
    task.document = None
    task.save()
    respond(task, {"choice": "A"})
    (line,) = lines(campaign, "responses")
    assert (line["task"], line["answer"]["choice"]) == ("t1", "A")
    assert "id" not in line


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["responses", "consensus", "gold"])
def test_the_number_of_queries_is_that_of_the_chunks_and_not_of_the_rows(what):
    campaign = make_campaign()
    run = make_run(campaign)

    def add(number):
        for _ in range(number):
            task = make_task(campaign)
            GoldQuestion.objects.create(task=task, answer=NOBODY)
            make_consensus(run, task, NOBODY, (0.5, 0.5) * 7)
            for _ in range(2):
                respond(task)

    def queries():
        with CaptureQueriesContext(connection) as captured:
            export(campaign, what)
        return len(captured)

    add(1)
    few = queries()
    add(8)
    assert queries() == few


# --- CoNLL --------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_conll_has_a_block_for_each_response():
    campaign = make_campaign()
    document = make_document(
        campaign.project, "Ada left. Bob came.", external_id="d1", sentences=[[0, 2], [2, 4]]
    )
    task = make_task(campaign, document)
    for name, answer in (("w1", ADA), ("w2", {"tags": ["I-PER", "?", "B-PER", "O"]})):
        respond(task, answer, worker=make_worker(external_id=name))
    first, second = export(campaign, "responses", format="conll").split("# id = d1\n")[1:]
    assert "# worker = w1\n" in first
    assert first.endswith("Ada\tB-PER\nleft.\tO\n\nBob\tO\ncame.\tO\n\n")
    assert second.endswith("Ada\tI-PER\nleft.\t?\n\nBob\tB-PER\ncame.\tO\n\n")


@pytest.mark.django_db
def test_conll_of_a_consensus_comes_back_as_documents_with_gold(tmp_path):
    campaign = make_campaign()
    (task,) = make_texts(campaign, "Ada left")
    make_consensus(make_run(campaign), task, ADA, (0.5,) * 4, confidence=0.5)
    path = tmp_path / "out.conll"
    export(campaign, "consensus", format="conll", out=str(path))
    project = make_project()
    import_documents(project, path)
    document = project.documents.get()
    assert (document.external_id, document.text) == ("d0", "Ada left")
    assert document.imported_answers.get().answer == {"tags": ["B-PER", "O"]}


@pytest.mark.django_db
def test_conll_has_no_place_for_a_task_without_a_document():
    campaign = make_campaign()
    (task,) = make_texts(campaign, "Ada")
    respond(task)
    task.document = None
    task.save()
    assert export(campaign, "responses", format="conll") == ""


@pytest.mark.django_db
def test_conll_is_refused_for_other_interfaces():
    with pytest.raises(CommandError, match="CoNLL holds entities, and 'c' is a choice campaign"):
        export(make_campaign(slug="c", interface="choice"), "responses", format="conll")


# --- Files --------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_file_is_packed_where_its_name_ends_in_gz(tmp_path):
    campaign = make_campaign()
    respond(make_texts(campaign, "Ada 😀")[0])
    path = tmp_path / "out.jsonl.gz"
    told = export(campaign, "responses", out=str(path))
    assert told == f"1 response of '{campaign.slug}' was written to {path}.\n"
    assert json.loads(gzip.decompress(path.read_bytes()))["text"] == "Ada 😀"


@pytest.mark.django_db
def test_an_error_on_the_way_leaves_the_file_as_it_was(tmp_path):
    campaign = make_campaign()
    first, second = make_texts(campaign, "Ada", "Bob")
    run = make_run(campaign)
    make_consensus(run, first, NOBODY, (0.5, 0.5))
    make_consensus(run, second, NOBODY)
    Consensus.objects.filter(task=second).update(probabilities=b"x")
    path = tmp_path / "out.jsonl"
    path.write_text("before")
    with pytest.raises(struct.error):
        export(campaign, "consensus", out=str(path))
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["out.jsonl"]


@pytest.mark.django_db
def test_a_file_that_can_not_be_written_is_one_clear_sentence(tmp_path):
    with pytest.raises(CommandError, match="missing/out can't be written: No such file"):
        export(make_campaign(), "responses", out=str(tmp_path / "missing" / "out"))


@pytest.mark.django_db
def test_standard_output_is_utf_8_whatever_the_locale_says(monkeypatch):
    campaign = make_campaign()
    respond(make_texts(campaign, "Ada 😀")[0])
    binary = io.BytesIO()
    stdout = io.TextIOWrapper(binary, encoding="ascii")
    call_command(
        "export_annotations", campaign=campaign.slug, what="responses",
        stdout=stdout, stderr=StringIO(),
    )  # fmt: skip
    assert json.loads(binary.getvalue())["text"] == "Ada 😀"


@pytest.mark.django_db
def test_a_reader_that_goes_away_is_no_crash():
    campaign = make_campaign()
    for task in make_texts(campaign, *["Ada met Bob " * 50] * 40):
        respond(task)
    read, write = os.pipe()
    os.close(read)
    gone = io.TextIOWrapper(io.BufferedWriter(Pipe(write, "wb")))  # as manage.py makes it
    with gone, pytest.raises(SystemExit) as end:
        call_command(
            "export_annotations", campaign=campaign.slug, what="responses", stdout=gone,
            stderr=StringIO(),
        )  # fmt: skip
    assert end.value.code == 141


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"what": "consensus"}, "has no complete run. Make one first: aggregate --campaign c"),
        ({"what": "consensus", "run": "x"}, "has no complete run 'x'"),
        ({"what": "consensus", "run": str(uuid.uuid4())}, "has no complete run"),
        ({"what": "gold", "run": "x"}, "--run goes with --what consensus or sure only"),
    ],
)
def test_what_is_asked_for_and_not_there_is_named(options, message):
    with pytest.raises(CommandError, match=message):
        export(make_campaign(slug="c"), **options)


@pytest.mark.django_db
def test_an_unknown_campaign_is_refused():
    with pytest.raises(CommandError, match="There is no campaign 'x'"):
        call_command("export_annotations", campaign="x", what="gold")


# --- There and back -----------------------------------------------------------------------------

word = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=5
) | st.sampled_from(
    [
        "👨‍👩‍👧‍👦",
        "🇩🇪",
        "e\u0301",
        "東京",
        "สวัสดี",
        "مرحبا",
        "‏שלום",
        "O'Brien",
        "1,200.5",
        "\\u0000",
        "a\u00adb",
    ]
)
text = st.lists(
    word | st.sampled_from([" ", "\n", "\t", ". ", "\u2028"]), min_size=1, max_size=8
).map("".join)
storable = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=6)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
members = st.dictionaries(
    storable, st.none() | st.booleans() | numbers | st.lists(storable, max_size=3), max_size=3
)


@st.composite
def documents(draw):
    document = {"text": draw(text), "attributes": draw(members), "metadata": draw(members)}
    document["title"] = draw(storable)
    if draw(st.booleans()):
        words = draw(st.lists(word.filter(str.strip).map(str.strip), min_size=1, max_size=5))
        document |= {"text": None, "tokens": words}
        tag = st.sampled_from(["O", "B-PER", "I-LOC", "?"])
        document["gold"] = draw(st.lists(tag, min_size=len(words), max_size=len(words)))
    elif visible := [i for i, char in enumerate(document["text"]) if char.isalnum()]:
        start, end = sorted([draw(st.sampled_from(visible)), draw(st.sampled_from(visible))])
        mention = {"start": start, "end": end + 1, "type": "LOC"}
        document["gold"] = {"mentions": [mention], "unlabelled": []}
    return document


class ThereAndBack(TestCase):
    @settings(max_examples=30)
    @given(st.lists(documents(), max_size=3))
    def test_what_was_exported_is_imported_as_the_same_documents_with_the_same_gold(self, given):
        given = [fields | {"id": f"d{number}"} for number, fields in enumerate(given)]
        project = make_project()
        import_lines(project, given)
        campaign = make_campaign(project)
        for document in project.documents.all():
            respond(make_task(campaign, document))
        for what in ("responses", "gold"):
            exported = lines(campaign, what)
            other = make_project()
            run = import_lines(other, exported)
            assert run.rejected == run.split_tokens == 0
            kept = project.documents.all()
            if what == "gold":
                kept = kept.filter(imported_answers__source="gold")
            assert contents(other) == contents(project, kept, answers=what == "gold")
        # Gold is a part of what a document says; so those that have it are the same as before.
        assert import_lines(project, lines(campaign, "gold")).added == 0


def import_lines(project, documents):
    tally = ImportTally()
    content = "".join(json.dumps(fields) + "\n" for fields in documents).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        return import_documents(project, "-", format="jsonl", tally=tally)


def contents(project, documents=None, *, answers=True):
    documents = project.documents.all() if documents is None else documents
    columns = ("external_id", "title", "text", "tokens", "sentences", "attributes", "metadata")
    found = list(documents.order_by("external_id").values_list(*columns))
    if not answers:
        return found, []
    gold = ImportedAnswer.objects.filter(document__project=project, source="gold")
    return found, list(
        gold.order_by("document__external_id").values_list("document__external_id", "answer")
    )


# --- Tables, and workers ------------------------------------------------------------------------


def table(campaign, what, **options) -> list[dict[str, str]]:
    out = StringIO()
    call_command(
        "export_annotations", campaign=campaign.slug, what=what, format="csv", stdout=out, **options
    )
    return list(csv.DictReader(StringIO(out.getvalue())))


@pytest.mark.django_db
def test_table_has_a_row_for_each_name_and_one_for_a_text_without_any():
    campaign = make_campaign()
    linked = ADA | {"entities": [{"id": "e1", "canonical": "m1", "link": "Q7259", "value": None}]}
    linked["mentions"] = [ADA["mentions"][0] | {"entity": "e1"}]
    respond(
        make_task(campaign, make_document(campaign.project, external_id="d1"), external_id="t1"),
        linked,
    )
    respond(
        make_task(campaign, make_document(campaign.project, external_id="=2+3"), external_id="t2"),
        NOBODY,
    )
    first, second = table(campaign, "responses")
    assert (first["task"], first["document"], first["state"]) == ("t1", "d1", "submitted")
    assert [first[name] for name in ("label", "start", "end", "text", "link")] == [
        "PER", "0", "3", "Ada", "Q7259",
    ]  # fmt: skip
    assert (second["document"], second["label"], second["start"]) == ("'=2+3", "", "")


@pytest.mark.django_db
def test_table_of_a_consensus_tells_confidence_and_tags_as_names():
    campaign = make_campaign()
    task = make_task(campaign, make_document(campaign.project))
    tags = {"tags": ["B-PER", "I-PER", "O", "O", "O", "B-LOC", "O"]}
    make_consensus(make_run(campaign), task, tags, confidence=0.75)
    rows = table(campaign, "consensus")
    assert [(row["label"], row["text"]) for row in rows] == [
        ("PER", "Ada Lovelace"), ("LOC", "London"),
    ]  # fmt: skip
    assert {(row["confidence"], row["method"]) for row in rows} == {("0.75", "mv-token")}
    assert [row["span_confidence"] for row in rows] == ["", ""]  # an older run has none


@pytest.mark.django_db
def test_table_of_a_consensus_tells_how_sure_each_name_is():
    campaign = make_campaign()
    task = make_task(campaign, make_document(campaign.project, "Ada Byron met Bob"))
    inner = {"id": "m2", "start": 4, "end": 9, "type": "LOC", "entity": None}
    outer = {"id": "m1", "start": 0, "end": 9, "type": "PER", "entity": None}
    answer = NOBODY | {"mentions": [inner, outer]}  # the file keeps the order of the answer
    sure = {"spans": [0.9, 0.4]}  # in the text's order, the longer of two first
    make_consensus(make_run(campaign), task, answer, confidences=sure)
    rows = table(campaign, "consensus")
    assert [(row["text"], row["span_confidence"]) for row in rows] == [
        ("Byron", "0.4"), ("Ada Byron", "0.9"),
    ]  # fmt: skip
    Consensus.objects.update(confidences={"spans": [0.9]})  # of other names than these
    assert {row["span_confidence"] for row in table(campaign, "consensus")} == {""}


@pytest.mark.django_db
def test_table_of_choices_and_of_piles():
    choices = make_campaign(interface="choice", options={"choices": ["A", "B"]})
    said = {"choice": "A", "unsure": False, "value": None, "note": ""}
    respond(make_task(choices), said)
    assert [row["label"] for row in table(choices, "responses")] == ["A"]
    piles = make_campaign(interface="linking")
    answer = {
        "clusters": [{"link": "Q1", "mentions": ["a", "b"]}, {"link": None, "mentions": ["c"]}],
        "unsure": [], "undecided": [],
    }  # fmt: skip
    task = make_task(piles, document=None)
    GoldQuestion.objects.create(task=task, answer=answer)
    assert [(row["label"], row["text"], row["link"]) for row in table(piles, "gold")] == [
        ("1", "a", "Q1"), ("1", "b", "Q1"), ("2", "c", ""),
    ]  # fmt: skip


@pytest.mark.django_db
def test_workers_are_written_with_what_the_latest_run_says_of_them():
    campaign = make_campaign(currency="USD")
    anna = make_enrollment(
        campaign, make_worker(external_id="anna"), submitted=3, seconds=90, earned_mills=450,
        gold_seen=2, gold_score_sum=1.5,
    )  # fmt: skip
    make_enrollment(campaign, make_worker(external_id="bo"))
    run = make_run(campaign)
    WorkerReliability.objects.create(
        run=run, worker=anna.worker, judged=12, accuracy=0.9, low=0.8, high=0.95
    )
    first, second = table(campaign, "workers")
    assert first["worker"] == "anna"
    assert [first[name] for name in ("submitted", "earned", "gold_score", "reliability")] == [
        "3", "0.45", "0.75", "0.9",
    ]  # fmt: skip
    assert (second["worker"], second["reliability"], second["method"]) == ("bo", "", "")
    out = StringIO()
    call_command("export_annotations", campaign=campaign.slug, what="workers", stdout=out)
    assert json.loads(out.getvalue().splitlines()[0])["judged"] == 12
    with pytest.raises(CommandError, match="no workers"):
        call_command("export_annotations", campaign=campaign.slug, what="workers", format="conll")


@pytest.mark.django_db
def test_what_is_sure_leaves_out_what_a_person_should_decide():
    campaign = choice_campaign()
    sure = choice_task(campaign, "yes", "yes", "yes")
    choice_task(campaign, "yes", "no", "maybe")
    with pytest.raises(CommandError, match="has no complete run"):
        lines(campaign, "sure")
    run = aggregate(campaign, "majority")
    assert [line["id"] for line in lines(campaign, "sure")] == [sure.external_id]
    assert len(lines(campaign, "consensus")) == 2
    run.diagnostics.pop("expected_errors")
    run.save(update_fields=["diagnostics"])
    with pytest.raises(CommandError, match="Aggregate again"):
        lines(campaign, "sure")
