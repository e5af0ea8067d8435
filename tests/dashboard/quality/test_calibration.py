import pytest

from dashboard.quality.calibration import calibration_chart


def test_calibration_leaves_empty_bins_out_and_draws_a_larger_dot_for_more():
    bins = [(0, 0, 0), (10, 0.6, 0.5), (4_000, 0.95, 0.9)]
    chart = calibration_chart("Calibration", bins, judged="token")
    assert [(point.x, point.y) for point in chart.points] == [(60, 50), (95, 10)]
    assert chart.points[0].radius < chart.points[1].radius
    assert chart.rows == ((".60", ".50", ".24–.76", "10"), (".95", ".90", ".89–.91", "4,000"))
    assert chart.columns[-1] == "Tokens"
    assert (chart.points[0].low, chart.points[0].high) == pytest.approx((76.3, 23.7), abs=0.1)
    assert len(chart.paths) == 1  # of gold that taught nothing there is no line


def test_calibration_has_the_line_of_what_was_claimed_before():
    chart = calibration_chart(
        "Calibration", [(10, 0.6, 0.5)], judged="span", error=0.1,
        before=[(0, 0, 0), (8, 0.9, 0.25), (6, 0.7, 0.5), (2, 0.3, 1)], before_error=0.354,
    )  # fmt: skip
    assert chart.paths[1].d == "M700 500L900 750"
    assert [label.text for label in chart.labels[1:]] == [
        "dots: calibrated on gold, 10.0 points off", "line: before, 35.4 points off",
    ]  # fmt: skip
    assert chart.rows[1:] == (
        ("before: .30", "1.00", ".34–1.00", "2"),  # too few for the line
        ("before: .70", ".50", ".19–.81", "6"),
        ("before: .90", ".25", ".07–.59", "8"),
    )  # fmt: skip
