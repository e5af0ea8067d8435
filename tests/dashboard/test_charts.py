from itertools import pairwise

from dashboard.charts import bar_chart


def test_bars_stand_on_zero_and_the_highest_fills_the_drawing():
    chart = bar_chart("Answers", "Hour", [("8", 5), ("9", 20), ("10", 0)])
    assert [bar.height for bar in chart.bars] == [25, 100, 0]
    assert [bar.y + bar.height for bar in chart.bars] == [100, 100, 100]
    assert chart.peak.label == "9"
    assert (chart.total, chart.width) == (25, 3)


def test_bars_stand_beside_each_other_within_the_width():
    chart = bar_chart("Answers", "Hour", [("a", 1)] * 24)
    ends = [(bar.x, bar.x + bar.width) for bar in chart.bars]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    assert ends[0][0] >= 0
    assert ends[-1][1] <= chart.width


def test_chart_of_nothing_has_no_peak():
    assert bar_chart("Answers", "Hour", [("8", 0)]).peak is None
    assert bar_chart("Answers", "Hour", []).width == 1
