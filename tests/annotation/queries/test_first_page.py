"""What a worker reads before they agree: the pace of others, and an example of each interface."""

from __future__ import annotations

import pytest

from annotation.interfaces import example
from annotation.interfaces.examples import LONGEST, beginning
from annotation.models import Demand, GoldQuestion, Task
from annotation.models.materials import MATERIAL_COLUMNS
from annotation.models.materials import material_of as read_material
from annotation.queries.first_page import first_page, practice_task
from annotation.sentences.workers import sentence
from annotation.views.first_page import first_page_context
from tests.browser.linking_page import CARDS, make_cards
from tests.browser.relation_page import ALL_TRUE, ada_and_london, make_pairs, to_verify
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_project,
    make_task,
)

pytestmark = pytest.mark.django_db
NO_EVIDENCE = {"evidence": []}
ADA = "Ada met Bob in London . " + "Nothing else was said . " * 30


def material_of(task):
    return read_material(Task.objects.values(*MATERIAL_COLUMNS).get(pk=task.pk))


def shown(found):
    return [(piece.text, piece.label) for piece in found.pieces]


def test_the_pace_is_that_of_workers_and_waits_for_three(django_assert_num_queries):
    campaign = make_campaign()
    for seconds in (60.0, 30.0):
        make_enrollment(campaign, submitted=3, seconds=3 * seconds)
    make_enrollment(campaign, submitted=1, seconds=900.0)  # too few of them
    with django_assert_num_queries(4):  # one of them because nothing is open
        assert first_page(campaign).pace is None
    make_enrollment(campaign, submitted=10, seconds=400.0)
    pace = first_page(campaign).pace
    assert (pace.usual, pace.slow) == (40.0, 60.0)


def test_how_many_tasks_are_open_is_told_in_steps():
    campaign = make_campaign()
    for _ in range(3):
        make_enrollment(campaign, submitted=3, seconds=60.0)
    for _ in range(4):
        make_task(campaign)

    def time_fact():
        return next(fact for fact in first_page_context(campaign)["facts"] if fact.icon == "clock")

    assert time_fact().more == "Stop when you like."
    for _ in range(7):
        make_task(campaign)
    assert time_fact().more == "At least 10 tasks are open. Stop when you like."


def test_that_nothing_is_open_is_told_before_anybody_joins():
    campaign = make_campaign()
    assert first_page_context(campaign)["is_empty"]
    make_task(campaign)
    assert not first_page_context(campaign)["is_empty"]


def test_how_many_cards_a_task_has_is_told():
    campaign = make_campaign(interface="linking")
    practice, plain = Demand.Kind.TRAINING, Demand.Kind.PLAIN
    for number, kind, told in (
        (4, practice, "Nobody"), (60, plain, "About 60 cards a task. Nobody"),
        (8, plain, "8 to 60 cards a task. Nobody"),
    ):  # fmt: skip
        cards = [{"id": f"d:{n}", "name": "Ada"} for n in range(number)]
        task = make_task(
            campaign, document=None, external_id=str(number), payload={"mentions": cards}
        )
        Demand.objects.filter(task=task).update(kind=kind)
        time = first_page_context(campaign)["facts"][1]
        assert time.more.startswith(told)  # practice may be smaller by far


def test_practice_and_test_are_told_of_where_there_are_any():
    campaign = make_campaign(pay_mills=30)
    for _ in range(5):
        make_task(campaign)
    pay, time = first_page_context(campaign)["facts"][:2]
    assert pay.more == ""
    assert time.more == "Nobody has been timed yet. At least 5 tasks are open. Stop when you like."
    campaign.training_size = 2
    pay, _, practice = first_page_context(campaign)["facts"][:3]
    assert pay.more == "Practice is paid the same."
    assert (practice.name, practice.value) == ("Practice", "2 practice tasks")
    assert practice.more == "Answer at least 70% of the tasks correctly to start. You have 1 try."
    campaign.exam_size = 1
    pay, _, both = first_page_context(campaign)["facts"][:3]
    assert pay.more == "Practice and test tasks pay the same."
    assert (both.name, both.value) == ("Practice and test", "2 practice tasks, 1 test task")
    assert both.more.startswith("Answer at least 70% of the test correctly to start.")
    campaign.training_size = 0
    pay, _, test = first_page_context(campaign)["facts"][:3]
    assert pay.more == "The test is paid the same."
    assert (test.name, test.value) == ("Test", "1 test task")


TRAINING, EXAM, HIDDEN = Demand.Kind.TRAINING, Demand.Kind.EXAM, Demand.Kind.HIDDEN


@pytest.mark.parametrize(
    ("training", "exam", "gold", "told"),
    [
        (2, 0, {TRAINING: 2}, "1 try."),
        (2, 0, {TRAINING: 5}, "2 tries."),
        (2, 0, {TRAINING: 99}, "3 tries."),  # no more than are allowed
        (2, 2, {TRAINING: 9, EXAM: 3}, "1 try."),  # what decides
        (2, 2, {TRAINING: 2, EXAM: 4, HIDDEN: 9}, "2 tries."),
    ],
)
def test_no_more_tries_are_promised_than_there_is_gold_for(training, exam, gold, told):
    campaign = make_campaign(training_size=training, exam_size=exam, tries=3)
    document = make_document(campaign.project)
    for kind, number in gold.items():
        for one in range(number):
            make_task(campaign, document, kind=kind, external_id=f"{kind}-{one}")
    assert tries_fact(campaign).endswith(f"You have {told}")


@pytest.mark.parametrize("hidden", [0, 2, 50])
def test_the_tries_tell_nothing_of_how_much_hidden_gold_there_is(hidden):
    campaign = make_campaign(exam_size=2, exam_is_hidden=True, tries=3)
    document = make_document(campaign.project)
    for one in range(hidden):
        make_task(campaign, document, kind=HIDDEN, external_id=f"t{one}")
    assert tries_fact(campaign).endswith("You have at most 3 tries.")


def tries_fact(campaign):
    return next(fact for fact in first_page_context(campaign)["facts"] if fact.icon == "test").more


def test_practice_a_test_and_gold_cost_a_query_each(django_assert_num_queries):
    """What is ready of practice, the tries, and hidden gold on the way: nobody's own is asked."""
    campaign = make_campaign(training_size=1, exam_size=1, gold_every=4)
    for kind in (Demand.Kind.PLAIN, TRAINING, EXAM, HIDDEN):
        make_task(campaign, kind=kind)
    with django_assert_num_queries(6):
        first_page(campaign)


def test_the_example_is_practice_and_never_hidden_gold(django_assert_num_queries):
    campaign = make_campaign()
    ada = {"id": "m1", "start": 0, "end": 3, "type": "PER", "entity": None}
    answer = {"mentions": [ada], "entities": [], "unlabelled": []}
    for kind in (Demand.Kind.HIDDEN, Demand.Kind.EXAM, Demand.Kind.TRAINING):
        task = make_task(campaign, make_document(campaign.project, ADA), kind=kind)
        GoldQuestion.objects.create(task=task, answer=answer)
        found = first_page(campaign).example
        assert (found is None) == (kind != Demand.Kind.TRAINING)
        with django_assert_num_queries(2):
            tried = practice_task(campaign.slug)
        assert (tried["page"] is None) == (found is None)
    assert (tried["page"]["tokens"][0], tried["answer"]["mentions"][0]["end"]) == ("Ada", 1)
    campaign.state = campaign.State.PAUSED
    campaign.save()
    assert practice_task(campaign.slug) == {"page": None, "answer": None}
    assert shown(found)[0] == ("Ada", "PER")
    assert sum(len(text) for text, _ in shown(found)) <= 2 * LONGEST
    assert [option.name for option in found.options] == ["PER"]


def test_no_mark_of_what_the_example_shows_is_left_out():
    campaign = make_campaign()
    names = ("Ada", "Bob", "Cy", "Dee", "Eve", "Flo")
    text = f"{' met '.join(names)} . {'Nothing else was said . ' * 30}Gus left ."
    mentions = [
        {"id": name, "start": text.index(name), "end": text.index(name) + len(name), "type": "PER",
         "entity": None}
        for name in (*names, "Gus")
    ]  # fmt: skip
    task = make_task(campaign, make_document(campaign.project, text))
    answer = {"mentions": mentions, "entities": [], "unlabelled": []}
    found = example(campaign.interface, answer, material_of(task))
    assert [text for text, label in shown(found) if label] == list(names)


def test_a_long_text_is_cut_at_a_word_and_blank_lines_before_it_are_no_text():
    assert beginning("\n" * 2_000) == ""
    assert beginning("\n" * 2_000 + "Ada met Bob.") == "Ada met Bob."
    assert beginning("Ada " * 2_000).endswith("Ada…")


def test_types_of_one_colour_are_told_apart_and_those_without_a_letter_have_a_key():
    kinds = [{"name": name, "colour": 1} for name in ("PER", "LOC")]
    campaign = make_campaign(make_project(schema={"entity_types": kinds, "nested": False}))
    spans = [("m1", 0, 3, "PER"), ("m2", 16, 22, "LOC")]
    mentions = [
        {"id": key, "start": start, "end": end, "type": kind, "entity": None}
        for key, start, end, kind in spans
    ]
    answer = {"mentions": mentions, "entities": [], "unlabelled": []}
    task = make_task(campaign, make_document(campaign.project, ADA))
    found = example(campaign.interface, answer, material_of(task))
    looks = ["type-1 pattern-0", "type-1 pattern-1"]
    assert [(one.name, one.key, one.look) for one in found.options] == [
        ("PER", "⇧p", looks[0]), ("LOC", "⇧l", looks[1]),
    ]  # fmt: skip
    assert [piece.look for piece in found.pieces if piece.label] == looks


def test_a_pair_is_shown_with_its_shapes_and_what_is_right():
    task = make_pairs(ada_and_london()).tasks.get()
    answer = {"relation": "per:place_of_birth", "evidence": []}
    found = example("relation", answer, material_of(task))
    assert [label for _, label in shown(found) if label] == ["● PER", "■ GPE"]
    assert [option.name for option in found.options if option.is_right] == ["● was born in ■"]


STORM = "It rained all the day , and the night . "
BORN = "Ada Lovelace came to London . "
WHY = "She took the town to court . "


@pytest.mark.parametrize(
    ("text", "has_evidence", "expected"),
    [
        (STORM + BORN + WHY, False, STORM + BORN + WHY),  # short: all of it
        (STORM * 9 + BORN + WHY + STORM * 9, False, BORN + WHY + STORM * 5),
        (STORM * 9 + BORN + WHY + STORM * 9, True, BORN + WHY),
        (STORM * 9 + BORN + STORM * 9 + WHY, True, f"{BORN.strip()} … {WHY}"),
        (STORM + WHY + STORM * 9 + BORN, True, f"{WHY.strip()} … {BORN}"),
    ],
)  # fmt: skip
def test_a_pair_is_shown_with_the_sentence_that_says_why(text, has_evidence, expected):
    task = make_pairs(ada_and_london(text), text=text).tasks.get()
    at = text.index("court")
    evidence = [[at, at + 5]] if has_evidence else []
    answer = {"relation": "none", "evidence": evidence}
    found = example("relation", answer, material_of(task))
    assert "".join(piece for piece, _ in shown(found)) == expected.strip()
    assert [label for _, label in shown(found) if label] == ["● PER", "■ GPE"]


@pytest.mark.parametrize(
    ("changed", "whole", "rows"),
    [
        ({}, "Yes, all of it", []),
        ({"object_type_ok": False}, "No, not all", ["London is of the type GPE: No"]),
        (
            {"object_link_ok": "unsure"}, "Can’t tell",
            ["London means London (Capital of England): Can’t tell"],
        ),
        (
            {"relation": "none", "object_link_ok": "unsure"}, "No, not all",
            [
                "Ada Lovelace was born in London: No",
                "London means London (Capital of England): Can’t tell",
            ],
        ),
    ],
)  # fmt: skip
def test_a_claim_is_shown_with_what_is_not_true_of_it(changed, whole, rows):
    task = make_pairs(to_verify()).tasks.get()
    found = example("relation", ALL_TRUE | NO_EVIDENCE | changed, material_of(task))
    assert [label for _, label in shown(found) if label] == ["● PER", "■ GPE"]
    assert sentence(found.question) == "Is all of this true?"
    assert [sentence(one.name) for one in found.options if one.is_right] == [whole]
    assert [sentence(one.name) for one in found.rows if one.is_right] == rows
    assert len(found.rows) == 6  # all of them
    assert sentence(found.rows[1].name).startswith("Ada Lovelace is marked in full")
    assert [one.key for one in found.rows][:2] == (["1", "2"] if rows else ["", ""])


def test_a_claim_of_one_part_is_shown_with_what_is_said_of_it():
    task = make_pairs(to_verify() | {"asks": ["relation"]}).tasks.get()
    found = example("relation", ALL_TRUE | NO_EVIDENCE | {"relation": "unsure"}, material_of(task))
    assert found.question == "Ada Lovelace was born in London"
    assert [sentence(one.name) for one in found.options if one.is_right] == ["Can’t tell"]
    assert found.rows == ()


def test_a_choice_is_shown_with_its_question_and_its_scale():
    scale = {"min": 1, "max": 3, "step": 1, "low": "curt"}
    options = {"choices": ["Yes", "No"], "scale": scale, "question": "Is it praise?"}
    campaign = make_campaign(interface="choice", options=options)
    material = material_of(make_task(campaign, make_document(campaign.project, "Well done .")))
    answer = {"choice": "Yes", "value": 3, "unsure": False, "note": ""}
    found = example("choice", answer, material)
    assert found.question == "Is it praise?"
    assert [option.key for option in found.options] == ["a", "b"]  # digits are the scale's
    assert [value.name for value in found.scale] == ["1: curt", "2", "3"]
    assert [value.is_right for value in found.scale] == [False, False, True]
    campaign.options = options | {"scale": scale | {"max": 100}}
    campaign.save()
    found = example("choice", answer | {"value": 40}, material_of(campaign.tasks.get()))
    assert [value.name for value in found.scale] == ["1: curt", "40", "100"]


@pytest.mark.parametrize(
    ("number", "known", "expected"),
    [
        (4, "A1", ["A0", "A1", "A2", "A3"]),
        (5, "A1", ["A0", "A1", "A2", "A3", "…"]),
        (6, "A5", ["A0", "A1", "A2", "A3", "A5", "…"]),
        (5, "A4", ["A0", "A1", "A2", "A3", "A4"]),
    ],
)
def test_of_many_answers_some_are_shown_and_that_there_are_more(number, known, expected):
    options = {"choices": [f"A{n}" for n in range(number)]}
    campaign = make_campaign(interface="choice", options=options)
    material = material_of(make_task(campaign, make_document(campaign.project, "Well done .")))
    found = example(
        "choice", {"choice": known, "value": None, "unsure": False, "note": ""}, material
    )
    assert [option.name for option in found.options] == expected


def test_of_a_pair_each_text_stands_under_its_title_and_is_long_enough_to_judge():
    campaign = make_campaign(interface="choice", options={"choices": ["Yes", "No"]})
    pair = [{"title": "Premise", "text": "A man works. " * 40}, "He is tired. " * 50]
    material = material_of(make_task(campaign, document=None, payload={"pair": pair}))
    found = example(
        "choice", {"choice": "Yes", "value": None, "unsure": False, "note": ""}, material
    )
    assert [text.label for text in found.texts] == ["Premise", "B"]
    assert found.texts[0].text == "A man works. " * 40
    assert found.texts[1].text.endswith(" is tired.…")  # no word is torn


def test_a_pile_is_shown_by_two_of_its_cards():
    task = make_cards(*CARDS[:3]).tasks.get()
    cards = [card["id"] for card in task.payload["mentions"]]
    answer = {"clusters": [{"mentions": cards[:2], "link": None}], "unsure": [], "undecided": []}
    labels = [label for _, label in shown(example("linking", answer, material_of(task))) if label]
    assert labels == ["=", "=", "≠"]
