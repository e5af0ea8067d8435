"""train_model, suggest_by_model: a model that is trained, and what workers see of it."""

from __future__ import annotations

import uuid
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.actions.jobs import enqueue
from annotation.management.jobs.kinds import kind_of
from annotation.models import Event, SharedBudget
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.queries.suggestions import suggestion_report
from selection.actions.models import train
from selection.models import LabellingLoop, LoopItem, LoopRound, TrainedModel
from selection.queries.suggested import tasks_taken_from_models
from tests.aggregation.crowds import read
from tests.factories import make_campaign, make_document, make_project, make_response, make_task
from tests.selection.trained import known_topic, names, run_of, topics

pytestmark = pytest.mark.django_db

FOUND = read("O B-PER I-PER O O")


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def run(name, *arguments):
    out = StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def campaign():
    campaign = names(slug="names")
    run_of(campaign)
    return campaign


def fresh(campaign, name):
    return make_task(
        campaign, make_document(campaign.project, f"Then {name} Byron slept .", external_id=name)
    )


def suggested(task):
    task.refresh_from_db()
    return len(task.payload.get("suggestions", {"mentions": ()})["mentions"])


def answered(task, **fates):
    """An answer, and what the page tells of the suggestions."""
    response = make_response(task, None, FOUND)
    Event.objects.create(
        assignment=response.assignment, number=1, at=timezone.now(), kind="submitted",
        data={"suggestions": fates},
    )  # fmt: skip
    return response


def test_a_model_is_trained_and_its_figures_are_told():
    campaign = topics(slug="topics")
    known_topic(campaign, "goal cup", "sport")
    run_of(campaign)
    told = run("train_model", "--campaign", "topics", "--learner", "multinomial", "--folds", 2)
    model = TrainedModel.objects.get()
    assert f"Model {model.key}: multinomial, learnt from 8 tasks" in told
    assert "gold, 1 item: accuracy 100.00" in told
    assert "cross-validation, 8 items: accuracy" in told
    assert "no gold" not in told
    run("train_model", "--campaign", "topics", "--learner", "multinomial", "--folds", 2)
    assert TrainedModel.objects.count() == 1


def test_without_gold_it_says_what_cross_validation_is():
    run_of(topics(slug="topics"))
    told = run("train_model", "--campaign", "topics", "--learner", "multinomial", "--folds", 2)
    assert "no gold to score it by: cross-validation tells which learner does better" in told


def test_a_model_suggests_what_it_finds(campaign):
    gil, hoa = fresh(campaign, "Gil"), fresh(campaign, "Hoa")
    run("train_model", "--campaign", "names", "--folds", 0)
    model = TrainedModel.objects.get()
    said = run("suggest_by_model", "--campaign", "names", "--dry-run")
    assert "2 suggestions for 2 tasks" in said
    assert said.endswith("Nothing was written.\n")
    assert suggested(gil) == 0
    run("suggest_by_model", "--campaign", "names")
    assert (suggested(gil), suggested(hoa)) == (1, 1)
    assert gil.payload["suggested_by"]["source"] == f"model {model.key}"
    row = campaign.tasks.values(*MATERIAL_COLUMNS).get(pk=gil.pk)
    assert str(model.key) not in str(material_of(row).payload.get("suggestions"))


def test_it_is_a_job(campaign):
    task = fresh(campaign, "Gil")
    for name, parameters in (("train_model", {"folds": 0}), ("suggest_by_model", {})):
        kind_of(name).run(enqueue(name, parameters, campaign=campaign))
    assert suggested(task) == 1


def test_the_sample_that_a_loop_is_measured_by_gets_none(campaign):
    sample, other = fresh(campaign, "Gil"), fresh(campaign, "Hoa")
    in_sample(campaign, sample)
    train([campaign.aggregation_runs.get()], folds=0)
    run("suggest_by_model", "--campaign", "names")
    assert (suggested(sample), suggested(other)) == (0, 1)


def in_sample(campaign, task):
    now = timezone.now()
    loop = LabellingLoop.objects.create(
        project=campaign.project, name="a loop", start="random", start_size=1, picker="random",
        batch_size=1, campaign=campaign, learner="crf", evaluation="sample", metric="F1",
        budget=SharedBudget.objects.create(project=campaign.project, mills=1, currency="USD"),
    )  # fmt: skip
    first = LoopRound.objects.create(
        loop=loop, number=1, picker="random", campaign=campaign, code_version="", picked_at=now,
        picked=0, expected_mills=0,
    )  # fmt: skip
    LoopItem.objects.create(
        loop=loop, round=first, document=task.document, external_id=task.external_id, task=task,
        use="sample", rank=1, expected_mills=0,
    )  # fmt: skip


def test_labels_that_were_taken_from_a_model_are_known_and_evaluation_leaves_them_out(campaign):
    taken, changed, marked = (fresh(campaign, name) for name in ("Gil", "Hoa", "Ida"))
    train([campaign.aggregation_runs.get()], folds=0)
    run("suggest_by_model", "--campaign", "names")
    answered(taken, accepted=[0])
    answered(changed, changed=[0], accepted=[])
    answered(marked, dismissed=[0])
    assert tasks_taken_from_models([campaign.pk]) == {taken.pk}
    model = train([run_of(campaign)], folds=2)
    assert model.items == 11
    assert {score.items for score in model.figures} == {10}


def test_what_others_suggested_is_nobodys_own(campaign):
    task = fresh(campaign, "Gil")
    call_command("suggest", "--campaign", "names", stdout=StringIO(), stderr=StringIO())
    assert suggested(task) == 1
    answered(task, accepted=[0])
    assert tasks_taken_from_models([campaign.pk]) == set()
    assert suggestion_report(campaign).suggested == {"accepted": 1}


def test_what_can_not_be_done_is_said(campaign):
    with pytest.raises(CommandError, match="There is no campaign 'none'"):
        run("train_model", "--campaign", "none")
    with pytest.raises(CommandError, match="--folds is 1"):
        run("train_model", "--campaign", "names", "--folds", 1)
    topics(slug="topics", project=campaign.project)
    with pytest.raises(CommandError, match="'topics' has no consensus yet"):
        run("train_model", "--campaign", "topics")
    with pytest.raises(CommandError, match="no learner 'forest' for entity"):
        run("train_model", "--campaign", "names", "--learner", "forest")
    with pytest.raises(CommandError, match="has no model of entity campaigns"):
        run("suggest_by_model", "--campaign", "names")
    with pytest.raises(CommandError, match="There is no model"):
        run("suggest_by_model", "--campaign", "names", "--model", uuid.uuid4())
    with pytest.raises(CommandError, match="There is no campaign 'none'"):
        run("suggest_by_model", "--campaign", "none")
    model = train([campaign.aggregation_runs.get()], folds=0)
    elsewhere = make_campaign(make_project(), slug="elsewhere")
    with pytest.raises(CommandError, match="There is no model"):
        run("suggest_by_model", "--campaign", elsewhere.slug, "--model", model.key)
    model.path.write_bytes(b"")
    with pytest.raises(CommandError, match=f"The file of model {model.key} can't be used"):
        run("suggest_by_model", "--campaign", "names")
    texts = train([run_of(topics(project=campaign.project))], learner="multinomial", folds=0)
    with pytest.raises(CommandError, match="can't suggest: suggestions are mentions in a text"):
        run("suggest_by_model", "--campaign", "names", "--model", texts.key)
