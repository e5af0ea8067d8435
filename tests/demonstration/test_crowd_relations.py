import random

import pytest

from annotation.interfaces.schema import NONE, UNSURE
from demonstration import crowd
from demonstration.crowd_relations import HABITS, RelationHabit, answer

OFFERED = ["per:spouse", "per:parents", "per:children", "per:siblings", "per:other_family"]
FAULTLESS = RelationHabit(misses=0, confuses=0, imagines=0, unsure=0, seconds=5)


def said(right: str, habit: RelationHabit, times: int = 400) -> list[str]:
    draw = random.Random(1)
    return [answer(right, OFFERED, habit, draw)[0]["relation"] for _ in range(times)]


def test_worker_without_faults_says_what_is_right():
    assert set(said("per:parents", FAULTLESS)) == {"per:parents"}
    assert set(said(NONE, FAULTLESS)) == {NONE}


def test_every_answer_is_one_that_the_page_offers():
    for habit in HABITS.values():
        for right in ("per:parents", NONE):
            assert set(said(right, habit)) <= {*OFFERED, NONE, UNSURE}


def test_a_relation_is_taken_for_the_one_that_is_like_it():
    confused = said("per:parents", HABITS[crowd.CONFUSED])
    assert confused.count("per:children") > 100
    assert confused.count("per:spouse") == 0


def test_where_nothing_like_it_is_offered_something_else_is_said():
    habit = RelationHabit(misses=0, confuses=1, imagines=0, unsure=0, seconds=5)
    draw = random.Random(1)
    assert answer("per:title", ["per:title"], habit, draw)[0]["relation"] == NONE
    assert answer("x", ["x", "y"], habit, draw)[0]["relation"] == "y"


@pytest.mark.parametrize("right", ["per:parents", NONE])
def test_habits_differ_as_their_names_say(right):
    share = {
        name: said(right, HABITS[habit]).count(right)
        for name, habit in (("careful", crowd.CAREFUL), ("spammer", crowd.SPAMMER))
    }
    assert share["careful"] > 350 > 250 > share["spammer"]


def test_a_hasty_worker_overlooks_and_a_sloppy_one_imagines():
    assert said("per:parents", HABITS[crowd.HASTY]).count(NONE) > 80
    assert said(NONE, HABITS[crowd.SLOPPY]).count(NONE) < 360
    assert answer(NONE, OFFERED, HABITS[crowd.SPAMMER], random.Random(1))[1] < 2
