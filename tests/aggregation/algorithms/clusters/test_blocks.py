"""Blocks of similar names: bounded, overlapping, the same whenever they are made."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aggregation.algorithms.clusters.blocks import LEAST, name_similarity, overlapping_blocks

NAMES = [
    "freddie gray", "baltimore", "mr gray", "ruth okafor", "baltimore city", "f. gray",
    "r. okafor", "city of baltimore", "london", "okafor",
]  # fmt: skip


def named(found, names=NAMES):
    return [[names[i] for i in block] for block in found.blocks]


def similar_pairs(names, threshold, kinds=None):
    """By brute force, from the formula; of equal names too."""
    kinds = kinds or [""] * len(names)
    distinct = sorted(set(zip(kinds, names, strict=True)))
    grams = [
        {(kind, f" {name} "[i : i + 3]) for i in range(max(1, len(name)))}
        for kind, name in distinct
    ]
    every = sorted(set().union(*grams)) if grams else []
    rarity = {
        gram: 1 + np.log(len(distinct) / sum(gram in held for held in grams)) for gram in every
    }
    place = {key: i for i, key in enumerate(distinct)}

    def weight(held):
        return sum(rarity[gram] for gram in held)

    def cosine(one, other):
        return weight(one & other) / np.sqrt(weight(one) * weight(other))

    pairs = set()
    for i, j in combinations(range(len(names)), 2):
        one, other = place[kinds[i], names[i]], place[kinds[j], names[j]]
        if one == other or cosine(grams[one], grams[other]) >= threshold - 1e-9:
            pairs.add((i, j))
    return pairs


def shared_pairs(found):
    return {pair for block in found.blocks for pair in combinations(sorted(block.tolist()), 2)}


def test_it_works():
    found = overlapping_blocks(NAMES, size=4, threshold=0.3)

    assert sorted(map(sorted, named(found))) == [
        ["baltimore", "baltimore city", "city of baltimore"],
        ["f. gray", "freddie gray", "mr gray"],
        ["okafor", "r. okafor", "ruth okafor"],
    ]
    assert [NAMES[i] for i in found.alone] == ["london"]
    assert found.apart == 0


def test_similarity_is_the_cosine_of_weighted_grams():
    cosines = name_similarity(["ab", "abc", "xy"], 0.01).toarray()

    common, rare = 1 + np.log(3 / 2), 1 + np.log(3)  # " ab" is in two of three names
    expected = common / np.sqrt((common + rare) * (common + 2 * rare))
    assert cosines == pytest.approx(np.array([[0, expected, 0], [expected, 0, 0], [0, 0, 0]]))


def test_small_groups_share_a_block():
    found = overlapping_blocks(NAMES, size=9, threshold=0.3)
    assert [len(block) for block in found.blocks] == [9]


def test_kinds_are_never_similar():
    found = overlapping_blocks(["washington"] * 3, kinds=["PER", "LOC", "PER"])
    assert [block.tolist() for block in found.blocks] == [[0, 2]]
    assert found.alone.tolist() == [1]


def test_large_group_becomes_a_chain_that_overlaps():
    found = overlapping_blocks(["smith"] * 100, size=12, most_blocks=2)

    assert all(len(block) <= 12 for block in found.blocks)
    assert set(np.concatenate(found.blocks)) == set(range(100))
    assert found.apart > 0
    assert is_joined(found.blocks)


def is_joined(blocks):
    """Whether piles can be joined from block to block."""
    reached, left = set(blocks[0]), [set(block) for block in blocks[1:]]
    while left:
        near = next((block for block in left if block & reached), None)
        if near is None:
            return False
        reached |= near
        left.remove(near)
    return True


def test_with_blocks_enough_every_pair_is_covered_even_of_equal_names():
    names = ["smith"] * 40 + ["smyth"] * 5 + ["smithe"] * 5
    found = overlapping_blocks(names, size=8, threshold=0.3, most_blocks=1_000)

    assert found.apart == 0
    assert similar_pairs(names, 0.3) <= shared_pairs(found)


words = st.lists(st.text("abc ", min_size=1, max_size=5).map(str.strip), max_size=40)


@settings(max_examples=60, deadline=None)
@given(words, st.integers(LEAST, 9), st.sampled_from([0.2, 0.5, 0.9]), st.randoms())
def test_blocks_keep_their_promises(names, size, threshold, shuffled):
    found = overlapping_blocks(names, size=size, threshold=threshold, most_blocks=1_000)

    assert all(2 <= len(block) <= size for block in found.blocks)
    assert all(len(set(block.tolist())) == len(block) for block in found.blocks)
    placed = {i for block in found.blocks for i in block.tolist()}
    assert placed | set(found.alone.tolist()) == set(range(len(names)))
    assert not placed & set(found.alone.tolist())
    assert similar_pairs(names, threshold) <= shared_pairs(found)
    few = overlapping_blocks(names, size=size, threshold=threshold, most_blocks=2)
    memberships = np.bincount(np.concatenate(few.blocks)) if few.blocks else np.zeros(1)
    assert memberships.max() <= 2
    # Another order of the names gives the same blocks of names.
    order = list(range(len(names)))
    shuffled.shuffle(order)
    moved = [names[i] for i in order]
    again = overlapping_blocks(moved, size=size, threshold=threshold, most_blocks=1_000)
    assert named(again, moved) == named(found, names)


def test_a_page_of_similar_names_is_told_as_it_goes():
    told = []
    overlapping_blocks([f"name {i}" for i in range(1_500)], threshold=0.9, advance=told.append)
    assert told == [1_000, 500]


def test_thousands_of_names_share_few_blocks():
    draw = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    surnames = ["".join(draw.choices(syllables, k=3)) for _ in range(800)]
    names = [f"{draw.choice(syllables)} {draw.choice(surnames)}" for _ in range(4_000)]
    found = overlapping_blocks(names, threshold=0.5)
    assert sum(map(len, found.blocks)) <= 3 * len(names)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 3}, "size must be at least 4, but is 3"),
        ({"threshold": 0}, "threshold must be above 0 and at most 1, but is 0"),
        ({"kinds": ["PER"]}, "There are 10 names, but 1 kinds"),
    ],
)
def test_wrong_settings_are_told(settings, message):
    with pytest.raises(ValueError, match=message):
        overlapping_blocks(NAMES, **settings)


def test_nothing_gives_nothing():
    found = overlapping_blocks([])
    assert (found.blocks, found.alone.tolist(), found.pairs, found.apart) == ([], [], 0, 0)
