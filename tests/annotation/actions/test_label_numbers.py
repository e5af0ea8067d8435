"""The number of a label: given once, in order, never changed, the same in every process."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from annotation.actions import projects
from annotation.actions.projects import forget_label_numbers, label_numbers
from annotation.models import Label, Project
from tests.factories import make_project

pytestmark = pytest.mark.django_db


def append_elsewhere(project, vocabulary, number, name):
    """What another process has committed."""
    Label.objects.create(project=project, vocabulary=vocabulary, number=number, name=name)


def test_it_works():
    project = make_project()

    numbers = label_numbers(project.pk, {"tag": ["O", "B-PER", "O"], "link": iter(["Q1"])})

    assert numbers == {"tag": {"O": 0, "B-PER": 1}, "link": {"Q1": 0}}


def test_new_names_follow_the_last_number():
    project = make_project()
    label_numbers(project.pk, {"tag": ["O", "B-PER"]})

    numbers = label_numbers(project.pk, {"tag": ["B-LOC", "B-PER"]})

    assert numbers == {"tag": {"B-LOC": 2, "B-PER": 1}}


def test_a_vocabulary_without_names_has_no_numbers():
    assert label_numbers(make_project().pk, {"link": []}) == {"link": {}}


def test_projects_and_vocabularies_count_apart():
    one, other = make_project(), make_project()

    label_numbers(one.pk, {"tag": ["a", "b"], "link": ["b"]})

    assert label_numbers(other.pk, {"tag": ["b"]}) == {"tag": {"b": 0}}
    assert label_numbers(one.pk, {"link": ["b"]}) == {"link": {"b": 0}}


def test_more_names_than_one_query_takes():
    project, names = make_project(), [f"Q{i}" for i in range(1_200)]

    numbers = label_numbers(project.pk, {"link": names})
    forget_label_numbers()

    assert numbers == {"link": {name: i for i, name in enumerate(names)}}
    assert label_numbers(project.pk, {"link": names}) == numbers


def test_an_unknown_project_has_no_labels():
    with pytest.raises(Project.DoesNotExist):
        label_numbers(0, {"tag": ["O"]})


# --- What a process remembers -------------------------------------------------------------------


def test_what_was_committed_costs_no_query_again(
    django_assert_num_queries, django_capture_on_commit_callbacks
):
    project = make_project()
    with django_capture_on_commit_callbacks(execute=True):
        numbers = label_numbers(project.pk, {"tag": ["O", "B-PER"]})

    with django_assert_num_queries(0):
        assert label_numbers(project.pk, {"tag": ["O", "B-PER"]}) == numbers


def test_what_is_only_stored_costs_one_query(
    django_assert_num_queries, django_capture_on_commit_callbacks
):
    project = make_project()
    with django_capture_on_commit_callbacks(execute=True):
        label_numbers(project.pk, {"tag": ["O"]})
    append_elsewhere(project, "tag", 1, "B-PER")

    with django_assert_num_queries(1):
        assert label_numbers(project.pk, {"tag": ["B-PER", "O"]}) == {"tag": {"B-PER": 1, "O": 0}}


def test_numbers_of_a_transaction_that_was_taken_back_are_forgotten(
    django_capture_on_commit_callbacks,
):
    project = make_project()
    with django_capture_on_commit_callbacks(execute=True):
        with transaction.atomic():
            label_numbers(project.pk, {"tag": ["lost"]})
            transaction.set_rollback(True)
        append_elsewhere(project, "tag", 0, "kept")

    assert label_numbers(project.pk, {"tag": ["lost"]}) == {"tag": {"lost": 1}}


def test_a_new_project_starts_afresh_whatever_its_id_meant_before(
    django_capture_on_commit_callbacks,
):
    old = make_project()
    with django_capture_on_commit_callbacks(execute=True):
        label_numbers(old.pk, {"tag": ["x", "O"]})
    projects._remembered[old.pk + 1] = {("tag", "O"): 7}

    new = projects.create_project(slug="new", name="New", schema={})

    assert new.pk == old.pk + 1
    assert label_numbers(new.pk, {"tag": ["O"]}) == {"tag": {"O": 0}}


def test_a_database_gives_the_id_of_a_deleted_project_to_no_other():
    deleted = make_project()
    number = deleted.pk
    deleted.delete()

    assert make_project().pk > number


def test_memory_has_an_end(monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(projects, "MOST_REMEMBERED", 3)
    project = make_project()
    with django_capture_on_commit_callbacks(execute=True):
        for name in "abcd":
            label_numbers(project.pk, {"link": [name]})

    assert projects._remembered[project.pk] == {("link", "d"): 3}
    assert label_numbers(project.pk, {"link": ["a", "d"]}) == {"link": {"a": 0, "d": 3}}


# --- Races --------------------------------------------------------------------------------------


def test_a_name_that_another_appended_before_the_lock_keeps_its_number(monkeypatch):
    project, lock = make_project(), projects._locked

    def overtaken(project_id):
        append_elsewhere(project, "tag", 0, "O")
        return lock(project_id)

    monkeypatch.setattr(projects, "_locked", overtaken)

    assert label_numbers(project.pk, {"tag": ["B-PER", "O"]}) == {"tag": {"B-PER": 1, "O": 0}}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_threads_that_append_at_once_agree():
    project, found = make_project(), []
    start = threading.Barrier(6)

    def append(first):
        try:
            start.wait()
            for turn in range(10):
                names = [f"{turn}-{(first + i) % 6}" for i in range(6)]
                found.append(label_numbers(project.pk, {"link": names})["link"])
        finally:
            connection.close()

    threads = [threading.Thread(target=append, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    stored = dict(Label.objects.filter(project=project).values_list("name", "number"))
    assert len(found) == 60
    assert sorted(stored.values()) == list(range(60))
    assert all(numbers.items() <= stored.items() for numbers in found)
