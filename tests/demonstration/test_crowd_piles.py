import random
from dataclasses import replace

from annotation.interfaces import Material, linking
from demonstration import crowd
from demonstration.crowd_piles import HABITS, Card, PileHabit, answer

CARDS = [
    Card(f"{person}{n}", person, "Anna Rask" if person != "c" else "Lena Ostrov", "PER", link)
    for person, link in (("a", "R1"), ("b", None), ("c", None))
    for n in range(4)
]
FAULTLESS = PileHabit(splits=0, joins=0, unsure=0, unlinked=0, seconds=1)


def piles(habit: PileHabit, seed: int = 1) -> list[set[str]]:
    found, _ = answer(CARDS, habit, random.Random(seed))
    return [set(cluster["mentions"]) for cluster in found["clusters"]]


def test_worker_without_faults_lays_together_what_is_one_and_links_it():
    found, seconds = answer(CARDS, FAULTLESS, random.Random(1))
    assert [(c["link"], len(c["mentions"])) for c in found["clusters"]] == [
        ("R1", 4), (None, 4), (None, 4),
    ]  # fmt: skip
    assert (found["unsure"], found["undecided"]) == ([], [])
    assert 8 < seconds < 20


def test_only_piles_of_a_like_name_are_joined():
    joined = piles(PileHabit(splits=0, joins=1, unsure=0, unlinked=0, seconds=1))
    assert sorted(map(len, joined)) == [4, 8]
    assert {card.id for card in CARDS if card.entity == "c"} in joined


def test_who_splits_leaves_cards_alone():
    alone = piles(PileHabit(splits=1, joins=0, unsure=0, unlinked=0, seconds=1))
    assert len(alone) == len(CARDS)


def test_who_is_in_a_hurry_leaves_the_last_cards_undecided():
    found, seconds = answer(CARDS, replace(FAULTLESS, decides=0.75), random.Random(1))
    assert found["undecided"] == ["c1", "c2", "c3"]
    assert sum(len(cluster["mentions"]) for cluster in found["clusters"]) == 9
    assert seconds < 15


def test_every_answer_is_one_that_the_page_could_send():
    material = Material(payload={"mentions": [{"id": card.id} for card in CARDS]})
    for habit in HABITS.values():
        for seed in range(20):
            linking.read(answer(CARDS, habit, random.Random(seed))[0], material)


def test_habits_differ_as_their_names_say():
    right = {
        name: sum(len(piles(HABITS[habit], seed)) == 3 for seed in range(40))
        for name, habit in (("careful", crowd.CAREFUL), ("spammer", crowd.SPAMMER))
    }
    assert right["careful"] > 2 * right["spammer"]
