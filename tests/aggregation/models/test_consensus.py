"""Which consensus rows are whose."""

import pytest

from aggregation.actions.runs import aggregate
from aggregation.models import Consensus
from tests.aggregation.crowds import tagged_task
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def test_rows_of_a_run_are_found_without_a_join_of_all_runs():
    """The first twenty of a million are else read after all of them were sorted (PostgreSQL)."""
    runs = []
    for _ in range(2):
        campaign = make_campaign()
        tagged_task(campaign, "O B-ORG", text="The UN", sentences=[[0, 2]])
        runs.append(aggregate(campaign, "majority"))
    rows = Consensus.objects.of_run(runs[1].key).most_errors_first()
    assert [row.run_id for row in rows] == [runs[1].pk]
    assert "JOIN" not in str(rows.query)
