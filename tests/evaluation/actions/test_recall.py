"""Recall: documents drawn evenly, annotated by simulated workers who know the truth."""

import pytest
from django.core.management import call_command

from annotation.actions import assignments
from annotation.models import Task
from evaluation.actions.annotators import CannotEnter, enter_annotators
from evaluation.actions.recall import (
    CannotSample,
    advance_recall,
    make_campaigns,
    sample_documents,
)
from evaluation.actions.submissions import submit
from evaluation.actions.validation import validate
from evaluation.arrays.annotated import load_annotated
from evaluation.arrays.pool import corpus_of, load_pool
from evaluation.models import RecallDocument, RecallSample
from tests.evaluation.files import claim, lines
from tests.evaluation.made import make_evaluated_project, make_period, make_team
from tests.factories import make_document, make_enrollment

pytestmark = pytest.mark.django_db

# One name in six comes back in later documents.
PEOPLE = ["Ada", "Bob", "Cleo", "Dov", "Eve", "Fay"]


def text_of(number):
    return f"{PEOPLE[number % len(PEOPLE)]} Person{number // 6} was born in Town{number} ."


@pytest.fixture
def period(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    documents = [
        make_document(project, text_of(i), external_id=f"d{i:02}", sentences=[[0, 7]])
        for i in range(30)
    ]
    return make_period(project, documents)


def spans(text):
    """The first word alone is the name: documents have it in common."""
    person, town = text.split()[0], text.split()[5]
    return [(0, len(person), "PER"), (text.index(town), text.index(town) + len(town), "GPE")]


def submitted(period, names):
    """One system that has the birth of every second document."""
    team = make_team(period.project)
    claims = []
    for name in names:
        (a, b, _), (c, d, _) = spans(text_of(int(name[1:])))
        claims.append(claim(name, subject=(a, b), object_=(c, d), provenance=[]))
    return validate(submit(period, team, "falcon", "falcon.jsonl", lines(*claims)))


def answer_all(campaign, answer):
    enrollment = make_enrollment(campaign)
    while lease := assignments.claim_next(enrollment.key).assignment:
        task = Task.objects.select_related("document").get(pk=lease.task_id)
        assignments.submit(enrollment.key, lease.key, answer(task))


def names_of(task):
    words = {start: i for i, (start, _) in enumerate(task.document.tokens)}
    return {
        "mentions": [
            {"id": f"m{i}", "start": words[start], "end": words[start] + 1, "type": kind}
            for i, (start, _, kind) in enumerate(spans(task.document.text))
        ]
    }


def campaigns_of(period):
    return make_campaigns(period, pay_mills=100, redundancy=1)


def test_a_uniform_sample_is_annotated_and_says_what_the_pool_finds(period):
    submitted(period, sorted(corpus_of(period))[::2])
    names, relations = campaigns_of(period)
    sample = sample_documents(period, half_width=0.3, names=names, relations=relations, largest=24)
    uniform = sample.documents.filter(kind="uniform")
    assert uniform.count() == 20  # at least
    assert names.tasks.count() == 20
    standing = load_pool(period)
    assert load_annotated(sample, standing) is None  # nothing is annotated yet

    answer_all(names, names_of)
    told = advance_recall(period)
    assert (told.uniform, told.expansion) == (20, 4)  # up to 24 documents in all
    assert sample.documents.exclude(kind="uniform").exclude(name="").count() == 4
    answer_all(names, names_of)  # of the expansion
    advance_recall(period)
    assert relations.tasks.count() == 24
    answer_all(relations, lambda task: {"relation": "per:place_of_birth"})
    advance_recall(period)

    annotated = load_annotated(sample, standing)
    found = annotated.exhaustive
    assert annotated.missing == 0
    assert (found.documents.n_documents, len(found.key), found.documents.corpus) == (20, 20, 30)
    assert (found.expansion.n_documents, len(found.expansion_key)) == (4, 4)
    inside = {f"d{i:02}" for i in range(0, 30, 2)}
    true = sum(name in inside for name in uniform.values_list("document__external_id", flat=True))
    in_pool = (standing.pool.place(found.key) >= 0).astype(float)
    assert in_pool.sum() == true
    assert 0 < annotated.model(standing) < 1

    people = enter_annotators(period, relations, "Crowd")
    assert enter_annotators(period, relations, "Crowd") == people  # the same is no new version
    assert (people.system.kind, people.system.team) == ("annotators", None)
    assert validate(people).claims == 24
    with pytest.raises(CannotEnter, match="finds no relations"):
        enter_annotators(period, names, "Crowd")
    with pytest.raises(CannotEnter, match="Another team"):
        enter_annotators(period, relations, "falcon")


def test_done_again_or_broken_off_it_adds_nothing_twice(period):
    submitted(period, ["d00", "d01"])
    names, relations = campaigns_of(period)
    assert campaigns_of(period) == (names, relations)
    sample = sample_documents(period, half_width=0.3, names=names, relations=relations)
    RecallDocument.objects.filter(sample=sample, place__gt=12).delete()  # as if it had died
    again = sample_documents(period, half_width=0.3, names=names, relations=relations)
    assert RecallSample.objects.get() == again
    assert again.documents.count() == 20
    assert (
        names.tasks.count()
        == 20 + names.tasks.exclude(document__in=again.documents.values("document")).count()
    )
    answer_all(names, names_of)
    for _ in range(2):
        advance_recall(period)
        answer_all(names, names_of)
    first = relations.tasks.count()
    advance_recall(period)
    assert (relations.tasks.count(), again.documents.count()) == (first, 30)  # the whole corpus


def test_a_larger_sample_holds_the_smaller_one(period):
    submitted(period, sorted(corpus_of(period)))
    names, relations = campaigns_of(period)
    sample = sample_documents(period, half_width=0.3, names=names, relations=relations)
    small = set(sample.documents.values_list("document", flat=True))
    sample_documents(period, half_width=0.05, names=names, relations=relations)
    assert small < set(sample.documents.values_list("document", flat=True))


def test_what_cannot_be_drawn_is_said(period):
    names, relations = campaigns_of(period)
    with pytest.raises(CannotSample, match="between 0 and 1; found 2"):
        sample_documents(period, half_width=2, names=names, relations=relations)
    with pytest.raises(CannotSample, match="can't take them"):
        sample_documents(period, half_width=0.1, names=relations, relations=names)
    assert not RecallSample.objects.exists()


def test_command_draws_and_goes_on(period, capsys):
    submitted(period, ["d00", "d01"])
    call_command("sample_documents", period=period.key, half_width=0.3, pay=0.1, redundancy=1)
    assert "20 documents drawn evenly" in capsys.readouterr().out
    answer_all(RecallSample.objects.get().names, names_of)
    call_command("evaluate_submissions", period=period.key)
    assert RecallDocument.objects.filter(kind="expansion").exists()
