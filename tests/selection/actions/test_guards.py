"""Flags with their evidence, and gold that good workers fail."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.actions import assignments, gold
from annotation.models import Demand, GoldQuestion, Response
from selection.actions.flags import dismiss_flag
from selection.actions.guards import check_gold, flag_workers
from selection.models import GoldCheck, WorkerFlag
from selection.queries.words import flag_in_words
from tests.factories import (
    GOLD_NEXT,
    make_campaign,
    make_document,
    make_enrollment,
    make_response,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

TASKS, WORKERS = 24, 6


def said(choice):
    return {"choice": choice, "unsure": False, "value": None, "note": ""}


def answer_all(campaign, number, choice_of, seconds=30.0):
    worker = make_enrollment(campaign)
    for task in campaign.tasks.order_by("pk")[:number]:
        make_response(task, worker.worker, said(choice_of(task)), seconds=seconds)
    return worker


@pytest.fixture
def campaign():
    """Six workers who agree, but for two who are flagged."""
    campaign = make_campaign(interface="choice", options={"choices": ["A", "B"]}, redundancy=9)
    for _ in range(TASKS):
        make_task(campaign)
    return campaign


def truth(task):
    return "AB"[task.pk % 2]


def test_flags_come_with_their_evidence_and_go_when_there_is_none(campaign):
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    hasty = answer_all(campaign, TASKS, truth, seconds=1.0)
    lazy = answer_all(campaign, TASKS, lambda task: "A")
    found = {(flag.enrollment_id, flag.kind): flag.evidence for flag in flag_workers(campaign)}
    assert found.keys() == {(hasty.pk, "fast"), (lazy.pk, "same")}
    assert found[hasty.pk, "fast"] == {
        "share": 1.0, "usual": 0.5, "number": TASKS, "times": TASKS,
    }  # fmt: skip
    assert found[lazy.pk, "same"] == {
        "share": 1.0, "usual": 0.5, "number": TASKS, "times": TASKS,
        "others": TASKS * (WORKERS + 1), "content": {"kind": "class", "name": "A"},
    }  # fmt: skip

    dismiss_flag(WorkerFlag.objects.get(kind="fast"))
    later = timezone.now() + timedelta(hours=1)
    assert len(flag_workers(campaign, now=later)) == 2
    assert WorkerFlag.objects.get(kind="fast").dismissed_at is not None


def test_flags_that_are_no_more_are_taken_down(campaign):
    worker = answer_all(campaign, TASKS, truth)
    WorkerFlag.objects.create(
        enrollment=worker, kind="same", evidence={}, at=timezone.now() - timedelta(days=1)
    )
    assert flag_workers(campaign) == []


def test_the_queries_do_not_grow_with_the_workers_or_the_flags(
    campaign, django_assert_max_num_queries
):
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    with django_assert_max_num_queries(16):
        assert flag_workers(campaign) == []
    for choice in "AB":
        answer_all(campaign, TASKS, lambda task, choice=choice: choice)
    with django_assert_max_num_queries(17):  # one for what the contents are called
        assert len(flag_workers(campaign)) == 2


def test_looking_twice_changes_nothing_but_the_moment(campaign):
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    answer_all(campaign, TASKS, lambda task: "A")

    def told(now):
        return [(flag.pk, flag.kind, flag.evidence) for flag in flag_workers(campaign, now=now)]

    now = timezone.now()
    assert told(now) == told(now) == told(now + timedelta(hours=1))


def test_a_flag_that_no_longer_holds_is_taken_back(campaign):
    """Sixteen answers are all "A", and the eight after them are as the others'."""
    tasks = list(campaign.tasks.order_by("pk"))
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    worker = make_worker()
    for task in tasks[:16]:
        make_response(task, worker, said("A"))
    assert [flag.kind for flag in flag_workers(campaign)] == ["same"]
    for task in tasks[16:]:
        make_response(task, worker, said(truth(task)))
    assert flag_workers(campaign) == []
    assert not WorkerFlag.objects.exists()


def test_a_campaign_without_answers_and_one_of_piles_have_none():
    assert flag_workers(make_campaign()) == []
    assert flag_workers(make_campaign(interface="linking")) == []


def three_workers(campaign, tasks, answers):
    """`answers[worker](task number)`; who is flagged for what, with the evidence in words."""
    workers = [make_worker(external_id=name) for name in answers]
    for number, task in enumerate(tasks):
        for worker in workers:
            make_response(task, worker, answers[worker.external_id](number))
    return {
        (flag.enrollment.worker.external_id, flag.kind): flag_in_words(flag.kind, flag.evidence)
        for flag in flag_workers(campaign)
    }


def test_of_three_workers_the_one_who_marks_nothing_is_accused_and_not_the_honest_two():
    """As it happened: fourteen texts, names in thirteen of them."""
    campaign = make_campaign(redundancy=3)
    texts = [f"{'well ' * (n % 5)}Ada Lovelace met nobody" for n in range(14)]
    texts[4] = "nobody met nobody"
    tasks = [make_task(campaign, make_document(campaign.project, text)) for text in texts]

    def found(number):
        tags = ["O"] * len(texts[number].split())
        if "Ada" in texts[number]:
            at = texts[number].split().index("Ada")
            tags[at : at + 2] = ["B-PER", "I-PER"]
        return {"tags": tags}

    def nothing(number):
        return {"tags": ["O"] * len(texts[number].split())}

    told = three_workers(campaign, tasks, {"ann": found, "ben": found, "cat": nothing})
    assert told == {
        ("cat", "same"): "14 of 14 answers mark nothing. Of 28 answers to the same tasks by "
        "others, who agree with each other, 7% do."
    }


def test_always_the_first_word_is_the_same_answer():
    campaign = make_campaign(redundancy=3)
    texts = [f"{'well ' * (n % 7 + 1)}Ada met nobody" for n in range(20)]
    tasks = [make_task(campaign, make_document(campaign.project, text)) for text in texts]

    def at(place):
        def tagged(number):
            words = texts[number].split()
            where = words.index("Ada") if place is None else place
            return {"tags": ["B-PER" if i == where else "O" for i in range(len(words))]}

        return tagged

    told = three_workers(campaign, tasks, {"ann": at(None), "ben": at(None), "cat": at(0)})
    assert list(told) == [("cat", "same")]
    assert told["cat", "same"].startswith("20 of 20 answers are the same, by their place")


@pytest.mark.parametrize(("every", "told"), [(2, [("cat", "same")]), (10, [])])
def test_none_throughout_is_found_among_relations_and_common_none_is_not(every, told):
    campaign = make_campaign(interface="relation", redundancy=3)
    payload = {
        "subject": {"start": 0, "end": 3, "type": "PER"},
        "object": {"start": 4, "end": 10, "type": "LOC"},
    }
    tasks = [
        make_task(campaign, make_document(campaign.project, "Ada London"), payload=payload)
        for _ in range(20)
    ]

    def honest(number):
        return {"relation": "per:born_in" if number % every == 0 else "none"}

    answers = {"ann": honest, "ben": honest, "cat": lambda number: {"relation": "none"}}
    found = three_workers(campaign, tasks, answers)
    assert list(found) == told
    assert all("are “none”. Of 40" in words for words in found.values())


@pytest.mark.parametrize(("lazy", "words"), [
    ([["a", "b", "c", "d"]], "put all mentions into one pile"),
    ([["a"], ["b"], ["c"], ["d"]], "leave each mention alone"),
])  # fmt: skip
def test_one_pile_and_all_alone_are_the_same_answer(lazy, words):
    campaign = make_campaign(interface="linking", redundancy=3)
    cards = [{"id": name, "name": name, "sentence": name} for name in "abcd"]
    tasks = [
        make_task(campaign, payload={"mentions": cards}, external_id=f"t{n}") for n in range(20)
    ]
    ways = [[["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]], [["a", "d"], ["b"], ["c"]]]

    def piles(groups):
        clusters = [{"link": None, "mentions": list(group)} for group in groups]
        return {"clusters": clusters, "unsure": []}

    def honest(number):
        return piles(ways[number % 3])

    told = three_workers(
        campaign, tasks, {"ann": honest, "ben": honest, "cat": lambda number: piles(lazy)}
    )
    assert list(told) == [("cat", "same")]
    assert told["cat", "same"].startswith(f"20 of 20 answers {words}. Of 40 answers")


def test_a_value_of_the_scale_is_named_as_it_was_said():
    options = {"scale": {"min": 1, "max": 5, "step": 0.5}}
    campaign = make_campaign(interface="choice", options=options, redundancy=3)
    tasks = [make_task(campaign) for _ in range(20)]

    def valued(value):
        return {"choice": None, "value": value, "unsure": False, "note": ""}

    def honest(number):
        return valued(1 + number % 4)

    told = three_workers(
        campaign, tasks, {"ann": honest, "ben": honest, "cat": lambda number: valued(3.5)}
    )
    assert told["cat", "same"].startswith("20 of 20 answers are 3.5. Of 40 answers")


def test_practice_with_feedback_is_not_looked_at(campaign):
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    answer_all(campaign, TASKS, lambda task: "A")
    assert [flag.kind for flag in flag_workers(campaign)] == ["same"]
    Demand.objects.filter(campaign=campaign).update(kind=Demand.Kind.TRAINING)
    assert flag_workers(campaign) == []


def test_flags_of_the_old_tests_are_taken_down_by_the_migration(campaign):
    worker = answer_all(campaign, 1, truth)
    for kind in WorkerFlag.Kind.values:
        WorkerFlag.objects.create(enrollment=worker, kind=kind, evidence={}, at=timezone.now())
    import_module("selection.migrations.0002_flags_found_anew").take_down(apps, None)
    assert [flag.kind for flag in WorkerFlag.objects.all()] == ["fast"]


def test_an_interface_of_which_nothing_is_known_is_looked_at_by_whole_answers(
    campaign, monkeypatch
):
    monkeypatch.setattr("selection.arrays.work.categorical", lambda interface: None)
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    lazy = answer_all(campaign, TASKS, lambda task: "A")
    assert [(flag.enrollment, flag.kind) for flag in flag_workers(campaign)] == [(lazy, "same")]


def test_gold_that_good_workers_fail_is_found_and_takes_turns_with_easy_ones(capsys):
    campaign = make_campaign(
        interface="choice", options={"choices": ["A", "B"]}, redundancy=1, gold_every=2
    )
    questions = []
    for number in range(6):
        task = make_task(campaign, kind=Demand.Kind.HIDDEN)
        wrong = number == 2
        known = said("B" if wrong else "A")
        questions.append(GoldQuestion.objects.create(task=task, answer=known))
    for _ in range(8):
        worker = make_enrollment(campaign, **GOLD_NEXT)
        for _ in range(6):
            type(worker).objects.update(**GOLD_NEXT, rest_until=None)
            lease = assignments.claim_next(worker.key).assignment
            assignments.submit(worker.key, lease.key, said("A"))
    found = check_gold(campaign)
    assert found.questions == 6
    assert found.suspicious == [questions[2].task.external_id]
    check = GoldCheck.objects.get(question=questions[2])
    assert (check.mean, check.number) == (0.0, 8)
    assert check.expected > 0.95
    ranks = Demand.objects.filter(campaign=campaign).values_list("rank", flat=True)
    assert len(set(ranks)) == 6

    gold.correct_gold(questions[2], said("A"))
    assert check_gold(campaign).suspicious == []
    call_command("check_gold", campaign=campaign.slug)
    assert "6 gold questions, none suspicious." in capsys.readouterr().out
    call_command("flag_workers")
    with pytest.raises(CommandError, match="no campaign"):
        call_command("check_gold", campaign="nowhere")
    assert Response.objects.count() == 48
