"""Known answers out of a file: all or none, and for any interface."""

from __future__ import annotations

import json
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.actions import assignments
from annotation.actions.assignments.demand import make_gold
from annotation.actions.campaigns import create_campaign, create_tasks_on, open_campaign
from annotation.actions.gold_import import GoldFileRefused, import_gold
from annotation.actions.integrity import check_campaign
from annotation.models import Demand, GoldQuestion
from tests.factories import (
    GOLD_NEXT,
    make_campaign,
    make_document,
    make_enrollment,
    make_project,
    make_task,
)

pytestmark = pytest.mark.django_db

ADA = {"mentions": [{"id": "m1", "start": 0, "end": 12, "type": "PER"}]}
KNOWN = {
    "mentions": [ADA["mentions"][0] | {"entity": None}], "entities": [], "unlabelled": [],
}  # fmt: skip


def write(path, *rows):
    file = path / "gold.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


def test_documents_of_a_draft_become_questions_and_the_others_work(tmp_path):
    project = make_project()
    for name in ("d1", "d2", "d3", "d4"):
        make_document(project, external_id=name)
    campaign = create_campaign(
        project, slug="c", name="C", interface="entity", training_size=1, redundancy=1
    )
    file = write(
        tmp_path,
        {"task": "d1", "answer": ADA, "gold": "practice", "explanation": "Ada is a person."},
        {"task": "d2", "answer": ADA, "tolerance": 1},
        {"task": "d4", "answer": ADA, "gold": "exam"},
    )
    tally = import_gold(campaign, file)
    assert (tally.hidden, tally.practice, tally.exam) == (1, 1, 1)
    open_campaign(campaign)
    kinds = dict(Demand.objects.values_list("task__external_id", "kind"))
    assert kinds == {"d1": 1, "d2": 2, "d3": 0, "d4": 3}
    question = GoldQuestion.objects.get(task__external_id="d2")
    assert (question.tolerance, question.answer["mentions"][0]["entity"]) == (1, None)
    assert check_campaign(campaign) == []
    again = import_gold(campaign, file)
    assert (again.hidden, again.unchanged) == (0, 3)


def test_pairs_of_a_relation_campaign_become_questions(tmp_path):
    project = make_project()
    document = make_document(project)
    campaign = make_campaign(project, interface="relation", state="draft")
    payload = {
        "subject": {"id": "a", "start": 0, "end": 2, "type": "PER"},
        "object": {"id": "b", "start": 5, "end": 6, "type": "LOC"},
    }
    create_tasks_on(campaign, [(document.pk, f"t{number}", payload) for number in range(2)])
    known = {"relation": "per:born_in"}
    import_gold(campaign, write(tmp_path, {"task": "t0", "answer": known}))
    assert GoldQuestion.objects.get().answer["relation"] == "per:born_in"
    assert Demand.objects.get(task__external_id="t1").kind == 0


def test_every_mistake_is_named_and_nothing_is_made(tmp_path):
    campaign = make_campaign()
    for name in ("free", "taken"):
        make_task(campaign, make_document(campaign.project, external_id=name))
    Demand.objects.filter(task__external_id="taken").update(priority=0, rank=0)
    worker = make_enrollment(campaign)
    held = assignments.claim_next(worker.key).assignment
    assert held.task.external_id == "taken"
    wrong = {"mentions": [{"id": "m1", "start": 0, "end": 5, "type": "PER"}]}
    file = write(
        tmp_path,
        {"task": "nowhere", "answer": ADA},
        {"task": "taken", "answer": ADA},
        {"task": "free", "answer": wrong},
        {"task": "free", "answer": ADA},
        {"task": "x"},
        {"task": "y", "answer": ADA, "gold": "secret", "note": 1},
    )
    with pytest.raises(GoldFileRefused, match="nothing was imported") as refused:
        import_gold(campaign, file)
    assert [(one.line, one.field) for one in refused.value.lines] == [
        (4, "task"), (5, "answer"), (6, "note"), (6, "gold"),
    ]  # fmt: skip
    file = write(
        tmp_path,
        {"task": "nowhere", "answer": ADA},
        {"task": "taken", "answer": ADA},
        {"task": "free", "answer": wrong},
    )
    with pytest.raises(GoldFileRefused) as refused:
        import_gold(campaign, file)
    assert [(one.line, one.field) for one in refused.value.lines] == [
        (1, "task"), (2, "task"), (3, "answer.mentions[0].end"),
    ]  # fmt: skip
    assert "given out as work already" in refused.value.lines[1].reason
    assert not GoldQuestion.objects.exists()


def test_another_answer_corrects_the_question_and_its_kind_stays(tmp_path):
    campaign = make_campaign(gold_every=2)
    task = make_task(campaign, kind=Demand.Kind.HIDDEN)
    GoldQuestion.objects.create(task=task, answer=ADA)
    nothing = {"mentions": [], "entities": []}
    name = task.external_id
    tally = import_gold(campaign, write(tmp_path, {"task": name, "answer": nothing}))
    assert tally.corrected == 1
    assert GoldQuestion.objects.get().answer["mentions"] == []
    changed = write(tmp_path, {"task": name, "answer": nothing, "gold": "practice"})
    with pytest.raises(GoldFileRefused) as refused:
        import_gold(campaign, changed)
    assert "hidden gold already" in refused.value.lines[0].reason


def test_a_file_costs_no_query_for_a_question_that_is_there_and_scores_once(tmp_path):
    campaign = make_campaign(gold_every=2)
    for number in range(3):
        task = make_task(campaign, kind=Demand.Kind.HIDDEN, external_id=f"g{number}")
        GoldQuestion.objects.create(task=task, answer=KNOWN)
    worker = make_enrollment(campaign, **GOLD_NEXT)
    for _ in range(3):
        lease = assignments.claim_next(worker.key).assignment
        assignments.submit(worker.key, lease.key, {"mentions": [], "entities": []})
        type(worker).objects.update(**GOLD_NEXT, rest_until=None)

    def asked(*rows):
        file = write(tmp_path, *rows)
        with CaptureQueriesContext(connection) as queries:
            import_gold(campaign, file)
        return [query["sql"] for query in queries]

    names = [f"g{number}" for number in range(3)]
    few = asked({"task": "g0", "answer": ADA})
    many = asked(*({"task": name, "answer": ADA} for name in names))
    assert len(many) == len(few)
    nothing = {"mentions": [], "entities": []}
    changed = asked(*({"task": name, "answer": nothing} for name in names))
    assert sum(sql.startswith('UPDATE "annotation_enrollment"') for sql in changed) == 1
    worker.refresh_from_db()
    assert (worker.gold_seen, worker.gold_score_sum) == (3, 3)


@pytest.mark.parametrize(
    ("fields", "told"), [({"state": "closed"}, "is closed"), ({"assignment": "assigned"}, "a list")]
)
def test_where_there_can_be_no_gold_it_says_so(fields, told, tmp_path):
    with pytest.raises(GoldFileRefused, match=told):
        import_gold(make_campaign(**fields), tmp_path / "none.jsonl")


def test_who_had_all_the_gold_meets_what_is_imported_later(tmp_path):
    campaign = make_campaign(gold_every=2, redundancy=1)
    for number in range(12):
        make_task(campaign, external_id=f"d{number}")
    worker = make_enrollment(campaign, **GOLD_NEXT)
    lease = assignments.claim_next(worker.key).assignment  # there is no gold: no more looking
    import_gold(campaign, write(tmp_path, {"task": "d9", "answer": ADA}))
    kinds = []
    while lease is not None:
        kinds.append(lease.task.demand.kind)
        body = {"mentions": [], "entities": []}
        lease = assignments.submit(worker.key, lease.key, body).next.assignment
    assert kinds.count(Demand.Kind.HIDDEN) == 1


@pytest.mark.django_db(transaction=True)
def test_a_task_that_is_given_out_in_the_same_moment_stays_work():
    """On SQLite there is one writer at a time, and so no such moment."""
    if connection.vendor != "postgresql":
        pytest.skip("Two transactions at once.")
    campaign = make_campaign()
    task = make_task(campaign)
    worker = make_enrollment(campaign)
    taken, waits = threading.Event(), threading.Event()

    def work():
        with transaction.atomic():
            assignments.claim_next(worker.key)
            taken.set()
            waits.wait(1)  # the other one is at the row by then, or never
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    taken.wait(200)
    with transaction.atomic():
        is_made = make_gold(campaign, {task.pk: Demand.Kind.HIDDEN})
        transaction.set_rollback(not is_made)
    thread.join()
    assert not is_made
    assert check_campaign(campaign) == []
    assert Demand.objects.get().leased == 1


def test_the_command_tells_the_lines(tmp_path, capsys):
    campaign = make_campaign()
    task = make_task(campaign)
    call_command(
        "import_gold", str(write(tmp_path, {"task": task.external_id, "answer": ADA})),
        campaign=campaign.slug,
    )  # fmt: skip
    assert "1 hidden, 0 practice and 0 exam questions were made" in capsys.readouterr().out
    with pytest.raises(CommandError, match="1 mistake in gold"):
        call_command(
            "import_gold", str(write(tmp_path, {"task": "x", "answer": ADA})),
            campaign=campaign.slug,
        )  # fmt: skip
    assert "line 1, x, task: The campaign has no such task" in capsys.readouterr().err
    for file, told in ((tmp_path / "none.jsonl", "none.jsonl"), (tmp_path, "Nothing was")):
        with pytest.raises(CommandError, match=told):
            call_command("import_gold", str(file), campaign=campaign.slug)
    with pytest.raises(CommandError, match="no campaign"):
        call_command("import_gold", str(tmp_path), campaign="nowhere")
