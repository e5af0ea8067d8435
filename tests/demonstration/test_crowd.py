import random
from dataclasses import replace
from itertools import accumulate

import pytest

from annotation.interfaces import Material, entity
from demonstration import crowd
from demonstration.crowd import CAREFUL, HASTY, SLOPPY, SPAMMER, WORKERS, Habit
from demonstration.load import SCHEMA

MENTIONS = [
    {"id": f"m{i}", "start": 5 * i, "end": 5 * i + 2, "type": kind, "entity": f"e{i % 8}"}
    for i, kind in enumerate(["PER", "LOC", "ORG", "DATE"] * 10)
]
ENTITIES = [{"id": f"e{i}", "canonical": f"m{i}", "link": f"Q{i}", "value": None} for i in range(8)]
GOLD = {"mentions": MENTIONS, "entities": ENTITIES, "unlabelled": []}
WORDS = 200
FAULTLESS = Habit(misses=0, wrong_edge=0, wrong_type=0, invents=0, seconds_a_word=1)


def marked(habit: Habit, seed: int = 1) -> list[tuple[int, int, str]]:
    answer = crowd.answer(GOLD, WORDS, habit, random.Random(seed))
    return [(m["start"], m["end"], m["type"]) for m in answer["mentions"]]


def right(habit: Habit) -> int:
    known = {(m["start"], m["end"], m["type"]) for m in MENTIONS}
    return sum(len(known & set(marked(habit, seed))) for seed in range(20))


def test_worker_without_faults_marks_what_is_there():
    assert marked(FAULTLESS) == [(m["start"], m["end"], m["type"]) for m in MENTIONS]


def test_worker_without_faults_links_what_can_be_linked():
    answer = crowd.answer(GOLD, WORDS, FAULTLESS, random.Random(1))
    assert answer["entities"] == [
        entity | {"canonical": f"m{i}"} for i, entity in enumerate(ENTITIES, start=1)
    ]


def test_worker_who_does_not_look_for_entities_links_nothing():
    habit = replace(FAULTLESS, unlinked=1)
    answer = crowd.answer(GOLD, WORDS, habit, random.Random(1))
    assert answer["entities"] == []
    assert {mention["entity"] for mention in answer["mentions"]} == {None}


def test_who_stops_early_leaves_the_rest_unlabelled():
    habit = replace(FAULTLESS, reads=0.505)  # in the middle of a name
    answer = crowd.answer(GOLD, WORDS, habit, random.Random(1))
    assert answer["unlabelled"] == [[101, WORDS]]
    assert len(answer["mentions"]) == 20


@pytest.mark.parametrize("habit", sorted(set(WORKERS.values()), key=repr), ids=repr)
def test_every_answer_is_one_that_the_page_could_send(habit):
    words = [f"w{i}" for i in range(WORDS)]
    ends = list(accumulate(len(word) + 1 for word in words))
    tokens = [[end - len(word) - 1, end - 1] for word, end in zip(words, ends, strict=True)]
    material = Material(schema=SCHEMA, text=" ".join(words), tokens=tokens, sentences=[[0, WORDS]])
    for seed in range(10):
        entity.read(crowd.answer(GOLD, WORDS, habit, random.Random(seed)), material)


def test_same_seed_gives_the_same_answer():
    assert marked(HASTY, 3) == marked(HASTY, 3) != marked(HASTY, 4)


def test_habits_differ_as_their_names_say():
    assert right(CAREFUL) > right(HASTY) > right(SPAMMER)
    assert right(CAREFUL) > right(SLOPPY) > right(SPAMMER)
    assert len(marked(HASTY)) < len(marked(SLOPPY))


@pytest.mark.parametrize("habit", sorted(set(WORKERS.values()), key=repr), ids=repr)
def test_mentions_stay_inside_the_text_and_apart(habit):
    for seed in range(20):
        edges = [edge for start, end, _ in marked(habit, seed) for edge in (start, end)]
        assert edges == sorted(edges)
        assert all(0 <= edge <= WORDS for edge in edges)
        assert all(start < end for start, end, _ in marked(habit, seed))


def test_crowd_is_twelve_with_one_spammer():
    assert len(WORKERS) == 12
    assert list(WORKERS.values()).count(SPAMMER) == 1


def test_worker_may_part_an_entity_take_it_for_one_like_it_or_link_it_wrongly():
    def entities(**faults: float) -> set[tuple[str, str | None]]:
        habit = replace(FAULTLESS, **faults)
        alike = crowd.Alike({"e0": ["e4"]}, {"Q0": ["Q9"]})
        found = crowd.answer(GOLD, WORDS, habit, random.Random(1), alike=alike)
        link = {entity["id"]: entity["link"] for entity in found["entities"]}
        assert {mention["entity"] for mention in found["mentions"]} == set(link)
        return {(name, link[name]) for name in link}

    assert len(entities()) == 8
    assert len(entities(splits=1)) == len(MENTIONS)
    assert "e0" not in {name for name, _ in entities(joins=1)}
    assert entities(wrong_link=1) == {("e0", "Q9"), *((f"e{i}", None) for i in range(1, 8))}


@pytest.mark.parametrize("habit", sorted(set(WORKERS.values()), key=repr), ids=repr)
def test_answers_of_those_who_group_are_ones_that_the_page_could_send(habit):
    material = Material(
        schema=SCHEMA,
        text="w" * WORDS,
        tokens=[[i, i + 1] for i in range(WORDS)],
        sentences=[[0, WORDS]],
    )
    names = list({entity["id"] for entity in ENTITIES})
    alike = crowd.Alike(dict.fromkeys(names, names), {})
    for seed in range(10):
        draw, grouping = random.Random(seed), crowd.GROUPING[habit]
        entity.read(crowd.answer(GOLD, WORDS, grouping, draw, alike=alike), material)
