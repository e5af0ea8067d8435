"""A campaign's life, and the tasks that opening makes."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from annotation.actions import assignments, campaigns
from annotation.models import Campaign, Demand, GoldQuestion, ImportedAnswer, Task
from annotation.text.markdown import LONGEST_TEXT
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_project,
)

pytestmark = pytest.mark.django_db

EMPTY = {"mentions": [], "entities": [], "unlabelled": []}


@pytest.fixture
def project():
    return make_project()


def draft(project, **fields):
    return make_campaign(project, state="draft", **fields)


def with_answers(project, number, source="gold", answer=EMPTY):
    documents = [make_document(project) for _ in range(number)]
    for document in documents:
        ImportedAnswer.objects.create(
            document=document, interface="entity", source=source, answer=answer
        )
    return documents


def test_it_works(project):
    documents = [make_document(project) for _ in range(3)]
    campaign = campaigns.create_campaign(
        project, slug="first", name="First", interface="entity", instructions="Mark names.",
        redundancy=2,
    )  # fmt: skip
    assert campaigns.open_campaign(campaign) == 3
    assert campaign.state == Campaign.State.OPEN
    assert set(Task.objects.values_list("external_id", flat=True)) == {
        document.external_id for document in documents
    }
    assert set(Demand.objects.values_list("wanted", "open", "ready")) == {(2, 2, True)}
    assert Demand.objects.values("rank").distinct().count() == 3


def test_a_wrong_setting_names_its_field(project):
    with pytest.raises(ValidationError) as caught:
        campaigns.create_campaign(
            project, slug="not a slug", name="", interface="song", redundancy=0, pass_score=2
        )
    assert {"slug", "name", "interface", "redundancy", "pass_score"} <= set(
        caught.value.message_dict
    )


def test_slug_that_is_taken_in_the_same_moment_is_told_as_one_that_was_taken_before(
    project, monkeypatch
):
    def taken_meanwhile(options):
        make_campaign(slug="first")
        return options

    monkeypatch.setattr("annotation.interfaces.entity.check_options", taken_meanwhile)
    with pytest.raises(ValidationError) as in_the_same_moment:
        campaigns.create_campaign(project, slug="first", name="First", interface="entity")
    with pytest.raises(ValidationError) as before:
        campaigns.create_campaign(project, slug="first", name="First", interface="entity")
    assert in_the_same_moment.value.message_dict == before.value.message_dict
    assert set(before.value.message_dict) == {"slug"}
    assert not Campaign.objects.filter(project=project).exists()


def test_budget_of_a_closed_campaign_stays(project):
    campaign = draft(project, budget_mills=500)
    campaigns.close_campaign(campaign)
    with pytest.raises(campaigns.WrongState, match="is closed"):
        campaigns.set_budget(campaign, 900)
    campaign.refresh_from_db()
    assert campaign.budget_mills == 500


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "import documents first"),
        ({"interface": "relation"}, "made from an earlier campaign"),
        ({"interface": "choice"}, "at least two options"),
        ({"assignment": "assigned"}, "who does what"),
        ({"gold_every": 5}, "none is set aside"),
        ({"training_size": 2}, "only 0 are set aside"),
    ],
)
def test_what_is_missing_is_said_and_nothing_opens(project, fields, words):
    campaign = draft(project, **fields)
    with pytest.raises(campaigns.NotReady, match=words):
        campaigns.open_campaign(campaign)
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.DRAFT


def test_a_project_without_types_is_not_ready():
    project = make_project(schema={})
    make_document(project)
    with pytest.raises(campaigns.NotReady, match="no entity types"):
        campaigns.open_campaign(draft(project))


def test_the_cost_is_known_before_opening_and_a_short_budget_is_warned_of(project):
    for _ in range(4):
        make_document(project)
    plan = campaigns.preflight(draft(project, redundancy=3, pay_mills=100, budget_mills=600))
    assert (plan.tasks, plan.answers, plan.cost_mills) == (4, 12, 1200)
    assert any("50% of the answers" in str(warning) for warning in plan.warnings)


def test_every_line_that_tells_of_gold_is_marked_and_no_other(project):
    make_document(project)
    options = {"hidden_gold": 3, "training_gold": 3}
    plan = campaigns.preflight(
        draft(project, gold_every=5, training_size=3, options=options, pay_mills=100)
    )
    lines = [*plan.problems, *plan.warnings]
    marked = " ".join(str(line) for line in lines if line.gold)
    for words in ("to do 3 practice", "One task in 5", "6 documents are", "paid for 3 practice"):
        assert words in marked
    assert {str(line).split(":")[0] for line in lines if not line.gold} == {
        "There are no instructions",
        "There is no budget",
        "Workers are not asked to agree to anything",
    }


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"exam_size": 5, "tries": 1}, "do 5 exam tasks, but only 4 are set aside"),
        ({"exam_size": 3, "tries": 2}, "2 tries take 6 exam tasks, but 4 are set aside: after one"),
        ({"exam_size": 2, "tries": 2}, None),
        ({"training_size": 2, "tries": 3, "exam_size": 1}, "3 tries take 6 practice tasks, but 5"),
        ({"training_size": 2, "tries": 2, "exam_size": 1}, None),
        ({"training_size": 6, "exam_size": 1}, "do 6 practice tasks, but only 5 are set aside"),
        ({"training_size": 2}, "4 questions set aside for an exam, but nobody is to do one"),
        ({"exam_size": 2, "training_size": 3, "tries": 1, "pay_mills": 100},
         "also paid for 5 practice and exam tasks: 0.50 USD"),
    ],
)  # fmt: skip
def test_gold_has_to_suffice_for_practice_exam_and_tries(project, fields, words):
    with_answers(project, 9)
    options = {"exam_gold": 4, "training_gold": 5}
    plan = campaigns.preflight(draft(project, options=options, **fields))
    told = [str(line) for line in (*plan.problems, *plan.warnings) if line.gold]
    assert [words in line for line in told] == [True] if words else told == []


@pytest.mark.parametrize(
    ("fields", "is_told"),
    [({}, True), ({"gold_every": 5}, False), ({"exam_size": 2, "exam_is_hidden": True}, False)],
)
def test_hidden_gold_that_nobody_would_meet_is_told(project, fields, is_told):
    with_answers(project, 9)
    plan = campaigns.preflight(draft(project, options={"hidden_gold": 4}, **fields))
    told = "4 hidden gold questions, but no task in so many is to be one: set gold_every"
    assert any(told in str(line) and line.gold for line in plan.warnings) == is_told


def test_campaign_that_takes_its_gold_from_a_file_is_told_to_import_more(project):
    options = {"choices": ["A", "B"]}
    plan = campaigns.preflight(draft(project, interface="choice", exam_size=2, options=options))
    assert "import more tasks with a known answer for the exam" in " ".join(map(str, plan.problems))


@pytest.mark.parametrize(("gold_every", "marked"), [(0, False), (5, True)])
def test_cost_that_gold_is_a_part_of_tells_of_gold(project, gold_every, marked):
    make_document(project)
    plan = campaigns.preflight(draft(project, gold_every=gold_every, pay_mills=9, budget_mills=1))
    assert [line.gold for line in plan.warnings if "would cost" in str(line)] == [marked]


def test_the_cost_of_an_assigned_campaign_is_what_was_allotted(project):
    document = make_document(project)
    campaign = draft(project, assignment="assigned", redundancy=1, pay_mills=100)
    campaigns.publish_tasks(campaign)
    campaigns.allot(campaign, [(f"w{n}", document.external_id) for n in range(5)])
    assert campaigns.preflight(campaign).cost_mills == 500


def test_hidden_gold_and_practice_are_paid_too(project):
    with_answers(project, 4)
    for _ in range(8):
        make_document(project)
    options = {"hidden_gold": 2, "training_gold": 2}
    plan = campaigns.preflight(
        draft(project, redundancy=1, pay_mills=100, gold_every=5, training_size=2, options=options)
    )
    assert (plan.tasks, plan.answers, plan.cost_mills) == (8, 10, 1000)
    assert any("also paid for 2 practice tasks" in str(warning) for warning in plan.warnings)


def test_who_deals_tasks_out_by_name_is_told_that_names_show(project):
    told = [
        any(
            "workers see the ids of tasks" in str(line)
            for line in campaigns.preflight(campaign).warnings
        )
        for campaign in (draft(project), draft(project, slug="dealt", assignment="assigned"))
    ]
    assert told == [False, True]


def test_no_gold_is_slipped_into_an_assigned_campaign(project):
    with_answers(project, 2)
    campaign = draft(project, assignment="assigned", options={"hidden_gold": 2})
    campaigns.publish_tasks(campaign)
    assert not GoldQuestion.objects.exists()


def test_the_states_lead_on_only_in_their_order(project):
    make_document(project)
    campaign = draft(project)
    with pytest.raises(campaigns.WrongState, match="is draft"):
        campaigns.pause_campaign(campaign)
    campaigns.open_campaign(campaign)
    campaigns.pause_campaign(campaign)
    campaigns.open_campaign(campaign)
    campaigns.close_campaign(campaign)
    for step in (campaigns.open_campaign, campaigns.pause_campaign, campaigns.close_campaign):
        with pytest.raises(campaigns.WrongState, match="is closed"):
            step(campaign)


def test_documents_of_an_unfinished_import_get_no_task(project):
    make_document(project)
    make_document(project, import_run=make_import(project, state="running"))
    assert campaigns.open_campaign(draft(project)) == 1


def test_publishing_again_adds_only_what_is_new(project):
    make_document(project)
    campaign = draft(project)
    campaigns.open_campaign(campaign)
    make_document(project)
    assert campaigns.publish_tasks(campaign) == 1
    assert campaigns.publish_tasks(campaign) == 0
    assert Demand.objects.count() == 2
    campaign.refresh_from_db()
    assert campaign.epoch == 1


def test_gold_of_documents_becomes_gold_questions_as_asked_in_each_campaign(project):
    with_answers(project, 6)
    make_document(project)
    for _ in range(2):
        campaign = draft(project, gold_every=5, options={"training_gold": 2, "hidden_gold": 3})
        campaigns.open_campaign(campaign)
        kinds = list(campaign.demands.order_by("kind").values_list("kind", flat=True))
        assert kinds == [0, 0, 1, 1, 2, 2, 2]
        assert GoldQuestion.objects.filter(task__campaign=campaign).count() == 5


def test_gold_of_another_interface_is_left_alone(project):
    with_answers(project, 2)
    ImportedAnswer.objects.update(interface="choice")
    campaign = draft(project, options={"hidden_gold": 2})
    campaigns.open_campaign(campaign)
    assert not GoldQuestion.objects.exists()


def test_predictions_become_suggestions_on_request(project):
    answer = EMPTY | {"mentions": [{"id": "m1", "start": 0, "end": 3, "type": "PER"}]}
    with_answers(project, 1, source="prediction", answer=answer)
    make_document(project)
    asked, unasked = draft(project, options={"suggestions": True}), draft(project)
    for campaign in (asked, unasked):
        campaigns.open_campaign(campaign)
    assert sum("suggestions" in task.payload for task in asked.tasks.all()) == 1
    assert not any(task.payload for task in unasked.tasks.all())


def test_instructions_that_are_too_long_are_refused(project):
    campaign = draft(project)
    assert campaigns.set_instructions(campaign, "x" * LONGEST_TEXT).number == 1
    words = "have 20,001 characters; at most 20,000 can be taken. Shorten them"
    with pytest.raises(ValidationError, match=words):
        campaigns.set_instructions(campaign, "x" * (LONGEST_TEXT + 1))
    with pytest.raises(ValidationError, match=words):
        campaigns.create_campaign(
            project, slug="long", name="Long", interface="entity",
            instructions="x" * (LONGEST_TEXT + 1),
        )  # fmt: skip
    assert not Campaign.objects.filter(slug="long").exists()


def test_new_instructions_are_a_new_version_and_old_leases_keep_theirs(project):
    make_document(project)
    campaign = draft(project)
    first = campaigns.set_instructions(campaign, "Mark names.")
    campaigns.open_campaign(campaign)
    worker = make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    second = campaigns.set_instructions(campaign, "Mark names and places.")
    assert campaigns.set_instructions(campaign, "Mark names and places.") == second
    assert (first.number, second.number) == (1, 2)
    lease.refresh_from_db()
    assert lease.instructions == first


def test_tasks_without_a_document_are_made_from_their_payload(project):
    campaign = draft(project, interface="choice", options={"choices": ["yes", "no"]}, redundancy=1)
    pairs = [("q1", {"text": "Is it?"}), ("q2", {"text": "Was it?"})]
    assert campaigns.create_tasks(campaign, pairs) == 2
    assert campaigns.create_tasks(campaign, [*pairs, ("q3", {})]) == 1
    assert Demand.objects.count() == 3


def test_opening_costs_the_same_number_of_queries_for_any_number_of_documents(
    project, django_assert_max_num_queries
):
    for _ in range(40):
        make_document(project)
    campaign = draft(project)
    with django_assert_max_num_queries(40):
        campaigns.open_campaign(campaign)
