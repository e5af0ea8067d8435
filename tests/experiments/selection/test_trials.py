import numpy as np
import pytest

from aggregation.files.data import BadFile
from experiments.selection import reference
from experiments.selection.crowds import SILENT, KnownCrowd, Recorded, Simulation, read_crowd
from experiments.selection.selecting import SEED
from experiments.selection.trials import COLUMNS, run_trials
from tests.experiments.selection.recorded import DATA, needs

VOTES = ("MV top K", "WMV-lin top K", "WMV-lin selected", "WMV-lin plug-in")
LOG = "WMV-log selected ε=.05"
SIZES = ("n selected", "n plug-in")
FROM_GOLD = ("EM top K", "EM selected")
SMALL = Simulation(n_workers=15, n_items=120)


def off(trials, known, columns, budgets):
    """The largest distance from the reference, in tolerances."""
    return max(
        abs(round(trials.mean(column)[i], 1) - known[k][column]) / reference.tolerance(k) - 1e-9
        for column in columns
        for i, k in enumerate(budgets)
    )


# --- The reference figures ----------------------------------------------------------------------


@pytest.mark.slow
def test_votes_of_the_simulation_are_the_reference_s():
    budgets = (5, 10, 15, 31)
    found = run_trials(Simulation(), budgets=budgets, seed=SEED, columns=(*VOTES, LOG, *SIZES))
    assert off(found, reference.SIMULATION, (*VOTES, LOG), budgets) <= 1
    assert off(found, reference.SIMULATION, SIZES, budgets) <= 1


@pytest.mark.slow
def test_em_of_the_simulation_is_the_reference_s():
    """With 30 trials, hence half a point more; and the order of those that start from a vote."""
    budgets = (10, 31)
    found = run_trials(Simulation(), budgets=budgets, trials=30, seed=SEED)
    assert off(found, reference.SIMULATION, FROM_GOLD, budgets) <= 1.5
    mean = {column: found.mean(column) for column in COLUMNS}
    assert mean["EM top K"][1] > 99  # all workers, from gold: the best of all
    assert mean["EM top K"][1] == max(mean[c][1] for c in COLUMNS if not c.startswith("n "))
    assert mean["EM selected"][1] > mean["EM selected, majority start"][1] + 10
    assert (mean["EM random K"] < mean["EM top K"] - 5).all()
    assert mean["n selected"][1] < mean["n plug-in"][1] < 16


@needs("bluebirds_labels.csv", "bluebirds_gold.csv")
@pytest.mark.slow
def test_bluebirds_are_the_reference_s():
    crowd = read_crowd(DATA / "bluebirds_labels.csv", DATA / "bluebirds_gold.csv")
    assert (crowd.n_items, crowd.n_workers) == reference.BLUEBIRDS_SHAPE
    budgets = (5, 10, 39)
    votes = run_trials(
        Recorded(crowd), budgets=budgets, seed=SEED, columns=(*VOTES, LOG, "n selected")
    )
    assert off(votes, reference.BLUEBIRDS, (*VOTES, LOG, "n selected"), budgets) <= 1
    em = run_trials(Recorded(crowd), budgets=budgets, trials=20, seed=SEED, columns=FROM_GOLD)
    assert off(em, reference.BLUEBIRDS, FROM_GOLD, budgets) <= 1
    # Errors of real workers go together: the set is better than everybody.
    assert votes.mean("WMV-lin selected")[2] > votes.mean("WMV-lin top K")[2] + 0.5


# --- What always holds --------------------------------------------------------------------------


def test_a_small_experiment_gives_all_columns_and_the_same_for_a_seed():
    found = run_trials(SMALL, budgets=(3, 8, 15), control=6, trials=3, seed=4)
    assert found.values.shape == (3, len(COLUMNS), 3)
    assert np.isfinite(found.values).all()
    assert (found.mean("n selected") <= [3, 8, 15]).all()
    again = run_trials(SMALL, budgets=(3, 8, 15), control=6, trials=5, seed=4)
    assert (again.values[:3] == found.values).all()
    other = run_trials(SMALL, budgets=(3, 8, 15), control=6, trials=3, seed=5)
    assert (other.values != found.values).any()


def test_half_of_the_interval_is_over_trials():
    found = run_trials(SMALL, budgets=(5,), trials=9, columns=("MV top K",))
    assert found.half("MV top K") == pytest.approx(1.96 * found.values.std(ddof=1) / 3)
    one = run_trials(SMALL, budgets=(5,), trials=1, columns=("MV top K",))
    assert np.isnan(one.half("MV top K")).all()


def test_control_items_are_not_scored():
    """Workers who are right where they are tested, and wrong elsewhere, score nothing."""

    class Cheats(Recorded):
        def drawn(self, rng):
            said = np.ones((12, 4), dtype=int)
            peek = np.random.Generator(type(rng.bit_generator)())
            peek.bit_generator.state = rng.bit_generator.state
            said[peek.choice(12, 2, replace=False)] = 0
            return KnownCrowd(said, np.zeros(12, dtype=int), 2)

    found = run_trials(Cheats(None), budgets=(4,), control=2, trials=3, columns=VOTES[:2])
    assert (found.values == 0).all()


def test_who_judged_nothing_is_no_trouble():
    crowd = SMALL.drawn(np.random.default_rng(1))
    said = crowd.answers.copy()
    said[:, 3] = SILENT
    said[40:, 5] = SILENT
    found = run_trials(Recorded(KnownCrowd(said, crowd.truth, 2)), budgets=(15,), trials=4)
    assert np.isfinite(found.values).all()


def test_stand_ins_have_errors_that_go_together():
    rng = np.random.default_rng(0)
    crowd = Simulation(n_workers=40, n_items=300, n_classes=4, tempting=0.5).drawn(rng)
    wrong = (crowd.answers - crowd.truth[:, None]) % 4
    common = np.array([np.bincount(row[row > 0], minlength=4)[1:].max() for row in wrong])
    assert (common / np.maximum((wrong > 0).sum(axis=1), 1)).mean() > 0.55


def test_too_few_or_too_many_control_items_are_refused():
    for control in (1, 120):
        with pytest.raises(ValueError, match="there must be 2 to 119 control items"):
            run_trials(SMALL, budgets=(3,), control=control, trials=1)


# --- Files --------------------------------------------------------------------------------------


def test_gold_stands_in_a_column_or_in_a_file(tmp_path):
    labels, gold = tmp_path / "labels.csv", tmp_path / "gold.csv"
    labels.write_text("worker,item,label,gold\na,1,x,x\nb,1,y,x\na,2,y,y\nb,3,x,\n")
    crowd = read_crowd(labels, None)
    assert crowd.answers.tolist() == [[0, 1], [1, SILENT]]
    assert crowd.truth.tolist() == [0, 1]
    gold.write_text("item,gold\n1,y\n3,x\n9,x\n")
    assert read_crowd(labels, gold).truth.tolist() == [1, 0]
    gold.write_text("item,gold\n8,y\n")
    with pytest.raises(BadFile, match="The truth of no item"):
        read_crowd(labels, gold)
