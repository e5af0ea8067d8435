import numpy as np
import pytest

from experiments.evaluation.replica import (
    SHARED,
    TRUE_FILLS,
    BadMargins,
    Margins,
    make_replica,
    read_margins,
)
from experiments.evaluation.trials import (
    BALANCE,
    CONTROLLED,
    COORDINATED,
    PAPER,
    SIMPLE,
    label_trajectory,
    pooling_growth,
    recall_ways,
    run_trials,
)

RUNS = [(team, number) for team in "ABCDE" for number in (1, 2, 3)]
MARGINS = Margins(
    tuple(f"SF_{team}{number}" for team, number in RUNS),
    np.array([400 + 60 * i for i in range(15)]),
    np.array([300 + 30 * i for i in range(15)]),
)


@pytest.fixture(scope="module")
def replica():
    return make_replica(MARGINS, np.random.default_rng(0))


def test_margins_are_those_of_the_file_and_every_true_fill_is_in_some_run(replica):
    assert replica.precision == pytest.approx(MARGINS.correct / MARGINS.submitted)
    assert replica.recall == pytest.approx(MARGINS.correct / TRUE_FILLS)
    assert replica.predictions.sums(replica.metric) == pytest.approx(np.ones(15))
    claims = replica.predictions.claim
    assert len(np.unique(replica.fill[claims[replica.correct[claims] == 1]])) == TRUE_FILLS


def test_teams_agree_with_themselves_more_than_with_others(replica):
    held = replica.predictions.members()
    shared = (held @ held.T).toarray()
    assert replica.team.tolist() == [i // 3 for i in range(15)]
    same = replica.team[:, None] == replica.team
    assert shared[same & ~np.eye(15, dtype=bool)].mean() > 1.5 * shared[~same].mean()


def test_runs_that_share_nothing_are_refused():
    alone = Margins(("A1",), np.array([10]), np.array([10]))
    with pytest.raises(BadMargins, match="share too little"):
        make_replica(alone, np.random.default_rng(0))
    assert SHARED > 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run,submitted\n", "line 1: expected the columns run,submitted,correct"),
        ("run,submitted,correct\nA,3\n", "line 2: expected a run and two whole numbers"),
        ("run,submitted,correct\nA,3,x\n", "line 2: expected a run and two whole numbers"),
        ("run,submitted,correct\nA,3,4\n", "line 2, correct: expected at most 3 submitted"),
        ("run,submitted,correct\n", "has no run"),
        ('run,submitted,correct\n"A,3,4\n', "line 2"),
    ],
)
def test_margins_that_can_not_be_are_told_with_their_line(tmp_path, text, message):
    path = tmp_path / "margins.csv"
    path.write_text(text)
    with pytest.raises(BadMargins, match=message):
        read_margins(path)


def test_estimates_are_ordered_as_published(replica):
    """The variances of few trials; the command has 600."""
    found = run_trials(replica, 60, 25, np.random.default_rng(1), lambda number: None).precision
    mean = {name: found.ratios(name)[0] for name in found.values}
    assert mean[SIMPLE] == pytest.approx(1, abs=0.25)
    assert max(mean[BALANCE], mean[PAPER], mean[COORDINATED]) < 0.6
    assert mean[CONTROLLED] < mean[COORDINATED] < mean[BALANCE]
    assert np.median(np.abs(found.bias(COORDINATED))) < 0.01
    assert found.labels[COORDINATED] == pytest.approx(found.labels[BALANCE], rel=0.03)


def test_what_comes_later_costs_less(replica):
    found = label_trajectory(replica, 10, 100, 3, np.random.default_rng(2))
    added = np.diff(found.adaptive)
    assert added[-3:].mean() < 0.5 * found.adaptive[0]
    assert found.adaptive[-1] < 0.6 * found.apart[-1] <= 0.6 * 1_000


def test_closed_pooling_is_against_whoever_was_left_out_and_less_so_the_more_there_are(replica):
    found = pooling_growth(replica, [2, 5], 3, np.random.default_rng(3))
    assert found.precision[0] < found.precision[1] < 0
    assert (found.anywhere_precision > found.precision).all()
    assert found.needed > 15


def test_of_recalls_four_ways_only_the_model_is_biased(replica):
    ways, theta = recall_ways(
        replica, 3, 100, 200, 25, np.random.default_rng(4), lambda number: None
    )
    found = {way.name: way for way in ways}
    assert 0.3 < theta < 1
    assert found["exhaustive"].efficiency == pytest.approx(1)
    assert found["hybrid"].efficiency > 1
    assert found["unassessed, as a model"].bias > 2 * found["hybrid"].bias
    assert found["pooled"].dollars > found["exhaustive"].dollars
