"""Where the marks of a drawing lie, and the table behind it."""

from itertools import pairwise

import pytest
from django.template.loader import render_to_string

from dashboard.charts import (
    Point,
    Reading,
    Scale,
    bar_chart,
    count_scale,
    share_ticks,
    trend_chart,
)


def drawn(chart) -> str:
    return render_to_string("dashboard/_chart.html", {"chart": chart})


def test_bars_stand_on_zero_and_the_highest_says_its_value():
    chart = bar_chart("Answers", "Hour", [("8", 5), ("9", 20), ("10", 0)])
    assert [bar.height for bar in chart.bars] == [25, 100, 0]
    assert [bar.y + bar.height for bar in chart.bars] == [100, 100, 100]
    assert [label.text for label in chart.labels] == ["20"]
    assert chart.rows == (("8", "5"), ("9", "20"), ("10", "0"))
    assert chart.label == "Answers: 25 answers in all"


def test_bars_stand_beside_each_other_within_the_width():
    chart = bar_chart("Answers", "Hour", [("a", 1)] * 24)
    ends = [(bar.x, bar.x + bar.width) for bar in chart.bars]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    assert ends[0][0] >= 0
    assert ends[-1][1] <= 100


def test_chart_of_nothing_is_drawn_without_bars():
    for points in ([("8", 0)], []):
        chart = bar_chart("Answers", "Hour", points)
        assert chart.labels == ()
        assert "<rect" not in drawn(chart)


@pytest.mark.parametrize(
    ("most", "values"),
    [
        (0, [0]), (1, [0, 0.5, 1]), (2, [0, 1, 2]), (7, [0, 2, 4, 6, 8]), (25, [0, 10, 20, 30]),
        (1_730, [0, 500, 1_000, 1_500, 2_000]),
    ],
)  # fmt: skip
def test_axis_goes_in_round_steps_from_zero_to_above_the_most(most, values):
    scale, ticks = count_scale(most)
    assert list(ticks) == pytest.approx(values)
    assert scale.low == 0
    assert scale.high >= most


def test_what_lies_outside_a_scale_is_drawn_at_its_end():
    scale = Scale(0.5, 1)
    assert [scale.right(value) for value in (0.2, 0.5, 0.75, 1, 1.2)] == [0, 0, 50, 100, 100]
    assert scale.down(0.75) == 50
    assert [tick.text for tick in share_ticks(scale, 0.25)] == [".50", ".75", "1.00"]


def test_trend_has_a_band_where_readings_have_intervals_and_ends_with_its_value():
    readings = [Reading("2 Nov", 0, 0.8, 0.7, 0.9), Reading("9 Nov", 7, 0.9, 0.85, 0.95)]
    scale = Scale(0.5, 1)
    chart = trend_chart(
        "Quality", "F1 by day", readings, scale=scale, up=share_ticks(scale, 0.25),
        heads=("Day", "F1", "95 %"),
    )  # fmt: skip
    band, line = chart.paths
    assert (band.is_band, band.d) == (True, "M0 200L1000 100L1000 300L0 600Z")
    assert (line.is_band, line.d) == (False, "M0 400L1000 200")
    assert chart.rows == (("9 Nov", ".90", ".85–.95"), ("2 Nov", ".80", ".70–.90"))
    assert chart.labels[0].text == ".90"


def test_trend_of_one_reading_is_a_dot_and_of_none_is_empty():
    known = {"scale": Scale(0, 1), "up": (), "heads": ("Day", "F1")}
    one = trend_chart("Quality", "F1", [Reading("today", 3, 0.5)], **known)
    assert (len(one.points), one.paths) == (1, ())
    assert trend_chart("Quality", "F1", [], **known).points == ()


def test_every_drawing_has_its_table_and_no_style_of_its_own():
    point = Point(40, 10, "ada: .90", low=30, high=5, href="/ada/", is_hollow=True)
    chart = bar_chart("Ein <Titel>", "Hour", [("8", 5)])
    text = drawn(type(chart)(title=chart.title, label="Wer", columns=("Worker", "F1"),
                             rows=(("<ada>", ".90"),), points=(point,)))  # fmt: skip
    assert "Ein &lt;Titel&gt;" in text
    assert "&lt;ada&gt;" in text
    assert '<a href="/ada/" tabindex="-1" aria-label="ada: .90">' in text
    assert '<line class="whisker" x1="40%" x2="40%" y1="30%" y2="5%"/>' in text
    assert 'class="ring" cx="40%" cy="10%"' in text
    assert '<details class="behind">' in text
    assert " style=" not in text
