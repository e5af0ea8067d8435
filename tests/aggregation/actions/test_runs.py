import weakref

import pytest
from django.db import transaction

from aggregation import arrays
from aggregation.actions.runs import CannotAggregate, aggregate
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from annotation.actions import locks
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_response, make_task

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"


@pytest.fixture
def campaign():
    campaign, workers = make_campaign(), make_workers(2)
    for _ in range(2):
        tagged_task(campaign, NAMES, NAMES, workers=workers)
    return campaign


def test_it_works(campaign):
    run = aggregate(campaign, "dawid-skene", seed=7, parameters={"max_iter": 5})
    run.refresh_from_db()

    assert run.state == "complete"
    assert run.started_at <= run.finished_at
    assert (run.method, run.seed, run.error) == ("dawid-skene", 7, "")
    assert run.parameters["max_iter"] == 5
    assert run.parameters["diagonal"] == 1
    assert run.code_version == code_version()
    assert run.classes == ["B-LOC", "B-PER", "I-LOC", "I-PER", "O"]
    assert len(run.input_digest) == 64
    facts = run.diagnostics
    assert (facts["tasks"], facts["answers"], facts["workers"], facts["labels"]) == (2, 4, 2, 36)
    assert len(facts["objective"]) == facts["iterations"] <= 5
    assert isinstance(facts["converged"], bool)
    assert (run.consensus.count(), run.reliabilities.count()) == (2, 2)


def test_a_newer_run_leaves_the_older_one(campaign):
    first = aggregate(campaign, "mv-token")
    second = aggregate(campaign, "mv-token", seed=1)
    assert (first.consensus.count(), second.consensus.count()) == (2, 2)


def test_choice_campaigns_are_aggregated_too():
    campaign = choice_campaign()
    task = choice_task(campaign, "no", "no", "yes")
    aggregate(campaign, "majority")
    assert Consensus.objects.get(task=task).answer["choice"] == "no"


# --- What is refused ----------------------------------------------------------------------------


def test_without_answers_there_is_nothing_to_aggregate():
    campaign = make_campaign()
    tagged_task(campaign)
    gold = make_task(campaign, kind=1)
    make_response(gold, None, {"tags": ["O"] * 7})
    with pytest.raises(ValueError, match=f"Campaign '{campaign.slug}' has no answers yet"):
        aggregate(campaign, "mv-token")
    assert not AggregationRun.objects.exists()


@pytest.mark.parametrize(
    ("method", "parameters"), [("best", {}), ("", {}), ("mv-token", {"tol": 1})]
)
def test_wrong_methods_and_parameters_leave_no_run(campaign, method, parameters):
    with pytest.raises(ValueError, match="'"):
        aggregate(campaign, method, parameters=parameters)
    assert not AggregationRun.objects.exists()


def test_one_run_of_a_campaign_at_a_time(campaign):
    with locks.hold(f"aggregate:{campaign.slug}"), pytest.raises(locks.Held):
        aggregate(campaign, "mv-token")
    assert not AggregationRun.objects.exists()
    assert aggregate(campaign, "mv-token").state == "complete"


# --- What goes wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize("error", [RuntimeError("out of paper"), KeyboardInterrupt()])
def test_failed_run_says_why_and_leaves_nothing_half(campaign, monkeypatch, error):
    def broken(*arguments, **options):
        raise error

    monkeypatch.setattr(arrays.writing, "_reliabilities", broken)  # after the consensus is written
    with pytest.raises(type(error)):
        aggregate(campaign, "mv-token")

    run = AggregationRun.objects.get()
    assert run.state == "failed"
    assert run.error == f"{type(error).__name__}: {error}"
    assert run.finished_at is not None
    assert not Consensus.objects.exists()
    assert not WorkerReliability.objects.exists()
    with locks.hold(f"aggregate:{campaign.slug}"):
        pass  # it was given back


def test_run_that_was_broken_off_is_marked_by_the_next(campaign):
    lost = AggregationRun.objects.create(campaign=campaign, method="mv-token")
    elsewhere = AggregationRun.objects.create(campaign=make_campaign(), method="mv-token")
    aggregate(campaign, "mv-token")

    lost.refresh_from_db()
    elsewhere.refresh_from_db()
    assert (lost.state, elsewhere.state) == ("failed", "running")
    assert lost.error.startswith("Broken off")
    assert lost.finished_at is not None


def test_what_a_broken_off_run_has_written_goes_with_the_next(campaign):
    lost = AggregationRun.objects.create(campaign=campaign, method="mv-token")
    task = campaign.tasks.first()
    Consensus.objects.create(run=lost, task=task, answer={"spans": []}, probabilities=b"")
    run = aggregate(campaign, "mv-token")
    assert set(Consensus.objects.values_list("run", flat=True)) == {run.pk}


@pytest.mark.django_db(transaction=True)
def test_others_can_write_while_rows_are_and_nobody_reads_the_run_before_its_end(monkeypatch):
    campaign = choice_campaign()
    for _ in range(6):
        choice_task(campaign, "yes", "no")
    monkeypatch.setattr(arrays.writing, "WRITTEN", 2)
    seen = []

    def written(number: int) -> None:
        run = AggregationRun.objects.get()
        if number:
            seen.append((number, run.state, transaction.get_connection().in_atomic_block))

    run = aggregate(campaign, "majority", advance=written)
    assert seen[-3:] == [(2, "running", False)] * 3
    assert (run.state, run.consensus.count()) == ("complete", 6)


def test_replaced_while_it_writes_it_leaves_nothing(campaign, monkeypatch):
    """Somebody took the lock over, and has marked it."""
    save = arrays.save_run

    def saved(*arguments, **options):
        AggregationRun.objects.update(state="failed")
        return save(*arguments, **options)

    monkeypatch.setattr(arrays, "save_run", saved)
    with pytest.raises(CannotAggregate):
        aggregate(campaign, "mv-token")
    assert AggregationRun.objects.get().state == "failed"
    assert not Consensus.objects.exists()


@pytest.mark.parametrize("method", ["bsc-seq", "touchstone"])
def test_labels_are_let_go_before_results_are_written(campaign, monkeypatch, method):
    """Of a million answers they would be most of the memory while rows are written."""
    read, left = [], []
    load, save = arrays.load_sequences, arrays.save_run

    def loaded(*arguments, **options):
        crowd = load(*arguments, **options)
        read.extend((weakref.ref(crowd.labels), weakref.ref(crowd.sequences)))
        return crowd

    def saved(*arguments, **options):
        left.extend(one() for one in read)
        return save(*arguments, **options)

    monkeypatch.setattr(arrays, "load_sequences", loaded)
    monkeypatch.setattr(arrays, "save_run", saved)
    run = aggregate(campaign, method)
    assert left == [None, None]
    assert run.consensus.exclude(confidence=None).count() == 2
