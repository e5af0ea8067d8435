"""What a campaign asks of its entity page."""

from importlib import import_module

import pytest
from django.apps import apps

from annotation.interfaces import AnswerError
from annotation.interfaces.entity import check_options, page_data
from tests.annotation.interfaces.materials import make_material
from tests.factories import make_campaign


@pytest.mark.parametrize(
    "options",
    [{}, {"coreference": False}, {"linking": True, "coreference": None},
     {"hidden_gold": 5, "training_gold": 2, "suggestions": True, "linking": False}],
)  # fmt: skip
def test_options_that_are_right_stay_as_they_are(options):
    assert check_options(options) == options


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"linking": "yes"}, "linking"),
        ({"coreference": 1}, "coreference"),
        ([], "options"),
        (None, "options"),
        ({"hidden_gold": "\0"}, "options"),
    ],
)
def test_a_wrong_option_is_named(options, field):
    with pytest.raises(AnswerError) as refused:
        check_options(options)
    assert [problem.path for problem in refused.value.problems] == [field]


@pytest.mark.parametrize(
    ("options", "coreference", "linking"),
    [
        ({}, False, True),
        ({"coreference": None, "linking": False}, False, False),
        ({"coreference": True, "linking": True}, True, True),
    ],
)
def test_the_page_is_told_what_is_asked(options, coreference, linking):
    page = page_data(make_material(options=options))
    assert (page["coreference"], page["linking"]) == (coreference, linking)


@pytest.mark.django_db
def test_campaigns_of_before_keep_their_grouping():
    asked = [{}, {"coreference": None}, {"coreference": False}]
    rows = [make_campaign(options=options) for options in asked]
    migration = import_module("annotation.migrations.0033_coreference_said")
    migration.say_it(apps, None)
    for row in rows:
        row.refresh_from_db()
    assert [row.options["coreference"] for row in rows] == [True, True, False]
