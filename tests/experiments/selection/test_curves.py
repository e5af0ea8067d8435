import math
from xml.etree import ElementTree

import pytest

from experiments.selection.curves import Curve, curves_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*curves):
    return ElementTree.fromstring(curves_svg("A & B", "K", "accuracy <%>", curves))


def test_it_is_well_formed_and_names_each_curve():
    svg = drawn(
        Curve("one", [3, 5, 9], [90, 95, 97.5], [1, 1, 0.5]), Curve("two", [3, 9], [80, 85])
    )
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert {"A & B", "K", "accuracy <%>", "one", "two", "80", "100"} <= set(texts)
    paths = [path.get("class") for path in svg.iter(f"{SVG}path")]
    assert paths.count("band") == 1
    assert paths.count("curve") == 4  # two curves, and their signs beside the names
    assert svg.get("aria-label") == "A & B"


def test_curves_lie_inside_and_higher_values_stand_higher():
    svg = drawn(Curve("one", [0, 10], [1.0, 2.0]))
    line = next(p for p in svg.iter(f"{SVG}path") if p.get("class") == "curve").get("d")
    (x0, y0), (x1, y1) = (map(float, point.split()) for point in line[1:].split("L"))
    assert 0 < x0 < x1 < 760
    assert 0 < y1 < y0 < 440


def test_curves_differ_by_more_than_colour():
    looks = set()
    for path in drawn(*(Curve(str(i), [0, 1], [i, i]) for i in range(12))).iter(f"{SVG}path"):
        if path.get("class") == "curve":
            looks.add((path.get("stroke"), path.get("stroke-dasharray")))
    assert len(looks) == 12


def test_intervals_that_are_not_known_are_left_out_and_equal_values_are_drawn():
    svg = drawn(Curve("flat", [1, 2], [5.0, 5.0], [math.nan, math.nan]))
    assert not [p for p in svg.iter(f"{SVG}path") if p.get("class") == "band"]
    assert drawn(Curve("point", [4], [5.0])) is not None
    with pytest.raises(ValueError, match="no point"):
        curves_svg("t", "x", "y", [])
