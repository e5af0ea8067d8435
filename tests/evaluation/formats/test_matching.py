"""When claims are one: exactly, by the last word, by any character in common."""

import json

import numpy as np
import pytest

from annotation.formats.directions import Directions
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from evaluation.files.exhaustive import read_exhaustive
from evaluation.files.pool import check_match, read_pool
from evaluation.formats import claim_lines
from evaluation.formats.columns import Columns, hashes
from evaluation.formats.errors import BadFile
from evaluation.formats.issues import Report
from evaluation.formats.matching import EXACT, HEAD, OVERLAP, Matching

DIRECTIONS = Directions(read_relation_types(RELATION_TYPES))
# "Countess Ada Lovelace was born in London": with the title, without it, the first name alone.
WITH_TITLE, NAME, FIRST, PLACE = (0, 21), (9, 21), (9, 12), (34, 40)


def claim(subject, document="d1", object_=PLACE):
    return json.dumps(
        {
            "document": document, "relation": "per:place_of_birth",
            "subject": {"start": subject[0], "end": subject[1], "type": "PER"},
            "object": {"start": object_[0], "end": object_[1], "type": "GPE"},
            "provenance": [[0, 41]],
        }
    )  # fmt: skip


@pytest.fixture
def pool(tmp_path):
    def made(rule, **systems):
        paths = []
        for name, lines in systems.items():
            path = tmp_path / f"{name}.jsonl"
            path.write_text("".join(line + "\n" for line in lines))
            paths.append(str(path))
        return read_pool(paths, DIRECTIONS, match=rule)

    return made


@pytest.mark.parametrize(("rule", "claims"), [(EXACT, 3), (HEAD, 2), (OVERLAP, 1)])
def test_claims_of_systems_that_match_are_one(pool, rule, claims):
    made = pool(rule, a=[claim(WITH_TITLE)], b=[claim(NAME)], c=[claim(FIRST)])
    assert made.predictions.n_claims == claims
    assert made.predictions.sizes.tolist() == [1, 1, 1]


def test_what_a_system_says_twice_counts_once(pool):
    made = pool(OVERLAP, a=[claim(WITH_TITLE), claim(NAME)], b=[claim(NAME, "d2")])
    assert made.predictions.sizes.tolist() == [1, 1]
    assert made.predictions.n_claims == 2  # other documents have other mentions


@pytest.mark.parametrize(("rule", "found"), [(EXACT, False), (HEAD, False), (OVERLAP, True)])
def test_an_annotated_mention_is_matched_by_the_same_rule(pool, tmp_path, rule, found):
    made = pool(rule, a=[claim(WITH_TITLE)])
    path = tmp_path / "exhaustive.jsonl"
    path.write_text('{"document": "d1"}\n' + claim(FIRST) + "\n")
    truth = read_exhaustive(path, DIRECTIONS, None, made.matching)
    assert (made.place(truth.key) >= 0).tolist() == [found]


def test_a_mention_over_two_groups_goes_to_the_one_with_most_in_common(pool):
    made = pool(OVERLAP, a=[claim((0, 5)), claim((10, 20))])
    matching = made.matching
    document = hashes(["d1"] * 4)
    spans = np.array([[3, 18, 30, 32], [2, 11, 30, 32], [5, 10, 30, 32], [4, 6, 30, 32]])
    found = matching.spans(document, spans)[:, :2].tolist()
    assert found == [[10, 20], [0, 5], [5, 10], [0, 5]]
    assert matching.spans(hashes(["elsewhere"]), spans[:1]).tolist() == spans[:1].tolist()


def test_groups_are_those_of_brute_force():
    rng = np.random.default_rng(0)
    for _ in range(50):
        first = rng.integers(0, 60, 12)
        spans = np.column_stack([first, first + rng.integers(1, 8, 12)])
        joined = np.eye(12, dtype=bool)
        for _ in range(12):  # of a chain all are one
            overlap = (spans[:, None, 0] < spans[None, :, 1]) & (
                spans[None, :, 0] < spans[:, None, 1]
            )
            joined = (joined.astype(int) @ overlap.astype(int)) > 0
        lines = [claim(tuple(map(int, span)), object_=(1000, 1005)) for span in spans]
        matching = _matching_of(lines)
        found = matching.spans(
            hashes(["d1"] * 12), np.column_stack([spans, np.tile([1000, 1005], (12, 1))])
        )
        same = (found[:, None, :2] == found[None, :, :2]).all(axis=2)
        assert (same == joined).all()


def _matching_of(lines):
    columns = Columns(DIRECTIONS, Report("a"))
    claim_lines.read(enumerate(lines, 1), columns, None)
    return Matching(OVERLAP, [columns.whole("a")], DIRECTIONS)


def test_an_unknown_rule_is_refused():
    with pytest.raises(BadFile, match="--match loose is not known"):
        check_match("loose")
