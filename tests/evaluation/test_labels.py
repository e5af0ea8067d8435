"""From a consensus to the probability that a part of a claim is true."""

import struct

import pytest

from aggregation.models import Consensus
from evaluation.arrays.labels import probability_of
from evaluation.models import Claim, ClaimPart

CLASSES = ["per:place_of_birth", "none", "unsure"]
NAN = float("nan")


def told(*probabilities, relation="per:place_of_birth", part="relation", **answer):
    row = ClaimPart(claim=Claim(relation=relation), part=part)
    packed = struct.pack(f"<{len(probabilities)}e", *probabilities)
    return probability_of(row, Consensus(answer=answer, probabilities=packed), CLASSES)


def test_cannot_tell_counts_half():
    assert told(0.5, 0.25, 0.25) == pytest.approx(0.625)


def test_a_relation_that_nobody_chose_does_not_hold_and_is_not_left_out():
    assert told(0.1, 0.9, 0.0, relation="per:spouse") == 0.0
    assert told(0.1, 0.4, 0.5, relation="per:spouse") == pytest.approx(0.25)


def test_what_was_not_judged_has_no_probability():
    assert told(NAN, NAN, NAN) is None
    assert told() is None


def test_sides_are_what_the_consensus_says():
    said = {"subject_ok": True, "object_type_ok": False, "object_link_ok": "unsure"}
    values = [told(part=part, **said) for part in (*said, "subject_type_ok")]
    assert values == [1.0, 0.0, 0.5, None]
