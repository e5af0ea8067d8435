"""The marks of the drawing of gold score against volume, and its axes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from annotation.models import Enrollment
from dashboard.workers.plot import APART, LEFT, RIGHT, plot
from tests.factories import make_campaign, make_enrollment

pytestmark = pytest.mark.django_db


def drawn(*answers):
    campaign = make_campaign()
    for number in answers:
        make_enrollment(campaign, submitted=number, gold_seen=4, gold_score_sum=2)
    return plot(Enrollment.objects.filter(campaign=campaign), with_ids=True)


def test_axis_goes_from_the_fewest_to_the_most_with_round_numbers_between():
    found = drawn(3, 40, 1_730)
    places = [x for x, _ in found.across]
    assert [number for _, number in found.across] == [3, 10, 20, 50, 100, 200, 1_730]
    assert (places[0], places[-1]) == (LEFT, RIGHT)
    assert all(later - x >= APART for x, later in pairwise(places))
    assert [mark.x for mark in found.points] == sorted(
        (mark.x for mark in found.points), reverse=True
    )


def test_interval_lies_about_the_score_and_higher_is_better():
    mark = drawn(7).points[0]
    assert mark.x == RIGHT
    assert mark.high < mark.y < mark.low  # counted from the top
    assert found_label(mark) == "0.50 (0.15–0.85) on gold, 7 answers, qualified"


def found_label(mark) -> str:
    return mark.label.partition(": ")[2]


def test_nobody_who_was_tested_is_no_drawing():
    campaign = make_campaign()
    make_enrollment(campaign, submitted=5)
    assert plot(Enrollment.objects.filter(campaign=campaign), with_ids=True) is None
