"""Models: what they learn, what they never learn from, and what becomes of their files."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from aggregation.actions.pruning import KEPT, prune_runs
from aggregation.models import AggregationRun
from annotation.models import Document, GoldQuestion
from selection.actions.models import CannotLoad, CannotTrain, clear_files, load, train
from selection.interfaces.entries import Item, entry
from selection.models import TrainedModel
from selection.models.trained import models_folder
from tests.aggregation.crowds import choice, make_workers
from tests.factories import make_campaign, make_document, make_response, make_task
from tests.selection.trained import known_topic, names, pairs, run_of, topics

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return models_folder()


def said(model, *items):
    """What a stored model says of items."""
    learner = load(model)
    found = learner.predict(entry(model.interface).examples(items))
    return [model.classes[k] for k in found.tolist()]


def words(text, **fields):
    tokens, place = [], 0
    for word in text.split():
        tokens.append([place, place + len(word)])
        place += len(word) + 1
    return Item(text, tokens, [[0, len(tokens)]], **fields)


def test_texts_are_told_by_what_workers_chose():
    model = train([run_of(topics())], folds=2)
    assert model.learner in ("logistic", "multinomial", "bernoulli")
    assert (model.wanted, model.items, model.classes) == ("best", 8, ["sport", "money"])
    assert said(model, words("the team has a goal"), words("a coin from the bank")) == [
        "sport", "money",
    ]  # fmt: skip


def test_names_are_told_by_what_workers_marked():
    model = train([run_of(names())], folds=0)
    assert model.learner == "crf"
    assert said(model, words("Then Ida Byron slept .")) == ["O", "B-PER", "I-PER", "O", "O"]


def test_relations_are_told_by_words_and_types():
    model = train([run_of(pairs())], learner="logistic", folds=0)
    text = "Ida Byron was born in Rome ."
    payload = {
        "subject": {"start": 0, "end": 9, "type": "PER"},
        "object": {"start": 22, "end": 26, "type": "LOC"},
    }
    assert said(model, words(text, payload=payload)) == ["per:born_in"]


@pytest.mark.parametrize("learner", ["logistic", "multinomial"])
def test_labels_count_as_much_as_they_are_probable(learner):
    def money(*names):
        campaign = topics()
        doubtful = make_task(campaign, make_document(campaign.project, "quark ball"))
        for worker, name in zip(make_workers(3), names, strict=True):
            make_response(doubtful, worker, choice(name))
        model = train([run_of(campaign)], learner=learner, folds=0)
        return load(model).predict_proba(entry("choice").examples([words("quark")]))[0, 1]

    sure, likely, doubtful = (
        money("money", *rest) for rest in (["money", "money"], ["money", "sport"], ["sport"] * 2)
    )
    assert sure > likely > doubtful


def test_what_is_known_is_scored_and_never_learnt_from():
    campaign = topics()
    known_topic(campaign, "goal cup", "sport")
    known_topic(campaign, "bank loan", "sport")  # as the gold has it; the words say money
    document = campaign.tasks.order_by("pk")[0].document
    GoldQuestion.objects.create(task=campaign.tasks.get(document=document), answer=choice("money"))
    model = train([run_of(campaign)], learner="multinomial")
    assert model.items == 7
    gold = {score.measure: score for score in model.figures if score.on == "gold"}
    assert (gold["accuracy"].items, gold["accuracy"].value) == (3, pytest.approx(1 / 3))
    assert gold["accuracy"].low <= gold["accuracy"].value <= gold["accuracy"].high
    apart = {score.measure for score in model.figures if score.on == "cross-validation"}
    assert apart == {"macro F1", "accuracy"}


def test_only_the_documents_that_are_named_are_learnt_from():
    campaign = topics()
    some = list(campaign.tasks.order_by("pk").values_list("document", flat=True)[2:6])
    held = Document.objects.get(pk=some[0])
    known_topic(campaign, "goal cup", "sport")
    run = run_of(campaign)
    assert train([run], documents=some, folds=0).items == 4
    assert train([run], documents=some, gold=[held.pk], folds=0).items == 3


def test_of_what_is_known_a_part_can_be_held_out():
    campaign = topics()
    for task in campaign.tasks.order_by("pk"):
        GoldQuestion.objects.create(task=task, answer=choice("sport"))
    run = run_of(campaign)
    model = train([run], learner="multinomial", hold_out=0.5, folds=0)
    assert (model.items, {score.items for score in model.figures}) == (4, {4})
    with pytest.raises(CannotTrain, match="from 0 to 1 of what is known, but is 2"):
        train([run], hold_out=2)


def test_names_have_strict_f1_with_an_interval():
    model = train([run_of(names())], folds=2)
    by = {score.measure: score for score in model.figures}
    assert [*by] == ["F1", "precision", "recall"]
    assert 0 < by["F1"].value <= 1
    assert by["F1"].low <= by["F1"].value <= by["F1"].high
    assert by["F1"].items == 8


def test_equal_inputs_make_one_model():
    campaign = topics()
    run = run_of(campaign)

    def made(**settings):
        return train([run], **({"learner": "multinomial", "folds": 0} | settings))

    model = made()
    assert made().pk == model.pk
    assert made(seed=1).pk != model.pk
    assert made(learner="bernoulli").pk != model.pk
    assert made(parameters={"minimum": 2}).pk != model.pk
    first = model.path.read_bytes()
    model.path.unlink()
    again = made()  # the file was gone
    assert again.pk != model.pk
    assert again.path.read_bytes() == first
    known_topic(campaign, "goal cup", "sport")
    assert made().pk != again.pk


def test_runs_that_a_model_names_are_not_pruned():
    campaign = topics()
    run = run_of(campaign)
    model = train([run], learner="multinomial", folds=0)
    now = timezone.now()
    for minute in range(1, KEPT + 2):
        AggregationRun.objects.create(
            campaign=campaign, method="majority", state="complete",
            finished_at=now + timedelta(minutes=minute), diagnostics={"clamped": False},
        )  # fmt: skip
    prune_runs()
    assert AggregationRun.objects.filter(pk=run.pk).exists()
    model.delete()
    prune_runs()
    assert not AggregationRun.objects.filter(pk=run.pk).exists()


def test_files_of_deleted_models_go():
    run = run_of(topics())
    kept, gone = (train([run], learner="multinomial", folds=0, seed=seed) for seed in (0, 1))
    path = gone.path
    gone.delete()
    now = timezone.now()
    assert clear_files(now) == 0  # it may be of one that is being made
    assert clear_files(now + timedelta(days=2)) == 1
    assert (path.exists(), kept.path.exists()) == (False, True)


def test_a_row_that_can_not_be_written_leaves_no_file(monkeypatch, folder):
    def full(*arguments, **options):
        raise OSError("the disk is full")

    run = run_of(topics())
    monkeypatch.setattr(TrainedModel, "save", full)
    with pytest.raises(OSError, match="full"):
        train([run], learner="multinomial", folds=0)
    assert not list(folder.iterdir())


def test_a_file_that_can_not_be_used_is_named():
    model = train([run_of(topics())], learner="multinomial", folds=0)
    whole = model.path.read_bytes()
    with np.load(model.path) as file:
        state = dict(file)

    def refused(words):
        with pytest.raises(CannotLoad, match=words) as caught:
            load(model)
        assert str(model.key) in str(caught.value)

    np.savez(model.path, **(state | {"version": np.array(2)}))
    refused("of version 2, but this program reads up to 1.* Train it again")
    np.savez(model.path, **(state | {"log_prior": state["log_prior"] + 1}))
    refused("isn't what was stored: it was changed or damaged")
    model.path.write_bytes(whole[:100])
    refused("was cut short")
    model.path.unlink()
    refused("is gone from")
    model.path.write_bytes(whole)
    assert said(model, words("goal")) == ["sport"]


def test_what_nothing_can_be_learnt_from_is_named():
    def refused(words, runs, **settings):
        with pytest.raises(CannotTrain, match=words):
            train(runs, **settings)

    refused("no consensus to learn from", [])
    campaign = topics()
    run = run_of(campaign)
    refused("no learner 'forest' for choice campaigns. Use logistic", [run], learner="forest")
    refused(
        "'logistic' has no parameter 'trees'", [run], learner="logistic", parameters={"trees": 1}
    )
    refused(
        "Parameter 'minimum' of 'logistic': minimum must be a whole number from 1 on",
        [run],
        learner="logistic",
        parameters={"minimum": 0},
    )
    refused("several", [run, run_of(topics())])
    refused("No task is left to learn from", [run], documents=[])
    for number in range(8):
        task = campaign.tasks.order_by("pk")[number]
        GoldQuestion.objects.create(task=task, answer=choice("sport"))
    refused("No task is left to learn from: the answer of each is known", [run])
    AggregationRun.objects.filter(pk=run.pk).update(state="failed")
    run.refresh_from_db()
    refused("is failed: a model can learn from it only once it is complete", [run])
    linking = AggregationRun(campaign=make_campaign(interface="linking"), state="complete")
    refused("Nothing learns from the labels of linking campaigns yet", [linking])


def test_one_class_alone_makes_a_model_that_says_so():
    campaign = make_campaign(interface="choice", options={"choices": ["sport", "money"]})
    for text in ("ball goal", "team cup", "goal win"):
        make_response(
            make_task(campaign, make_document(campaign.project, text)), None, choice("sport")
        )
    model = train([run_of(campaign)], folds=2)
    assert said(model, words("a bank")) == ["sport"]


def test_who_is_unsure_teaches_nothing():
    campaign = topics()
    task = make_task(campaign, make_document(campaign.project, "quark quark"))
    make_response(task, None, choice("unsure"))
    model = train([run_of(campaign)], learner="multinomial", folds=0)
    assert model.classes == ["sport", "money"]
    with_it = load(model).predict_proba(entry("choice").examples([words("quark"), words("")]))
    assert with_it[0] == pytest.approx(with_it[1])


def test_several_runs_of_a_project_teach_together():
    first = topics()
    second = topics(project=first.project)
    runs = [run_of(first), run_of(second)]
    model = train(runs, learner="multinomial", folds=0)
    assert model.items == 16
    assert {*model.runs.all()} == {*runs}
