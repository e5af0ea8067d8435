"""Whoever opens several devices and compares them learns nothing of hidden gold."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest

from annotation.actions import assignments
from annotation.actions.assignments import ahead
from annotation.models import Campaign, Demand, GoldQuestion, Task
from tests.annotation.actions.devices import Device, guesses, longest_common_sequence
from tests.factories import make_campaign, make_enrollment, make_project

pytestmark = pytest.mark.django_db

EVERY, GOLD, PLAIN, LENGTH = 8, 40, 150, 110
EXAM, SAT = 8, 4  # questions, and how many of them each device is asked
YES = {"choice": "Yes"}
DEVIATIONS = 3  # by which a guess may be better than chance, of as many guesses as there are


def streams_of(devices, seed, monkeypatch, redundancy=3):
    """What so many devices are given by turns, the exam first; (kind, number) for each task. All by
    the seed."""
    draw = random.Random(seed)
    monkeypatch.setattr(ahead, "draw", draw)
    campaign = make_campaign(
        make_project(), interface="choice", options={"choices": ["Yes", "No"]},
        redundancy=redundancy, gold_every=EVERY, exam_size=SAT, secret=f"{seed:032}",
    )  # fmt: skip
    sizes = {Demand.Kind.PLAIN: PLAIN, Demand.Kind.HIDDEN: GOLD, Demand.Kind.EXAM: EXAM}
    numbers = [(kind, n) for kind, size in sizes.items() for n in range(size)]
    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, external_id=f"{kind}-{n}", payload={"text": "It rains."})
        for kind, n in numbers
    )
    Demand.objects.bulk_create(
        Demand(
            task=task, campaign=campaign, kind=kind, rank=ahead.anywhere(), ready=True,
            wanted=redundancy if kind == 0 else 1, open=redundancy if kind == 0 else 1,
        )
        for task, (kind, _) in zip(tasks, numbers, strict=True)
    )  # fmt: skip
    GoldQuestion.objects.bulk_create(
        GoldQuestion(task=task, answer=YES | {"unsure": False, "value": None, "note": ""})
        for task, (kind, _) in zip(tasks, numbers, strict=True)
        if kind
    )
    named = dict(zip((task.pk for task in tasks), numbers, strict=True))
    workers = [make_enrollment(campaign, state="exam").key for _ in range(devices)]
    leases = [assignments.claim_next(worker).assignment for worker in workers]
    streams: list[list] = [[] for _ in workers]
    for _, (place, worker) in itertools.product(range(SAT + LENGTH), enumerate(workers)):
        streams[place].append(named[leases[place].task_id])
        leases[place] = assignments.submit(worker, leases[place].key, YES).next.assignment
    return streams


def is_gold(task):
    return task[0] == Demand.Kind.HIDDEN


def in_memory(devices, seed, plain, gold, every):
    campaign = Campaign(gold_every=every, secret=f"{seed:032}")
    ranks, questions = (sorted(ahead.anywhere() for _ in range(n)) for n in (plain, gold))
    wanted = dict.fromkeys(ranks, 3)
    return [Device(campaign, wanted, questions) for _ in range(devices)]


def assert_no_better_than_chance(compared):
    """`compared`: the streams of several devices, more than once."""
    guessed: Counter[str] = Counter()
    right: Counter[str] = Counter()
    given = gold = 0
    for streams in compared:
        given += sum(map(len, streams))
        gold += sum(is_gold(task) for stream in streams for task in stream)
        for name, tasks in guesses(streams).items():
            guessed[name] += len(tasks)
            right[name] += sum(map(is_gold, tasks))
    rate = gold / given
    assert rate == pytest.approx(1 / EVERY, abs=0.03)
    for name, number in guessed.items():
        most = rate + DEVIATIONS * math.sqrt(rate * (1 - rate) / number)
        assert right[name] / number <= most, (name, right[name], number, rate)


@pytest.mark.parametrize("devices", [2, 3])
def test_comparing_devices_finds_gold_no_better_than_chance(devices, monkeypatch):
    compared = [streams_of(devices, seed, monkeypatch) for seed in range(2)]
    assert_no_better_than_chance([[stream[SAT:] for stream in streams] for streams in compared])


def test_whoever_sits_the_exam_meets_none_of_its_questions_in_the_work(monkeypatch):
    """On no device: neither their own exam nor another's names a question of the hidden gold."""
    for streams in (streams_of(2, seed, monkeypatch) for seed in range(2)):
        sat = {task for stream in streams for task in stream[:SAT]}
        work = {task for stream in streams for task in stream[SAT:]}
        assert {kind for kind, _ in sat} == {Demand.Kind.EXAM}
        assert {kind for kind, _ in work} == {Demand.Kind.PLAIN, Demand.Kind.HIDDEN}
        assert not sat & work


@pytest.mark.parametrize("devices", [2, 3])
def test_nor_does_it_in_many_campaigns(devices, monkeypatch):
    """The same draws without a database, so often that one in ten more would show."""

    def streams_in_memory(seed):
        monkeypatch.setattr(ahead, "draw", random.Random(seed))
        workers = in_memory(devices, seed, PLAIN, GOLD, EVERY)
        for worker in workers * LENGTH:
            worker.claim()
        return [worker.stream for worker in workers]

    assert_no_better_than_chance(streams_in_memory(seed) for seed in range(150))


@pytest.mark.parametrize("gold", [20, 50, 200])
def test_what_no_order_can_hide_is_that_gold_is_given_again(gold, monkeypatch):
    """Twenty workers do 100 tasks each; a second device comes when its first has done so. What it
    meets again is gold, and it is the less, the more gold there is (docs/managers-guide.md)."""
    again = met = 0
    for seed in range(8):
        monkeypatch.setattr(ahead, "draw", random.Random(seed))
        first, *crowd, second = in_memory(21, seed, 1_400, gold, 10)
        for worker in [first, *crowd] * 100 + [second, *crowd] * 100:
            worker.claim()
        both = set(first.stream) & set(second.stream)
        again += sum(map(is_gold, both))
        met += sum(map(is_gold, second.stream))
        assert sum(not is_gold(task) for task in both) <= 1
    assert again / met < 1.4 * met / 8 / gold + 0.05  # n²/N of n


def test_the_guesses_find_the_gold_of_an_order_that_all_have_in_common():
    """As it was: plain tasks come to all alike, gold from somewhere else in its order."""
    plain, rate = [(0, n) for n in range(100)], 10
    streams = []
    for start in (0, 20):
        stream: list = []
        for number, task in enumerate(plain):
            stream += [task]
            if number % rate == rate - 1:
                stream.append((Demand.Kind.HIDDEN, (start + number // rate) % 25))
        streams.append(stream)
    for name in ("outside the longest common sequence", "there or on one device alone"):
        found = guesses(streams)[name]
        assert found
        assert all(map(is_gold, found)), name


def test_the_longest_common_sequence():
    assert longest_common_sequence(list("abcxdef"), list("axbcdfe")) >= set("abcd")
    assert longest_common_sequence([], [1]) == set()
