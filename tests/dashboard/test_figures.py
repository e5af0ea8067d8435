from datetime import timedelta
from uuid import UUID

import pytest

from annotation.models import Enrollment, Worker
from annotation.queries.worker_names import worker_name
from dashboard.templatetags.figures import minutes, money, money_places, share, spelled


@pytest.mark.parametrize(
    ("mills", "text"),
    [
        (0, "0.00"),
        (60, "0.06"),
        (5, "0.005"),
        (1_234_560, "1,234.56"),
        (66.7, "0.067"),
        (None, "–"),
    ],
)
def test_money_has_two_places_and_a_third_where_it_matters(mills, text):
    assert money(mills) == text


def test_amounts_of_a_column_have_their_points_under_each_other():
    column = [550, 606.2, None]
    assert [money(one, money_places(column)) for one in column] == ["0.550", "0.606", "–"]
    assert [money(one, money_places([550, 60])) for one in (550, 60)] == ["0.55", "0.06"]


@pytest.mark.parametrize(
    ("value", "text"), [(0.823, ".82"), (1.0, "1.00"), (0.999, "1.00"), (0.0, ".00"), (None, "–")]
)
def test_share_has_no_zero_before_its_point(value, text):
    assert share(value) == text


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (timedelta(days=5, hours=2), "5 days"),
        (timedelta(hours=70), "70 hours"),
        (timedelta(minutes=170), "170 minutes"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(seconds=10), "a moment"),
        (None, "no telling"),
    ],
)
def test_duration_is_told_in_the_unit_that_fits(duration, text):
    assert spelled(duration) == text


@pytest.mark.parametrize(("seconds", "text"), [(48.2, "48 s"), (200, "3 min 20 s"), (None, "–")])
def test_seconds_are_told_as_people_say_them(seconds, text):
    assert minutes(seconds) == text


KEY = UUID("3f9a2c00-0000-4000-8000-000000000000")


@pytest.mark.parametrize(
    ("external_id", "display_name", "with_ids", "name"),
    [
        ("anna", "", True, "anna"),
        ("anna", "Anna B.", True, "Anna B."),
        ("anonymous:0123456789abcdef", "", True, "#c2d553"),
        ("a" * 30, "", True, "a" * 23 + "…"),
        ("5f8a1b2c3d4e5f6a7b8c9d0e", "", False, "#c2d553"),
        ("anonymous:0123456789abcdef", "", False, "#c2d553"),
        ("5f8a1b2c3d4e5f6a7b8c9d0e", "Anna B.", False, "Anna B."),
        ("anna", "A" * 30, False, "A" * 23 + "…"),
    ],
)
def test_worker_has_a_short_name(external_id, display_name, with_ids, name):
    worker = Worker(external_id=external_id, display_name=display_name)
    assert worker_name(Enrollment(key=KEY, worker=worker), with_ids=with_ids) == name
