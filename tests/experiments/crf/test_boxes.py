from xml.etree import ElementTree

import numpy as np
import pytest

from experiments.crf.boxes import Box, boxes_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_five_numbers_and_the_mean():
    box = Box.of("n", [7, 15, 36, 39, 40, 41, np.nan])
    assert box.numbers == (7, 20.25, 37.5, 39.75, 41)
    assert box.mean == pytest.approx(178 / 6)


def test_whiskers_end_at_values_and_what_is_beyond_is_far():
    box = Box.of("n", [1, 2, 3, 4, 5, 20, -30])
    assert box.whiskers() == (1, 5)
    assert box.far() == [-30, 20]


def test_values_that_are_all_the_same_make_a_box():
    box = Box.of("n", [5, 5, 5])
    assert box.whiskers() == (5, 5)
    ElementTree.fromstring(boxes_svg("t", [box]))


def test_nothing_to_draw_is_told():
    with pytest.raises(ValueError, match="there is no value of 'n' to draw"):
        Box.of("n", [np.nan])


def test_a_file_stands_alone_and_says_its_names():
    boxes = [Box.of("answers & co", range(30)), Box.of("F1", [17.6, 60, 89.11, 2000])]
    drawn = boxes_svg('The "crowd" <1>', boxes)
    root = ElementTree.fromstring(drawn)
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert {"answers & co", "F1", 'The "crowd" <1>'} <= {*texts}
    assert len(root.findall(f"{SVG}rect")) == 2
    assert len(root.findall(f"{SVG}circle")) == 1
    assert "prefers-color-scheme:dark" in drawn
    assert "<script" not in drawn


def test_all_of_a_panel_is_inside_the_drawing():
    root = ElementTree.fromstring(boxes_svg("t", [Box.of("n", [0.001, 0.002, 0.0104])]))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for rect in root.iter(f"{SVG}rect"):
        x, y = float(rect.attrib["x"]), float(rect.attrib["y"])
        assert 0 <= x <= x + float(rect.attrib["width"]) <= width
        assert 0 <= y <= y + float(rect.attrib["height"]) <= height
