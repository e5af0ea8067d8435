import numpy as np
import pytest

from aggregation import arrays
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from annotation.actions import integrity
from annotation.actions.feedback import handed_in
from annotation.actions.projects import label_numbers
from annotation.interfaces import Material, choice, entity, judgments
from annotation.models import Assignment, Demand, GoldQuestion, Response
from annotation.queries.exports import responses
from annotation.queries.history import history_page
from tests.aggregation.crowds import (
    CHOICES,
    choice_campaign,
    choice_task,
    make_workers,
    tagged_task,
)
from tests.factories import make_campaign, make_document, make_response, make_task, make_worker

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
NOTHING = "O O O O O O O O O"


def said(crowd, task, worker):
    """The tags that a worker gave to a task, as the arrays tell it."""
    t, w = crowd.tasks.tolist().index(task.pk), crowd.workers.tolist().index(worker.pk)
    tags = ["?"] * int(crowd.starts[t + 1] - crowd.starts[t])
    found = crowd.sequences
    for token, by, label in zip(found.token, found.worker, found.label, strict=True):
        if by == w and crowd.starts[t] <= token < crowd.starts[t + 1]:
            tags[token - crowd.starts[t]] = crowd.classes[label]
    return " ".join(tags)


# --- Reading sequences --------------------------------------------------------------------------


def test_each_answer_is_read_with_its_gaps_and_illegal_tags():
    campaign, (ann, ben) = make_campaign(), make_workers(2)
    gaps = "? I-PER O ? ? B-LOC I-LOC O O"
    first = tagged_task(campaign, NAMES, gaps, workers=[ann, ben])
    second = tagged_task(campaign, "O B-ORG", workers=[ben], text="The UN", sentences=[[0, 2]])
    crowd = arrays.load_sequences(campaign)

    assert said(crowd, first, ann) == NAMES
    assert said(crowd, first, ben) == gaps
    assert said(crowd, second, ben) == "O B-ORG"
    assert said(crowd, second, ann) == "? ?"
    assert crowd.answers == 3
    assert crowd.labels.n_labels == 9 + 6 + 2


def test_mentions_are_read_as_tags():
    campaign, worker = make_campaign(), make_worker()
    answer = {
        "mentions": [{"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": None}],
        "entities": [],
        "unlabelled": [[25, 45]],
    }
    task = tagged_task(campaign, answer, workers=[worker])
    assert said(arrays.load_sequences(campaign), task, worker) == "B-PER I-PER O O ? ? ? ? ?"


def test_sentences_of_all_documents_become_sequences():
    campaign = make_campaign()
    tagged_task(campaign, NAMES)
    tagged_task(campaign, "O O", text="Two words", sentences=[[0, 2]])
    tagged_task(campaign, "O O O", text="One gap here", sentences=[[0, 1], [2, 3]])
    found = arrays.load_sequences(campaign).sequences
    assert found.starts.tolist() == [0, 5, 9, 11, 12, 13, 14]
    assert found.documents.tolist() == [0, 2, 3, 6]


def test_a_task_is_a_document_of_its_own_also_where_two_show_the_same():
    campaign = make_campaign()
    document = make_document(campaign.project, "Ada met Bob")
    for i in range(2):
        make_response(make_task(campaign, document, external_id=f"t{i}"), None, {"tags": ["O"] * 3})
    assert arrays.load_sequences(campaign).sequences.documents.tolist() == [0, 1, 2]


def test_a_campaign_without_answers_has_no_documents():
    assert arrays.load_sequences(make_campaign()).sequences.documents.tolist() == [0]


def test_classes_are_the_tags_in_use_by_name_whatever_their_numbers():
    campaign = make_campaign()
    label_numbers(campaign.project_id, {"tag": ["O", "I-ORG", "B-ORG", "I-PER", "B-LOC", "B-PER"]})
    tagged_task(campaign, NAMES)
    crowd = arrays.load_sequences(campaign)
    assert crowd.classes == ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")


def test_wide_judgments_are_read_too():
    """From 128 labels on, a number takes two bytes."""
    campaign, worker = make_campaign(), make_worker()
    label_numbers(campaign.project_id, {"tag": [f"B-T{i}" for i in range(300)]})
    first = tagged_task(campaign, NAMES, workers=[worker])
    assert judgments.directory(Response.objects.get().judgments)["tags"][1] == 2
    assert said(arrays.load_sequences(campaign), first, worker) == NAMES


@pytest.mark.parametrize("state", [s for s in Assignment.State.values if s != "submitted"])
def test_only_submitted_answers_count(state):
    """A late one is stored, but its place had been filled."""
    campaign, (ann, ben) = make_campaign(), make_workers(2)
    task = tagged_task(campaign, NAMES, workers=[ann])
    make_response(task, ben, {"tags": NOTHING.split()}, state=state)
    assert arrays.load_sequences(campaign).workers.tolist() == [ann.pk]


@pytest.mark.parametrize("kind", [1, 2])
def test_answers_to_gold_questions_do_not_count(kind):
    campaign = make_campaign()
    task = tagged_task(campaign, NAMES)
    gold = make_task(campaign, make_document(campaign.project), kind=kind)
    make_response(gold, None, {"tags": ["O"] * 7})
    assert arrays.load_sequences(campaign).tasks.tolist() == [task.pk]


def test_answers_of_other_campaigns_and_of_blocked_workers():
    campaign, worker = make_campaign(), make_worker(blocked_at="2020-01-01T00:00Z")
    tagged_task(campaign, NAMES, workers=[worker])
    tagged_task(make_campaign(campaign.project), NOTHING)
    assert arrays.load_sequences(campaign).workers.tolist() == [worker.pk]


def test_workers_come_in_the_order_of_their_numbers():
    campaign, (ann, ben) = make_campaign(), make_workers(2)
    task = tagged_task(campaign)
    make_response(task, ben, {"tags": NAMES.split()})
    make_response(task, ann, {"tags": NOTHING.split()})
    crowd = arrays.load_sequences(campaign)

    assert crowd.workers.tolist() == [ann.pk, ben.pk]
    assert crowd.labels.worker.tolist() == [0] * 9 + [1] * 9


def test_queries_do_not_grow_with_answers(django_assert_num_queries):
    campaign, workers = make_campaign(), make_workers(4)
    for _ in range(3):
        tagged_task(campaign, *[NAMES] * 4, workers=workers)
    with django_assert_num_queries(5):
        arrays.load_sequences(campaign)
    with django_assert_num_queries(9):
        arrays.load_sequences(campaign, gold=True)


def broken_response(task, data=None, **vectors):
    """An answer whose judgments no interface would make: `data` of the right ones, or vectors."""
    made = make_response(task, None, {"tags": NAMES.split() if data else ["?"] * 9})
    Assignment.objects.filter(pk=made.pk).update(state="returned")
    again = Assignment.objects.create(
        task=task,
        worker=make_worker(),
        enrollment=made.assignment.enrollment,
        state="submitted",
        leased_at=made.received_at,
        expires_at=made.received_at,
    )
    return Response.objects.create(
        assignment=again,
        answer=made.answer,
        judgments=data(bytes(made.judgments)) if data else judgments.pack(vectors),
        received_at=made.received_at,
    )


def test_answers_of_different_lengths_are_refused_by_name():
    campaign = make_campaign()
    task = tagged_task(campaign, NAMES)
    broken_response(task, tags=[0, 0])
    with pytest.raises(ValueError, match=f"task '{task.external_id}' judge 9 and 2 tokens"):
        arrays.load_sequences(campaign)


def test_answers_shorter_than_their_document_are_refused_by_name():
    campaign = make_campaign()
    task = tagged_task(campaign)
    broken_response(task, tags=[-1, -1])
    with pytest.raises(ValueError, match=f"task '{task.external_id}' judge 2 tokens, but .* has 9"):
        arrays.load_sequences(campaign)


DAMAGES = {
    "list of vectors does not end within 0 bytes": lambda data: b"",
    "list of vectors does not end within 5 bytes": lambda data: data[:5],
    r"should have \d+ bytes, but have": lambda data: data[:-2],
    r"should have \d+ bytes, but have (?=\d)": lambda data: data + b"!",
    "Integers have 1, 2 or 4 bytes, but those of 'tags' have 3": lambda data: data.replace(
        b"tags\x01", b"tags\x03"
    ),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_response_is_named_and_stood_in_for(how):
    campaign = make_campaign()
    task = tagged_task(campaign, NAMES)
    damaged = broken_response(task, DAMAGES[how])
    with pytest.raises(ValueError, match=f"response {damaged.pk} .*'{task.external_id}'.*{how}"):
        arrays.load_sequences(campaign)

    [found] = [one for one in integrity.check_campaign(campaign) if "damaged" in str(one)]
    assert f"Response {damaged.pk}," in str(found)
    integrity.check_campaign(campaign, repair=True)
    crowd = arrays.load_sequences(campaign)
    assert said(crowd, task, damaged.assignment.worker) == NAMES
    # Nobody is told that the worker corrected anything.
    assert {row.facts["corrected_at"] for row in responses(campaign)} == {None}
    enrollment = damaged.assignment.enrollment
    seen = handed_in(enrollment.key, damaged.assignment.key)
    assert seen is not None
    assert seen["corrected_at"] is None
    assert [row["corrected_at"] for row in history_page(enrollment.key)["rows"]] == [None]
    assert not [one for one in integrity.check_campaign(campaign) if "damaged" in str(one)]


def test_numbers_that_the_project_does_not_know_are_refused():
    campaign = make_campaign()
    broken_response(tagged_task(campaign), tags=[77] * 9)
    with pytest.raises(ValueError, match=f"number 77, which project '{campaign.project.slug}'"):
        arrays.load_sequences(campaign)


def test_words_are_numbered_over_all_documents_as_they_are_written():
    campaign = make_campaign()
    tagged_task(campaign, "O O O", text="The cat the", sentences=[[0, 3]])
    tagged_task(campaign, "O O", text="cat The", sentences=[[0, 2]])
    crowd = arrays.load_sequences(campaign).sequences
    assert [crowd.vocabulary[i] for i in crowd.words] == ["The", "cat", "the", "cat", "The"]
    assert len(crowd.vocabulary) == 3


# --- Reading gold -------------------------------------------------------------------------------


def gold_question(campaign, answer, *answers, workers=()):
    """A hidden gold question; the answers come from workers."""
    document = make_document(campaign.project, "Ada met Bob")
    task = make_task(campaign, document, kind=Demand.Kind.HIDDEN)
    question = GoldQuestion.objects.create(task=task, answer={"tags": answer.split()})
    for i, given in enumerate(answers):
        make_response(task, workers[i] if workers else None, {"tags": given.split()})
    return task, question


def truth(crowd, task):
    i = crowd.tasks.tolist().index(task.pk)
    names = [*crowd.known_classes, "?"]
    return " ".join(names[n] for n in crowd.gold[crowd.starts[i] : crowd.starts[i + 1]])


def test_gold_is_read_where_it_is_asked_for():
    campaign = make_campaign()
    known = tagged_task(campaign, NOTHING, gold="B-PER I-PER ? O O B-LOC O O O")
    unknown = tagged_task(campaign, NOTHING)
    crowd = arrays.load_sequences(campaign, gold=True)
    assert truth(crowd, known) == "B-PER I-PER ? O O B-LOC O O O"
    assert truth(crowd, unknown) == "? ? ? ? ? ? ? ? ?"
    assert (arrays.load_sequences(campaign).gold == -1).all()


def test_what_gold_alone_says_is_no_class_unless_it_is_learnt_from():
    campaign = make_campaign()
    tagged_task(campaign, NOTHING, gold=NAMES)
    scored = arrays.load_sequences(campaign, gold=True)
    assert scored.classes == ("O",)
    assert scored.known_classes == ("O", "B-LOC", "B-PER", "I-PER")
    clamped = arrays.load_sequences(campaign, clamp=True)
    assert clamped.classes == clamped.known_classes == ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")


def test_answers_to_gold_questions_count_where_gold_is_learnt_from():
    campaign, (ann,) = make_campaign(), make_workers(1)
    plain = tagged_task(campaign, NAMES, workers=[ann])
    asked, _ = gold_question(campaign, "B-PER O B-PER", "B-PER O O", workers=[ann])
    crowd = arrays.load_sequences(campaign, clamp=True)
    assert crowd.tasks.tolist() == [plain.pk, asked.pk]
    assert crowd.plain.tolist() == [True, False]
    assert truth(crowd, asked) == "B-PER O B-PER"
    aggregate(campaign, "dawid-skene", clamp_gold=True)
    assert [row.task_id for row in Consensus.objects.all()] == [plain.pk]


def test_a_retired_gold_question_is_no_gold():
    campaign = make_campaign()
    tagged_task(campaign, NAMES)
    asked, question = gold_question(campaign, "B-PER O B-PER", "O O O")
    GoldQuestion.objects.filter(pk=question.pk).update(retired_at="2020-01-01T00:00Z")
    assert truth(arrays.load_sequences(campaign, clamp=True), asked) == "? ? ?"


def test_gold_of_choices():
    campaign = choice_campaign()
    first = choice_task(campaign, "yes", gold="no")
    choice_task(campaign, "yes")
    crowd = arrays.load_labels(campaign, gold=True)
    assert crowd.classes == ("yes",)
    assert truth(crowd, first) == "no"
    assert crowd.gold.tolist() == [1, -1]
    assert arrays.load_labels(campaign, clamp=True).classes == ("yes", "no")


# --- Reading choices ----------------------------------------------------------------------------


def test_choices_come_in_the_campaigns_order_with_unsure_last():
    campaign, workers = choice_campaign(), make_workers(3)
    first = choice_task(campaign, "unsure", "no", "yes", workers=workers)
    second = choice_task(campaign, "yes", workers=workers[2:])
    crowd = arrays.load_labels(campaign)

    assert crowd.tasks.tolist() == [first.pk, second.pk]
    assert crowd.classes == ("yes", "no", "unsure")
    assert crowd.labels.unit.tolist() == [0, 0, 0, 1]
    assert crowd.labels.worker.tolist() == [0, 1, 2, 2]
    assert crowd.labels.label.tolist() == [2, 1, 0, 0]
    assert crowd.sequences is None


def test_choices_that_are_no_longer_offered_follow_by_name():
    campaign = choice_campaign()
    choice_task(campaign, "yes", "maybe", "no", "unsure")
    campaign.options = {"choices": ["no", "never"]}
    assert arrays.load_labels(campaign).classes == ("no", "maybe", "yes", "unsure")


def test_reading_choices_takes_four_queries(django_assert_num_queries):
    campaign = choice_campaign()
    for _ in range(3):
        choice_task(campaign, "yes", "no", "no", gold="no")
    with django_assert_num_queries(4):
        arrays.load_labels(campaign)
    with django_assert_num_queries(8):
        arrays.load_labels(campaign, gold=True)


def test_a_scale_is_not_read_as_a_choice():
    campaign = make_campaign(interface="choice", options={"scale": {"min": 1, "max": 5, "step": 1}})
    task = make_task(campaign)
    make_response(task, None, {"choice": None, "unsure": False, "value": 3, "note": ""})
    with pytest.raises(ValueError, match=f"task '{task.external_id}' holds no choice"):
        arrays.load_labels(campaign)


# --- Writing ------------------------------------------------------------------------------------


def material_of(task):
    return Material(
        schema=task.campaign.project.schema,
        options=task.campaign.options,
        text=task.document.text,
        tokens=task.document.tokens,
        sentences=task.document.sentences,
    )


@pytest.mark.parametrize("method", ["mv-token", "mv-seq", "mv-seg", "dawid-skene"])
def test_consensus_is_a_canonical_answer(method):
    campaign = make_campaign()
    gaps = "? I-PER O ? ? ? O O O"
    task = tagged_task(campaign, NAMES, NAMES, gaps)
    empty = tagged_task(campaign, "? ? ? ? ? ? ? ? ?")
    aggregate(campaign, method)

    found = Consensus.objects.get(task=task).answer
    assert entity.check(found, material_of(task)) == found
    assert [(m["start"], m["end"], m["type"]) for m in found["mentions"]] == [
        (0, 12, "PER"), (17, 24, "PER"), (27, 33, "LOC"),
    ]  # fmt: skip
    assert (found["entities"], found["unlabelled"]) == ([], [])
    nothing = Consensus.objects.get(task=empty)
    assert entity.check(nothing.answer, material_of(empty)) == nothing.answer
    assert nothing.answer["unlabelled"] == [[0, 45]]
    assert nothing.confidence is None


def test_offsets_are_code_points():
    campaign = make_campaign()
    task = tagged_task(
        campaign, "O B-PER", text="\U0001f600\U0001f600 Zoe\u0308", sentences=[[0, 2]]
    )
    aggregate(campaign, "mv-token")
    assert Consensus.objects.get(task=task).answer["mentions"][0] == {
        "id": "m1", "start": 3, "end": 7, "type": "PER", "entity": None,
    }  # fmt: skip


def test_parts_that_nobody_looked_at_are_unlabelled_and_have_no_probabilities():
    campaign = make_campaign()
    task = tagged_task(campaign, "B-PER I-PER ? ? O O O O O", "? ? ? ? O O O O O")
    run = aggregate(campaign, "mv-token")
    found = Consensus.objects.get(task=task)

    assert found.answer["unlabelled"] == [[13, 24]]
    rows = np.frombuffer(found.probabilities, "<f2").reshape(9, len(run.classes))
    assert np.isnan(rows[2:4]).all()
    assert rows[[0, 1, 4]].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_confidence_is_the_mean_posterior_of_what_was_chosen():
    campaign = make_campaign()
    task = tagged_task(
        campaign, "B-PER O", "B-PER B-PER", "B-PER O", "O O", text="Ada ran", sentences=[[0, 2]]
    )
    aggregate(campaign, "mv-token")
    assert Consensus.objects.get(task=task).confidence == pytest.approx(0.75)


def test_an_i_without_its_b_makes_no_mention():
    campaign = make_campaign()
    task = tagged_task(campaign, "I-PER O O O I-PER B-LOC I-PER O O")
    aggregate(campaign, "mv-token")
    mentions = Consensus.objects.get(task=task).answer["mentions"]
    assert [(m["start"], m["end"], m["type"]) for m in mentions] == [(27, 33, "LOC")]


def test_reliabilities_are_written_for_each_worker():
    campaign, (ann, ben, idle) = make_campaign(), make_workers(3)
    for _ in range(3):
        tagged_task(campaign, NAMES, NAMES, "? ? ? ? ? ? ? ? ?", workers=[ann, ben, idle])
    run = aggregate(campaign, "dawid-skene")
    rows = {row.worker_id: row for row in WorkerReliability.objects.filter(run=run)}

    assert rows.keys() == {ann.pk, ben.pk, idle.pk}
    assert rows[ann.pk].judged == 27
    assert 0 < rows[ann.pk].low < rows[ann.pk].accuracy < rows[ann.pk].high < 1
    confusion = np.array(rows[ann.pk].parameters["confusion"])
    assert confusion.shape == (len(run.classes), len(run.classes))
    assert confusion.sum(axis=1) == pytest.approx(np.ones(len(run.classes)), abs=1e-4)
    assert rows[idle.pk].judged == 0
    assert rows[idle.pk].accuracy is None


def test_votes_have_no_confusion_matrix():
    campaign = make_campaign()
    tagged_task(campaign, NAMES, NAMES)
    aggregate(campaign, "mv-token")
    assert [row.parameters for row in WorkerReliability.objects.all()] == [{}, {}]


@pytest.mark.parametrize("method", ["majority", "dawid-skene"])
def test_consensus_of_choices_is_a_canonical_answer(method):
    campaign, workers = choice_campaign(), make_workers(3)
    clear = choice_task(campaign, "no", "no", "yes", workers=workers)
    unsure = choice_task(campaign, "unsure", "unsure", "no", workers=workers)
    for _ in range(4):
        choice_task(campaign, "yes", "yes", "yes", workers=workers)
    run = aggregate(campaign, method)

    for task, name in ((clear, "no"), (unsure, None)):
        found = Consensus.objects.get(task=task)
        assert found.answer["choice"] == name
        assert choice.check(found.answer, Material(options=CHOICES)) == found.answer
        assert len(found.probabilities) == 2 * len(run.classes)
        assert 0.3 < found.confidence < 1


def test_many_tasks_are_written_in_batches():
    campaign, workers = make_campaign(), make_workers(2)
    for _ in range(5):
        tagged_task(campaign, "O B-PER", "O O", workers=workers, text="a b", sentences=[[0, 2]])
    told = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays.writing, "WRITTEN", 2)
        patch.setattr(arrays.answers, "READ", 3)
        run = aggregate(campaign, "mv-token", advance=told.append)
    assert Consensus.objects.filter(run=run).count() == 5
    assert told == [3, 3, 3, 1, 2, 2, 1]
    assert AggregationRun.objects.get().diagnostics["answers"] == 10


# --- Some tasks, with the numbers of an earlier run ---------------------------------------------


def test_only_the_tasks_that_are_asked_for_are_read():
    campaign, (ann, ben) = make_campaign(), make_workers(2)
    first = tagged_task(campaign, NAMES, NAMES, workers=[ann, ben], gold=NAMES)
    second = tagged_task(campaign, NOTHING, workers=[ben], gold=NOTHING)
    for task, workers, each in ((first, [ann, ben], [2]), (second, [ben], [1])):
        crowd = arrays.load_sequences(campaign, tasks=[task.pk], gold=True)
        assert crowd.tasks.tolist() == [task.pk]
        assert crowd.workers.tolist() == [worker.pk for worker in workers]
        assert crowd.answers_each.tolist() == each
        assert (crowd.gold >= 0).all()
    assert arrays.load_sequences(campaign, tasks=[]).answers == 0
    everything = arrays.load_sequences(campaign)
    both = arrays.load_sequences(campaign, tasks=[first.pk, second.pk])
    assert (both.labels.label == everything.labels.label).all()


def test_reading_some_tasks_takes_as_many_queries(django_assert_num_queries):
    campaign = make_campaign()
    tasks = [tagged_task(campaign, NAMES).pk for _ in range(9)]
    for some in (tasks[:1], tasks[:8]):
        with django_assert_num_queries(5):
            arrays.load_sequences(campaign, tasks=some)


def test_classes_and_workers_keep_the_numbers_of_an_earlier_run():
    campaign, (ann, ben, cem) = make_campaign(), make_workers(3)
    tagged_task(campaign, "O O O O O O O O B-LOC", NOTHING, workers=[cem, ann])
    classes = ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")
    numbering = arrays.Numbering(classes, np.array([cem.pk, ben.pk]))
    crowd = arrays.load_sequences(campaign, numbering=numbering)
    assert crowd.classes == classes
    assert crowd.workers.tolist() == [cem.pk, ben.pk, ann.pk]
    assert crowd.labels.n_workers == 3
    by_cem = crowd.labels.label[crowd.labels.worker == 0]
    assert by_cem.tolist() == [4] * 8 + [0]
    assert (crowd.labels.label[crowd.labels.worker == 2] == 4).all()


def test_class_that_the_earlier_run_did_not_have_is_told():
    campaign = make_campaign()
    tagged_task(campaign, "O O O O O O O O B-LOC")
    numbering = arrays.Numbering(("B-PER", "I-PER", "O"), np.empty(0, dtype=np.int64))
    with pytest.raises(arrays.UnknownClass, match="does not know 'B-LOC'"):
        arrays.load_sequences(campaign, numbering=numbering)
    choices = choice_campaign()
    choice_task(choices, "no", gold="yes")
    numbering = arrays.Numbering(("no",), np.empty(0, dtype=np.int64))
    assert arrays.load_labels(choices, gold=True, numbering=numbering).gold.tolist() == [1]
    with pytest.raises(arrays.UnknownClass, match="does not know 'yes'"):
        arrays.load_labels(choices, clamp=True, numbering=numbering)
