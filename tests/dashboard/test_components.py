"""The marks that stand in tables, and the explanations beside figures."""

import re

import pytest
from django.template import Context, Template

from dashboard.explanations import EXPLANATIONS


def drawn(source: str, **context) -> str:
    return Template("{% load components %}" + source).render(Context(context)).strip()


def test_interval_lies_on_the_scale_of_its_column():
    text = drawn("{% interval 0.9 0.8 0.95 needed=0.75 start=0.5 tone='k-warn' %}")
    assert 'class="ivl k-warn"' in text
    assert 'aria-label=".90, .80 to .95"' in text
    assert '<line class="span" x1="60%" x2="90%"' in text
    assert '<circle class="at" cx="80%"' in text
    assert '<line class="aim" x1="50%" x2="50%"' in text


def test_interval_that_nobody_knows_is_a_point_and_nothing_is_needed_by_itself():
    text = drawn("{% interval 0.25 share.interval.0 share.interval.1 needed=share.needed %}")
    assert 'aria-label=".25"' in text
    assert 'class="span"' not in text
    assert 'class="aim"' not in text


def test_meter_never_runs_over_and_draws_the_forecast_behind():
    text = drawn("{% meter 350 450 'Spent' expected=418 tone='warn' %}")
    assert text.index('class="b" width="92.89"') < text.index('class="w" width="77.78"')
    assert 'class="a" width="100"' in drawn("{% meter 500 450 'Spent' %}")
    assert 'class="a" width="0"' in drawn("{% meter 0 0 'Spent' %}")


@pytest.mark.parametrize("name", sorted(EXPLANATIONS))
def test_explanation_opens_beside_its_figure_in_whole_sentences(name):
    text = drawn("{% what name %}", name=name)
    assert '<summary aria-label="What is this? ' in text
    explained = EXPLANATIONS[name].text
    assert re.fullmatch(r"[A-Zq].*\.", explained)
    assert len(explained) < 420  # it lies over the page


def test_unknown_explanation_is_an_error_of_the_template():
    with pytest.raises(KeyError):
        drawn("{% what 'nonsense' %}")
