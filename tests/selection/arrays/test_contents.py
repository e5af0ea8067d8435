"""What an answer comes to, from its judgments alone."""

from __future__ import annotations

import pytest

from annotation.interfaces.judgments import pack
from selection.arrays.contents import NO_CONTENT, Content, ContentReader

OUT = 3  # the number of "O"


def read(*answers, parts=8):
    reader = ContentReader(OUT, parts)
    for vectors in answers:
        reader.add(pack(vectors))
    numbers, contents = reader.contents()
    return numbers.tolist(), contents, reader.table().tolist()


def tagged(*tags):
    return {"tags": list(tags), "clusters": [], "links": []}


def test_classes_are_what_they_are_and_a_relation_is_its_first_part():
    numbers, contents, table = read({"choice": [5]}, {"choice": [2]}, {"choice": [5]}, parts=1)
    assert numbers[0] == numbers[2] != numbers[1]
    assert contents[numbers[0]] == Content("class", "choice", 5)
    assert table == [[1], [0], [1]]
    numbers, contents, _ = read({"parts": [4, 1, -1, 300]}, {"parts": [4, 0, -1, -1]}, parts=1)
    assert numbers == [0, 0]
    assert contents == [Content("class", "relation", 4)]


def test_values_are_steps_and_an_unsure_one_is_none():
    numbers, contents, table = read({"value": [-1]}, {"value": [7]}, parts=1)
    assert numbers == [NO_CONTENT, 0]
    assert contents == [Content("value", "value", 7)]
    assert table == [[-1], [0]]


def test_a_choice_with_a_value_is_equal_where_both_are():
    numbers, contents, table = read(
        {"choice": [1], "value": [4]}, {"choice": [1], "value": [5]}, {"choice": [1], "value": [4]},
        parts=1,
    )  # fmt: skip
    assert numbers[0] == numbers[2] != numbers[1]
    assert contents == [Content("pattern")] * 2
    assert table == [[0]] * 3


def test_nothing_marked_is_nothing_whatever_the_texts_length():
    numbers, contents, table = read(tagged(3, 3, 3), tagged(3), tagged(3, 0, 1), parts=3)
    assert numbers[0] == numbers[1] != numbers[2]
    assert contents[numbers[0]] == Content("nothing")
    assert table[0] == [2, 2, 2]
    assert table[1] == [2, -1, -1]


def test_words_left_out_are_no_nothing():
    numbers, _, _ = read(tagged(-1, -1), tagged(3, -1), tagged(0, -1), tagged())
    assert numbers == [NO_CONTENT, NO_CONTENT, 0, NO_CONTENT]


def test_the_same_words_by_their_place_are_the_same_in_texts_of_any_length():
    numbers, contents, _ = read(tagged(0, 3, 3, 3), tagged(0, 3), tagged(3, 0, 3), tagged(1, 3))
    assert numbers[0] == numbers[1]
    assert len({numbers[0], numbers[2], numbers[3]}) == 3
    assert contents == [None] * 3
    wide = read(tagged(0, 3, 300), tagged(0, 3))[0]  # 300 takes two bytes
    narrow = read(tagged(0, 3), tagged(0, 3))[0]
    assert len(set(wide)) == 2
    assert len(set(narrow)) == 1


def test_a_whole_text_marked_as_one_is_everything():
    numbers, contents, _ = read(tagged(0, 1, 1), tagged(0, 1), tagged(0, 3))
    assert numbers[0] == numbers[1] != numbers[2]
    assert contents[numbers[0]] == Content("everything", "tag", 0)


def test_piles_are_one_or_all_alone_or_a_pattern():
    def piled(*piles):
        return {"piles": list(piles), "links": [-1] * len(piles)}

    numbers, contents, table = read(
        piled(0, 0, 0), piled(0, 0), piled(0, 1, 2), piled(0, 1, 0), piled(-1, -1), piled(0, -1, 1),
        parts=3,
    )  # fmt: skip
    assert numbers[0] == numbers[1]
    assert contents[numbers[0]] == Content("pile")
    assert contents[numbers[2]] == Content("alone")
    assert contents[numbers[3]] is None
    assert numbers[4] == NO_CONTENT
    assert numbers[5] not in (numbers[2], NO_CONTENT)  # a card that was not judged is not alone
    # Pairs of cards: first and second, first and third, second and third.
    assert table[3] == [0, 1, 0]
    assert table[1] == [1, -1, -1]
    assert table[5] == [-1, 0, -1]


@pytest.mark.parametrize("length", [3, 100])
def test_of_a_long_text_the_same_places_are_compared(length):
    tags = [i % 3 for i in range(length)]
    table = read(tagged(*tags), tagged(*tags), parts=8)[2]
    assert table[0] == table[1]
    assert len(table[0]) == 8
    assert table[0].count(-1) == max(8 - length, 0)
