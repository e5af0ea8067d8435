"""The points of the drawing of gold score against volume, its axes and its labels."""

from __future__ import annotations

from itertools import pairwise

import pytest

from annotation.models import Enrollment
from dashboard.workers.plot import APART, LEFT, TALL, WIDE, plot
from tests.factories import make_campaign, make_enrollment, make_worker

pytestmark = pytest.mark.django_db


def drawn(*answers, scores=(), **fields):
    """A worker for each number of answers, with four gold answers."""
    campaign = make_campaign(**fields)
    for i, number in enumerate(answers):
        total = scores[i] if scores else 2
        make_enrollment(
            campaign, make_worker(display_name=f"w{i}"), submitted=number, gold_seen=4,
            gold_score_sum=total,
        )  # fmt: skip
    return plot(Enrollment.objects.filter(campaign=campaign), campaign, with_ids=True)


def test_axis_begins_at_zero_and_says_what_it_counts():
    found = drawn(3, 20, 40)
    assert [tick.text for tick in found.across] == ["0", "20", "40 answers"]
    assert [point.x for point in found.points] == [100, 50, 7.5]


def test_numbers_that_differ_by_hundreds_lie_on_a_logarithmic_axis():
    found = drawn(3, 40, 1_730)
    places = [tick.at for tick in found.across]
    assert found.across[0].text == "3"
    assert found.across[-1].text == "1,730 answers"
    assert (places[0], places[-1]) == (LEFT, 100)
    assert all(later - at >= APART for at, later in pairwise(places))
    assert [point.x for point in found.points] == sorted(
        (point.x for point in found.points), reverse=True
    )


def test_interval_lies_about_the_score_and_higher_is_better():
    found = drawn(7)
    point = found.points[0]
    assert point.high < point.y < point.low  # counted from the top
    assert point.title == "w0: .50, .15 to .85, 7 answers, qualified"
    assert found.rows == (("w0", ".50", ".15–.85", "4", "7"),)


def test_what_is_needed_is_a_line_where_workers_have_to_qualify():
    assert drawn(7).limits == ()
    found = drawn(9, 8, 7, scores=(4, 2, 0), exam_size=2, pass_score=0.6)
    assert [limit.text for limit in found.limits] == ["needed to qualify .60"]
    assert [point.tone for point in found.points] == ["", "k-warn", "k-danger"]


def test_whoever_is_out_is_hollow():
    campaign = make_campaign()
    for state in ("qualified", "paused", "blocked"):
        make_enrollment(campaign, submitted=5, gold_seen=1, state=state)
    found = plot(Enrollment.objects.filter(campaign=campaign), campaign, with_ids=True)
    assert [point.is_hollow for point in found.points] == [False, True, True]


def test_labels_stand_clear_of_each_other_and_the_weak_are_named_first():
    answers = [*range(40, 60)]
    found = drawn(*answers, scores=[3] * 19 + [0], exam_size=1, pass_score=0.5)
    assert found.labels[0].text == "w19"
    for one in found.labels:
        for other in found.labels:
            assert one is other or abs(one.y - other.y) > TALL or abs(one.x - other.x) > WIDE
    assert len(found.labels) < len(answers)


def test_nobody_who_was_tested_is_no_drawing():
    campaign = make_campaign()
    make_enrollment(campaign, submitted=5)
    assert plot(Enrollment.objects.filter(campaign=campaign), campaign, with_ids=True) is None
