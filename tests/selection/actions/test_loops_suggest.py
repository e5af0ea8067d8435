"""A loop's own model suggests to its workers; what they take of it is no measure of the model."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotation.actions import assignments
from annotation.models import Enrollment, Event, ImportedAnswer, Job, Task
from selection.actions.loops.advance import advance
from selection.actions.loops.life import CannotLoop, change_loop, create_loop
from selection.models import LoopItem, TrainedModel
from tests.factories import make_document, make_enrollment, make_project
from tests.jobs import do_jobs
from tests.selection.loops import PAY, make_draft, make_loop, small

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(small.__name__)]

NAMES = "Ada Bea Cem Dan Eva Fay Gus Hal Ida Jan Kim Leo Mia Nox Oda Pia Rea Sam Tom Una".split()  # noqa: SIM905


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def loop():
    project = make_project()
    for number, name in enumerate(NAMES * 2):
        text = f"Then {name} Byron slept number {number} ."
        make_document(project, text, external_id=f"t{number:02}")
    campaign = make_draft(project, interface="entity", options={})
    return create_loop(
        project, name="Names", campaign=campaign, budget_mills=60 * PAY, start_size=5,
        batch_size=4, picker="random", start="random", learner="crf", suggests=True,
    )  # fmt: skip


def label(campaign, *, take=False):
    """A worker marks the name of each text; with `take` the page tells that it was suggested."""
    Enrollment.objects.filter(campaign=campaign).update(rest_until=None)
    worker = Enrollment.objects.filter(campaign=campaign).first() or make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    while lease is not None:
        body = {"mentions": [{"id": "m1", "start": 1, "end": 3, "type": "PER"}]}
        Event.objects.create(
            assignment=lease, number=1, at=timezone.now(), kind="submitted",
            data={"suggestions": {"accepted": [0] if take else []}},
        )  # fmt: skip
        lease = assignments.submit(worker.key, lease.key, body).next.assignment


def suggested(round_, use):
    items = LoopItem.objects.filter(round=round_, use=use)
    tasks = Task.objects.filter(pk__in=items.values("task"))
    return sorted(len(task.payload.get("suggestions", {}).get("mentions", ())) for task in tasks)


def one_round(loop, **how):
    label(loop.campaign, **how)
    advance(loop)
    return loop.rounds.get(step="labelling")


def test_what_is_picked_gets_suggestions_of_the_last_rounds_model(loop):
    advance(loop)
    assert not Job.objects.exists()  # nothing has learnt yet
    second = one_round(loop)
    model = TrainedModel.objects.get()
    (job,) = do_jobs()
    assert (job.kind, job.state) == ("suggest_by_model", "done")
    assert job.parameters == {"model": str(model.key)}
    assert suggested(second, "training") == [1, 1, 1, 1]
    task = Task.objects.filter(pk__in=second.items.values("task")).first()
    assert task.payload["suggested_by"]["source"] == model.source
    one_round(loop, take=True)
    (job,) = do_jobs()
    assert job.parameters == {"model": str(TrainedModel.objects.first().key)}
    assert TrainedModel.objects.first().pk != model.pk


def test_without_it_no_job_is_asked_for(loop):
    assert change_loop(loop, suggests=False) == ["suggests"]
    advance(loop)
    one_round(loop)
    assert not Job.objects.exists()


def test_labels_of_the_sample_that_were_taken_from_a_model_do_not_measure_it(loop):
    """The sample gets no suggestions; should it have some after all, what was taken is left out."""
    advance(loop)
    sample = loop.items.filter(use="sample").order_by("pk")
    for item in sample[:3]:
        item.task.payload |= {
            "suggestions": {"mentions": [], "entities": [], "unlabelled": []},
            "suggested_by": {"source": "model of some day", "confidences": []},
        }
        item.task.save()
    one_round(loop, take=True)
    assert loop.rounds.get(number=1).measured == sample.count() - 3


def test_a_model_of_a_loop_that_is_measured_by_gold_is_scored_by_it():
    project = make_project()
    for number, name in enumerate(NAMES):
        document = make_document(project, f"Then {name} Byron slept .", external_id=f"t{number:02}")
        if number < 6:
            ImportedAnswer.objects.create(
                document=document, interface="entity", source="gold",
                answer={"tags": ["O", "B-PER", "I-PER", "O", "O"]},
            )  # fmt: skip
    loop = make_loop(
        0, project=project, campaign=make_draft(project, interface="entity", options={}),
        learner="crf", evaluation="gold",
    )  # fmt: skip
    advance(loop)
    one_round(loop)
    model = TrainedModel.objects.get()
    assert {(score.on, score.items) for score in model.figures} == {("gold", 6)}
    first = model.figures[0]
    assert first.low <= first.value <= first.high
    assert first.value == loop.rounds.get(number=1).metric


def test_only_names_can_be_suggested():
    with pytest.raises(CannotLoop, match="A model of choice campaigns can't suggest"):
        make_loop(suggests=True)
