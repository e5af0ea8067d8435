"""Labelling loops: round after round, within their budget to the mill."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone

from annotation.actions import locks
from annotation.actions.campaigns import spent_together
from annotation.actions.documents import undo_import
from annotation.actions.integrity import check_campaign
from annotation.models import (
    AuditEntry,
    Campaign,
    Demand,
    Document,
    Enrollment,
    ImportedAnswer,
    Job,
    Payment,
    Rollup,
    SharedBudget,
    Tally,
)
from selection.actions.loops import measuring
from selection.actions.loops.advance import advance
from selection.actions.loops.life import (
    CannotLoop,
    change_loop,
    create_loop,
    pause_loop,
    resume_loop,
    stop_loop,
)
from selection.arrays.loops import load_pool
from selection.models import LabellingLoop, LoopItem, LoopRound, NightlySelection
from selection.queries.loops import loops_at_rest
from tests.factories import make_campaign, make_document, make_import, make_project
from tests.jobs import do_jobs
from tests.selection.loops import PAY, label, make_draft, make_loop, make_texts, small

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(small.__name__, "folder")]

__all__ = ["small"]


@pytest.fixture
def folder(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(measuring, "REHEARSALS", 3)


def go_round(loop, times=1, **how):
    """Label what is out, and go on."""
    for _ in range(times):
        advance(loop)
        label(Campaign.objects.get(pk=loop.campaign_id), **how)
    found = advance(loop)
    assert found.problem == ""
    return found.steps


def last_round(loop):
    return loop.rounds.order_by("-number").first()


def done(loop, **fields):
    """A round that is over, as if it had gone like this."""
    number = loop.rounds.count() + 1
    return LoopRound.objects.create(
        **{
            "loop": loop, "number": number, "step": "done", "picker": "random",
            "campaign": loop.campaign, "picked_at": timezone.now(), "picked": 4,
            "expected_mills": 40, "code_version": "", "metric": 0.8, "low": 0.7, "high": 0.9,
        } | fields
    )  # fmt: skip


# --- Round after round ----------------------------------------------------------------------------


def test_a_loop_goes_round():
    loop = make_loop()
    assert advance(loop).steps == ["picked 1", "published 1"]
    campaign = Campaign.objects.get(pk=loop.campaign_id)
    assert campaign.state == "open"
    # Tasks of what was picked alone: the sample and the start.
    assert campaign.tasks.count() == loop.items.count() == 8 + 6
    assert advance(loop).steps == []  # it waits for people
    label(campaign)
    assert advance(loop).steps == ["done 1", "picked 2", "published 2"]
    first, second = loop.rounds.order_by("number")
    assert (first.picker, second.picker) == ("facility-location", "diverse-uncertainty")
    assert (first.labelled, first.measured, first.spent_mills) == (6, 8, 14 * PAY)
    assert first.low <= first.metric <= first.high
    assert first.trained_models.get().items == 6  # never of the sample
    assert first.next_picked == 4
    assert first.next_mills == 4 * PAY
    assert first.next_low <= first.next_metric <= first.next_high
    label(campaign)
    assert advance(loop).steps == ["done 2", "picked 3", "published 3"]
    first.refresh_from_db(), second.refresh_from_db()
    assert second.labelled == 10
    assert first.forecast_held is (first.next_low <= second.metric <= first.next_high)
    assert second.watched == 40 - 10
    assert second.changed <= second.watched
    assert check_campaign(campaign) == []


def test_what_was_picked_and_why_is_kept():
    loop = make_loop()
    go_round(loop)
    picked = loop.items.filter(round__number=2)
    assert [item.rank for item in picked.order_by("rank")] == [0, 1, 2, 3]
    for item in picked:
        assert 0 <= item.uncertainty <= 1
        assert item.expected_mills == PAY
        assert item.gain is not None
        assert item.new_values is not None
    sample = loop.items.filter(use=LoopItem.Use.SAMPLE)
    assert {item.answers for item in sample} == {1}
    assert {item.spent_mills for item in sample} == {PAY}


def test_the_sample_is_random_whatever_is_picked():
    project = make_project()
    make_texts(project, 40)
    drawn = []
    for start in ("facility-location", "random"):
        loop = make_loop(0, project=project, start=start, seed=5)
        advance(loop)
        sample = loop.items.filter(use="sample").values_list("external_id", flat=True)
        drawn.append(set(sample))
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 8


def test_equal_loops_pick_the_same():
    def picked():
        project = make_project()
        make_texts(project, 30, seed=2)
        loop = make_loop(0, project=project, seed=3)
        go_round(loop, 2)
        rows = loop.items.order_by("round__number", "use", "rank")
        return list(rows.values_list("external_id", "gain", "uncertainty"))

    assert picked() == picked()


def test_the_best_come_first_and_the_sample_before_them():
    loop = make_loop()
    advance(loop)
    priority = dict(Demand.objects.values_list("task", "priority"))
    sample = [priority[i.task_id] for i in loop.items.filter(use="sample")]
    chosen = [priority[i.task_id] for i in loop.items.filter(use="training").order_by("rank")]
    assert min(sample) > chosen[0]
    assert chosen == sorted(chosen, reverse=True)


def test_a_loop_measures_by_gold_that_it_never_learns_from():
    project = make_project()
    known = make_texts(project, 10, seed=7)
    for document in known:
        answer = {"choice": document.metadata["kind"], "unsure": False, "value": None, "note": ""}
        ImportedAnswer.objects.create(
            document=document, interface="choice", source="gold", answer=answer
        )
    for document in make_texts_named(project, 20):
        assert document.pk
    loop = make_loop(0, project=project, evaluation="gold", budget_mills=200)
    go_round(loop)
    row = loop.rounds.get(number=1)
    assert (row.measured, row.labelled) == (10, 6)
    assert not loop.items.filter(document__in=known).exists()


def make_texts_named(project, number):
    """More texts, whose ids are others."""
    made = []
    for i in range(number):
        kind = "AB"[i % 2]
        words = {"A": "herring quay", "B": "court oath"}[kind]
        made.append(
            make_document(
                project, f"the {words} of {i}", external_id=f"n{i:04}", metadata={"kind": kind}
            )
        )
    return made


def test_a_loop_over_names():
    """The weighted CRF; F1 of the names on the sample."""
    project = make_project()
    rows = []
    for i in range(24):
        name = ("Ada", "Bo", "Cy")[i % 3]
        document = make_document(project, f"then {name} went home .", external_id=f"e{i}")
        document.metadata = {"name": name}
        document.save()
        rows.append(document)
    campaign = make_draft(project, interface="entity", options={})
    loop = make_loop(0, project=project, campaign=campaign, learner="", start_size=4)
    assert (loop.learner, loop.metric) == ("crf", "F1")
    advance(loop)
    answer_names(campaign)
    assert advance(loop).steps[0] == "done 1"
    row = loop.rounds.get(number=1)
    assert row.learner == "crf"
    assert row.labelled == 4
    assert row.metric == pytest.approx(1.0)
    assert row.low < 1


def answer_names(campaign):
    from annotation.actions import assignments
    from tests.factories import make_enrollment

    worker = make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    while lease is not None:
        body = {"mentions": [{"id": "m1", "start": 1, "end": 2, "type": "PER"}]}
        lease = assignments.submit(worker.key, lease.key, body).next.assignment


# --- What it costs --------------------------------------------------------------------------------


def test_it_ends_where_nothing_more_is_affordable_and_never_passes_its_budget():
    loop = make_loop(60, budget_mills=237)
    for _ in range(12):
        advance(loop)
        budget = SharedBudget.objects.get(pk=loop.budget_id)
        assert spent_together(budget) <= budget.granted_mills <= 237
        label(loop.campaign)
    loop.refresh_from_db()
    assert (loop.state, loop.ended_by) == ("finished", "budget")
    assert Payment.objects.aggregate(sum=Sum("mills"))["sum"] == 230
    assert check_campaign(Campaign.objects.get(pk=loop.campaign_id)) == []


def test_money_that_ends_within_a_round_ends_the_round():
    """Documents turn out to want more answers than was expected."""
    project = make_project()
    make_texts(project, 40)
    campaign = make_draft(
        project, redundancy=1, max_redundancy=5, target_confidence=0.999, gold_every=0
    )
    loop = make_loop(0, project=project, campaign=campaign, budget_mills=360, start_size=20)
    for _ in range(12):
        advance(loop)
        label(campaign, workers=5)
    loop.refresh_from_db()
    assert loop.ended_by == "budget"
    assert Payment.objects.aggregate(sum=Sum("mills"))["sum"] <= 360
    assert last_round(loop).step == "done"


def test_hard_documents_are_expected_to_cost_more():
    from selection.algorithms.loops.costs import CostModel

    model = CostModel.fit([2, 2, 2, 5, 5, 5] * 5, [10] * 3 * 5 + [90] * 15, [0.1] * 30, 2, 6)
    assert model.by_length != 0
    assert model.by_uncertainty == 0
    learnt = CostModel.fit(
        [2] * 20 + [5] * 20, [10] * 20 + [90] * 20, [0.1] * 20 + [0.6] * 20, 2, 6
    )
    easy, hard = learnt.predict([10, 90], [0.1, 0.6])
    assert 2 <= easy < 2.8
    assert 4.2 < hard <= 6
    assert learnt.predict([10**6], [9.0]) == 6  # never above what a task may get
    assert CostModel.first(1, 5).predict([7], [float("nan")]) == 2


def test_a_second_campaign_spends_what_the_first_has_left():
    loop = make_loop(40, budget_mills=200)
    go_round(loop)
    other = make_draft(loop.project, slug="second", pay_mills=20)
    assert change_loop(loop, campaign=other) == ["campaign"]
    label(loop.project.campaigns.exclude(pk=other.pk).get())
    advance(loop)
    assert Campaign.objects.get(pk=other.pk).state == "open"
    label(other)
    advance(loop)
    assert last_round(loop).campaign_id == other.pk
    budget = SharedBudget.objects.get()
    assert spent_together(budget) <= budget.granted_mills <= 200
    # What was labelled in both is learnt from.
    assert loop.rounds.filter(step="done").order_by("-number").first().labelled > 10


def test_selected_workers_label_the_next_batch():
    loop = make_loop()
    advance(loop)
    NightlySelection.objects.create(campaign=loop.campaign, keep_workers=2)
    label(loop.campaign)
    Enrollment.objects.update(state="selected", state_by="person")
    advance(loop)
    assert loop.rounds.get(number=2).workers in (None, 1)
    Campaign.objects.filter(pk=loop.campaign_id).update(open_to="selected")
    NightlySelection.objects.all().delete()
    label(loop.campaign)
    advance(loop)
    assert last_round(loop).workers == 1


# --- When it stops --------------------------------------------------------------------------------


def test_it_stops_once_the_goal_is_surely_met():
    loop = make_loop(goal=0.8)
    done(loop, metric=0.95, always_low=0.79, always_high=0.99)
    assert advance(loop).steps == ["picked 2", "published 2"]
    loop.rounds.filter(number=2).delete()
    done(loop, metric=0.95, always_low=0.81, always_high=0.99)
    assert advance(loop).steps == ["finished"]
    assert loop.ended_by == "goal"


def test_it_stops_where_two_forecasts_promise_too_little():
    loop = make_loop(least_gain=0.01)
    done(loop, metric=0.8, next_metric=0.805, always_low=0.5)
    done(loop, metric=0.8, next_metric=0.82, always_low=0.5)
    done(loop, metric=0.8, next_metric=0.809, always_low=0.5)
    advance(loop)
    assert loop.state == "running"
    loop.rounds.filter(number=4).delete()
    done(loop, metric=0.81, next_metric=0.812, always_low=0.5)
    advance(loop)
    assert loop.ended_by == "gain"


def test_it_stops_where_three_models_decide_alike():
    loop = make_loop(most_changed=0.02)
    for changed in (9, 1, 2):
        done(loop, watched=100, changed=changed)
    advance(loop)
    assert loop.state == "running"
    loop.rounds.filter(number=4).delete()
    done(loop, watched=100, changed=3)
    advance(loop)
    assert loop.ended_by == "stable"  # (1 + 2 + 3) / 300


def test_it_stops_at_its_deadline_with_what_is_labelled():
    loop = make_loop(deadline=timezone.now() + timedelta(days=1))
    advance(loop)
    label(loop.campaign, most=10)
    LabellingLoop.objects.update(deadline=timezone.now())
    assert advance(loop).steps == ["done 1", "finished"]
    assert loop.ended_by == "deadline"
    assert loop.rounds.get().labelled == 2
    assert not Demand.objects.filter(ready=True).exists()


def test_a_batch_is_as_large_as_the_pace_allows():
    """One answer an hour, and three hours left."""
    loop = make_loop(deadline=timezone.now() + timedelta(hours=3.2))
    advance(loop)
    label(loop.campaign)
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    Campaign.objects.update(opened_at=hour - timedelta(hours=20))
    counts = dict.fromkeys(("tasks", "complete", "wanted", "received", "gold", "epoch"), 14)
    Tally.objects.all().delete()
    Tally.objects.create(campaign=loop.campaign, counted_at=timezone.now(), **counts)
    for n in range(1, 21):
        Rollup.objects.create(
            campaign=loop.campaign, hour=hour - timedelta(hours=n), answers=1, gold=0, late=0,
            counted_at=timezone.now(),
        )  # fmt: skip
    advance(loop)
    assert loop.rounds.get(number=2).picked == 3
    label(loop.campaign)
    Rollup.objects.all().delete()
    Rollup.objects.create(
        campaign=loop.campaign, hour=hour - timedelta(hours=5), answers=1, gold=0, late=0,
        counted_at=timezone.now(),
    )  # fmt: skip
    advance(loop)
    assert loop.ended_by == "deadline"  # not one more would be done in time


def test_it_stops_where_nothing_is_left():
    loop = make_loop(18, budget_mills=80 * PAY)
    for _ in range(5):
        advance(loop)
        label(loop.campaign)
    assert advance(loop).steps == []
    assert loop.ended_by == "exhausted"
    assert loop.items.count() == 18


# --- People ---------------------------------------------------------------------------------------


def test_pause_resume_and_stop():
    loop = make_loop()
    advance(loop)
    pause_loop(loop)
    assert Campaign.objects.get(pk=loop.campaign_id).state == "paused"
    assert advance(loop).steps == []
    with pytest.raises(CannotLoop, match="is paused"):
        pause_loop(loop)
    resume_loop(loop)
    assert Campaign.objects.get(pk=loop.campaign_id).state == "open"
    label(loop.campaign)
    advance(loop)
    stop_loop(loop)
    assert loop.state == "stopped"
    assert loop.ended_at is not None
    assert Campaign.objects.get(pk=loop.campaign_id).state == "closed"
    assert loop.rounds.get(number=1).trained_models.exists()  # all labels and models stay
    with pytest.raises(CannotLoop, match="nothing of it changes"):
        change_loop(loop, picker="random")
    rows = AuditEntry.objects.filter(action__endswith="loop").order_by("pk")
    assert [row.action for row in rows] == [
        "create loop", "paused loop", "running loop", "stopped loop",
    ]  # fmt: skip
    assert "budget_mills" in rows[0].after  # by its name the record tells it as an amount


def test_components_are_replaced_from_the_next_round_on():
    loop = make_loop()
    go_round(loop)
    changed = change_loop(loop, picker="coverage", parameters={"times": 1}, batch_size=2)
    assert changed == ["batch_size", "parameters", "picker"]
    label(loop.campaign)
    advance(loop)
    assert (last_round(loop).picker, last_round(loop).picked) == ("coverage", 2)
    assert change_loop(loop, learner="bernoulli", budget_mills=900) == ["budget_mills", "learner"]
    label(loop.campaign)
    advance(loop)
    assert loop.rounds.filter(step="done").order_by("-number").first().learner == "bernoulli"
    with pytest.raises(CannotLoop, match="are spent"):
        change_loop(loop, budget_mills=10)


@pytest.mark.parametrize("picker", ["coverage", "committee", "errors", "similar", "density"])
def test_each_picker_picks(picker):
    loop = make_loop(24, start="none" if picker == "similar" else "random", picker=picker)
    go_round(loop)
    assert (last_round(loop).picker, last_round(loop).picked) == (picker, 4)


def test_the_best_learner_is_chosen_by_cross_validation_and_named_so():
    loop = make_loop(30, learner="best", start_size=12)
    go_round(loop)
    row = loop.rounds.get(number=1)
    assert row.learner in ("logistic", "multinomial", "bernoulli")
    assert row.cross_validation["measure"] == "macro F1"


def test_labels_that_a_model_suggested_are_no_measure_of_it(monkeypatch):
    loop = make_loop(24)
    advance(loop)
    label(loop.campaign)
    taken = loop.items.filter(use="sample")[:3]
    monkeypatch.setattr(
        measuring, "tasks_taken_from_models", lambda campaigns: {item.task_id for item in taken}
    )
    advance(loop)
    assert loop.rounds.get(number=1).measured == 8 - 3


def test_started_twice_the_second_waits_for_the_first():
    loop = make_loop(24)
    with locks.hold(f"loop:{loop.key}"), pytest.raises(locks.Held):
        advance(loop)
    done(loop, step="picked")
    with pytest.raises(IntegrityError), transaction.atomic():
        done(loop, step="labelling")
    name = loop.items.model(
        loop=loop, round=last_round(loop), external_id="t0001", use="training", rank=0,
        expected_mills=10,
    )  # fmt: skip
    name.save()
    name.pk, name.rank = None, 1
    with pytest.raises(IntegrityError), transaction.atomic():
        name.save()


# --- Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"budget_mills": 50}, r"The 8 documents .* cost 0\.09"),
        ({"budget_mills": 5, "evaluation": "gold"}, "documents with known answers"),
        ({"picker": "clairvoyance"}, "There is no picker 'clairvoyance'"),
        ({"start": "uncertainty"}, "There is no start 'uncertainty'"),
        ({"learner": "crf"}, "There is no learner 'crf'"),
        ({"metric": "F1"}, "There is no metric 'F1'"),
        ({"goal": 85}, "goal is 85"),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"seed": -1}, "The seed is -1"),
        ({"parameters": {"width": "wide"}}, "setting 'width' can't be 'wide'"),
    ],
)
def test_what_can_not_be_is_refused(fields, told):
    with pytest.raises(CannotLoop, match=told):
        make_loop(20, **fields)
    assert not LabellingLoop.objects.exists()
    assert not SharedBudget.objects.exists()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"pay_mills": 0}, "pays nothing"),
        ({"interface": "linking", "options": {}}, "No model learns from whole documents"),
        ({"options": {"scale": {"min": 1, "max": 5}}}, "values on a scale"),
        ({"assignment": "assigned"}, "a list says who does what"),
    ],
)
def test_campaigns_that_can_not_label_for_a_loop(fields, told):
    project = make_project()
    make_texts(project, 20)
    campaign = make_draft(project, **fields)
    with pytest.raises(CannotLoop, match=told):
        make_loop(0, project=project, campaign=campaign)


def test_a_campaign_that_has_begun_or_is_anothers():
    project = make_project()
    make_texts(project, 20)
    begun = make_campaign(project, interface="choice", options={"choices": ["A", "B"]}, pay_mills=1)
    with pytest.raises(CannotLoop, match="give it a draft"):
        make_loop(0, project=project, campaign=begun)
    loop = make_loop(0, project=project)
    with pytest.raises(CannotLoop, match=r"labels for another|another shared"):
        make_loop(0, project=project, campaign=loop.campaign)
    with pytest.raises(CannotLoop, match="another project"):
        make_loop(20, campaign=make_draft(project))


def test_too_few_documents():
    with pytest.raises(CannotLoop, match="8 of them are drawn"):
        make_loop(8)
    with pytest.raises(CannotLoop, match="has 0 documents"):
        make_loop(0)


@pytest.mark.parametrize(
    "attributes", [{}, {"same": "x"}, {"odd": [1, 2]}], ids=["none", "constant", "no value"]
)
def test_documents_whose_attributes_tell_nothing_are_told_apart_by_words(attributes):
    loop = make_loop(24)
    Document.objects.update(attributes=attributes)
    go_round(loop)
    assert loop.items.filter(round__number=2).first().new_values is not None


def test_an_attribute_that_is_another_in_each_document_is_passed_over():
    loop = make_loop(24)
    for number, row in enumerate(Document.objects.all()):
        row.attributes = {"id": f"unlike {number}", "source": "xy"[number % 2]}
        row.save()
    pool = load_pool(loop)
    assert pool.by == "attributes"
    assert pool.pool.pairs.n_pairs == 2
    Document.objects.update(attributes={"id": 1})
    assert load_pool(loop).by == "words"


def test_documents_that_disappear_while_a_loop_runs():
    """One that was picked and not published, and the rest of an import."""
    project = make_project()
    make_texts(project, 20)
    lost = make_import(project)
    for i in range(10):
        make_document(
            project, f"harbour {i} tide", external_id=f"x{i}", import_run=lost,
            metadata={"kind": "A"},
        )  # fmt: skip
    loop = make_loop(0, project=project, start_size=8)
    from selection.actions.loops.picking import pick

    pick(loop)
    gone = loop.items.filter(document__import_run=lost).count()
    assert gone
    undo_import(lost)
    assert loop.items.filter(document=None).count() == gone
    found = advance(loop)
    assert (found.steps, found.problem) == (["published 1"], "")
    label(loop.campaign)
    assert advance(loop).steps[0] == "done 1"
    assert loop.items.filter(task=None).count() == gone  # what was picked is kept, by its name


def test_all_that_was_picked_disappears():
    loop = make_loop(20)
    from selection.actions.loops.picking import pick

    pick(loop)
    undo_import(loop.project.imports.get())
    make_texts_named(loop.project, 20)
    assert advance(loop).steps == ["published 1", "picked 1", "published 1"]


def test_a_class_that_nobody_has_labelled_yet():
    project = make_project()
    make_texts(project, 24)
    campaign = make_draft(project, options={"choices": ["A", "B", "C"]})
    loop = make_loop(0, project=project, campaign=campaign)
    Document.objects.update(metadata={"kind": "A"})  # and only one is found at first
    go_round(loop)
    Document.objects.update(metadata={"kind": "B"})
    go_round(loop)
    assert last_round(loop).number == 3


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 of another version", None])
def test_a_model_whose_file_can_not_be_used_is_trained_again(damage):
    loop = make_loop(24)
    go_round(loop)
    label(loop.campaign)
    model = loop.rounds.get(number=1).trained_models.get()
    model.path.write_bytes(damage) if damage is not None else model.path.unlink()
    assert advance(loop).steps[0] == "done 2"
    latest = loop.rounds.get(number=2).trained_models.get()
    latest.path.unlink()
    label(loop.campaign)
    assert advance(loop).problem == ""
    assert loop.items.filter(round__number=3).exclude(uncertainty=None).exists()


def test_a_campaign_that_a_person_pauses_or_closes_is_told():
    loop = make_loop(24)
    advance(loop)
    Campaign.objects.update(state="paused")
    assert "Open it, and the loop goes on" in advance(loop).problem
    assert LabellingLoop.objects.get().problem
    Campaign.objects.update(state="closed")
    assert "Give the loop another campaign" in advance(loop).problem
    other = make_draft(loop.project, slug="other")
    change_loop(loop, campaign=other)
    assert advance(loop).steps == ["picked 1", "published 1"]
    label(other)
    assert advance(loop).steps[0] == "done 1"
    assert LabellingLoop.objects.get().problem == ""


# --- Commands and jobs ----------------------------------------------------------------------------


def test_commands(capsys):
    project = make_project()
    make_texts(project, 24)
    campaign = make_draft(project)
    call_command("advance_loops")
    assert "No labelling loop runs" in capsys.readouterr().out
    call_command(
        "labelling_loop", "create", campaign=campaign.slug, budget=0.8, batch_size=4,
        start_size=6, learner="multinomial", deadline="2099-01-01",
    )  # fmt: skip
    assert "8 documents are drawn at random" in capsys.readouterr().out
    key = str(LabellingLoop.objects.get().key)
    call_command("advance_loops", loop=key)
    label(campaign)
    call_command("advance_loops")
    assert "done 1, picked 2, published 2" in capsys.readouterr().out
    call_command("labelling_loop", "show", key)
    assert "1. 6 documents by facility-location: macro F1" in capsys.readouterr().out
    call_command("labelling_loop", "change", key, picker="random")
    call_command("labelling_loop", "pause", key)
    call_command("labelling_loop", "resume", key)
    call_command("labelling_loop", "list")
    assert f"{key}  {project.slug}" in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no picker"):
        call_command("labelling_loop", "change", key, picker="no")
    with pytest.raises(CommandError, match="is no KEY"):
        call_command("labelling_loop", "stop", "x")
    with pytest.raises(CommandError, match="needs --campaign and --budget"):
        call_command("labelling_loop", "create")
    Campaign.objects.update(state="closed")
    with pytest.raises(CommandError, match="another campaign"):
        call_command("advance_loops")
    call_command("labelling_loop", "stop", key)


def test_the_work_loop_asks_for_it_where_a_round_is_labelled():
    loop = make_loop(24)
    assert loops_at_rest().exists()  # nothing is picked yet
    from annotation.actions import jobs

    jobs.enqueue("advance_loops")
    (job,) = do_jobs()
    assert (job.state, job.kind) == (Job.State.DONE, "advance_loops")
    assert not loops_at_rest().exists()  # people label
    label(loop.campaign)
    assert loops_at_rest().exists()


def test_a_loop_needs_a_campaign_of_its_own():
    loop = make_loop(20)
    with pytest.raises(CannotLoop):
        create_loop(loop.project, name="x", campaign=loop.campaign, budget_mills=10_000)
