"""What a worker's page is made of."""

from __future__ import annotations

import pytest

from annotation.actions import assignments, gold
from annotation.actions.assignments.qualification import QUALIFIER
from annotation.models import Demand, GoldQuestion
from dashboard.campaigns.queries import worker_row
from dashboard.workers.answers import worker_page
from selection.actions.workers import SELECTOR
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": [], "entities": []}


@pytest.mark.parametrize(
    ("by", "tells"), [(QUALIFIER, True), (SELECTOR, True), ("command", False), ("ada", False)]
)
def test_a_reason_that_known_answers_gave_is_told_apart(by, tells):
    """Those who may not see gold are not shown it."""
    worker = make_enrollment(make_campaign(), state="paused", state_by=by, state_reason="40%.")
    assert worker_row(worker, with_ids=False).reason_tells_gold is tells


def test_a_score_is_the_one_that_counts_now():
    campaign = make_campaign(exam_size=2)
    task = make_task(campaign, kind=Demand.Kind.EXAM)
    question = GoldQuestion.objects.create(task=task, answer=NOTHING | {"unlabelled": []})
    worker = make_enrollment(campaign, state="exam")
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, NOTHING)

    def score():
        return worker_page(worker, with_gold=True, with_ids=True).answers[0].score

    assert score() == 1
    gold.retire_gold(question, "It leaked.")
    assert score() is None
