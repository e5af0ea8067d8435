import struct

from aggregation.queries.posteriors import largest, ranked

ROWS = struct.pack("<4e", 0.25, 0.75, 0.5, 0.5)


def test_each_unit_has_its_largest_probability_and_its_classes_in_order():
    assert largest(ROWS, 2) == [0.75, 0.5]
    assert ranked(ROWS, ["yes", "no"], 0.3) == [[("no", 0.75)], [("yes", 0.5), ("no", 0.5)]]


def test_run_without_classes_has_no_probabilities():
    assert largest(b"", 0) == []
    assert ranked(ROWS, [], 0.0) == []
