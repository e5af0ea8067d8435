import numpy as np
import pytest

from aggregation import arrays
from aggregation.actions.runs import aggregate
from aggregation.models import WorkerReliability
from aggregation.queries import latest_run
from dashboard.results.reliabilities import numbers, reliabilities, ways_to_err
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
SHARES = dict.fromkeys(
    ["exact", "misses", "starts_early", "starts_late", "ends_early", "ends_late", "splits",
     "wrong_type", "invents"], 0.0,
)  # fmt: skip


def ways(usual=None, classes=("B-PER", "I-PER", "O"), **parameters):
    return ways_to_err(parameters, classes, usual or {})


def test_ways_are_told_with_their_share_the_commonest_first():
    found = SHARES | {"misses": 0.12, "splits": 0.3, "ends_late": 0.04}
    assert ways(tendencies=found) == ["splits spans in two (30%)", "misses spans (12%)"]


def test_at_most_three_are_told():
    found = SHARES | {"misses": 0.2, "splits": 0.3, "ends_late": 0.1, "ends_early": 0.15}
    assert len(ways(tendencies=found)) == 3
    assert "late" not in " ".join(ways(tendencies=found))


def test_what_everybody_does_a_little_does_not_stand_out():
    found = SHARES | {"wrong_type": 0.1, "misses": 0.3}
    usual = {"wrong_type": 0.09, "misses": 0.28}
    assert ways(usual, tendencies=found) == ["misses spans (30%)"]  # much is told in any case
    assert ways({"wrong_type": 0.05, "misses": 0.1}, tendencies=found) == [
        "misses spans (30%)", "gives spans another type (10%)",
    ]  # fmt: skip


def test_one_who_marks_what_is_none():
    assert ways(tendencies=SHARES | {"invents": 0.04}) == [
        "marks what is none (4% of words outside)"
    ]
    assert ways({"invents": 0.03}, tendencies=SHARES | {"invents": 0.04}) == []


def test_one_who_guesses():
    assert ways(honesty=0.1) == ["guesses (90%)"]
    assert ways(honesty=0.6) == []
    assert ways(honesty=0.1, tendencies=SHARES) == []  # of tags it says little


def test_of_one_who_saw_few_spans_nothing_is_told():
    assert ways(tendencies=SHARES | {"misses": 0.5, "spans": 19}) == []
    assert ways(tendencies=SHARES | {"misses": 0.5, "spans": 20}) == ["misses spans (50%)"]


def test_of_choices_the_commonest_mistakes():
    table = [[0.6, 0.4, 0.0], [0.02, 0.97, 0.01], [0.2, 0.1, 0.7]]
    assert ways(classes=("yes", "no", "unsure"), confusion=table) == [
        "says no where it is yes (40%)", "says yes where it is unsure (20%)",
    ]  # fmt: skip
    assert ways(classes=("yes",), confusion=[[1.0]]) == []


def test_numbers_come_back_as_they_were_stored():
    few, many = np.arange(9.0).reshape(3, 3), np.arange(1000.0).reshape(10, 10, 10) / 1000
    assert numbers(arrays.stored(few)) == few.ravel().tolist()
    assert numbers(arrays.stored(np.array(0.25))) == [0.25]
    assert isinstance(arrays.stored(many), dict)
    np.testing.assert_allclose(numbers(arrays.stored(many)), many.ravel(), atol=3e-4)
    assert numbers(None) == []


@pytest.mark.django_db
def test_those_who_judged_most_come_first(django_assert_num_queries):
    campaign, (ann, ben, cat) = make_campaign(), make_workers(3)
    tagged_task(campaign, NAMES, NAMES, workers=[ann, ben])
    tagged_task(campaign, NAMES, workers=[ben])
    tagged_task(campaign, NAMES, NAMES, workers=[ben, cat])
    aggregate(campaign, "bsc-seq")
    run = latest_run(campaign)
    with django_assert_num_queries(3):
        found = reliabilities(campaign, run, 2, with_ids=True)
    assert found.number == 3
    assert [row.judged for row in found.rows] == [27, 9]
    assert found.rows[0].name == ben.external_id
    assert found.rows[0].table.names == ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")
    assert 0 < found.rows[0].low < found.rows[0].accuracy < found.rows[0].high <= 1
    assert not reliabilities(campaign, run, 2, with_ids=False).rows[0].name.startswith("w")
    assert [row.judged for row in reliabilities(campaign, run, 2, with_ids=True, first=2).rows] == [
        9
    ]


@pytest.mark.django_db
def test_one_who_splits_every_span_is_told_so():
    campaign, workers = make_campaign(), make_workers(4)
    split = "B-PER B-PER O B-PER O B-LOC O O O"
    for _ in range(30):
        tagged_task(campaign, NAMES, NAMES, NAMES, split, workers=workers)
    aggregate(campaign, "bsc-seq")
    found = reliabilities(campaign, latest_run(campaign), 4, with_ids=True)
    told = {row.name: row.ways for row in found.rows}
    assert any("splits spans in two" in way for way in told[workers[3].external_id])
    assert not any("splits" in way for way in told[workers[0].external_id])


@pytest.mark.django_db
def test_a_worker_of_whom_the_method_knows_nothing_has_no_figure():
    campaign = choice_campaign()
    choice_task(campaign, "yes", "no")
    aggregate(campaign, "majority")
    WorkerReliability.objects.update(accuracy=None, low=None, high=None)
    row = reliabilities(campaign, latest_run(campaign), 5, with_ids=True).rows[0]
    assert row.accuracy is None
    assert row.table is None
