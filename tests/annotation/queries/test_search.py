"""What is found in a knowledge base, and in which order."""

from __future__ import annotations

import json
import random

import pytest
from django.db import connection

from annotation.actions.knowledge import import_knowledge_base
from annotation.queries import search
from annotation.queries.search import entities_of_keys, search_entities
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def know(project, tmp_path):
    def know(*names, into=None):
        """Entries whose keys are their first names; a list is a name with its aliases."""
        path = tmp_path / "kb.jsonl"
        entries = [[name] if isinstance(name, str) else name for name in names]
        path.write_text(
            "\n".join(
                json.dumps({"key": f"K{number}:{own[:50]}", "name": own, "aliases": aliases})
                for number, (own, *aliases) in enumerate(entries)
            )
        )
        import_knowledge_base(into or project, path)

    return know


def found(project, text):
    return [entry["name"] for entry in search_entities(project.pk, text)[0]]


def test_exact_names_then_exact_aliases_then_beginnings_then_names_that_hold_it(project, know):
    know("New Paris", ["City of Light", "Paris"], "Parisian Café", "Paris", "Rome")
    assert found(project, "paris") == ["Paris", "City of Light", "Parisian Café", "New Paris"]


def test_the_alias_by_which_it_was_found_is_told(project, know):
    know(["Ada Lovelace", "Countess", "Ada Byron"])
    by_alias = search_entities(project.pk, "ada by")[0]
    assert by_alias[0]["alias"] == "Ada Byron"
    assert search_entities(project.pk, "ada lo")[0][0]["alias"] is None


def test_an_entity_stands_once_by_its_best_name(project, know):
    know(["Ada King", "Ada", "Ada Byron", "Ada Lovelace"])
    (entry,), more = search_entities(project.pk, "ada")
    assert (entry["alias"], more) == ("Ada", False)


def test_one_with_very_many_names_hides_no_other(project, know):
    know(["Aa", *(f"Aab {n:03}" for n in range(100))], *(f"Aac {n}" for n in range(9)))
    names = found(project, "aa")
    assert names == ["Aa", *(f"Aac {n}" for n in range(7))]


@pytest.mark.parametrize("text", ["cafe", "CAFÉ", " Cafe\u0301 ", "café"])
def test_case_accents_and_blanks_do_not_matter(project, know, text):
    know("Café de Flore")
    assert found(project, text) == ["Café de Flore"]


@pytest.mark.parametrize("text", ["a", "ab", "東", "東京", "é", "'"])
def test_one_or_two_letters_find_what_begins_with_them(project, know, text):
    know("Abel", ["東京都", "Abend"], "Zoe", ["'s-Hertogenbosch", "Étaples"])
    assert found(project, text)
    assert "Zoe" not in found(project, text)


def test_scripts_without_blanks_are_found_inside_from_three_characters_on(project, know):
    know("国立北京大学", "京都")
    assert found(project, "北京大") == ["国立北京大学"]


@pytest.mark.parametrize("text", ["%", "_", "\\", "%%%", "___", "a_c", "'; --", "(", "***"])
def test_signs_of_a_query_language_stand_for_themselves(project, know, text):
    know("abc", "Ada Lovelace")
    assert found(project, text) == []
    know(f"x {text} y", text)
    assert set(found(project, text)) <= {text, f"x {text} y"}
    assert found(project, text)[0] == text


def test_another_project_is_never_searched(project, know):
    know("Ada Lovelace", into=make_project())
    assert (
        found(project, "ada") == found(project, "lovelace") == found(project, "ada lovlace") == []
    )
    assert entities_of_keys(project.pk, ["K0:Ada Lovelace"]) == []


def test_eight_are_given_and_more_is_told(project, know):
    know(*(f"Ada {n:02}" for n in range(8)))
    assert search_entities(project.pk, "ada")[1] is False
    know(*(f"Ada {n:02}" for n in range(9)))
    entries, more = search_entities(project.pk, "ada")
    assert (len(entries), more) == (8, True)


def test_ties_are_broken_the_same_way_each_time(project, know):
    know(*["Springfield"] * 12)
    keys = [entry["key"] for entry in search_entities(project.pk, "springfield")[0]]
    assert keys == [f"K{n}:Springfield" for n in range(8)]
    assert keys == [entry["key"] for entry in search_entities(project.pk, "springfield")[0]]


def test_a_blank_finds_nothing(project, know):
    know("Ada")
    assert search_entities(project.pk, " \t") == ([], False)


def test_names_longer_than_what_is_compared_are_found(project, know):
    name = "x" * 299
    know(name)
    assert found(project, name) == [name]


def test_keys_are_looked_up_in_their_order_and_unknown_ones_left_out(project, know):
    know("Ada", "Bob")
    keys = ["K1:Bob", "gone", "K0:Ada", "K1:Bob"]
    assert [entry["name"] for entry in entities_of_keys(project.pk, keys)] == ["Bob", "Ada"]


def test_no_search_takes_more_than_eight_queries(project, know, django_assert_max_num_queries):
    know("Ada Lovelace", *(f"Name {n}" for n in range(50)))
    for text in ("a", "ada", "lovelace", "name", "nothing like it", "lovelaec"):
        with django_assert_max_num_queries(8 + 2):  # and the savepoint inside the test's own
            search_entities(project.pk, text)


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ada lovlace", "Ada Lovelace"),
        ("ada lovelcae", "Ada Lovelace"),
        ("lovelace ada", "Ada Lovelace"),
        ("einstien", "Albert Einstein"),
        ("univrsity of paris", "University of Paris"),
        ("pariz", "Paris"),
        ("intrenational assocation of the chruches", "International Association of the Churches"),
    ],
)
def test_a_slip_of_the_finger_does_no_harm(project, know, text, name):
    know("Ada Lovelace", "Albert Einstein", "University of Paris", "Paris", "Berlin",
         "International Association of the Churches")  # fmt: skip
    assert found(project, text)[0] == name


@pytest.mark.slow
def test_every_step_goes_by_an_index(project, know):
    chance = random.Random(0)
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = ["".join(chance.choices(letters, k=12)) for _ in range(15_000)]
    know(*names[:3_000], into=make_project())
    know(*names)

    plan = plan_of(search.PREFIX.format(binary=search._binary()), project.pk, "b", "x", 9)
    assert "entity_name_prefix" in plan
    assert "Sort" not in plan
    if connection.vendor == "postgresql":
        search._rows(search.PLANNING, "0.6")
        near = plan_of(search.LIKE_IT, project.pk, "abcdefgh", 1_000, "abcdefgh", "abcdefgh")
        held = plan_of(search.INSIDE["postgresql"], project.pk, "abcdefgh", 1_000, "abcdefgh")
        for plan in (near, held):
            assert "entity_name_trigrams" in plan, plan
    else:
        plan = plan_of(search.INSIDE["sqlite"], project.pk, "abcdefgh", 1_000)
        assert "COVERING INDEX entity_name_prefix (project_id=?)" in plan


def plan_of(sql, *parameters):
    prefix = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
    with connection.cursor() as cursor:
        cursor.execute(prefix + sql, parameters)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())
